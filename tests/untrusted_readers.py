"""Everything that reads what others wrote, called with traps; `tests/test_untrusted.py` runs it with limited time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from engine.core.events import Event, to_json
from engine.core.game import Game
from engine.core.log import Log
from engine.core.master import GameMaster
from engine.core.player import Address
from engine.core.replies import ReplyFormat, Violation, build_format
from engine.core.scores import score_episode
from engine.core.start import EpisodeStart
from engine.core.suggestions import did_you_mean
from engine.core.views import Conversation, Transcript
from engine.formats.export import WRITER_BY_FORMAT, export_episodes
from engine.formats.transcript.page import render_transcript_page
from engine.formats.transcript.text import format_markdown, format_text
from engine.formats.writer import ExportOptions
from engine.play.plan_file import read_plan
from engine.play.registry import Registry
from engine.play.roster import Roster
from engine.play.runner import play
from engine.results.plots import shorten_names
from engine.storage.store import Store
from tests.engine.test_search_index import played, search
from tests.traps import ROOT, TRAPS, Trapper
from ui.live.waiting import describe_cause

REGISTRY = Registry(ROOT)


def reading(what: str) -> None:
    """Note what is read now."""
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


# ---------------------------------------------------------------------- replies
def formats() -> Iterator[ReplyFormat]:
    """Yield every reply format of the golden logs, imported ones among them, each once."""
    known: set[str] = set()
    list(REGISTRY.games)  # they register their formats
    for path in sorted((ROOT / "tests/golden/episodes").rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            if isinstance(event, dict) and event.get("kind") == "ask":
                declaration = event["data"]["format"]
                shape = json.dumps([declaration["kind"], sorted(declaration)])
                if shape not in known or (declaration["kind"] == "brought" and to_json(declaration) not in known):
                    known |= {shape, to_json(declaration)}
                    yield build_format(declaration)


def read_replies() -> None:
    """Parse and show all traps in all formats, bare and where each format has a place for text."""
    for asked in formats():
        form = asked.describe_form()
        fields = [field["name"] for form in form.get("either", [form]) for field in form["fields"]]
        for name, trap in TRAPS.items():
            reading(f"{name} as {asked.kind}: {asked.words()[:80]}")
            replies = [trap, json.dumps(dict.fromkeys(fields, trap))]
            with contextlib.suppress(Violation):
                replies.append(asked.compose_reply(dict.fromkeys(fields, trap)))
            for reply in replies:
                with contextlib.suppress(Violation):
                    asked.parse(reply)
                asked.show(reply)


# ---------------------------------------------------------------------- games
def read_game(game_name: str, variant: str) -> None:
    """Say all traps, one after the other, at all seats, and read the logs; then at each seat among scripted players.

    Scripted players read the start of each reply, here as on a server, but without a time limit.
    """
    game = REGISTRY.game(game_name)
    item = REGISTRY.select_instances(f"{game_name}/{variant}")[0]
    seatings = [game.seats, *((seat,) for seat in (game.seats if len(game.seats) == 2 else game.seats[:1]))]
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "log.db") as store:
        for seats in seatings:
            traps = iter([*TRAPS, *TRAPS])
            said: set[str] = set()
            others = {seat: "scripted" for seat in game.seats if seat not in seats}
            while not said.issuperset(TRAPS):
                before = len(said)
                players = {seat: Trapper(traps, said) for seat in seats} | others
                episode = asyncio.run(play(game_name, item, players, reprompt=1, registry=REGISTRY, seed=len(said)))
                reading(f"a log of {game_name}/{variant}")
                if seats == game.seats:
                    read_log(game, episode.log)
                    start = EpisodeStart.model_validate(episode.log[0].data)
                    store.import_episode(start, episode.log, key=None, origin="run")
                if len(said) == before:
                    break  # this seat says nothing freely
        has_pyarrow = find_spec("pyarrow") is not None
        for format in (name for name in WRITER_BY_FORMAT if name != "hf" or has_pyarrow):
            reading(f"the export {format} of {game_name}/{variant}")
            (Path(folder) / format).mkdir()
            export_episodes(store, REGISTRY, Path(folder) / format, format, ExportOptions(people=True), "test")


def read_log(game: Game, events: list[Event]) -> None:
    """Read a log in every way in which a server, a command or a page reads one."""
    GameMaster.resume(game, events)
    transcript = Transcript.from_events(events)
    assert transcript.lines
    for seat in game.seats:
        conversation = Conversation(seat)
        for event in events:
            if event.seat in (None, seat):
                conversation.apply(event)
        assert conversation.lines is not None
    log = Log(events)
    scores = score_episode(log, game) if log.outcome else {}
    game.debrief(log, scores).as_json(log, "title")
    game.board(log)
    game.animate(log)
    format_text(events)
    format_markdown("e", events)
    render_transcript_page("e", log, scores, lambda asset: game.picture(game.load(log.start.instance), asset))


def read_index() -> None:
    """Search all traps for words that some of them have 100,000 times. FTS5's snippet() takes minutes for that."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "log.db") as store:
        played(store, *TRAPS.values())
        for words in ("a", "x " * 100, '"' + "x " * 99 + '"', "a b c d e f g 1 2 3 and row", "row 1 is"):
            reading(f"a search for {words[:20]}")
            search(store, words, max_hits=100)


# ---------------------------------------------------------------------- files
def read_files() -> None:
    """Read traps as plans, rosters, instance files, records of other programs and JSON."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for name, trap in TRAPS.items():
            for text in (trap, f"run = {json.dumps(trap)}", f"[players]\nx = {json.dumps(trap)}", json.dumps(trap)):
                reading(f"{name} in a file")
                path = folder / "file.toml"
                path.write_bytes(text.encode(errors="replace"))
                with contextlib.suppress(Exception):  # what matters here is that it ends
                    read_plan(path, REGISTRY)
                with contextlib.suppress(Exception):
                    Roster.read([path], REGISTRY.providers, ())
                with contextlib.suppress(Exception):
                    REGISTRY.select_instances(text)
                with contextlib.suppress(Exception):
                    Address.parse(text)
                with contextlib.suppress(Exception):
                    did_you_mean(text, REGISTRY.names)
                with contextlib.suppress(Exception):
                    EpisodeStart.model_validate_json(text)
                with contextlib.suppress(Exception):
                    json.loads(text)
                list(shorten_names([text, text + "/b", "a/b"], 20))
                describe_cause(text)
