"""The protocol that every player keeps, and the addresses players are named by.

A person, an API model, a local model, a scripted and a recorded player are all asked through `reply`; nobody who
calls it can tell them apart. A player that cannot answer (API down, out of memory) raises `PlayerFault`: the episode
is stalled with that cause and goes on at the open ask later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable
from urllib.parse import parse_qsl

from engine.events import Event
from engine.views import SeatView

Episodes = Callable[[str], Sequence[Event]]
"""Gives the log of a stored episode by its id; raises LookupError or `StoreError` where there is none."""


class PlayerFault(Exception):
    """A player could not answer. The message is the cause, as recorded and shown."""


class UnknownPlayer(LookupError):
    """An address that names no player, or one that cannot sit here; the message says what can."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, word for word, with what is known about it (tokens, seconds, model id; see design §4)."""

    text: str
    meta: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class Player(Protocol):
    """Whoever sits at a seat."""

    async def reply(self, view: SeatView) -> Reply:
        """Return the reply to the view's open ask; raise `PlayerFault` when there is none to be had."""
        ...


@runtime_checkable
class HandsIn(Player, Protocol):
    """A player whose replies are handed in from outside (a person at a form)."""

    def hand_in(self, ask: int, reply: Reply) -> None:
        """Answer the open ask; raise LookupError when it is not waited for."""
        ...


@dataclass(frozen=True, slots=True)
class Address:
    """A player's name as given: `scripted`, `recorded/EPISODE`, `openai/NAME?temperature=0&max_tokens=300`."""

    provider: str
    name: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Address:
        """Return the parts of an address. Raises `UnknownPlayer` for an empty one."""
        path, _, query = text.strip().partition("?")
        provider, _, name = path.partition("/")
        if not provider:
            raise UnknownPlayer("a player's name is missing; `ludens players` lists all")
        return cls(provider, name, dict(parse_qsl(query, keep_blank_values=True)))
