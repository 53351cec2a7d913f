"""Episodes that hypothesis makes survive a trip: import(export(log)) is the log, in every game and in both formats."""

import asyncio
import json
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.events import Event, Kind, canonical_json
from engine.core.player import Player, Reply
from engine.core.views import SeatView
from engine.formats.clembench import episodes as clembench
from engine.formats.clembench.files import find_files
from engine.formats.export import export_episodes
from engine.formats.writer import ExportOptions
from engine.play.registry import Registry
from engine.play.runner import play
from engine.storage.store import Store

REGISTRY = Registry(Path(__file__).resolve().parents[2])
SELECTED = {
    game: {v.name: REGISTRY.select_instances(f"{game}/{v.name}") for v in REGISTRY.game(game).variants}
            for game in REGISTRY.names}  # fmt: skip
META = st.fixed_dictionaries(
    {}, optional={"model": st.text(max_size=5), "seconds": st.floats(0, 100), "tokens_out": st.integers(0, 2**53)}
)


class OddPlayer(Player):
    """Says texts that hypothesis drew, as they are or in the place of a text; random replies when there are no more."""

    def __init__(self, replies: list[tuple[str, dict]]) -> None:
        self._replies = list(replies)

    async def reply(self, view: SeatView) -> Reply:
        if self._replies:
            text, meta = self._replies.pop()
            return Reply(text, meta)
        return Reply(view.ask.format.sample(random.Random(len(view.messages))))


@st.composite
def courses(draw, game: str):
    """Draw how an episode of a game is played: instance, players by seat, reminders and a seed."""
    variant = draw(st.sampled_from(sorted(SELECTED[game])))
    item = draw(st.sampled_from(SELECTED[game][variant][:40]))
    odd = st.lists(st.tuples(st.text(max_size=30), META), max_size=3)
    seats = {seat: draw(st.sampled_from(["scripted", "random"]) | odd) for seat in REGISTRY.game(game).seats}
    return item, seats, draw(st.integers(0, 2)), draw(st.integers(0, 99))


def as_lines(log: list[Event]) -> list[str]:
    """Return all that an event holds, as texts that can be compared."""
    return [canonical_json([event.n, event.time, event.kind, event.seat, event.data]) for event in log]


@pytest.mark.parametrize("game", REGISTRY.names)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_an_exported_log_is_read_back_event_by_event(game, data):
    item, seats, reprompt, seed = data.draw(courses(game))
    players = {seat: player if isinstance(player, str) else OddPlayer(player) for seat, player in seats.items()}
    episode = asyncio.run(play(game, item, players, registry=REGISTRY, reprompt=reprompt, seed=seed))
    start = episode.master.start
    log = [
        Event(event.kind, event.seat, event.data, n, 1_700_000_000_000 + 7 * n) for n, event in enumerate(episode.log)
    ]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with Store(folder / "log.db") as store:
            id_, _ = store.import_episode(start, log, key=None, origin="run")
            stored = as_lines(store.events(id_))
            for format in ("jsonl", "clembench"):
                (folder / format).mkdir()
                metadata = export_episodes(
                    store, REGISTRY, folder / format, format, ExportOptions(people=True, reasoning=True), "test"
                )
                assert metadata["episodes"] == 1, "an episode with an outcome is exported"
        assert read_jsonl(folder / "jsonl" / "events.jsonl") == {id_: stored}
        [exported] = find_files(folder / "clembench").episode_folders
        replayed = clembench.replay_episode(
            clembench.read_episode(exported, folder / "clembench", {}, REGISTRY), REGISTRY, "test"
        )
        assert (replayed.episode, as_lines(replayed.log)) == (id_, stored)
        with Store(folder / "back.db") as back:
            back.import_episode(
                replayed.start, replayed.log, key=replayed.plan_key, origin=replayed.origin, episode=replayed.episode
            )
            assert as_lines(back.events(id_)) == stored
    assert any(event.kind is Kind.OUTCOME for event in log)


def read_jsonl(path: Path) -> dict[str, list[str]]:
    """Return the events of each episode of an export, as texts that can be compared."""
    episodes: dict[str, list[Event]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        values = json.loads(line)
        event = Event(Kind(values["kind"]), values["seat"], values["data"], values["n"], values["time"])
        episodes.setdefault(values["episode"], []).append(event)
    return {episode: as_lines(events) for episode, events in episodes.items()}
