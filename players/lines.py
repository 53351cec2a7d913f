"""The player of a text file: sends the file's lines as replies, in order, to rehearse or to test a partner.

`lines/FILE` is a path as written after `lines/`: `lines/say.txt` from the current folder, `lines//home/me/say.txt` from
the root. Each line is one reply as a model would send it. Plans and logs hold the digest of the lines in the address
(`lines/say.txt?sha256=…`), so a changed file is a different player. A file on the server's disk is never opened for a
browser.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.core.player import Address, FaultCode, Player, PlayerFault, Provider, ProviderContext, Reply, UnknownPlayer
from engine.core.views import SeatView
from players.common.parameters import read_parameters

MAX_FILE_BYTES = 10_000_000
"""Bytes of the largest file that is read."""
DIGEST_LENGTH = 16
"""Hexadecimal digits of the digest in an address."""


class BadLines(Exception):
    """A file whose lines cannot be used; the message names the file and the reason."""


def read_lines(path: Path) -> list[str]:
    r"""Return the replies of a text file: one per line, without blank lines, `\n` as a line break, `\\n` as `\n`.

    Raises `BadLines`.
    """
    try:
        file_status = path.stat()
        if not stat.S_ISREG(file_status.st_mode):  # a device or a pipe may never end
            raise BadLines(f"{path} is not a file")
        if file_status.st_size > MAX_FILE_BYTES:
            raise BadLines(f"{path} is larger than {MAX_FILE_BYTES // 1_000_000} MB")
        file_text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadLines(f"{path} is not a text file in UTF-8 (byte {error.start})") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise BadLines(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from None
    if "\0" in file_text:
        raise BadLines(f"{path} is not a text file: it contains a null character")
    replies = [_unescape_line(file_line) for file_line in file_text.split("\n") if file_line.strip()]
    if not replies:
        raise BadLines(f"{path} has no lines to say: write one reply per line")
    return replies


def _unescape_line(escaped_line: str) -> str:
    return "\\n".join(escaped_part.replace("\\n", "\n") for escaped_part in escaped_line.split("\\\\n"))


def _digest_lines(replies: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(replies).encode()).hexdigest()[:DIGEST_LENGTH]


class LinesPlayer(Player):
    """Sends the lines of a file in order; a reply that the rules refuse uses up its line as well."""

    instant = True

    def __init__(self, path: Path, expected_digest: str | None = None) -> None:
        """Take the file, which is read at the first reply, and the digest that its lines must have."""
        self._path, self._lines_digest = path, expected_digest
        self._replies: list[str] | None = None

    def _read_lines(self) -> list[str]:
        """Return the lines. Raises `PlayerFault` if they cannot be read or have changed."""
        try:
            replies = read_lines(self._path)
        except BadLines as lines_error:
            raise PlayerFault(str(lines_error), FaultCode.NOT_FOUND) from None
        if self._lines_digest not in (None, _digest_lines(replies)):
            raise PlayerFault(f"{self._path} has changed since this episode was planned", FaultCode.NOT_FOUND)
        return replies

    async def reply(self, view: SeatView) -> Reply:
        """Return the line after those that this seat has said. Raises `PlayerFault` if there is none."""
        self._replies = self._replies or self._read_lines()
        reply_count = sum(message.role == "assistant" for message in view.messages)
        if reply_count >= len(self._replies):
            counts_text = f"lines: {len(self._replies)}, asked of seat {view.seat}: reply {reply_count + 1}"
            fault_text = f"{self._path} is used up ({counts_text})"
            raise PlayerFault(fault_text, FaultCode.NO_LINES_LEFT)
        return Reply(self._replies[reply_count])


class LinesProvider(Provider):
    """Makes players that say the lines of a text file."""

    summary = "the lines of a text file, one reply per line: lines/FILE"
    is_for_browsers = False
    makes_programs = True

    def make_player(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return the player of `lines/FILE`, which reads the file of a pinned address later. Raises `UnknownPlayer`."""
        return LinesPlayer(Path(address.name), self.pin_address(address).parameters["sha256"])

    def pin_address(self, address: Address) -> Address:
        """Return the address with the digest of the file's lines. Raises `UnknownPlayer`."""
        if not address.name:
            raise UnknownPlayer("which file? write lines/FILE, for example lines/say.txt")
        if read_parameters(address, {"sha256": str}):
            return address
        try:
            return replace(address, parameters={"sha256": _digest_lines(read_lines(Path(address.name)))})
        except BadLines as error:
            raise UnknownPlayer(f"{address.model}: {error}") from None


PROVIDER = LinesProvider()
