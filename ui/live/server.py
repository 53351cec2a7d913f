"""The live part of the web app, put together: what routes work with."""

from __future__ import annotations

from engine.play.player_workers import PROCESSOR_SECONDS_PER_REPLY
from engine.play.registry import Registry
from engine.storage.listings import Listings
from engine.storage.store import Store
from ui.live.context import ServerContext
from ui.live.dealing import EpisodePreparer
from ui.live.housekeeping import Housekeeping
from ui.live.match_queue import MatchQueue
from ui.live.offers import PlayerOffers
from ui.live.quotas import Limits, Quotas
from ui.live.seating import Seating
from ui.live.studies import Studies
from ui.live.study_desk import StudyManager
from ui.live.tables import Tables
from ui.live.turn_limits import TurnLimits


class LiveServer:
    """All tables of one server, and those who look after them.

    `paid_players` says whether everybody may seat players that cost money or load a model, or only admins. Games that
    nobody has answered in for `abandon_days` are ended. `choice_for_all` says whether everybody may choose what is
    played, or only admins. A scripted player may take `seconds_per_scripted_reply` of processor time.
    """

    def __init__(
        self,
        registry: Registry,
        reader: Store,
        writer: Store,
        *,
        ludens_version: str,
        limits: Limits,
        abandon_days: float,
        paid_players: bool,
        choice_for_all: bool = True,
        seconds_per_scripted_reply: float = PROCESSOR_SECONDS_PER_REPLY,
    ) -> None:
        self.context = ServerContext(registry, reader, writer, seconds_per_scripted_reply)
        self.registry, self.reader, self.links = registry, reader, self.context.links
        self.visibility, self.listings = self.context.visibility, Listings(reader)
        self.offers = PlayerOffers(registry, self.links, allows_paid_players=paid_players, allows_choice=choice_for_all)
        self._episode_preparer = EpisodePreparer(
            registry, reader, self.links, self.visibility, self.offers, self.context.workers, version=ludens_version
        )
        self.tables = Tables(self.context, self._episode_preparer)
        self.quotas = Quotas(limits, self.links, self.tables.table_by_episode)
        self.seating = Seating(self.context, self.tables, self.offers, self._episode_preparer, self.quotas)
        self.queue = MatchQueue(self.context, self.seating, registry)
        self.housekeeping = Housekeeping(self.context, self.tables, abandon_days=abandon_days)
        self.turn_limits = TurnLimits(self.context, self.tables)
        self.studies = Studies(
            self.context, self.tables, remove_episodes=self.housekeeping.remove_episodes, ludens_version=ludens_version
        )
        self.study_manager = StudyManager(
            self.context, self.tables, self.seating, self.offers, self.studies, ludens_version
        )

    async def start(self) -> None:
        """Start everything that runs in the background; call it in the event loop that serves."""
        await self.context.start_writing()
        self.housekeeping.start_tasks()
        self.turn_limits.start()
        self.studies.start()

    async def close(self) -> None:
        """Stop everything; what was accepted is stored."""
        await self.tables.close_all_tables()
        self.study_manager.close()
        self.studies.close()
        await self.context.close()
