"""What a reply format allows, in a form to which a model can be constrained: on this machine, or by its server.

A closed list stays a list, JSON becomes a schema, and any other format with a pattern becomes that pattern. All other
formats are not constrained.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from engine.core.replies import Either, Json, JsonObject, OneOf, ReplyFormat, Tagged


@dataclass(frozen=True, slots=True)
class Constraint:
    """`kind` is "list", "pattern" or "schema"; `rules` holds the replies, the pattern, or the schema as JSON text.

    `reserve` is how many tokens may be needed to finish a reply that has begun.
    """

    kind: str
    rules: tuple[str, ...]
    reserve: int = 0


def constraint_of(format: ReplyFormat[Any]) -> Constraint | None:
    """Return how replies are constrained to a format; None if they cannot be."""
    if replies := closed_list(format):
        return Constraint("list", replies)
    if pattern := format.pattern():
        return Constraint("pattern", (pattern,), 16)
    schema = _strict_schema(format)
    if schema is None:
        return None
    return Constraint("schema", (json.dumps(schema),), 16 + len(json.dumps(_shortest_value(schema)).encode()))


def closed_list(format: ReplyFormat[Any]) -> tuple[str, ...] | None:
    """Return all replies of a format that has a closed list of them, None for others."""
    if isinstance(format, OneOf):
        return format.options
    if isinstance(format, Tagged):
        inner_list = closed_list(format.inner)
        return inner_list and tuple(f"{format.tag}: {reply}" for reply in inner_list)
    if isinstance(format, Either):
        reply_lists = [closed_list(alternative_format) for _, alternative_format in format.alternatives]
        return tuple(reply for replies in reply_lists for reply in replies or ()) if all(reply_lists) else None
    schema = format.schema() or {}
    if schema.get("type") == "string" and "enum" in schema and format.pattern():
        return tuple(schema["enum"])
    return None


def _strict_schema(format: ReplyFormat[Any]) -> Json | None:
    """Return a format's schema with the patterns of its strings, which a schema for servers leaves out."""
    schema = format.schema()
    if schema is None or not isinstance(format, JsonObject):
        return schema
    properties = dict(schema["properties"])
    for member_name, member in format.members:
        pattern = member.pattern()
        if properties[member_name].get("type") == "string" and "enum" not in properties[member_name] and pattern:
            properties[member_name] = {"type": "string", "pattern": f"^{pattern}$"}
    return {**schema, "properties": properties}


def _shortest_value(schema: Json) -> Any:
    """Return a value about as short as the schema allows: how much a model has to write at least."""
    if "enum" in schema:
        return max(schema["enum"], key=len)
    if schema.get("type") == "object":
        return {key: _shortest_value(schema["properties"][key]) for key in schema.get("required", ())}
    if schema.get("type") == "array":
        return [_shortest_value(schema["items"])] * schema.get("minItems", 0)
    return "x" * max(1, schema.get("minLength", 0))
