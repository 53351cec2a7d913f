"""Which episodes a browser may see, and whether they are published.

A finished game with people is visible to these people, to the browser that opened the table, to those that were given
its spectator link, and to administrators. It is visible to everybody once an administrator, or every person who held a
seat, has published it (`SeatLinks.publish`). Nobody who holds a seat may watch the game before it is over. Games
between programs are visible to everybody, unless they play back (`recorded/EPISODE`) a game that is not.

Besides, a browser that plays a game dealt blind looks at no other episode of that game, where the other side of its own
instance might be found. Exempt are episodes that it played itself, and tables that it opened itself and the server
dealt. The rule does not ask which instance an episode has: a refusal must not tell which one is being played.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.events import Json
from engine.storage.database import StoreError
from engine.storage.episode_row import Status
from engine.storage.seat_links import PLAYED_BLIND_CLAUSE, SEAT_HISTORY_QUERY, SeatLinks, list_published_episodes
from engine.storage.store import Replay, Store

SEATED_REASON = "You hold a seat at this table: you may watch it when the game is over."
RUNNING_GAME_REASON = "A table with people at it can be watched only by its spectator link."
PRIVATE_REASON = (
    "People played this game. Until they publish it, it can be seen by them, by whoever opened the table or was given"
    " its link to watch, and by whoever runs this server."
)

OWN_EPISODE_QUERY = (
    f"SELECT 1 FROM ({SEAT_HISTORY_QUERY}) WHERE episode = :episode AND browser = :browser"
    " UNION ALL SELECT 1 FROM opened WHERE episode = :episode AND browser = :browser AND NOT chosen"
)
"""Selects a row if a browser played an episode itself, or opened its table and let the server deal."""
OWN_EPISODES_QUERY = (
    f"SELECT episode FROM ({SEAT_HISTORY_QUERY}) WHERE browser = ?1"
    " UNION SELECT episode FROM opened WHERE browser = ?1 AND NOT chosen"
)
"""Selects the episodes for which `OWN_EPISODE_QUERY` selects a row."""
GAMES_IN_PLAY_QUERY = (
    "SELECT DISTINCT game FROM holder JOIN seat USING (pid) JOIN episode ON episode.id = seat.episode"
    " WHERE holder.browser = ? AND status != 'over'"
)


def explain_blind_refusal(game: str) -> str:
    """Return why a browser that plays a game (title or name) dealt blind may not look at others of it."""
    return (
        f"You are in a game of {game} that is not over. Until it is, this browser can neither look at other games of"
        f" {game} nor choose what is played there: they could show what the other side has. Finish or leave your game"
        " first; the lobby lists it under your open games."
    )


@dataclass(frozen=True, slots=True)
class PublicationState:
    """What a page says to a browser about publishing an episode."""

    has_people: bool
    is_published: bool
    is_admin: bool
    """Whether the browser is an administrator's."""
    may_publish: bool
    has_published_share: bool
    """Whether the browser has published its share."""
    seats: int
    """Seats that people hold or have held."""
    unpublished_count: int
    """Seats of these whose people have not published."""

    def as_json(self) -> Json:
        """Return the state as the page reads it."""
        return {
            "people": self.has_people,
            "published": self.is_published,
            "owner": self.is_admin,
            "say": self.may_publish,
            "given": self.has_published_share,
            "seats": self.seats,
            "missing": self.unpublished_count,
        }


