"""Read the write-ahead log of a database file as SQLite's format describes it, without SQLite.

After a crash SQLite takes over the frames up to the first that is not valid and forgets the rest without a word. This
tells whether the rest holds frames that were committed once: then games may be gone.

The format (https://www.sqlite.org/fileformat2.html, section 4): a header of 32 bytes with two random salts, then frames
of 24 bytes and a page. A frame counts if it has the header's salts and its checksum continues that of the frame before
it; a transaction counts if its last frame, which holds the size of the database, does. The log is written again from
its start with new salts after each checkpoint, so that frames of older salts at its end are normal.
"""

from __future__ import annotations

import shutil
import sqlite3
import struct
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.core.patterns import compile_linear_pattern

HEADER_SIZE, FRAME_HEADER_SIZE = 32, 24
MAGIC_NUMBERS = (0x377F0682, 0x377F0683)
"""The first number of the file; the lowest bit says whether checksums are of big-endian words."""
PAGE_SIZES = tuple(1 << size for size in range(9, 17))
EPISODE_ID_PATTERN = compile_linear_pattern("[0-9a-f]{31}", reason="one class of characters, with a fixed length")


@dataclass(frozen=True, slots=True)
class _WalFrame:
    """A frame of the log, as far as it is there."""

    position: int
    """Where it begins in the file."""
    page: int
    is_commit: bool
    salts: bytes
    has_continuous_checksum: bool
    """Whether its checksum continues the stored checksum of the frame before it: both were written as they are."""


@dataclass(frozen=True, slots=True)
class WriteAheadLog:
    """The write-ahead log of a database file as SQLite will read it: how many frames count, and how many do not."""

    path: Path
    valid_frames: int = 0
    unfinished_frames: int = 0
    """Frames of a last transaction that was not finished, as crashes, full disks and power cuts leave them: normal."""
    lost_frames: int = 0
    """Frames from the first damaged one to the last that ended a transaction: what they held was stored once."""


