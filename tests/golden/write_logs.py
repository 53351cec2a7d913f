"""Writes the golden logs: `.venv/bin/python -m tests.golden.write_logs [--missing] [GAME ...]`.

Golden logs say how Ludens behaved when they were written. They are written again only when a version is raised on
purpose (of a game, its prompts, its scores, or of the exports), never to make a failing test pass. `--missing` adds the
logs that are not there yet (of a new game, variant, setting or player) and leaves all others as they are; it refuses to
do so while an existing log gives something else than what is stored. `--exports DIR` writes the exports as they are
compared, so that two commits can be compared with `diff -r`.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from engine.core.events import Ending
from engine.core.player import refuse_episode_loading
from engine.play.plans import build_item_start
from engine.play.registry import SelectedInstance
from tests.golden.episodes import (
    ENTRIES,
    FOLDER,
    REGISTRY,
    ROOT,
    Conversation,
    Event,
    GameMaster,
    GoldenLog,
    Json,
    Kind,
    Outcome,
    Registry,
    build_database,
    exported_lines,
    foreign_lines,
    line_of,
    log_names,
    players_of,
    read_log,
    run_ludens,
    sha256,
    shared_path,
    summary_lines,
    transcript_of,
    views_of,
)

FIRST_TIME = 1_700_000_000_000
SEEDS = 6
"""Where a log may be any, one of so many run seeds is stored (see `play`)."""
CONTINUATION = 3
"""So many replies of what follows a log that was stopped in the middle are stored."""

Step = tuple[Any, ...]
"""What happens before a reply, (what, ...): ("bad", text) | ("late", text) | ("fault", cause) | ("seat", address)
| ("present" | "away" | "watched",) | ("end",). Where a seat is meant, it is the seat that is asked."""


@dataclass
class Case:
    """How one golden log comes about."""

    name: str
    item: SelectedInstance
    driver: str
    """The player who makes the replies, in all seats."""
    address: str | Mapping[str, str] = ""
    """The address that is stored, for all seats or by seat, if it is another one: a person or a model."""
    settings: Json = field(default_factory=dict)
    reprompt: int = 0
    people: Json = field(default_factory=dict)
    """What is stored of every person."""
    steps: dict[int, Sequence[Step]] = field(default_factory=dict)
    """What happens before the reply of that number, the first being 1."""
    meta: Json = field(default_factory=dict)
    stop: bool = False
    """Whether only the first half is stored as the log."""
    last_ask_first: bool = False
    seeds: int = SEEDS


# ---------------------------------------------------------------------- the cases
def cases_of_game(name: str, imported: Registry) -> Iterator[Case]:
    """Yield the golden logs of a game."""
    game = REGISTRY.game(name)
    players = players_of(name)
    able = "scripted" if "scripted" in players else players[-1]
    for variant in game.variants:
        items = _first_items(name, variant.name)
        for place, player in enumerate(players):
            yield Case(f"{variant.name}-{player}", items[-place % len(items)], player, seeds=1 if place else SEEDS)
    first = _first_items(name, game.variants[0].name)[0]
    yield Case("open", first, able, stop=True)
    yield Case("reminder", first, "random", reprompt=2, steps={2: [("bad", ""), ("bad", "?!")]})
    yield Case("aborted", first, able, steps={2: [("bad", "?!")]})
    yield Case("troubles", first, "random", address="random", steps=TROUBLES)
    for setting, value in _other_settings(name):
        yield Case(f"setting-{setting}", first, "random", settings={setting: value})
    if game.clembench():
        for item in [item for variant in game.variants for item in _imported_items(imported, name, variant.name)]:
            yield Case(f"imported-{item.variant}", item, "random")
    yield from SPECIAL.get(name, lambda: iter(()))()


TROUBLES: dict[int, Sequence[Step]] = {
    1: [("present",), ("fault", "the server did not answer: \u2014 503 \U0001f642")],
    2: [
        ("late", "too late"),
        ("away",),
        ("fault", "out of memory"),
        ("seat", "random?golden=1"),
        ("watched",),
    ],
    3: [("present",), ("late", ""), ("fault", "once more"), ("fault", "and again")],
    12: [("late", "after the fault"), ("end",)],  # long games are abandoned here, so that the log is short
}
MODEL: Json = {
    "model": "golden-model-1",
    "seconds": 1.25,
    "tokens_in": 120,
    "tokens_out": 12,
    "cost": 0.000123,
    "finish": "stop",
    "attempts": 1,
    "reasoning": "I think:\nthis <b>is</b> the \u201creply\u201d.",
}
PERSON: Json = {"informed": False, "seen_before": None, "practice": False}


def _first_items(game: str, variant: str) -> list[SelectedInstance]:
    """Return the first instance of each shipped experiment of a variant."""
    return [item for item in REGISTRY.select_instances(f"{game}/{variant}") if item.index == 0]


def _imported_items(imported: Registry, game: str, variant: str) -> list[SelectedInstance]:
    path = imported.file(game, variant)
    return imported.select_instances(f"{game}/{variant}") if list(path.parent.glob(f"{variant}.*.json")) else []


def _other_settings(name: str) -> Iterator[tuple[str, Any]]:
    """Yield each setting of a game with a value that is not its default."""
    model = REGISTRY.game(name).settings
    for setting, about in model.model_fields.items():
        default = about.default
        values: list[Any] = list(get_args(about.annotation))  # those of a Literal
        if isinstance(default, bool):
            values = [not default]
        elif isinstance(default, int):
            values += [default - 1, default + 1]
        for value in values:
            if value != default and _is_valid(name, {setting: value}):
                yield setting, value
                break


def _is_valid(name: str, settings: Json) -> bool:
    try:
        REGISTRY.game(name).settings.model_validate(settings)
    except ValidationError:
        return False
    return True


def _items(selection: str) -> list[SelectedInstance]:
    return REGISTRY.select_instances(selection)


def _askguess() -> Iterator[Case]:
    item = _items("askguess/described")[3]
    yield Case("stalled", item, "scripted", steps={3: [("fault", "no connection"), ("break",)]})
    yield Case("practice", item, "scripted", address="person", people={**PERSON, "practice": True})
    yield Case("exhausted", item, "scripted", reprompt=1, steps={2: [("bad", "?!"), ("bad", "\x00 \ud800")]})


def _imagegame() -> Iterator[Case]:
    item = _items("imagegame/grid/random")[1]
    yield Case("model", item, "scripted", address="openai/golden-model?temperature=0.5&max_tokens=300", meta=MODEL)
    yield Case("long", item, "random", seeds=1)


def _mapworld() -> Iterator[Case]:
    yield Case("open-pictures", _items("mapworld/ee-gr-picture/small")[2], "scripted", stop=True)
    yield Case("abandoned", _items("mapworld/g2x-picture/far")[1], "random", address="person", steps={4: [("end",)]})


def _matchit() -> Iterator[Case]:
    photos = _items("matchit/picture/photos-similar")[1]
    yield Case("open-photos", photos, "scripted", stop=True)
    yield Case("pentomino", _items("matchit/picture/pentomino-similar")[1], "scripted", seeds=1)
    people = {**PERSON, "seen_before": True}
    seats = {"A": "random", "B": "person"}
    yield Case("seen-before", photos, "random", address=seats, people=people, settings={"questions": 1})
    yield Case("one-question", _items("matchit/text/different")[1], "scripted", settings={"questions": 1})


def _reference() -> Iterator[Case]:
    informed = {**PERSON, "informed": True, "seen_before": False}
    yield Case("informed", _items("reference/text/letters")[2], "random", address="person", people=informed)
    models = {"speaker": "openai/golden-model?temperature=0", "listener": "anthropic/golden-model"}
    yield Case("two-models", _items("reference/text/shapes")[2], "scripted", address=models, meta=MODEL)
    seats = {"speaker": "scripted", "listener": "person"}
    people = {**PERSON, "hidden_partner": True}
    yield Case("hidden-partner", _items("reference/text/rows")[3], "scripted", address=seats, people=people)
    for experiment in ("pentomino", "rooms", "objects-static"):
        yield Case(experiment, _items(f"reference/picture/{experiment}")[1], "scripted")


def _spyfall() -> Iterator[Case]:
    marks = {2: [("both_seats", "Tom"), ("seen_before", "Nancy")]}
    seats = {**dict.fromkeys(REGISTRY.game("spyfall").seats, "random"), "Tom": "person", "Nancy": "person"}
    yield Case("both-seats", _items("spyfall/words/given")[3], "random", address=seats, people=PERSON, steps=marks)
    settings = {"secret_votes": True, "tie": "first", "spy_wins_at": 3}
    item = _items("spyfall/words/exchanged")[2]
    yield Case("replies-in-reverse", item, "random", settings=settings, last_ask_first=True)


def _tofukingdom() -> Iterator[Case]:
    yield Case("abandoned", _items("tofukingdom/roles/roles")[4], "scripted", steps={6: [("end",)]})
    yield Case("model", _items("tofukingdom/roles/roles")[5], "random", address="anthropic/golden-model", meta=MODEL)


SPECIAL = {
    "askguess": _askguess,
    "imagegame": _imagegame,
    "mapworld": _mapworld,
    "matchit": _matchit,
    "reference": _reference,
    "spyfall": _spyfall,
    "tofukingdom": _tofukingdom,
}
"""Logs of a single game, beside those that every game has."""


# ---------------------------------------------------------------------- playing a case
def play(case: Case) -> GoldenLog:
    """Return the log of a case: that of middle length of its run seeds, if possible one that was not aborted.

    Games of many players are long: of these it is the shortest.
    """
    playings = [_Playing(case, seed) for seed in range(case.seeds)]
    for playing in playings:
        playing.play()
    regular = [playing for playing in playings if not playing.is_aborted] or playings
    regular.sort(key=lambda playing: len(playing.log))
    return regular[0 if REGISTRY.game(case.item.game).adversarial else (len(regular) - 1) // 2].stored()


class _Playing:
    """One episode of a case: the players reply at once, and a clock that is advanced by hand."""

    def __init__(self, case: Case, run_seed: int) -> None:
        self.case, self.game = case, REGISTRY.game(case.item.game)
        address = case.address or case.driver
        seats = dict(address) if isinstance(address, Mapping) else dict.fromkeys(self.game.seats, address)
        self.start = build_item_start(
            self.game,
            case.item,
            seats,
            settings=case.settings,
            reprompt=case.reprompt,
            run_seed=run_seed,
            people={seat: case.people for seat, address in seats.items() if address == "person"}
            if case.people
            else None,
            ludens="golden",
        )
        self.conversations = {seat: Conversation(seat) for seat in self.game.seats}
        self.player = {
            seat: REGISTRY.player(case.driver, self.game.name, seat, refuse_episode_loading) for seat in self.game.seats
        }
        self.log: list[Event] = []
        self.ends: list[int] = []
        """How long the log is before each reply."""
        digits = sha256(f"{self.game.name}/{case.name}")[:6]
        self.time = FIRST_TIME + int(digits, 16) * 1000  # depends on the name only: a new log leaves the others alone
        self.master, first = GameMaster.begin_episode(self.game, self.start)
        self._add(first)

    @property
    def is_aborted(self) -> bool:
        """Whether it ended by a reply out of form."""
        return bool(self.master.outcome and self.master.outcome.kind is Ending.ABORTED)

    def _add(self, events: Sequence[Event]) -> None:
        self.time += 1_234
        for event in events:
            event.n, event.time = len(self.log), self.time
            self.log.append(event)
            for conversation in self.conversations.values():
                conversation.apply(event)

    def play(self) -> None:
        """Play until the end, or until a step says to break off."""
        number = 0
        while self.master.open:
            number += 1
            for step in self.case.steps.get(number, ()):
                if step[0] == "break":
                    return
                self._apply(step)
                if self.master.outcome:
                    return
            self.ends.append(len(self.log))
            ask, seat = self._next_ask()
            text, meta = self._reply(seat)
            self._add(self.master.reply(ask, text, meta))
            if ask in self.master.held_continuations:
                self._add(self.master.release(ask))
        assert self.master.outcome, self.master.failure_cause

    def _next_ask(self) -> tuple[int, str]:
        numbers = list(self.master.open)
        ask = numbers[-1] if self.case.last_ask_first else numbers[0]
        return ask, self.master.open[ask].request.seat

    def _reply(self, seat: str) -> tuple[str, Json]:
        view = self.conversations[seat].view(lambda asset: self.game.picture(self.master.instance, asset))
        if getattr(self.player[seat], "omniscient", False):
            view.instance = self.start.instance
        reply = asyncio.run(self.player[seat].reply(view))
        return reply.text, {"seconds": 0.25, **reply.meta, **self.case.meta}

    def _apply(self, step: Step) -> None:
        ask, seat = self._next_ask()
        kind = step[0]
        if kind == "bad":
            self._add(self.master.reply(ask, step[1], {"seconds": 0.5, **self.case.meta}))
        elif kind == "late":
            self._add(self.master.reply(1, step[1], {"seconds": 60.5}))
        elif kind == "fault":
            self._add(self.master.fault(ask, step[1]))
        elif kind == "seat":
            self._add(self.master.hand_over_seat(seat, step[1]))
        elif kind == "end":
            self._add(self.master.end(Outcome(Ending.ABANDONED, "left", seat)))
        else:
            self._add([Event(Kind(kind), step[1] if len(step) > 1 else seat, {})])

    def stored(self) -> GoldenLog:
        """Return the log as it is stored."""
        if not self.case.stop:
            return GoldenLog(self.game.name, self.case.name, self.log)
        half = len(self.ends) // 2
        cut = self.ends[half]
        end = [*self.ends, len(self.log)][min(half + CONTINUATION, len(self.ends))]
        return GoldenLog(self.game.name, self.case.name, self.log[:cut], self.log[cut:end])


# ---------------------------------------------------------------------- writing
def write_events(log: GoldenLog) -> None:
    """Write a log and what follows it."""
    log.path(".jsonl").parent.mkdir(parents=True, exist_ok=True)
    _write(log.path(".jsonl"), map(line_of, log.events))
    if log.coming:
        _write(log.path(".next.jsonl"), map(line_of, log.coming))


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", errors="backslashreplace")


def import_entries(folder: Path) -> Registry:
    """Import our instance files in clembench's layout into a folder; return a registry of them."""
    run_ludens("import", "clembench", ENTRIES, "--to", folder, "--db", folder / "unused.db")
    return Registry(ROOT, folder)


