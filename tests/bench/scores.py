"""How long scoring takes: 1,000 logged episodes of Map World on one core (the public scorer took 38.8 s for 50)."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from engine.core.log import Log
from engine.core.scores import score_episode
from engine.play.episode import Episode, NullSink
from engine.play.plans import build_item_start
from engine.play.registry import Registry, SelectedInstance
from engine.storage.ids import make_id

AIM, EPISODES = 10.0, 1000
REGISTRY = Registry(Path(__file__).parents[2])


async def play(item: SelectedInstance, player: str) -> Log:
    """Play one instance and return its log."""
    game = REGISTRY.game(item.game)
    start = build_item_start(game, item, {"walker": player}, run_seed=item.index)
    players = {"walker": REGISTRY.player(player, item.game, "walker", lambda _: ())}
    episode = await Episode.begin_episode(make_id(), game, start, players, NullSink())
    await episode.play()
    return Log(episode.log)


def main() -> None:
    """Print seconds and the ratio to the aim."""
    items = REGISTRY.select_instances("mapworld")
    logs = [asyncio.run(play(item, player)) for player in ("random", "scripted", "optimal") for item in items]
    logs = (logs * 2)[:EPISODES]
    game = REGISTRY.game("mapworld")
    began = time.process_time()
    for log in logs:
        score_episode(log, game)
    seconds = time.process_time() - began
    print(
        f"scoring {len(logs)} episodes of Map World: {seconds:.1f} s on one core (aim {AIM:.0f}, {seconds / AIM:.2f})"
    )


if __name__ == "__main__":
    main()
