"""The full-text index of what players wrote and read: a file of its own beside the log, brought up to date by searches.

It is built from the events alone; the log has no trigger and no table for it. So it may be deleted at any time, and a
damaged or outdated one is built again. `remove_deleted` removes from it what was deleted from the log, to the last
byte.

The full-text search is FTS5, set up by sqlite-utils. Words are compared without case and accents, in any language that
separates words. All words must occur in one text, in any order; words in quotation marks must follow each other.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from engine.core.content import parts_to_text
from engine.core.events import Json
from engine.storage.backups import WAL_FILE_SUFFIXES
from engine.storage.database import Database, StoreError
from engine.storage.episode_row import EpisodeSummary
from engine.storage.listings import Listings
from engine.storage.store import Store

T = TypeVar("T")
APPLICATION_ID, INDEX_VERSION = 0x4C756453, 1
"""What the header of the file says: that it is such an index, and how its tables are laid out."""
MAX_QUERY_LENGTH = 200
"""Characters that may be searched for."""
MAX_COUNTED_MATCHES = 1000
"""Texts up to which matches are counted."""
EVENTS_PER_STEP = 10_000
"""Texts that one step of an update adds in one transaction; that takes a second or two."""
CHARACTERS_PER_PIECE = 10_000
"""Characters of a text in which words are marked at once."""
SNIPPET_LEAD_LENGTH, SNIPPET_LENGTH = 60, 260
"""Characters of a text before the first match in a snippet, and characters of the whole snippet."""
HIGHLIGHT_START, HIGHLIGHT_END = "\x02", "\x03"
"""What stands around matches in what SQLite returns; no indexed text has control characters."""
SPACE_BY_CONTROL_CODE = {code: " " for code in range(32) if chr(code) not in "\t\n"}
TEXT_KIND_BY_EVENT: dict[str, Literal["reply", "prompt"]] = {"reply": "reply", "ask": "prompt", "tell": "prompt"}
"""Kinds of events with texts, and what a search calls them."""

TABLE_STATEMENTS = (
    "CREATE TABLE state (removals INTEGER NOT NULL)",
    "INSERT INTO state VALUES (0)",
    "CREATE TABLE episode (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)",
    # seq, n and time are those of the event, turn is the number of its ask
    "CREATE TABLE text (seq INTEGER PRIMARY KEY, episode INTEGER NOT NULL, n INTEGER NOT NULL, time INTEGER NOT NULL,"
    " kind TEXT NOT NULL, seat TEXT NOT NULL, turn INTEGER, text TEXT NOT NULL)",
    "CREATE INDEX text_of_episode ON text (episode)",
)
FTS_TOKENIZER = "unicode61 remove_diacritics 2"
HAS_TEXT_CONDITION = "seq > ? AND kind IN ('reply', 'ask', 'tell') AND seat IS NOT NULL"
TEXTS_QUERY = (
    "SELECT seq, episode.id, n, time, kind, seat, data FROM event JOIN episode ON episode.row = event.episode"
    f" WHERE {HAS_TEXT_CONDITION} ORDER BY seq LIMIT ?"
)
INDEXED_QUERY = "SELECT seq, id, n, time FROM text JOIN episode ON number = text.episode ORDER BY seq DESC"
SAME_EVENT_QUERY = (
    "SELECT 1 FROM event JOIN episode ON episode.row = event.episode"
    " WHERE seq = ? AND episode.id = ? AND n = ? AND time = ?"
)
MATCHES_CLAUSE = (  # CROSS: from the matches to their episodes, never the other way round
    "FROM text_fts CROSS JOIN text ON text.seq = text_fts.rowid CROSS JOIN episode ON number = text.episode"
    " WHERE text_fts MATCH :words AND (:prompts OR kind = 'reply')"
)
PLAYER_AT_EVENT_QUERY = (
    "SELECT data ->> '$.player' FROM event WHERE episode = ? AND kind = 'seat' AND seat = ? AND n < ?"
    " ORDER BY n DESC LIMIT 1"
)


class BadSearch(ValueError):
    """These words cannot be searched for; the message says why."""


@dataclass(frozen=True, slots=True)
class SnippetPart:
    """A piece of a snippet, and whether it is one of the words searched for."""

    text: str
    is_match: bool


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A text in which all words occur: a reply, or what the game master said to a seat before it replied."""

    episode: EpisodeSummary
    n: int
    """Number of the event in the episode's log."""
    time: int
    kind: Literal["reply", "prompt"]
    seat: str
    player: str
    """Who played at the seat then."""
    turn: int | None
    """Number of the ask in the episode; None for what was said without asking."""
    snippet: tuple[SnippetPart, ...]

    def as_json(self) -> Json:
        """Return the hit for pages and programs."""
        return {
            "episode": self.episode.id,
            "game": self.episode.game,
            "variant": self.episode.variant,
            "instance": self.episode.instance_id,
            "kind": self.kind,
            "seats": self.episode.seats,
            "seat": self.seat,
            "player": self.player,
            "turn": self.turn,
            "n": self.n,
            "time": self.time,
            "snippet": [{"text": snippet_part.text, "match": snippet_part.is_match} for snippet_part in self.snippet],
        }


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Some hits, and how many texts in how many episodes match; both counts stop at `MAX_COUNTED_MATCHES` texts.

    The newest texts come first, but those of one episode together, in the order of its log.
    """

    hits: list[SearchHit]
    texts: int
    episodes: int

    @property
    def is_counted(self) -> bool:
        """Whether the counts are those of all matches."""
        return self.texts < MAX_COUNTED_MATCHES

    def as_json(self) -> Json:
        """Return the page for pages and programs."""
        return {
            "texts": self.texts,
            "episodes": self.episodes,
            "counted": self.is_counted,
            "hits": [search_hit.as_json() for search_hit in self.hits],
        }


def make_index_path(log: Path) -> Path:
    """Return where the index of a log is: `ludens.search.db` beside `ludens.db`."""
    log_target = log.resolve()
    return log_target.with_name(f"{log_target.stem}.search{log_target.suffix}")


def discard_index(log: Path) -> None:
    """Delete the index of a log, if there is one; the next search builds it again."""
    for file_suffix in (*WAL_FILE_SUFFIXES, "-journal", ""):
        with suppress(FileNotFoundError):
            Path(f"{make_index_path(log)}{file_suffix}").unlink()


def remove_deleted(log_path: Path) -> bool:
    """Remove what was deleted from a log from its index, too, if there is one; return whether no trace is left.

    Call it after the deletion is committed. Searches that run at the same time do not bring it back, because they read
    the log within the transaction that writes to the index.
    """
    if not make_index_path(log_path).exists():
        return True
    with Store(log_path) as log:
        return run_with_search_index(log, lambda index: index.remove_deleted())


def check_words(search_words: str) -> str:
    """Return the words to search for, cleaned up. Raises `BadSearch` for none and for too many."""
    if len(search_words) > MAX_QUERY_LENGTH:
        raise BadSearch(
            f"at most {MAX_QUERY_LENGTH} characters can be searched for, and these are {len(search_words):,}:"
            " use fewer words"
        )
    cleaned_words = " ".join(_clean_text(search_words).split())
    if not any(map(str.isalnum, cleaned_words)):
        raise BadSearch("nothing to search for: write at least one letter or digit")
    return cleaned_words


def run_with_search_index(log: Store, use_search_index: Callable[[SearchIndex], T]) -> T:
    """Open the index of a log, run `work` with it, and return what it returns.

    A damaged index is deleted and built again, so `work` may be called twice. Raises `StoreError` if the file cannot be
    used at the moment, or is not an index.
    """
    try:
        with SearchIndex(log) as search_index:
            return use_search_index(search_index)
    except (StoreError, sqlite3.DatabaseError) as error:
        if not _is_damage(error):
            raise _explain_error(log, error) from error
    discard_index(log.path)
    try:
        with SearchIndex(log) as search_index:
            return use_search_index(search_index)
    except (StoreError, sqlite3.DatabaseError) as error:
        raise _explain_error(log, error) from error


def _is_damage(error: Exception) -> bool:
    original_error = error.__cause__ if isinstance(error, StoreError) else error
    return getattr(original_error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _explain_error(log: Store, error: Exception) -> StoreError:
    if isinstance(error, StoreError):
        return error
    return StoreError(f"cannot search with the index {make_index_path(log.path)}: {error}")


class SearchIndex(Database):
    """The index of one log, opened for a moment by `run_with_search_index`. Several processes may use it at once."""

    def __init__(self, log: Store) -> None:
        super().__init__(make_index_path(log.path))
        self._log = log
        try:
            self.enable_secure_delete()
            if not self._is_current_layout():
                with self.transaction():
                    self._create_index()
        except BaseException:
            self.close()
            raise

    # ------------------------------------------------------------------ the file
    def _is_current_layout(self) -> bool:
        return self._read_header() == (APPLICATION_ID, INDEX_VERSION)

    def _read_header(self) -> tuple[int, int]:
        (application,), (version,) = (
            self.sqlite_db.execute(f"PRAGMA {pragma_name}").fetchone()
            for pragma_name in ("application_id", "user_version")
        )
        return application, version

    def _create_index(self) -> None:
        """Create the tables, in place of those of another version."""
        if self._is_current_layout():
            return  # another process was faster
        has_tables = self.sqlite_db.execute("SELECT 1 FROM sqlite_master").fetchone()
        if has_tables and self._read_header()[0] != APPLICATION_ID:
            raise StoreError(
                f"{self.path} should be the search index of {self._log.path}, but is another database: move it away"
            )
        self._create_tables()

    def _create_tables(self) -> None:
        from engine.storage.sqlite_library import wrap_connection

        table_names_query = (
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'"
        )
        for (table_name,) in self.sqlite_db.execute(table_names_query).fetchall():
            self.sqlite_db.execute(f'DROP TABLE IF EXISTS "{table_name}"')
        for statement in TABLE_STATEMENTS:
            self.sqlite_db.execute(statement)
        wrap_connection(self.sqlite_db).table("text").enable_fts(["text"], create_triggers=True, tokenize=FTS_TOKENIZER)
        self.sqlite_db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        self.sqlite_db.execute(f"PRAGMA user_version = {INDEX_VERSION}")

    # ------------------------------------------------------------------ updates
    def update_index(self, max_texts: int = EVENTS_PER_STEP) -> float:
        """Bring the index nearer to the log by one step of at most so many texts; return which share of it is read.

        1.0 means that it has everything. Raises `StoreError` if the file cannot be written.
        """
        if self._is_up_to_date():
            return 1.0
        with self.transaction():
            has_deleted_rows = self._apply_removals()
            text_rows = self._log.sqlite_db.execute(TEXTS_QUERY, (self._read_last_number(), max_texts)).fetchall()
            self._add_rows(text_rows)
        if has_deleted_rows:
            self.empty_write_ahead_log()
        if len(text_rows) < max_texts:
            return 1.0
        (last_event,) = self._log.sqlite_db.execute("SELECT MAX(seq) FROM event").fetchone()
        return min(self._read_last_number() / max(1, last_event or 1), 0.999)

    def _read_last_number(self) -> int:
        """Return the number of the newest indexed event."""
        (last_sequence,) = self.sqlite_db.execute("SELECT MAX(seq) FROM text").fetchone()
        return int(last_sequence or 0)

    def _is_up_to_date(self) -> bool:
        if self._count_removals() != self._log.count_removals():
            return False
        newest_row = self.sqlite_db.execute(f"{INDEXED_QUERY} LIMIT 1").fetchone()
        if newest_row and not self._is_in_log(newest_row):
            return False
        last_row = (newest_row[0] if newest_row else 0,)
        return (
            self._log.sqlite_db.execute(f"SELECT 1 FROM event WHERE {HAS_TEXT_CONDITION} LIMIT 1", last_row).fetchone()
            is None
        )

    def _count_removals(self) -> int:
        return int(self.sqlite_db.execute("SELECT removals FROM state").fetchone()[0])

    def _is_in_log(self, event: Sequence[Any]) -> bool:
        return self._log.sqlite_db.execute(SAME_EVENT_QUERY, event).fetchone() is not None

    def _apply_removals(self) -> bool:
        """Drop what is no longer in the log, or was never in this one; return whether that was anything."""
        removals, known_removals = self._log.count_removals(), self._count_removals()
        has_deleted_rows = False
        if removals < known_removals:  # an earlier copy of the log took its place
            self._create_tables()
            has_deleted_rows = True
        elif removals > known_removals:
            has_deleted_rows = self._delete_missing_episodes()
        with closing(self.sqlite_db.execute(INDEXED_QUERY)) as indexed_events:
            last_common_sequence = next((event[0] for event in indexed_events if self._is_in_log(event)), 0)
        if self.sqlite_db.execute("DELETE FROM text WHERE seq > ?", (last_common_sequence,)).rowcount:
            has_deleted_rows = True
        if has_deleted_rows:
            self._merge_index()
        self.sqlite_db.execute("UPDATE state SET removals = ?", (removals,))
        return has_deleted_rows

    def _delete_missing_episodes(self) -> bool:
        """Delete the texts of episodes that the log does not have; return whether there were any."""
        present_ids = {episode for (episode,) in self._log.sqlite_db.execute("SELECT id FROM episode")}
        indexed_rows = self.sqlite_db.execute("SELECT number, id FROM episode").fetchall()
        missing_numbers = [(episode_number,) for episode_number, episode in indexed_rows if episode not in present_ids]
        self.sqlite_db.executemany("DELETE FROM text WHERE episode = ?", missing_numbers)
        self.sqlite_db.executemany("DELETE FROM episode WHERE number = ?", missing_numbers)
        return bool(missing_numbers)

    def _merge_index(self) -> None:
        """Merge the full-text index: until then it keeps the words of deleted texts."""
        from engine.storage.sqlite_library import wrap_connection

        wrap_connection(self.sqlite_db).table("text").optimize()

    def remove_deleted(self) -> bool:
        """Remove the texts of episodes that the log does not have; return whether no trace of them is left.

        A process that reads the file at the same time prevents that.
        """
        with self.transaction():
            self._delete_missing_episodes()
            self._merge_index()
        return self.rewrite()

    def _add_rows(self, text_rows: Iterable[Sequence[Any]]) -> None:
        number_by_episode: dict[str, int] = {}
        for sequence_number, episode, event_number, event_time, event_kind, seat, data_text in text_rows:
            if episode not in number_by_episode:
                number_by_episode[episode] = self._find_episode_number(episode)
            turn_number, event_text = _read_turn(json.loads(data_text))
            column_values = (
                sequence_number,
                number_by_episode[episode],
                event_number,
                event_time,
                TEXT_KIND_BY_EVENT[event_kind],
                seat,
                turn_number,
                _clean_text(event_text),
            )
            self.sqlite_db.execute("INSERT INTO text VALUES (?, ?, ?, ?, ?, ?, ?, ?)", column_values)

    def _find_episode_number(self, episode: str) -> int:
        self.sqlite_db.execute("INSERT OR IGNORE INTO episode (id) VALUES (?)", (episode,))
        (episode_number,) = self.sqlite_db.execute("SELECT number FROM episode WHERE id = ?", (episode,)).fetchone()
        return int(episode_number)

    # ------------------------------------------------------------------ searching
    def search(
        self,
        search_words: str,
        episodes: Collection[str] | None = None,
        *,
        prompts: bool = False,
        max_hits: int = 20,
        start_number: int = 0,
    ) -> SearchPage:
        """Return the texts in which all words occur, of these episodes (ids) or of all; newest first.

        Neither counts nor order tell anything of other episodes. Raises `BadSearch`.
        """
        from engine.storage.sqlite_library import wrap_connection

        quoted_words = wrap_connection(self.sqlite_db).quote_fts(check_words(search_words))
        search_phrases = [f'"{quoted_phrase}"' for quoted_phrase in dict.fromkeys(quoted_words.split('"')[1::2])]
        query_values: Json = {"words": " ".join(search_phrases), "prompts": prompts}
        condition = MATCHES_CLAUSE
        if episodes is not None:
            condition += " AND id IN (SELECT value FROM json_each(:episodes))"
            query_values["episodes"] = json.dumps([*episodes])
        count_query = f"SELECT text.episode AS place {condition} LIMIT {MAX_COUNTED_MATCHES}"
        text_count, episode_count = self.sqlite_db.execute(
            f"SELECT COUNT(*), COUNT(DISTINCT place) FROM ({count_query})", query_values
        ).fetchone()
        hit_rows = self.sqlite_db.execute(
            f"SELECT text.seq, id, n, time, kind, seat, turn {condition}"
            " ORDER BY text_fts.rowid DESC LIMIT :limit OFFSET :start",
            {**query_values, "limit": max_hits, "start": start_number},
        ).fetchall()
        with closing(_Highlighter(search_phrases)) as highlighter:
            found_hits = list(self._make_search_hits(highlighter, hit_rows))
        return SearchPage(_group_by_episode(found_hits), text_count, episode_count)

    def _make_search_hits(self, highlighter: _Highlighter, hit_rows: Sequence[Sequence[Any]]) -> Iterable[SearchHit]:
        summaries = Listings(self._log).select_summaries([episode for _, episode, *_ in hit_rows])
        for sequence_number, episode, event_number, event_time, text_kind, seat, turn_number in hit_rows:
            if summary := summaries.get(episode):  # else it was removed a moment ago
                player = self._find_player(summary, seat, event_number)
                text_row = self.sqlite_db.execute("SELECT text FROM text WHERE seq = ?", (sequence_number,)).fetchone()
                text_snippet = highlighter.extract_snippet(text_row[0] if text_row else "")
                yield SearchHit(summary, event_number, event_time, text_kind, seat, player, turn_number, text_snippet)

    def _find_player(self, episode: EpisodeSummary, seat: str, n: int) -> str:
        hand_over_row = (
            self._log.sqlite_db.execute(PLAYER_AT_EVENT_QUERY, (episode.row, seat, n)).fetchone()
            if episode.mixed
            else None
        )
        return str(hand_over_row[0]) if hand_over_row else episode.seats.get(seat, "")


class _Highlighter:
    """Marks words in texts, with FTS5 in memory, a piece of a text at a time.

    On a whole text, highlight() and snippet() of FTS5 take time that grows with the square of the number of matches: on
    a reply of 100,000 words that are all the same 0.9 s and 110 s.
    """

    def __init__(self, search_phrases: Sequence[str]) -> None:
        self._any_phrase = " OR ".join(search_phrases)
        self._conn = sqlite3.connect(":memory:", isolation_level=None)
        self._conn.execute(f"CREATE VIRTUAL TABLE piece USING fts5 (text, tokenize='{FTS_TOKENIZER}')")

    def close(self) -> None:
        self._conn.close()

    def extract_snippet(self, indexed_text: str) -> tuple[SnippetPart, ...]:
        """Return the part of a text around its first match."""
        for piece_start in range(0, len(indexed_text), CHARACTERS_PER_PIECE - SNIPPET_LENGTH):
            text_piece = indexed_text[piece_start : piece_start + CHARACTERS_PER_PIECE]
            self._conn.execute("INSERT OR REPLACE INTO piece (rowid, text) VALUES (1, ?)", (text_piece,))
            snippet_row = self._conn.execute(
                "SELECT highlight(piece, 0, ?, ?) FROM piece WHERE piece MATCH ?",
                (HIGHLIGHT_START, HIGHLIGHT_END, self._any_phrase),
            ).fetchone()
            if snippet_row:
                return extract_snippet(snippet_row[0])
        return extract_snippet(indexed_text)  # a phrase that is longer than a piece


def extract_snippet(indexed_text: str) -> tuple[SnippetPart, ...]:
    """Return the part of a text around its first marked match, on one line."""
    highlight_start = max(indexed_text.find(HIGHLIGHT_START), 0)
    window_start, window_end = (
        max(highlight_start - SNIPPET_LEAD_LENGTH, 0),
        highlight_start + SNIPPET_LENGTH - SNIPPET_LEAD_LENGTH,
    )
    if window_start:  # not within a word, if one begins soon
        window_start = max(indexed_text.find(" ", window_start, highlight_start), window_start)
    snippet_text = indexed_text[window_start:window_end]
    if snippet_text.rfind(HIGHLIGHT_START) > snippet_text.rfind(HIGHLIGHT_END):
        snippet_text += HIGHLIGHT_END
    snippet_line = " ".join(snippet_text.split())
    snippet_line = f"{'…' if window_start else ''}{snippet_line}{'…' if window_end < len(indexed_text) else ''}"
    plain_text, *snippet_pieces = snippet_line.split(HIGHLIGHT_START)
    snippet_parts = [SnippetPart(plain_text, is_match=False)]
    for snippet_piece in snippet_pieces:
        matched_text, _, following_text = snippet_piece.partition(HIGHLIGHT_END)
        snippet_parts += [SnippetPart(matched_text, is_match=True), SnippetPart(following_text, is_match=False)]
    return tuple(snippet_part for snippet_part in snippet_parts if snippet_part.text)


def _group_by_episode(search_hits: Iterable[SearchHit]) -> list[SearchHit]:
    hits_by_episode: dict[str, list[SearchHit]] = {}
    for search_hit in search_hits:
        hits_by_episode.setdefault(search_hit.episode.id, []).insert(0, search_hit)
    return [search_hit for episode_hits in hits_by_episode.values() for search_hit in episode_hits]


def _read_turn(event: Json) -> tuple[int | None, str]:
    """Return the number of an event's ask, if it has one, and its text."""
    match event:
        case {"text": str(event_text), "ask": int(turn_number)}:
            return turn_number, event_text
        case {"said": [*content_parts], "ask": int(turn_number)}:
            return turn_number, _join_texts(content_parts)
        case {"said": [*content_parts]}:
            return None, _join_texts(content_parts)
    return None, ""


def _join_texts(content_parts: Iterable[Json]) -> str:
    """Return the text of a prompt without what it passes on from other seats: that is found as their reply."""
    return parts_to_text(content_part for content_part in content_parts if "quote" not in content_part)


def _clean_text(event_text: str) -> str:
    """Return a text that SQLite can hold: control characters as blanks, lone surrogates as replacement characters."""
    return event_text.translate(SPACE_BY_CONTROL_CODE).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
