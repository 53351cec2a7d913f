"""The full-text index: what matches, how it follows the log, and files that are not as they should be."""

import itertools
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from engine.core.content import RelayedMessage, content_to_json
from engine.core.events import Event, Kind
from engine.storage.database import StoreError
from engine.storage.search_index import (
    MAX_COUNTED_MATCHES,
    BadSearch,
    SearchIndex,
    SearchPage,
    discard_index,
    extract_snippet,
    make_index_path,
    remove_deleted,
    run_with_search_index,
)
from engine.storage.store import EpisodeUpdate, Store
from tests.engine.small_games import Guess, start
from tests.golden.database_files import load

START = start(Guess())
CLOCK = itertools.count(1_000_000)
"""Times of replies; no two are the same."""


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "log.db"


def tell(n: int, text: str) -> Event:
    parts = content_to_json([text, RelayedMessage("Hint", f"relayed {text}", "B")])
    return Event(Kind.TELL, "A", {"said": parts, "pictures": []}, n, 1000 + n)


def ask(n: int, text: str) -> Event:
    data = {"ask": n, "said": content_to_json(text), "pictures": [], "format": {}, "words": "", "progress": None}
    return Event(Kind.ASK, "A", data, n, 1000 + n)


def reply(n: int, text: str, seat: str = "A") -> Event:
    return Event(Kind.REPLY, seat, {"ask": n, "text": text, "meta": {}}, n, next(CLOCK))


def played(store: Store, *texts: str) -> str:
    """Store an episode in which A replies these texts; return its id."""
    [claim] = store.claim_episodes([(START, None)], origin="test")
    extend(store, claim.episode, *texts)
    return claim.episode


def extend(store: Store, episode: str, *texts: str) -> None:
    first = len(store.events(episode))
    store.append([EpisodeUpdate(episode, [reply(first + n, text) for n, text in enumerate(texts)])])


def search(store: Store, words: str, episodes: set[str] | None = None, **options) -> SearchPage:
    def work(index: SearchIndex) -> SearchPage:
        while index.update_index() < 1:
            pass
        return index.search(words, episodes, **options)

    return run_with_search_index(store, work)


def snippets(page: SearchPage) -> list[str]:
    return ["".join(f"[{part.text}]" if part.is_match else part.text for part in hit.snippet) for hit in page.hits]


def index_bytes(log: Path) -> bytes:
    return b"".join(path.read_bytes() for path in make_index_path(log).parent.glob(f"{make_index_path(log).name}*"))


# ---------------------------------------------------------------------- what is found
def test_all_words_must_be_in_one_text_and_quoted_words_must_follow_each_other(path):
    with Store(path) as store:
        first = played(store, "The red ball lies left of a Café.", "A blue ball")
        second = played(store, "ball, red and round")
        assert [hit.episode.id for hit in search(store, "red ball").hits] == [second, first]
        assert snippets(search(store, '"red ball"')) == ["The [red ball] lies left of a Café."]
        assert snippets(search(store, "cafe BLUE")) == []
        assert snippets(search(store, "CAFE")) == ["The red ball lies left of a [Café]."]
        page = search(store, "ball")
        assert (page.texts, page.episodes, page.is_counted) == (3, 2, True)
        hit = page.hits[1]
        assert (hit.seat, hit.player, hit.turn, hit.kind, hit.n) == ("A", START.seats["A"], 0, "reply", 0)
        assert [(hit.episode.id, hit.n) for hit in page.hits] == [(second, 0), (first, 0), (first, 1)]
        assert [hit.n for hit in search(store, "ball", {first}, max_hits=1, start_number=1).hits] == [0]
        assert search(store, "ball", set()).texts == 0


@pytest.mark.parametrize(
    "words",
    [
        *("NOT ball", "ball OR", "(ball", 'ball"', '"ball', "ball*", "text:ball", "-ball", "ball ^", "NEAR(ball)"),
        *("{ball}: x", '"ball\n"', "ba\x00ll", "ball\ud800", "a AND", "\u2028ball", '""ball', "'; DROP TABLE text"),
        *("ball + ball", "!!! ball"),
    ],
)
def test_signs_of_the_query_language_are_plain_text(path, words):
    with Store(path) as store:
        played(store, "not a ball")
        search(store, words)


@pytest.mark.parametrize(("words", "reason"), [("", "at least one"), ('"" *', "at least one"), ("x " * 101, "at most")])
def test_what_cannot_be_searched_for_is_refused(path, words, reason):
    with Store(path) as store, pytest.raises(BadSearch, match=reason):
        search(store, words)