def changes(database: Path, games: Sequence[str], folder: Path) -> list[str]:
    """Return which stored files the present code would write differently."""
    different = []
    for game, name in log_names():
        log = read_log(game, name)
        if game in games and views_of(log, database) != log.lines(".views.jsonl"):
            different.append(str(log.path(".views.jsonl")))
    for game in games:
        path = shared_path(game, "exports")
        if path.exists() and exported_lines(database, game, folder / game) != path.read_text("utf-8").splitlines():
            different.append(str(path))
    return different


def main(words: Sequence[str] | None = None) -> None:
    """Write golden logs of all games or of those that are named."""
    parser = argparse.ArgumentParser(prog="tests.golden.write_logs", description=__doc__)
    parser.add_argument("games", nargs="*", help="games; none: all")
    parser.add_argument("--missing", action="store_true", help="write only logs that are not there yet")
    parser.add_argument("--exports", type=Path, help="write the exports into this folder, and nothing else")
    options = parser.parse_args(words)
    for variable in [name for name in os.environ if name.startswith("LUDENS_")]:
        del os.environ[variable]
    games = options.games or list(REGISTRY.names)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if options.exports:
            build_database(folder / "all.db", [read_log(*name) for name in log_names()])
            for game in [None, *games]:
                exported_lines(folder / "all.db", game, options.exports / (game or "all"))
            return
        stored = log_names() if options.missing else []
        if stored:
            build_database(folder / "before.db", [read_log(*name) for name in stored])
            if different := changes(folder / "before.db", games, folder / "before"):
                sys.exit(f"nothing is written: these would change: {', '.join(different)}")
        imported = import_entries(folder / "instances")
        logs = [
            play(case) for game in games for case in cases_of_game(game, imported) if (game, case.name) not in stored
        ]
        assert len({(log.game, log.name) for log in logs}) == len(logs), "two cases have the same name"
        if not options.missing:
            for path in [path for game in games for path in (FOLDER / game).glob("*")]:
                path.unlink()
        for log in logs:
            write_events(log)
        _write_derived(logs, folder)


def _write_derived(logs: Sequence[GoldenLog], folder: Path) -> None:
    """Write everything that is derived from new logs, and the exports of their games."""
    others = [read_log(*name) for name in log_names()]
    build_database(folder / "all.db", [*others, *logs])
    for log in logs:
        _write(log.path(".views.jsonl"), views_of(log, folder / "all.db"))
        log.path(".txt").write_text(
            transcript_of(log, folder / "all.db"), encoding="utf-8", errors="backslashreplace", newline=""
        )
    for game in [None, *sorted({log.game for log in logs})] if logs else []:
        lines = exported_lines(folder / "all.db", game, folder / "exports" / (game or "all"))
        _write(shared_path(game, "exports"), lines)
        if game:
            _write(shared_path(game, "summary"), summary_lines(game, [read_log(*name) for name in log_names()]))
    if logs:
        _write(shared_path(None, "foreign"), foreign_lines(folder / "all.db", folder))


if __name__ == "__main__":
    main()
