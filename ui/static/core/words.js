// Words that several pages use, so that the same thing is called the same everywhere.

export const RECORDING_NOTICE =
  'What is recorded: every message of the game with its time and how it was typed (number of keys and pastes, time away, size of the window), and whether a person or a program sat at each seat. Half-written text is kept on the server too until you send it. No name, no address. A cookie lets this browser find its seats again.';

const PLAYER_NAMES = {
  person: 'a person',
  scripted: 'scripted player',
  random: 'random player',
  optimal: 'optimal player',
};

/** What a seat can be given to, for those who set up a table. */
export const SEAT_OPTIONS = {
  person: 'Me',
  invite: 'Somebody I invite',
  scripted: 'Scripted player',
  random: 'Random player',
  optimal: 'Optimal player',
};

/** A player as a reader sees it: "scripted player", or the address of a model unchanged. */
export const playerName = (address) => PLAYER_NAMES[address] ?? address;

/** The word for a number of units, from their plural: "guess" for 1 of "guesses". */
export const unitOf = (number, units) => (number === 1 ? units.replace(/(?<=ss|x|ch|sh)es$|s$/, '') : units);