def test_prompts_are_searched_on_request_without_the_words_that_they_pass_on(path):
    with Store(path) as store:
        [claim] = store.claim_episodes([(START, None)], origin="test")
        store.append([EpisodeUpdate(claim.episode, [tell(0, "a kiwi"), ask(1, "which kiwi?"), reply(2, "the kiwi")])])
        assert snippets(search(store, "kiwi")) == ["the [kiwi]"]
        page = search(store, "kiwi", prompts=True)
        assert [(hit.kind, hit.turn) for hit in page.hits] == [("prompt", None), ("prompt", 1), ("reply", 2)]
        assert search(store, "relayed", prompts=True).texts == 0


def test_the_player_is_the_one_who_had_the_seat_then(path):
    with Store(path) as store:
        episode = played(store, "an emu")
        store.append([EpisodeUpdate(episode, [Event(Kind.SEAT, "A", {"player": "programs/other"}, 1, 2000)])])
        extend(store, episode, "another emu")
        assert [hit.player for hit in search(store, "emu").hits] == [START.seats["A"], "programs/other"]


def test_counting_stops_and_says_so(path, monkeypatch):
    with Store(path) as store:
        played(store, *["emu"] * (MAX_COUNTED_MATCHES + 1))
        page = search(store, "emu", max_hits=3)
    assert (page.texts, page.is_counted, len(page.hits)) == (MAX_COUNTED_MATCHES, False, 3)


def test_halves_of_characters_and_controls_are_replaced(path):
    with Store(path) as store:
        played(store, "lone \ud800 surrogate, \x02fake mark\x03, zero\x00byte 🙂")
        [snippet] = snippets(search(store, "surrogate zero"))
    assert snippet == "lone \ufffd [surrogate], fake mark , [zero] byte 🙂"


def test_a_snippet_is_one_short_line_around_the_first_match():
    text = "word " * 50 + "\x02match\x03 \n\n after " + "word " * 100 + "\x02match\x03"
    parts = extract_snippet(text)
    line = "".join(part.text for part in parts)
    assert line.startswith("…") and line.endswith("…") and "match after" in line and "\n" not in line
    assert [part.text for part in parts if part.is_match] == ["match"]
    assert extract_snippet("\x02" + "x" * 1000 + "\x03")[0].is_match
    assert "".join(part.text for part in extract_snippet("no match at all")) == "no match at all"


# ---------------------------------------------------------------------- following the log
def test_the_index_takes_in_what_is_new_and_nothing_twice(path):
    with Store(path) as store:
        episode = played(store, "one emu")
        assert search(store, "emu").texts == 1
        extend(store, episode, "two emus and an emu")
        played(store, "third emu")
        assert search(store, "emu").texts == search(store, "emu").texts == 3
        with sqlite3.connect(make_index_path(path)) as conn:
            assert conn.execute("SELECT COUNT(*) FROM text").fetchone() == (3,)
        conn.close()


def test_a_long_log_is_indexed_in_steps(path):
    with Store(path) as store:
        played(store, *["emu"] * 25)

        def work(index: SearchIndex) -> list[float]:
            return [index.update_index(10) for _ in range(4)]

        shares = run_with_search_index(store, work)
        assert 0 < shares[0] < shares[1] < 1 and shares[2:] == [1, 1]
        assert search(store, "emu").texts == 25


def test_deleted_episodes_leave_the_index_to_the_last_byte(path):
    with Store(path) as store:
        kept = played(store, *["an avocet on the mud"] * 30)
        deleted = played(store, *["a cassowary behind the reeds"] * 30)
        search(store, "mud")
        assert b"cassowary" in index_bytes(path)
        store.delete_episodes([deleted])
        assert remove_deleted(path)
        assert b"cassowary" not in index_bytes(path) and b"reeds" not in index_bytes(path)
        assert deleted.encode() not in index_bytes(path)
        assert search(store, "avocet").texts == 30 and search(store, "cassowary").texts == 0
        store.delete_episodes([kept])  # nobody told the index this time: the next search sees it
        assert search(store, "avocet").texts == 0
        assert b"avocet" not in index_bytes(path)