class Visibility:
    """Answers from the reading connection of one server."""

    def __init__(self, reader: Store, seat_links: SeatLinks) -> None:
        self._store, self._links = reader, seat_links
        self._version = -1
        self._unpublished_episodes: dict[str, bool] = {}
        """The episodes with people that are not published, each with whether it is over."""
        self._replays: list[tuple[Replay, bool]] = []
        """All replays, each with whether its episode is over."""

    def find_refusal(self, browser: str | None, episode: str) -> str | None:
        """Return why a browser may not see all sides of an episode; None if it may.

        Raises `StoreError` if the log does not have the episode.
        """
        status = self._store.status(episode)
        if status is None:
            raise StoreError(f"no episode {episode!r} in {self._store.path}")
        seat_links, is_finished = self._links, status is Status.OVER
        if not is_finished and seat_links.sits_at_table(browser, episode):
            return SEATED_REASON
        if seat_links.may_spectate(browser, episode):
            return None
        if is_finished and (seat_links.is_admin(browser) or seat_links.took_part(browser, episode)):
            return None
        if seat_links.has_people(episode) and not (is_finished and seat_links.is_published(episode)):
            return PRIVATE_REASON if is_finished else RUNNING_GAME_REASON
        refusals = (self.find_refusal(browser, replay.source) for replay in self._store.list_replays(episode))
        return next(filter(None, refusals), None)

    def plays_unchosen_instance(self, browser: str | None, game: str) -> bool:
        """Return whether a browser holds a seat in an open episode of a game whose instance it has not chosen."""
        blind_play_query = f"SELECT 1 {PLAYED_BLIND_CLAUSE} AND episode.game = ?"
        return self._store.sqlite_db.execute(blind_play_query, (browser, game)).fetchone() is not None

    def find_reading_refusal_reason(self, browser: str | None, episode: str) -> str | None:
        """Return why a browser may not look at an episode now: `refusal`, or that it plays the same game blind.

        Raises `StoreError` if the log does not have the episode.
        """
        if reason := self.find_refusal(browser, episode):
            return reason
        db = self._store.sqlite_db
        (game,) = db.execute("SELECT game FROM episode WHERE id = ?", (episode,)).fetchone()
        if not self.plays_unchosen_instance(browser, game):
            return None
        if db.execute(OWN_EPISODE_QUERY, {"episode": episode, "browser": browser}).fetchone():
            return None
        return explain_blind_refusal(game)

    def list_hidden_episodes(self, browser: str | None) -> frozenset[str]:
        """Return the episodes that a browser may not see, in a few milliseconds for thousands."""
        self._refresh_unpublished()
        is_admin = self._links.is_admin(browser)
        watchable_episodes = self._select_episodes("SELECT episode FROM watcher WHERE browser = ? AND granted", browser)
        seat_episodes = self._select_episodes(
            "SELECT episode FROM seat JOIN holder USING (pid) WHERE browser = ?", browser
        )
        former_seat_episodes = self._select_episodes("SELECT episode FROM sat WHERE browser = ?", browser)
        opened_episodes = self._select_episodes("SELECT episode FROM opened WHERE browser = ?", browser)
        took_part = seat_episodes | former_seat_episodes | opened_episodes

        def may_see_episode(episode: str, is_over: bool) -> bool:
            if is_over:
                return is_admin or episode in took_part or episode in watchable_episodes
            return episode in watchable_episodes and episode not in seat_episodes

        hidden_episodes = {
            episode for episode, is_over in self._unpublished_episodes.items() if not may_see_episode(episode, is_over)
        }
        for replay, is_over in self._replays:  # oldest first, and the source of a replay is older
            episode = replay.episode
            if (
                replay.source in hidden_episodes
                and episode not in self._unpublished_episodes
                and not may_see_episode(episode, is_over)
            ):
                hidden_episodes.add(episode)
        return frozenset(hidden_episodes)

    def list_games_played(self, browser: str | None) -> frozenset[str]:
        """Return the games of which a browser holds a seat in an episode that is not over."""
        return frozenset(self._select_episodes(GAMES_IN_PLAY_QUERY, browser))

    def list_own_episodes(self, browser: str | None) -> frozenset[str]:
        """Return the episodes that a browser played itself, or whose table it opened and let the server deal."""
        return frozenset(self._select_episodes(OWN_EPISODES_QUERY, browser))

    def _select_episodes(self, episode_query: str, browser: str | None) -> set[str]:
        return {episode for (episode,) in self._store.sqlite_db.execute(episode_query, (browser,))}

    def _refresh_unpublished(self) -> None:
        """Read unpublished episodes and replays again if another connection has written since the last time."""
        version = self._store.read_data_version()
        if version == self._version:
            return
        db = self._store.sqlite_db
        statuses = dict(db.execute("SELECT id, status FROM episode WHERE people").fetchall())
        for (episode,) in db.execute("SELECT episode FROM opened WHERE people").fetchall():
            if episode not in statuses and (status := self._store.status(episode)):  # a person came later
                statuses[episode] = status
        published_ids = list_published_episodes(self._store)
        self._unpublished_episodes = {
            episode: status == Status.OVER
            for episode, status in statuses.items()
            if status != Status.OVER or episode not in published_ids
        }
        self._replays = [
            (replay, self._store.status(replay.episode) is Status.OVER) for replay in self._store.list_replays()
        ]
        self._version = version

    def read_publication(self, browser: str | None, episode: str) -> PublicationState:
        """Return what a page says to a browser about publishing an episode."""
        db, is_admin = self._store.sqlite_db, self._links.is_admin(browser)
        is_browsers_by_seat = dict(
            db.execute(
                f"SELECT pid, MAX(browser = ?) FROM ({SEAT_HISTORY_QUERY}) WHERE episode = ? GROUP BY pid",
                (browser, episode),
            ).fetchall()
        )
        published_seats = {seat for (seat,) in db.execute("SELECT pid FROM published WHERE episode = ?", (episode,))}
        published_shares = {seat for seat, is_browsers_seat in is_browsers_by_seat.items() if is_browsers_seat} | (
            {""} if is_admin else set()
        )
        return PublicationState(
            has_people=self._links.has_people(episode),
            is_published=self._links.is_published(episode),
            is_admin=is_admin,
            may_publish=bool(published_shares),
            has_published_share=bool(published_shares & published_seats),
            seats=len(is_browsers_by_seat),
            unpublished_count=len(is_browsers_by_seat.keys() - published_seats),
        )
