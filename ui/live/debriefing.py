"""What happens when a game is over: its scores are stored, and its debriefing is made for those who ask for it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core.events import Event, Json
from engine.core.log import Log
from engine.core.scores import score_episode
from engine.core.views import describe_outcome
from engine.play.registry import Registry
from ui.live.context import ServerContext

if TYPE_CHECKING:
    from ui.live.table import LiveTable

logger = logging.getLogger("ludens.live")


async def store_scores(context: ServerContext, episode: str, events: Sequence[Event]) -> None:
    """Compute and store the scores of a game that has just ended."""
    scores_version, scores = await context.run_in_thread(context.registry.compute_scores, events)
    if scores["played"] is not None:
        await context.write(context.writer.set_scores, [(episode, scores_version, scores)])


async def debrief_table(context: ServerContext, table: LiveTable) -> Json:
    """Return the game's own debriefing of a finished table, pictures by their paths; a plain one where it fails."""
    try:
        debriefing = await context.run_in_thread(_debrief_table, context.registry, list(table.record.log))
    except Exception:  # a game's bug must not take the end of the game from those who played it
        logger.exception("the debriefing of episode %s failed", table.id)
        outcome = table.record.transcript.outcome or {}
        debriefing = {"headline": f"The game is over: {describe_outcome(outcome)}.", "outcome": outcome}
    panels = debriefing.get("panels", ())
    for asset in table.pictures.find_undrawn_assets(panels):
        await table.pictures.draw_asset(asset)
    if panels:
        debriefing["panels"] = [table.pictures.link_picture(panel, "watch") for panel in panels]
    return debriefing


def _debrief_table(registry: Registry, events: Sequence[Event]) -> Json:
    episode_log = Log(events)
    game = registry.game(episode_log.start.game)
    return game.debrief(episode_log, score_episode(episode_log, game)).as_json(
        episode_log, registry.find_experiment_title(episode_log.start)
    )