def test_another_log_in_the_same_place_is_indexed_anew(path, tmp_path):
    with Store(path) as store:
        episode = played(store, "an emu")
        store.copy_to(tmp_path / "copy.db")
        extend(store, episode, "a rhea")
        played(store, "an ostrich")
        assert search(store, "rhea").texts == search(store, "ostrich").texts == 1
    for side in ("", "-wal", "-shm"):
        Path(f"{path}{side}").unlink(missing_ok=True)
    os.replace(tmp_path / "copy.db", path)  # an earlier copy, which goes on differently
    with Store(path) as store:
        extend(store, episode, "a kiwi")
        assert [search(store, words).texts for words in ("emu", "rhea", "ostrich", "kiwi")] == [1, 0, 0, 1]
    assert b"ostrich" not in index_bytes(path)
    path.unlink()
    with Store(path) as store:
        played(store, "a moa")
        assert [search(store, words).texts for words in ("emu", "moa")] == [0, 1]


CHILD = """
import sys
from pathlib import Path
from engine.storage.search_index import run_with_search_index
from engine.storage.store import Store
with Store(Path(sys.argv[1])) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    def work(index):
        while index.update_index(7) < 1:
            pass
        return index.search("emu")
    print(run_with_search_index(store, work).texts)
"""


def test_several_processes_build_one_index(path):
    with Store(path) as store:
        for _ in range(10):
            played(store, *["an emu"] * 20)
    children = [
        subprocess.Popen([sys.executable, "-c", CHILD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for child in children:
        child.stdin.write("\n")
        child.stdin.flush()
    assert [child.communicate(timeout=120)[0] for child in children] == ["200\n"] * 4


# ---------------------------------------------------------------------- files that are not as they should be
@pytest.mark.parametrize("damage", ["no database", "empty", "cut", "overwritten", "older", "gone"])
def test_a_damaged_index_is_built_again(path, damage):
    with Store(path) as store:
        played(store, *[f"emu {n} {'x' * 200}" for n in range(200)])
        assert search(store, "emu").texts == 200
        index = make_index_path(path)
        whole = index.read_bytes()
        for side in ("-wal", "-shm"):
            Path(f"{index}{side}").unlink(missing_ok=True)
        if damage == "no database":
            index.write_bytes(b"this is no database " * 1000)
        elif damage == "empty":
            index.write_bytes(b"")
        elif damage == "cut":
            index.write_bytes(whole[: len(whole) // 2])
        elif damage == "overwritten":
            index.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
        elif damage == "older":
            with sqlite3.connect(index) as conn:
                conn.execute("PRAGMA user_version = 0")
                conn.execute("DROP TABLE text_fts")
            conn.close()
        else:
            discard_index(path)
        assert search(store, "emu").texts == 200


def test_another_database_in_its_place_is_left_alone(path):
    with sqlite3.connect(make_index_path(path)) as conn:
        conn.execute("CREATE TABLE mine (x)")
    conn.close()
    with Store(path) as store:
        played(store, "emu")
        with pytest.raises(StoreError, match=r"log.search.db should be the search index .* move it away"):
            search(store, "emu")
    with sqlite3.connect(make_index_path(path)) as conn:
        assert conn.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]
    conn.close()


@pytest.mark.parametrize("problem", ["a folder", "locked"])
def test_an_index_that_cannot_be_used_is_named(path, problem, monkeypatch):
    monkeypatch.setenv("LUDENS_BUSY_SECONDS", "0.1")
    with Store(path) as store:
        played(store, "emu")
        holder = None
        if problem == "a folder":
            make_index_path(path).mkdir()
        else:
            search(store, "emu")
            played(store, "emu")
            holder = sqlite3.connect(make_index_path(path), isolation_level=None)
            holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"log\.search\.db"):
            search(store, "emu")
        if holder:
            holder.close()


def test_the_index_of_a_linked_log_is_beside_the_log_itself(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "link.db").symlink_to(tmp_path / "data" / "log.db")
    assert make_index_path(tmp_path / "link.db") == (tmp_path / "data" / "log.search.db").resolve()
    assert make_index_path(Path("a/log")).name == "log.search"


@pytest.mark.parametrize("name", ["runs.sql", "served.sql"])
def test_logs_of_before_are_searched_and_stay_as_they_are(tmp_path, name):
    path = load(name, tmp_path / "old.db")
    with Store(path) as store:
        before = store.sqlite_db.execute("SELECT name, sql FROM sqlite_master").fetchall()
        texts = store.sqlite_db.execute("SELECT COUNT(*) FROM event WHERE kind IN ('reply', 'ask', 'tell')").fetchone()
        search(store, "the")
        assert store.sqlite_db.execute("SELECT name, sql FROM sqlite_master").fetchall() == before
        with sqlite3.connect(make_index_path(path)) as conn:
            assert conn.execute("SELECT COUNT(*) FROM text").fetchone() == texts
            assert not conn.execute("SELECT 1 FROM text WHERE kind = 'reply' AND text = ''").fetchall()
        conn.close()
