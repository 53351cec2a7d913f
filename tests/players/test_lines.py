"""The player of a text file: what it sends, what its address holds, which files it refuses, and when it is used up."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from engine.core.events import Kind
from engine.core.player import FaultCode, Player, PlayerFault, UnknownPlayer, refuse_episode_loading
from engine.core.views import Message
from engine.play.plans import Plan
from engine.play.registry import Registry
from engine.play.runner import play
from players import lines
from tests.cli.terminal import ludens
from tests.players.seats import make_view, user_message

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
REGISTRY = Registry(ROOT)
PICTURE = "reference/picture/rooms/5"


def write(folder: Path, text: str | bytes, name: str = "say.txt") -> Path:
    """Write a file of replies and return its path."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def player(address: str) -> Player:
    return REGISTRY.player(address, "reference", "speaker", refuse_episode_loading)


def replies_to(address: str, count: int) -> list[str]:
    """Return the replies of a player who is asked several times and keeps nothing of its own."""
    messages: list[Message] = [user_message("Go on.")]
    for _ in range(count):
        reply = asyncio.run(player(address).reply(make_view(*messages)))
        messages += [Message("assistant", [{"text": reply.text}], request_number=1), user_message("Go on.")]
    return [message.parts[0]["text"] for message in messages if message.role == "assistant"]


def test_each_line_is_a_reply_word_for_word(tmp_path):
    json = r'{"say": "a \"b\" c"}'
    path = write(tmp_path, f"\ufeffFirst: “é”\r\n\n   \nRow 1\\nRow 2\r\n{json}\nA literal \\\\n stays\n")
    said = ["First: “é”", "Row 1\nRow 2", json, "A literal \\n stays"]
    assert replies_to(f"lines/{path}", 4) == said


@pytest.mark.parametrize(
    ("contents", "reason"),
    [
        (b"\xff\xfe\x00binary", "not a text file in UTF-8"),
        (b"text\x00more", "null character"),
        (b"", "no lines to say"),
        (b"\n  \n", "no lines to say"),
        (b"x" * (lines.MAX_FILE_BYTES + 1), "larger than"),
    ],
)
def test_a_file_that_cannot_be_said_is_refused_before_the_run(tmp_path, contents, reason):
    path = write(tmp_path, contents)
    with pytest.raises(UnknownPlayer, match=reason) as caught:
        Plan.from_selections(REGISTRY, [PICTURE], [{"speaker": f"lines/{path}", "listener": "scripted"}])
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("lines", "write lines/FILE"),
        ("lines/", "write lines/FILE"),
        ("lines/no/such/file.txt", "No such file"),
        ("lines//", "not a file"),
        ("lines//dev/zero", "not a file"),
        ("lines/a\0b", "cannot be read"),
        ("lines/say.txt?temperature=1", "no parameter 'temperature'"),
    ],
)
def test_an_address_that_names_no_file_is_refused(address, reason):
    with pytest.raises(UnknownPlayer, match=reason):
        player(address)


def test_a_file_without_permission_is_named(tmp_path, monkeypatch):
    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path, "a\n")
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(UnknownPlayer, match=r"say\.txt cannot be read: Permission denied"):
        player(f"lines/{path}")


def test_used_up_lines_are_a_fault_with_a_code(tmp_path):
    path = write(tmp_path, "only one\n")
    view = make_view(
        user_message("a"), Message("assistant", [{"text": "only one"}], request_number=1), user_message("b")
    )
    with pytest.raises(PlayerFault, match=r"say\.txt is used up.*reply 2") as caught:
        asyncio.run(player(f"lines/{path}").reply(view))
    assert caught.value.code is FaultCode.NO_LINES_LEFT


def test_a_refused_reply_uses_up_its_line(tmp_path):
    path = write(tmp_path, "not in the format\nExpression: the second line\n")
    seats = {"speaker": f"lines/{path}", "listener": "scripted"}
    episode = asyncio.run(play("reference", "picture/rooms/5", seats, reprompt=1, registry=REGISTRY))
    assert [e.data["text"] for e in episode.log if e.kind is Kind.REPLY and e.seat == "speaker"] == [
        "not in the format",
        "Expression: the second line",
    ]


def keys_of(path: Path) -> list[str]:
    return [
        planned.key
        for planned in Plan.from_selections(REGISTRY, [PICTURE], [{"speaker": f"lines/{path}", "listener": "random"}])
    ]


def test_the_key_of_a_plan_depends_on_the_lines(tmp_path):
    path = write(tmp_path, "Expression: one\n")
    first = keys_of(path)
    write(tmp_path, "\nExpression: one")
    assert keys_of(path) == first, "the same lines are the same player"
    write(tmp_path, "Expression: two\n")
    assert keys_of(path) != first


def test_a_file_that_changes_or_goes_during_a_run_is_a_fault(tmp_path):
    path = write(tmp_path, "Expression: one\n")
    pinned = REGISTRY.pin_address(f"lines/{path}")
    write(tmp_path, "Expression: two\n")
    with pytest.raises(PlayerFault, match="has changed") as caught:
        asyncio.run(player(pinned).reply(make_view()))
    assert caught.value.code is FaultCode.NOT_FOUND
    path.unlink()
    with pytest.raises(PlayerFault, match="No such file"):
        asyncio.run(player(pinned).reply(make_view()))


def test_no_other_provider_changes_an_address():
    for address in ("random", "recorded/0123", "openai/x?temperature=0", "nobody/at all"):
        assert REGISTRY.pin_address(address) == REGISTRY.resolve(address)


def test_run_says_the_lines_from_the_first_in_every_episode(tmp_path):
    (tmp_path / "lines").mkdir()
    relative = write(tmp_path / "lines", "Expression: the golden cone\n")
    for address in ("lines/lines/say.txt", "lines/./lines/../lines/say.txt", f"lines/{relative}"):
        seats = ("--seat", f"speaker={address}", "--seat", "listener=scripted")
        ludens("run", PICTURE, *seats, "--db", "x.db", folder=tmp_path)
        ludens("run", "reference/picture/rooms", "--limit", "3", *seats, "--db", "x.db", folder=tmp_path)
    ludens("export", "out", "--format", "jsonl", "--db", "x.db", folder=tmp_path)
    log = (tmp_path / "out/events.jsonl").read_text()
    assert log.count('"Expression: the golden cone"') == 3 * 4, "rooms/5 and the first three, for each address"
    assert "lines/./lines/../lines/say.txt?sha256=" in log, "the log has the address as written, with the digest"


def test_run_names_what_is_wrong_before_anything_is_played(tmp_path):
    seats = ("--seat", "speaker=lines/none.txt", "--seat", "listener=scripted")
    result = ludens("run", PICTURE, *seats, "--db", "x.db", folder=tmp_path, code=2)
    assert "none.txt" in result.err and "No such file" in result.err
    assert not (tmp_path / "x.db").exists()


@pytest.mark.slow
def test_the_judge_of_the_partners_runs_on_the_shared_utterances(tmp_path):
    """The judge plays utterances through `lines/FILE`: every fourth of each file, which takes half a minute."""
    judge = SHARED / "tools" / "partners.py"
    if not judge.is_file():
        pytest.skip(f"there is no {judge}")
    files = sorted((SHARED / "utterances").glob("*.jsonl"))
    for path in files:
        rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / path.name).write_text("".join(rows[::4]), encoding="utf-8")
    command = [sys.executable, judge, tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "aborted 0" in done.stdout
    assert {line.partition(":")[0] for line in done.stdout.splitlines()} == {path.stem for path in files}
