"""Who is available: players.toml, read, checked and resolved.

Two kinds of table. `[servers.NAME]` is an account or a machine that answers, with its limits. `[players.NAME]` is a
short name for a model there with the parameters it plays with, and what is known of that model: whether it sees, what
it costs. A name is resolved to the full address before anything is played; that is what the log and plan keys hold, so
that an episode says itself what played, whatever the file says tomorrow.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.core.player import Address, Model, Server
from engine.core.suggestions import did_you_mean

KNOWN = {
    "openai": Server("openai", "openai", key_env="OPENAI_API_KEY"),
    "anthropic": Server("anthropic", "anthropic", key_env="ANTHROPIC_API_KEY"),
}
"""Servers that need not be written down."""
SEATED = ("person", "invite", "all")
"""Words that stand for somebody else where players are named."""

M = TypeVar("M", bound=BaseModel)
Price = Annotated[float, Field(ge=0)]


class BadRoster(ValueError):
    """A players.toml that cannot be used; the message names file, table, field and value."""


class _Server(BaseModel):
    model_config = ConfigDict(extra="forbid")

    wire: str
    base_url: str | None = Field(None, pattern=r"^https?://[^@?#]+$")
    key_env: str | None = None
    requests_per_minute: float | None = Field(None, gt=0)
    tokens_per_minute: float | None = Field(None, gt=0)
    concurrency: int | None = Field(None, ge=1)
    timeout: float = Field(600, gt=0)
    attempts: int = Field(6, ge=1)
    headers: dict[str, str] = {}


class _Player(BaseModel):
    model_config = ConfigDict(
        extra="allow"
    )  # everything else is a parameter of play; its provider knows which there are

    __pydantic_extra__: dict[str, str | bool | int | float]

    model: str
    summary: str = ""
    pictures: int | None = Field(None, ge=0)
    price: tuple[Price, Price] | None = None


@dataclass(frozen=True)
class Roster:
    """Servers, models and named players. `players` is name to full address, in the order of the files."""

    servers: Mapping[str, Server] = field(default_factory=lambda: dict(KNOWN))
    models: Mapping[str, Model] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, paths: Sequence[Path], wires: Collection[str], taken: Collection[str]) -> Roster:
        """Read files, a later one's tables over those of the same name in an earlier one.

        `wires` are the files in players/, `taken` the names that mean something already. A path that is not there is
        passed over. Raises `BadRoster`.
        """
        servers = dict(KNOWN)
        if url := os.environ.get("OPENAI_BASE_URL"):
            servers["openai"] = replace(servers["openai"], base_url=url)
        tables: dict[str, tuple[Path, _Player]] = {}
        for path in paths:
            for name, table in _tables(path, "servers").items():
                servers[name] = _server(path, name, table, servers.get(name), wires)
            for name, table in _tables(path, "players").items():
                if name in taken or name in servers or name in SEATED or "/" in name or "?" in name:
                    raise BadRoster(f"{path}: [players.{name}]: {name!r} cannot be a player's name: it is another's")
                tables[name] = path, _checked(_Player, path, f"players.{name}", table)
        models: dict[str, Model] = {}
        players: dict[str, str] = {}
        for name, (path, player) in tables.items():
            at = Address.parse(player.model)
            if at.parameters:
                raise BadRoster(
                    f"{path}: [players.{name}]: model = {player.model!r}: parameters are fields of their own"
                )
            if at.provider not in servers and at.provider not in wires:
                there = ", ".join(sorted({*servers, *wires}))
                raise BadRoster(
                    f"{path}: [players.{name}]: model = {player.model!r}: no server {at.provider!r}; "
                    f"write a table [servers.{at.provider}], or one of {there}"
                )
            known, said = models.get(at.model), Model(player.pictures, player.price, player.summary)
            models[at.model] = _together(path, name, known, said)
            players[name] = str(
                Address(at.provider, at.name, {key: _text(v) for key, v in player.__pydantic_extra__.items()})
            )
        return cls(servers, models, players)

    def resolve(self, address: str) -> str:
        """Return the full address that a name stands for, its parameters over those of its table; others unchanged."""
        given = Address.parse(address)
        full = self.players.get(given.model)
        if full is None:
            return str(given) if given.provider in self.servers else address
        named = Address.parse(full)
        return str(Address(named.provider, named.name, {**named.parameters, **given.parameters}))


def _tables(path: Path, kind: str) -> dict[str, Any]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadRoster(f"{path} cannot be read: {error}") from None
    for name, value in data.items():
        if name not in ("servers", "players") or not all(isinstance(table, dict) for table in _values(value)):
            raise BadRoster(f"{path}: {name!r}: there are tables [servers.NAME] and [players.NAME] only")
    found: dict[str, Any] = data.get(kind, {})
    return found


def _values(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else [value]


def _server(path: Path, name: str, table: Any, known: Server | None, wires: Collection[str]) -> Server:
    """Return the server a table describes, over what is known of one of that name."""
    if known and "wire" not in table:
        table = {"wire": known.wire, **table}
    checked = _checked(_Server, path, f"servers.{name}", table)
    if checked.wire not in wires:
        raise BadRoster(f"{path}: [servers.{name}]: wire = {checked.wire!r}: there are {', '.join(sorted(wires))}")
    given = {field: getattr(checked, field) for field in checked.model_fields_set}
    return replace(known or Server(name, checked.wire), **given)


def _checked(kind: type[M], path: Path, at: str, table: Any) -> M:
    try:
        return kind.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            near, there = did_you_mean(name, kind.model_fields), ", ".join(kind.model_fields)
            raise BadRoster(f"{path}: [{at}]: no field {name!r}{near}; there are {there}") from None
        if name not in kind.model_fields:  # a parameter of play
            raise BadRoster(
                f"{path}: [{at}]: {name} = {table[name]!r}: a parameter is a text, a number, true or false"
                f"{did_you_mean(name, kind.model_fields)}"
            ) from None
        got = "" if first["type"] == "missing" else f" = {first['input']!r}"
        raise BadRoster(f"{path}: [{at}]: {name}{got}: {first['msg']}") from None


def _together(path: Path, name: str, known: Model | None, said: Model) -> Model:
    """Return what two tables say of one model. Raises `BadRoster` where they disagree."""
    if known is None:
        return said
    for what in ("pictures", "price"):
        then, now = getattr(known, what), getattr(said, what)
        if None not in (then, now) and then != now:
            raise BadRoster(f"{path}: [players.{name}]: {what} = {now}: another player of this model says {then}")
    pick = {what: getattr(known, what) or getattr(said, what) for what in ("price", "summary")}
    return Model(known.pictures if known.pictures is not None else said.pictures, **pick)


def _text(value: str | bool | int | float) -> str:
    """Write a parameter as it stands in an address."""
    return (
        str(value).lower() if isinstance(value, bool) else f"{value:.15g}" if isinstance(value, float) else str(value)
    )