class _WalFile:
    """The bytes of a write-ahead log."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.path = database.with_name(f"{database.name}-wal")
        self.file_bytes = _read_consistent_bytes(self.path)
        self.page_size = 0
        self.frames: list[_WalFrame] = []
        self.valid_count = 0
        if len(self.file_bytes) > HEADER_SIZE:
            self._read_frames()

    def _read_frames(self) -> None:
        magic_number, _, self.page_size = struct.unpack(">3I", self.file_bytes[:12])
        byte_order = ">" if magic_number & 1 else "<"
        checksum = _sum_words(byte_order, self.file_bytes[:24], (0, 0)) if magic_number in MAGIC_NUMBERS else None
        has_valid_header = (
            checksum == struct.unpack(">2I", self.file_bytes[24:HEADER_SIZE]) and self.page_size in PAGE_SIZES
        )
        if not has_valid_header:  # SQLite ignores the whole log; its frames have their own salts
            byte_order, self.page_size = "<", _read_page_size(self.database)
        frame_size = FRAME_HEADER_SIZE + self.page_size
        stored_checksum = struct.unpack(">2I", self.file_bytes[24:HEADER_SIZE])
        for frame_position in range(HEADER_SIZE, len(self.file_bytes) - frame_size + 1, frame_size):
            page_number, commit_size = struct.unpack(">2I", self.file_bytes[frame_position : frame_position + 8])
            frame_body = (
                self.file_bytes[frame_position : frame_position + 8]
                + self.file_bytes[frame_position + FRAME_HEADER_SIZE : frame_position + frame_size]
            )
            computed_checksum = _sum_words(byte_order, frame_body, stored_checksum)
            stored_checksum = struct.unpack(">2I", self.file_bytes[frame_position + 16 : frame_position + 24])
            self.frames.append(
                _WalFrame(
                    frame_position,
                    page_number,
                    commit_size > 0,
                    self.file_bytes[frame_position + 8 : frame_position + 16],
                    computed_checksum == stored_checksum,
                )
            )
        self.salts = self.file_bytes[16:24] if has_valid_header else self.frames[0].salts if self.frames else b""
        if has_valid_header:
            self._count_valid_frames()

    def _count_valid_frames(self) -> None:
        for frame_number, wal_frame in enumerate(self.frames, 1):
            if wal_frame.salts != self.salts or not wal_frame.has_continuous_checksum:
                return
            if wal_frame.is_commit:
                self.valid_count = frame_number

    @property
    def count_lost_frames_end(self) -> int:
        """The number of frames up to the last one, not taken over, that ended a transaction; else `valid_count`."""
        transaction_end_numbers = [
            frame_number
            for frame_number, wal_frame in enumerate(self.frames, 1)
            if frame_number > self.valid_count
            and wal_frame.is_commit
            and wal_frame.has_continuous_checksum
            and wal_frame.salts == self.salts
        ]
        return max(transaction_end_numbers, default=self.valid_count)

    def make_summary(self) -> WriteAheadLog:
        lost_frame_count = self.count_lost_frames_end - self.valid_count
        later_frames = [
            wal_frame
            for wal_frame in self.frames[self.valid_count + lost_frame_count :]
            if wal_frame.salts == self.salts
        ]
        return WriteAheadLog(self.path, self.valid_count, len(later_frames), lost_frame_count)

    def list_lost_episodes(self) -> list[str]:
        """Return the ids of episodes that lost frames hold and the database without them does not, sorted."""
        with TemporaryDirectory() as folder:
            database_copy_before, database_copy_after = Path(folder, "before"), Path(folder, "after")
            shutil.copyfile(self.database, database_copy_before)
            self._copy_pages(database_copy_before, self.valid_count)
            shutil.copyfile(database_copy_before, database_copy_after)
            self._copy_pages(database_copy_after, self.count_lost_frames_end)
            event_counts_before, event_counts_after = (
                _count_events(database_copy_before),
                _count_events(database_copy_after),
            )
        if event_counts_after is None:  # a damaged page is in the way: ids stand in the pages as text
            lost_frames = self.frames[self.valid_count : self.count_lost_frames_end]
            pages = (
                self.file_bytes[wal_frame.position : wal_frame.position + FRAME_HEADER_SIZE + self.page_size]
                for wal_frame in lost_frames
            )
            return sorted(
                {episode_id for page in pages for episode_id in EPISODE_ID_PATTERN.findall(page.decode("latin-1"))}
            )
        return sorted(
            id_
            for id_, event_count in event_counts_after.items()
            if (event_counts_before or {}).get(id_) != event_count
        )

    def _copy_pages(self, copy_path: Path, page_count: int) -> None:
        """Write the pages of the first frames into a copy of the database."""
        with copy_path.open("r+b") as database_file:
            for wal_frame in self.frames[:page_count]:
                database_file.seek((wal_frame.page - 1) * self.page_size)
                database_file.write(
                    self.file_bytes[
                        wal_frame.position + FRAME_HEADER_SIZE : wal_frame.position + FRAME_HEADER_SIZE + self.page_size
                    ]
                )
            database_file.seek(18)
            database_file.write(b"\x01\x01")  # no write-ahead log beside it


def read_write_ahead_log(database: Path) -> WriteAheadLog:
    """Return the state of the write-ahead log beside a database file; an empty one where there is none.

    Call it before the file is opened: the first connection takes over what counts, the last one deletes the rest.
    """
    return _WalFile(database).make_summary()


def make_damaged_copy(database: Path) -> Path:
    """Return where a write-ahead log that has lost transactions is kept for a closer look."""
    return database.with_name(f"{database.name}-wal.damaged")


def copy_damaged_log(database: Path) -> WriteAheadLog:
    """Return the state of the write-ahead log; keep a copy if transactions are lost, unless there is one already."""
    log = read_write_ahead_log(database)
    if log.lost_frames and not make_damaged_copy(database).exists():
        shutil.copyfile(log.path, make_damaged_copy(database))
    return log


def list_lost_episodes(database: Path) -> list[str]:
    """Return the ids of the episodes of which events stand only in lost frames, as far as can be read."""
    return _WalFile(database).list_lost_episodes()


def _read_consistent_bytes(path: Path) -> bytes:
    """Return the bytes of the log; read it again if it was begun anew meanwhile. Empty where there is no file."""
    last_bytes = b""
    for _ in range(10):
        with suppress(FileNotFoundError):
            last_bytes = path.read_bytes()
            with path.open("rb") as log_file:
                if log_file.read(HEADER_SIZE) == last_bytes[:HEADER_SIZE]:
                    return last_bytes
    return last_bytes


def _read_page_size(database: Path) -> int:
    with database.open("rb") as database_file:
        size_field = int.from_bytes(database_file.read(18)[16:], "big")
    return 65536 if size_field == 1 else size_field if size_field in PAGE_SIZES else 4096


def _sum_words(byte_order: str, checked_bytes: bytes, start_words: tuple[int, ...]) -> tuple[int, int]:
    """Return SQLite's checksum of 8-byte pieces, continued from `start`."""
    first_checksum, second_checksum = start_words
    word_iterator = iter(struct.unpack(f"{byte_order}{len(checked_bytes) // 4}I", checked_bytes))
    for first_word, second_word in zip(word_iterator, word_iterator, strict=True):
        first_checksum = (first_checksum + first_word + second_checksum) & 0xFFFFFFFF
        second_checksum = (second_checksum + second_word + first_checksum) & 0xFFFFFFFF
    return first_checksum, second_checksum


def _count_events(copy_path: Path) -> dict[str, int] | None:
    """Return the number of events of each episode of a copied database; None if it cannot be read."""
    count_query = "SELECT id, (SELECT COUNT(*) FROM event WHERE event.episode = episode.row) FROM episode"
    try:
        with closing(sqlite3.connect(f"{copy_path.as_uri()}?immutable=1", uri=True)) as db:
            return dict(db.execute(count_query).fetchall())
    except sqlite3.DatabaseError:
        return None
