"""What a reply format allows, in a form to which a model can be constrained: on this machine, or by its server.

A closed list stays a list, JSON becomes a schema, and any other format with a pattern becomes that pattern. All other
formats are not constrained.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from engine.core.replies import EitherFormat, Json, JsonObject, OneOf, ReplyFormat, Tagged


@dataclass(frozen=True, slots=True)
class Constraint:
    """`kind` is "list", "pattern" or "schema"; `rules` holds the replies, the pattern, or the schema as JSON text.

    `reserved_tokens` is how many tokens may be needed to finish a reply that has begun.
    """

    kind: str
    rules: tuple[str, ...]
    reserved_tokens: int = 0


def make_constraint(reply_format: ReplyFormat[Any]) -> Constraint | None:
    """Return how replies are constrained to a format; None if they cannot be."""
    if replies := list_closed_replies(reply_format):
        return Constraint("list", replies)
    if pattern := reply_format.pattern():
        return Constraint("pattern", (pattern,), 16)
    schema = _make_strict_schema(reply_format)
    if schema is None:
        return None
    return Constraint("schema", (json.dumps(schema),), 16 + len(json.dumps(_make_shortest_value(schema)).encode()))


def list_closed_replies(reply_format: ReplyFormat[Any]) -> tuple[str, ...] | None:
    """Return all replies of a format that has a closed list of them, None for others."""
    if isinstance(reply_format, OneOf):
        return reply_format.options
    if isinstance(reply_format, Tagged):
        inner_list = list_closed_replies(reply_format.inner)
        return inner_list and tuple(f"{reply_format.tag}: {reply}" for reply in inner_list)
    if isinstance(reply_format, EitherFormat):
        reply_lists = [list_closed_replies(alternative_format) for _, alternative_format in reply_format.alternatives]
        return tuple(reply for replies in reply_lists for reply in replies or ()) if all(reply_lists) else None
    reply_schema = reply_format.schema() or {}
    if reply_schema.get("type") == "string" and "enum" in reply_schema and reply_format.pattern():
        return tuple(reply_schema["enum"])
    return None


def _make_strict_schema(reply_format: ReplyFormat[Any]) -> Json | None:
    """Return a format's schema with the patterns of its strings, which a schema for servers leaves out."""
    strict_schema = reply_format.schema()
    if strict_schema is None or not isinstance(reply_format, JsonObject):
        return strict_schema
    properties = dict(strict_schema["properties"])
    for member_name, member_format in reply_format.members:
        pattern = member_format.pattern()
        if properties[member_name].get("type") == "string" and "enum" not in properties[member_name] and pattern:
            properties[member_name] = {"type": "string", "pattern": f"^{pattern}$"}
    return {**strict_schema, "properties": properties}


def _make_shortest_value(value_schema: Json) -> Any:
    """Return a value about as short as the schema allows: how much a model has to write at least."""
    if "enum" in value_schema:
        return max(value_schema["enum"], key=len)
    if value_schema.get("type") == "object":
        return {key: _make_shortest_value(value_schema["properties"][key]) for key in value_schema.get("required", ())}
    if value_schema.get("type") == "array":
        return [_make_shortest_value(value_schema["items"])] * value_schema.get("minItems", 0)
    return "x" * max(1, value_schema.get("minLength", 0))
