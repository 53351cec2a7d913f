"""Which episodes a browser may see, and publishing them.

What is over and had people at it is for those people, for whoever opened the table or was given its spectator link, and
for the owner (a browser that opened the admin link), until it is published: by the owner, or by every person who held a
seat. What is still in play is nobody's who holds a seat there. Games between programs are for everybody, but for those
that play back (`recorded/EPISODE`) one that is not. Reads the log and the tables of `links`; `Links.publish` writes.
"""

from __future__ import annotations

from engine.core.events import Json
from engine.storage.database import StoreError
from engine.storage.episode_row import Status
from engine.storage.links import HELD, Links, published, replays
from engine.storage.store import Store

SEATED = "You hold a seat at this table: you may watch it when the game is over."
IN_PLAY = "A table with people at it can be watched only by its spectator link."
PRIVATE = (
    "People played this game. Until they publish it, it can be seen by them, by whoever opened the table or was given"
    " its link to watch, and by whoever runs this server."
)


class Visibility:
    """Answers for one server, from its reading connection."""

    def __init__(self, reader: Store, links: Links) -> None:
        self._store, self._db, self._links = reader, reader.conn, links
        self._version = -1
        self._people: dict[str, bool] = {}
        """The episodes with people that are not published, each with whether it is over."""
        self._replays: list[tuple[str, bool, str]] = []
        """Episodes that play others back, each with whether it is over and with the other one."""

    def may_see(self, browser: str | None, episode: str) -> str | None:
        """Return why a browser may not see all sides of an episode; None when it may.

        Raises `StoreError` where there is no such episode.
        """
        found = self._db.execute("SELECT status FROM episode WHERE id = ?", (episode,)).fetchone()
        if found is None:
            raise StoreError(f"no episode {episode!r} in {self._store.path}")
        links, over = self._links, found[0] == Status.OVER
        if not over and links.sits_at(browser, episode):
            return SEATED
        if links.granted(browser, episode):
            return None
        if over and (links.is_admin(browser) or links.took_part(browser, episode)):
            return None
        if links.has_people(episode) and not (over and links.is_published(episode)):
            return PRIVATE if over else IN_PLAY
        played_back = [source for _, source in replays(self._store, episode)]
        return next(filter(None, (self.may_see(browser, source) for source in played_back)), None)

    def hidden(self, browser: str | None) -> frozenset[str]:
        """Return the ids of the episodes that a browser may not see, in a few milliseconds for thousands."""
        owner, db = self._links.is_admin(browser), self._db
        people = self._unpublished()
        granted = db.execute("SELECT episode FROM watcher WHERE browser = ? AND granted", (browser,))
        sits = db.execute("SELECT episode FROM seat JOIN holder USING (pid) WHERE browser = ?", (browser,))
        seen, seated = {one for (one,) in granted}, {one for (one,) in sits}
        left = db.execute("SELECT episode FROM sat WHERE browser = ?", (browser,))
        opened = db.execute("SELECT episode FROM opened WHERE browser = ?", (browser,))
        own = {one for rows in (left, opened) for (one,) in rows} | seated

        def may(episode: str, over: bool) -> bool:
            if over:
                return owner or episode in own or episode in seen
            return episode in seen and episode not in seated

        found = {episode for episode, over in people.items() if not may(episode, over)}
        for episode, over, source in self._replays:  # what is played back is older
            if source in found and episode not in people and not may(episode, over):
                found.add(episode)
        return frozenset(found)

    def _unpublished(self) -> dict[str, bool]:
        """Return the episodes with people that are not published; read the log again when anybody has written."""
        version = self._store.data_version()
        if version != self._version:
            states = dict(self._db.execute("SELECT id, status FROM episode WHERE people").fetchall())
            for (id_,) in self._db.execute("SELECT episode FROM opened WHERE people").fetchall():
                if id_ not in states:  # it began between programs
                    found = self._db.execute("SELECT status FROM episode WHERE id = ?", (id_,)).fetchone()
                    states |= {id_: found[0]} if found else {}
            shown = published(self._store)
            self._people = {
                id_: status == Status.OVER
                for id_, status in states.items()
                if status != Status.OVER or id_ not in shown
            }
            self._replays = [(id_, self._is_over(id_), source) for id_, source in replays(self._store)]
            self._version = version
        return self._people

    def _is_over(self, episode: str) -> bool:
        found = self._db.execute("SELECT status FROM episode WHERE id = ?", (episode,)).fetchone()
        return found is not None and found[0] == Status.OVER

    def standing(self, browser: str | None, episode: str) -> Json:
        """Return what a page says of an episode's visibility to a browser.

        {"people": whether any sat there, "published", "owner": whether the browser is the owner, "say": whether it may
        publish, "given": whether it has, "seats": seats held by people, "missing": those that have not published}.
        """
        db, owner = self._db, self._links.is_admin(browser)
        seats = db.execute(
            f"SELECT pid, MAX(browser = ?) FROM ({HELD}) WHERE episode = ? GROUP BY pid", (browser, episode)
        ).fetchall()
        marks = {pid for (pid,) in db.execute("SELECT pid FROM published WHERE episode = ?", (episode,))}
        own = {pid for pid, mine in seats if mine} | ({""} if owner else set())
        return {
            "people": self._links.has_people(episode),
            "published": self._links.is_published(episode),
            "owner": owner,
            "say": bool(own),
            "given": bool(own & marks),
            "seats": len(seats),
            "missing": sum(pid not in marks for pid, _ in seats),
        }
