"""Small games that exist to prove what the engine carries, and the few lines needed to play them by hand.

Each uses what a later game of the product will need: `Council` several seats at once and formats made from who is
still there, `Whispers` JSON replies with private thoughts and sides, `Gallery` pictures that are shown once.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from engine.core.content import Picture, RelayedMessage, ShownPicture, TextExhibit
from engine.core.events import Aborted, Decided, Event, Json, Lose, Outcome, Success, to_json
from engine.core.game import Experiment, Game, Variant
from engine.core.master import GameMaster, build_start_event
from engine.core.prompts import Prompts
from engine.core.replies import PickedAlternative, Tagged, Text, either, json_object, one_of, thought
from engine.core.start import EpisodeStart
from engine.core.table import Ask, Asking, Settings, Table


class SmallGame(Game):
    """What all of them have in common: one variant, one experiment, instances that are what they are."""

    title = blurb = "a game of the tests"
    rules = ("none",)
    version = 1
    variants = (Variant("only", "only", (Experiment("e", "e"),)),)
    prompts = Prompts("native", 1, {})

    def load(self, data: Json) -> Any:
        return data


class Council(SmallGame):
    """Four seats vote one out, all at once, until two are left. Who may be named depends on who is still there."""

    name = "council"
    seats = ("ada", "bob", "cyd", "dan")

    def play(self, table: Table, instance: Any) -> Asking[Outcome]:
        living = list(self.seats)
        while len(living) > 2:
            table.record_note("round", {"living": living, "pair": (1, 2)})
            table.tell(living, f"{len(living)} are left.")
            table.tell(living[0], "You vote first on paper.")
            votes = yield from table.together([self.vote(seat, living) for seat in living])
            tally = {seat: votes.count(seat) for seat in living}
            most = [seat for seat in living if tally[seat] == max(tally.values())]
            out = table.random.choice(most)
            table.tell(self.seats, f"{out} leaves.")
            living.remove(out)
        return Decided("stayed", {"stayed": living, "left": [seat for seat in self.seats if seat not in living]})

    def vote(self, seat: str, living: Sequence[str]) -> Ask[str]:
        """Ask one seat for its vote: a name of somebody else who is still there."""
        others = one_of(*(name for name in living if name != seat))
        return Ask(seat, f"Who leaves? You are {seat}.", Tagged("VOTE", others))


class Whispers(SmallGame):
    """Two sides of two; everybody in turn sends JSON with a thought nobody else may read, then one seat decides."""

    name = "whispers"
    seats = ("wolf", "goat", "hare", "crow")
    adversarial = True
    sides = ("hunters", "flock")

    def play(self, table: Table, instance: Any) -> Asking[Outcome]:
        for seat in self.seats:
            said = yield from table.ask(seat, "Speak.", json_object(thought=thought(), speak=Text(label="Aloud")))
            said.pop("thought")  # a rulebook may do with a value what it likes; the log must not notice
            others = [name for name in self.seats if name != seat]
            table.tell(others, RelayedMessage(seat, said["speak"], seat))
        choice = yield from table.ask(
            "crow",
            "Who hunts?",
            either(name=Tagged("NAME", one_of("wolf", "goat")), word=Tagged("WORD", Text(lines=1))),
        )
        sides = {"hunters": ["wolf"], "flock": ["goat", "hare", "crow"]}
        return Decided("flock" if choice == PickedAlternative("name", "wolf") else "hunters", sides)


class Gallery(SmallGame):
    """One seat is shown a picture a time: one to keep, others not, one of those again to keep."""

    name = "gallery"
    seats = ("eye",)
    shown = (
        ShownPicture("map"),
        ShownPicture("flash", keep=False),
        ShownPicture("other", keep=False),
        ShownPicture("flash"),
        ShownPicture("last"),
    )

    def play(self, table: Table, instance: Any) -> Asking[Outcome]:
        for number, shown in enumerate(self.shown, 1):
            if number == 2:
                table.tell("eye", "Look closely.", pictures=[ShownPicture("told", "Told", keep=False)])
            yield from table.ask("eye", [f"Picture {number}.", TextExhibit("X ▢", "Grid")], Text(), pictures=[shown])
        return Success()

    def picture(self, instance: Any, asset: str) -> Picture:
        return Picture(asset.encode(), "image/png", 1, 1, {"asset": asset})


class Guess(SmallGame):
    """One seat guesses a word; long words are not allowed; `told` messages come before each ask."""

    name = "guess"
    seats = ("A",)

    class settings(Settings):  # noqa: N801  (the name is the engine's)
        tries: int = 3

    def play(self, table: Table, instance: Any) -> Asking[Outcome]:
        table.tell("A", "Welcome.")
        table.tell("A", ["Be brief.", "Be right."])
        for number in range(table.settings.tries):
            word = yield from table.ask("A", f"Guess {number + 1}.", Tagged("GUESS", Text(lines=1)), allow=self.short)
            if word == instance["word"]:
                return Success()
            table.tell("A", f"Not {word}.")
        return Lose()

    @staticmethod
    def short(word: str) -> str | None:
        return "at most ten letters, please." if len(word) > 10 else None


class Faulty(SmallGame):
    """A rulebook with a bug where the instance says: in play, in `allow`, in a seat's name or in what it returns."""

    name = "faulty"
    seats = ("A",)

    def play(self, table: Table, instance: Any) -> Asking[Outcome]:
        where = instance["where"]
        if where == "at once":
            raise ZeroDivisionError("no table")
        yield from table.ask("A", "Go on.", Text(), allow=self.never if where == "allow" else None)
        if where == "play":
            raise ZeroDivisionError("no rules")
        if where == "seat":
            yield from table.ask("Z", "Who?", Text())
        if where == "return":
            return None  # type: ignore[return-value]
        return Aborted("turn limit") if where == "limit" else Success()

    @staticmethod
    def never(value: str) -> str | None:
        raise ZeroDivisionError("no reason")


def begin(game: Game, instance: Json | None = None, **more: Any) -> tuple[GameMaster, list[Event]]:
    """Begin a game; the events come as they would lie in the log."""
    master, events = GameMaster.begin_episode(game, start(game, instance, **more))
    return master, log_of(events)


def start(game: Game, instance: Json | None = None, seats: dict[str, str] | None = None, **more: Any) -> EpisodeStart:
    """The start of a game, somebody named `test` in every seat."""
    seats = seats or dict.fromkeys(game.seats, "test")
    given = {"variant": "only", "experiment": "e", "instance_id": "free", **more}
    return build_start_event(game, ludens="0", instance=instance or {}, seats=seats, **given)


def log_of(events: Sequence[Event], before: Sequence[Event] = ()) -> list[Event]:
    """Number events after those before and send their data through JSON, as the store does; gives the whole log."""
    log = list(before)
    for event in events:
        log.append(Event(event.kind, event.seat, json.loads(to_json(event.data)), len(log), 1000 + len(log)))
    return log


def play_out(game: Game, answer: Callable[[str, int, Json], str], **more: Any) -> list[Event]:
    """Play to the end, the oldest open ask first; `answer(seat, ask, format)` gives the text."""
    master, log = begin(game, **more)
    while not master.outcome:
        ask, waiting = next(iter(master.open.items()))
        text = answer(waiting.request.seat, ask, waiting.request.reply.declaration())
        log = log_of(master.reply(ask, text), log)
    return log


def of_kind(log: Sequence[Event], *kinds: str) -> list[Event]:
    """The events of these kinds."""
    return [event for event in log if event.kind in kinds]
