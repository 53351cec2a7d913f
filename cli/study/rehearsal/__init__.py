"""The rehearsal of a study: a server of its own, simulated browsers and participants, and what came of it."""
