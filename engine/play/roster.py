"""players.toml: the servers and models that are available, read, checked and resolved.

There are two kinds of table. `[servers.NAME]` is an account or a machine that answers, with its limits.
`[players.NAME]` is a short name for a model there, with its parameters and what is known about it: whether it sees and
what it costs. A name is resolved to the full address before anything is played. Logs and plan keys hold that address,
so an episode states what played even if the file changes later.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.core.player import Address, ModelInfo, Server
from engine.core.suggestions import did_you_mean
from engine.core.tokens import SPECIAL_PRICES
from engine.core.validation import list_field_errors

DEFAULT_SERVERS = {
    "openai": Server("openai", "openai", key_env="OPENAI_API_KEY"),
    "responses": Server("responses", "responses", key_env="OPENAI_API_KEY"),
    "anthropic": Server("anthropic", "anthropic", key_env="ANTHROPIC_API_KEY"),
}
"""Servers that need no table."""
SECRET_PARAMETER_NAMES = {
    "access_token",
    "api-key",
    "api_key",
    "apikey",
    "code",
    "key",
    "password",
    "secret",
    "sig",
    "token",
}
"""Names under which servers accept a key in the query of a URL."""
RESERVED_NAMES = ("person", "invite", "all")
"""Words with a meaning of their own where players are named."""

TableModel = TypeVar("TableModel", bound=BaseModel)
Price = Annotated[float, Field(ge=0)]


class BadRoster(ValueError):
    """A players.toml that cannot be used; the message names file, table, field and value."""


class _ServerTable(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)

    api: str
    base_url: str | None = Field(None, pattern=r"^https?://[^@?#]+$")
    key_env: str | None = None
    requests_per_minute: float | None = Field(None, gt=0)
    tokens_per_minute: float | None = Field(None, gt=0)
    concurrency: int | None = Field(None, ge=1)
    timeout: float = Field(600, gt=0)
    attempts: int = Field(6, ge=1)
    headers: dict[str, str] = {}
    query: dict[str, str] = {}
    constrain: Literal["vllm", "sglang", "llamacpp"] | None = None


class _PlayerTable(BaseModel):
    model_config = ConfigDict(
        extra="allow", defer_build=True
    )  # all other fields are parameters, which the provider checks

    __pydantic_extra__: dict[str, str | bool | int | float]

    model: str
    summary: str = ""
    pictures: int | None = Field(None, ge=0)
    price: tuple[Price, Price] | None = None
    price_cached: Price | None = None
    price_cache_write: Price | None = None
    price_reasoning: Price | None = None

    @property
    def special_prices(self) -> dict[str, float]:
        """The prices of kinds of tokens that have their own."""
        price_by_kind = {token_kind: getattr(self, f"price_{token_kind}") for token_kind in SPECIAL_PRICES}
        return {token_kind: token_price for token_kind, token_price in price_by_kind.items() if token_price is not None}


@dataclass(frozen=True)
class Roster:
    """Servers, models and named players. `players` maps names to full addresses, in the order of the files."""

    servers: Mapping[str, Server] = field(default_factory=lambda: dict(DEFAULT_SERVERS))
    models: Mapping[str, ModelInfo] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, roster_files: Sequence[Path], apis: Collection[str], reserved_names: Collection[str]) -> Roster:
        """Read players.toml files; tables of a later file override those of the same name in an earlier one.

        `apis` are the names of the files in players/, `reserved_names` those that already have a meaning. Missing files
        are skipped. Raises `BadRoster`.
        """
        servers = dict(DEFAULT_SERVERS)
        if base_url := os.environ.get("OPENAI_BASE_URL"):
            servers["openai"] = replace(servers["openai"], base_url=base_url)
        player_tables: dict[str, tuple[Path, _PlayerTable]] = {}
        for path in roster_files:
            for name, table in _read_tables(path, "servers").items():
                servers[name] = _parse_server_table(path, name, table, servers.get(name), apis)
            for name, table in _read_tables(path, "players").items():
                if name in reserved_names or name in servers or name in RESERVED_NAMES or "/" in name or "?" in name:
                    raise BadRoster(f"{path}: [players.{name}]: {name!r} cannot be a player's name: it is reserved")
                player_tables[name] = path, _validate_table(_PlayerTable, path, f"players.{name}", table)
        models: dict[str, ModelInfo] = {}
        players: dict[str, str] = {}
        for name, (path, player) in player_tables.items():
            table_label = f"{path}: [players.{name}]"
            address = Address.parse(player.model)
            if address.parameters:
                raise BadRoster(f"{table_label}: model = {player.model!r}: write parameters as fields of their own")
            if address.provider not in servers and address.provider not in apis:
                providers = ", ".join(sorted({*servers, *apis}))
                raise BadRoster(
                    f"{table_label}: model = {player.model!r}: no server {address.provider!r}; "
                    f"write a table [servers.{address.provider}], or use one of {providers}"
                )
            if player.special_prices and player.price is None:
                raise BadRoster(f"{table_label}: price_{next(iter(player.special_prices))} needs price = [in, out]")
            model_info = ModelInfo(player.pictures, player.price, player.summary, player.special_prices)
            models[address.model] = _merge_model_infos(table_label, models.get(address.model), model_info)
            parameters = {
                key: _format_text(parameter_value) for key, parameter_value in player.__pydantic_extra__.items()
            }
            players[name] = str(Address(address.provider, address.name, parameters))
        return cls(servers, models, players)

    def resolve(self, address: str) -> str:
        """Return the full address that a name stands for, its own parameters first; other addresses stay unchanged."""
        parsed_address = Address.parse(address)
        full_address = self.players.get(parsed_address.model)
        if full_address is None:
            return str(parsed_address) if parsed_address.provider in self.servers else address
        target = Address.parse(full_address)
        return str(Address(target.provider, target.name, {**target.parameters, **parsed_address.parameters}))


def _read_tables(path: Path, table_kind: str) -> dict[str, Any]:
    """Return the tables [servers.NAME] or [players.NAME] of a file by name."""
    try:
        roster_tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadRoster(f"{path} cannot be read: {error}") from None
    for group_name, table_group in roster_tables.items():
        tables = table_group.values() if isinstance(table_group, dict) else [table_group]
        if group_name not in ("servers", "players") or not all(isinstance(table, dict) for table in tables):
            raise BadRoster(f"{path}: {group_name!r}: only tables [servers.NAME] and [players.NAME] are allowed")
    return dict(roster_tables.get(table_kind, {}))


def _parse_server_table(
    path: Path, name: str, table: Any, previous_server: Server | None, apis: Collection[str]
) -> Server:
    """Return the server that a table describes; what the table leaves out comes from `previous_server`."""
    table_label = f"servers.{name}"
    if "wire" in table:  # the name of `api` in earlier versions
        if "api" in table:
            raise BadRoster(f"{path}: [{table_label}]: api and wire mean the same: leave out wire")
        table = {"api" if f == "wire" else f: field_value for f, field_value in table.items()}
    if previous_server:
        table = {"api": previous_server.api, **table}
    server_fields = _validate_table(_ServerTable, path, table_label, table)
    if server_fields.api not in apis:
        raise BadRoster(f"{path}: [{table_label}]: api = {server_fields.api!r}: use one of {', '.join(sorted(apis))}")
    if secret_keys := sorted(
        k for k in server_fields.query if k.lower() in SECRET_PARAMETER_NAMES
    ):  # URLs are written into logs
        raise BadRoster(
            f"{path}: [{table_label}]: query: {secret_keys[0]} looks like a key, which does not belong into a URL: "
            "name the variable that holds it (key_env), or use headers"
        )
    changes = {field_name: getattr(server_fields, field_name) for field_name in server_fields.model_fields_set}
    return replace(previous_server or Server(name, server_fields.api), **changes)


def _validate_table(model: type[TableModel], path: Path, table_label: str, table: Any) -> TableModel:
    """Return the contents of a table. Raises `BadRoster` for the first fault in it."""
    try:
        return model.model_validate(table)
    except ValidationError as error:
        first_error = list_field_errors(error)[0]
        field_name = str(first_error.path[0])
        suggestion = did_you_mean(field_name, model.model_fields)
        if first_error.kind == "extra_forbidden":
            known_fields = ", ".join(model.model_fields)
            raise BadRoster(
                f"{path}: [{table_label}]: unknown field {field_name!r}{suggestion}; the fields are {known_fields}"
            ) from None
        if field_name not in model.model_fields:  # a parameter
            raise BadRoster(
                f"{path}: [{table_label}]: {field_name} = {table[field_name]!r}: "
                f"a parameter is a string, number, true or false{suggestion}"
            ) from None
        value_text = "" if first_error.is_missing else f" = {first_error.value!r}"
        raise BadRoster(f"{path}: [{table_label}]: {field_name}{value_text}: {first_error.message}") from None


def _merge_model_infos(table_label: str, known_model: ModelInfo | None, added_model: ModelInfo) -> ModelInfo:
    """Return what two tables say about one model. Raises `BadRoster` if they disagree."""
    if known_model is None:
        return added_model
    for key in ("pictures", "price", "special_prices"):
        earlier_value, later_value = (
            None if field_value == {} else field_value
            for field_value in (getattr(known_model, key), getattr(added_model, key))
        )
        if None not in (earlier_value, later_value) and earlier_value != later_value:
            raise BadRoster(f"{table_label}: {key} = {later_value}: another player of this model says {earlier_value}")
    pictures = known_model.pictures if known_model.pictures is not None else added_model.pictures
    return ModelInfo(
        pictures,
        known_model.price or added_model.price,
        known_model.summary or added_model.summary,
        known_model.special_prices or added_model.special_prices,
    )


def _format_text(parameter: str | bool | int | float) -> str:
    """Write a parameter as it stands in an address."""
    if isinstance(parameter, bool):
        return str(parameter).lower()
    return f"{parameter:.15g}" if isinstance(parameter, float) else str(parameter)
