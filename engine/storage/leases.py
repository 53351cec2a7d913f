"""Leases: which process may write to an episode. A lease lasts as long as its owner is alive.

An owner is a process with a heartbeat. It counts as dead when its heartbeat is old, or when it ran on this host and its
process is gone; then any other process may take its leases.
"""

from __future__ import annotations

import os
import secrets
import socket
import sqlite3
from dataclasses import dataclass

from engine.storage.ids import now_ms

OWNER_STALE_MS = 60_000
"""A process with an older heartbeat has lost its leases, even if its pid seems alive."""


@dataclass(frozen=True, slots=True)
class LeaseOwner:
    """A process that writes to the file, with its last heartbeat (UTC milliseconds)."""

    host: str
    pid: int
    heartbeat_ms: int
    purpose: str
    """What it does, in a word such as "run"."""

    def is_alive(self) -> bool:
        """Return whether the process still runs."""
        if now_ms() - self.heartbeat_ms > OWNER_STALE_MS:
            return False
        if self.host != socket.gethostname():
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


class Leases:
    """The leases of this process, by the row numbers of episodes. The caller holds the transaction."""

    def __init__(self, db: sqlite3.Connection, purpose: str) -> None:
        self._db, self._purpose = db, purpose
        self.owner: str | None = None
        """The id of this process as an owner; None before its first heartbeat."""

    def record_heartbeat(self) -> str:
        """Record that this process is alive; return its id as an owner."""
        if self.owner is None:
            self.owner = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._db.execute(
            "INSERT INTO owner (id, host, pid, what, beat) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET beat = excluded.beat",
            (self.owner, socket.gethostname(), os.getpid(), self._purpose, now_ms()),
        )
        return self.owner

    def acquire(self, episode_row: int, owner: str) -> bool:
        """Lease an episode to an owner; return False while another living process has it."""
        current_owner = self._db.execute(
            "SELECT owner.id, host, pid, beat, what FROM lease JOIN owner ON owner.id = lease.owner"
            " WHERE lease.episode = ?",
            (episode_row,),
        ).fetchone()
        if current_owner and current_owner[0] != owner and LeaseOwner(*current_owner[1:]).is_alive():
            return False
        self.assign_lease(episode_row, owner)
        return True

    def assign_lease(self, episode_row: int, owner: str) -> None:
        """Lease an episode to an owner without asking who has it."""
        self._db.execute("INSERT OR REPLACE INTO lease (episode, owner) VALUES (?, ?)", (episode_row, owner))

    def release_lease(self, episode: str) -> None:
        """Give back the lease of an episode (id), if this process has it."""
        self._db.execute(
            "DELETE FROM lease WHERE owner = ? AND episode = (SELECT row FROM episode WHERE id = ?)",
            (self.owner, episode),
        )

    def release_all_leases(self) -> None:
        """Give back all leases of this process and remove it from the owners."""
        self._db.execute("DELETE FROM lease WHERE owner = ?", (self.owner,))
        self._db.execute("DELETE FROM owner WHERE id = ?", (self.owner,))
        self.owner = None

    def release_everything(self) -> None:
        """Forget all owners and leases, of every process: the file is a copy that nobody uses."""
        self._db.execute("DELETE FROM lease")
        self._db.execute("DELETE FROM owner")

    def delete_lease(self, episode_row: int) -> None:
        """Delete the lease of an episode that is over."""
        self._db.execute("DELETE FROM lease WHERE episode = ?", (episode_row,))

    def list_running_processes(self) -> list[LeaseOwner]:
        """Return the processes that write to this file now."""
        owners = [LeaseOwner(*owner_row) for owner_row in self._db.execute("SELECT host, pid, beat, what FROM owner")]
        return [owner for owner in owners if owner.is_alive()]
