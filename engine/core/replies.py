"""Reply formats: what a seat is asked to send, declared once.

From one declaration come the strict parser, the words that explain the format in a prompt, the form a person fills
in, and a regular expression or JSON schema for constrained decoding. A form composes exactly the text a model would
have to send; both go through the same `parse`. Formats are immutable values and survive JSON (`declaration`,
`build_format`), so views and pages rebuild them from the log without asking a rulebook.
"""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from engine.core.patterns import IGNORECASE, Pattern, compile_linear_pattern, escape

T = TypeVar("T")
Json = dict[str, Any]

OMITTED_IF_DEFAULT = {"later": True}
"""Metadata of a field that logs of earlier versions lack: it is not declared while it has its default, so that an
episode begun before goes on after."""
MAX_REPLY_CHARACTERS = 200_000
"""Characters; a person's longer text is refused with the text kept, before it reaches the GameMaster."""


class Violation(ValueError):
    """A reply that the rules do not accept. `fault` names the kind in the log; the message is said to the player."""

    fault: ClassVar[str] = "format"


class NotInFormat(Violation):
    """The reply does not have the form asked for."""

    fault = "format"


class NotAllowed(Violation):
    """The reply has the form asked for, but the rules forbid its content at this moment."""

    fault = "not allowed"


class AmbiguousReply(Violation):
    """The reply matches two allowed values; which one was meant is never guessed."""

    fault = "ambiguous"


@dataclass(frozen=True, slots=True)
class ReplySegment:
    """A part of a reply as a reader sees it. `private` parts, such as thoughts, are not shown to other seats.

    `question` is what the form asked, where the text is a choice and not what somebody wrote.
    """

    text: str
    label: str | None = None
    private: bool = False
    question: str | None = None


class ReplyFormat(ABC, Generic[T]):
    """One declared format; `T` is the type of an accepted value (plain JSON data, so that the log can hold it)."""

    kind: ClassVar[str]

    @abstractmethod
    def parse(self, reply_text: str) -> T:
        """Return the value of a whole reply, stripped of white space. Raises `NotInFormat` or `AmbiguousReply`."""

    @abstractmethod
    def words(self) -> str:
        """Explain the format to a model, as appended to a prompt."""

    @abstractmethod
    def describe_form(self) -> Json:
        """Describe the form for a person: {"title", "fields": [...], "submit"} or {"either": [form, ...]}."""

    @abstractmethod
    def compose_reply(self, form_values: Mapping[str, str]) -> str:
        """Compose the text a model would have to send from the values of the form's fields."""

    @abstractmethod
    def sample(self, random_source: random.Random) -> str:
        """Return a random well-formed reply (what the `random` player sends)."""

    @abstractmethod
    def pattern(self) -> str | None:
        """Return a regular expression that only well-formed replies match, for constrained decoding; None if none.

        `Tagged` and other formats build theirs around it, so alternatives stand in brackets: `(?:yes|no)`.
        """

    def schema(self) -> Json | None:
        """Return a JSON schema of the reply, or None where a reply is not JSON."""
        return None

    def show(self, reply_text: str) -> list[ReplySegment]:
        """Split a reply for a reader, without tags. Never raises."""
        return [ReplySegment(reply_text)]

    # Inside a JSON reply a format reads and describes one value of the object instead of a whole text.
    def read(self, json_value: object) -> T:
        """Return the accepted value of one field of a JSON reply; raise as `parse` does."""
        if not isinstance(json_value, str):
            raise NotInFormat(f"a text was expected, not {type(json_value).__name__}.")
        return self.parse(json_value)

    def write(self, form_values: Mapping[str, str], field_name: str) -> object:
        """Return the JSON value that a form's field `name` stands for."""
        return form_values.get(field_name, "")

    def explain_json_member(self, member_name: str) -> str | None:
        """Explain the format as the value of key `name` of a JSON object; None where the key says enough."""
        return None

    def display_value(self, accepted_value: T) -> str:
        """Say an accepted value to a reader who does not know the format."""
        return str(accepted_value)

    def field(self, field_name: str) -> Json:
        """Describe the form's field for this format when it is one of several."""
        raise TypeError(f"{self.kind} cannot be a field of a JSON reply")

    @cached_property
    def prompt_words(self) -> str:
        """`words()`, made once: each ask of a game has them."""
        return self.words()

    @cached_property
    def _declaration(self) -> Declaration:
        declaration = Declaration({"kind": self.kind})
        declaration.format = self
        for field_ in fields(self):  # type: ignore[arg-type]
            field_value = getattr(self, field_.name)
            if not (field_.metadata.get("later") and field_value == field_.default):
                declaration[field_.name] = _declare_value(field_value)
        return declaration

    def declaration(self) -> Json:
        """Return the format as JSON data; `build_format` is the inverse. Treat the result as read-only."""
        return self._declaration


class Declaration(dict[str, Any]):
    """A format as JSON data that still knows the format it was made from, for as long as it has not been stored."""

    __slots__ = ("format",)
    format: ReplyFormat[Any]


def _declare_value(declared_value: object) -> object:
    if isinstance(declared_value, ReplyFormat):
        return declared_value.declaration()
    if isinstance(declared_value, tuple):
        return [_declare_value(inner_value) for inner_value in declared_value]
    return declared_value


@dataclass(frozen=True)
class Text(ReplyFormat[str]):
    """Free text with at least one word (a letter or a digit) unless `optional`; `lines=1` allows no line break.

    `suggestions` are (label, text) pairs that a person's form offers to fill in; they bind nobody.
    """

    label: str = "Your reply"
    lines: int = 4
    optional: bool = False
    private: bool = False
    title: str = "Reply"
    submit: str = "Send"
    hint: str = ""
    suggestions: tuple[tuple[str, str], ...] = field(default=(), metadata=OMITTED_IF_DEFAULT)
    kind: ClassVar[str] = "text"

    def parse(self, reply_text: str) -> str:
        reply_text = reply_text.strip()
        if not self.optional and not any(map(str.isalnum, reply_text)):
            raise NotInFormat("the reply has no word in it.")
        if self.lines == 1 and len(reply_text.splitlines()) > 1:
            raise NotInFormat("the reply must be one line.")
        return reply_text

    def words(self) -> str:
        return "Reply with one line of text." if self.lines == 1 else "Reply with free text."

    def explain_json_member(self, member_name: str) -> str | None:
        return f'"{member_name}" is private, nobody else reads it, and it may be empty.' if self.private else None

    def describe_form(self) -> Json:
        return {"title": self.title, "fields": [self.field("text")], "submit": self.submit}

    def field(self, field_name: str) -> Json:
        return {
            "name": field_name,
            "kind": "text",
            "label": self.label,
            "lines": self.lines,
            "optional": self.optional,
            "private": self.private,
            "hint": self.hint,
            **({"suggestions": [list(pair) for pair in self.suggestions]} if self.suggestions else {}),
        }

    def compose_reply(self, form_values: Mapping[str, str]) -> str:
        return form_values.get("text", "")

    def sample(self, random_source: random.Random) -> str:
        return " ".join(random_source.choices(_SAMPLE_WORDS, k=random_source.randrange(3, 10)))

    def pattern(self) -> str | None:
        # all that `splitlines` takes for a line break, not only \r and \n
        any_text_pattern = r"[^\n\v\f\r\x1c-\x1e\x85\u2028\u2029]*" if self.lines == 1 else r"[\s\S]*"
        return any_text_pattern if self.optional else rf"{any_text_pattern}[A-Za-z0-9]{any_text_pattern}"

    def schema(self) -> Json | None:
        return {"type": "string"} if self.optional else {"type": "string", "minLength": 1}

    def show(self, reply_text: str) -> list[ReplySegment]:
        return [ReplySegment(reply_text, private=self.private)]


_SAMPLE_WORDS = (
    "a the one some every left right upper lower small large round long plain thing line corner side middle row "
    "shape part place colour seems looks has shows near under over with without maybe really two three"
).split()


@dataclass(frozen=True)
class OneOf(ReplyFormat[str]):
    """One of a closed list of values, exactly; `aliases` are other accepted spellings.

    With `any_case` case does not matter; with `full_stop` one final full stop is accepted. A reply that names two
    different values is `AmbiguousReply`. `barred` are values that exist but may not be chosen now (a player who is
    out): such a reply is `NotAllowed`.
    """

    options: tuple[str, ...]
    aliases: tuple[tuple[str, str], ...] = ()
    labels: tuple[str, ...] = ()
    any_case: bool = True
    full_stop: bool = True
    label: str = "Your choice"
    title: str = "Choose"
    submit: str = "Send"
    barred: tuple[str, ...] = field(default=(), metadata=OMITTED_IF_DEFAULT)
    kind: ClassVar[str] = "one-of"

    def __post_init__(self) -> None:
        if not self.options or len(set(map(self._fold_text, self.options))) != len(self.options):
            raise ValueError(f"a choice needs different options, got {self.options!r}")
        if any(not option or option != option.strip() for option in self.options):
            raise ValueError(f"white space around a reply is ignored: {self.options!r} could not all be sent")
        if self.labels and len(self.labels) != len(self.options):
            raise ValueError(f"{len(self.options)} options but {len(self.labels)} labels")

    def _fold_text(self, option_text: str) -> str:
        return option_text.casefold() if self.any_case else option_text

    @cached_property
    def _accepted_values(self) -> dict[str, str]:
        accepted_values = {self._fold_text(alias): option_value for alias, option_value in self.aliases}
        return accepted_values | {self._fold_text(option_text): option_text for option_text in self.options}

    def parse(self, reply_text: str) -> str:
        folded_reply = self._fold_text(reply_text.strip())
        if folded_reply in self._accepted_values:
            return self._accepted_values[folded_reply]
        if self.full_stop and folded_reply.endswith(".") and folded_reply[:-1].rstrip() in self._accepted_values:
            return self._accepted_values[folded_reply[:-1].rstrip()]
        for option_value in self.barred:
            if folded_reply.removesuffix("." if self.full_stop else "").rstrip() == self._fold_text(option_value):
                raise NotAllowed(f"{option_value} cannot be chosen now; it must be one of {self._list_options()}.")
        matching_options = {
            option_value
            for accepted_text, option_value in self._accepted_values.items()
            if _make_word_pattern(accepted_text).search(folded_reply[:2000])
        }
        if len(matching_options) > 1:
            raise AmbiguousReply(f"the reply names more than one of {self._list_options()}.")
        raise NotInFormat(f"the reply must be one of {self._list_options()}.")

    def _list_options(self, option_prefix: str = "") -> str:
        quoted_options = [f'"{option_prefix}{option}"' for option in self.options]
        return (
            quoted_options[0]
            if len(quoted_options) == 1
            else ", ".join(quoted_options[:-1]) + " or " + quoted_options[-1]
        )

    def words(self) -> str:
        return f"Reply with exactly {self._list_options()}, and nothing else."

    def explain_json_member(self, member_name: str) -> str | None:
        return f'"{member_name}" is one of {self._list_options()}.'

    def describe_form(self) -> Json:
        return {"title": self.title, "fields": [self.field("choice")], "submit": self.submit}

    def field(self, field_name: str) -> Json:
        labels = self.labels or self.options
        form_options = [
            {"value": option_value, "label": option_label}
            for option_value, option_label in zip(self.options, labels, strict=True)
        ]
        return {"name": field_name, "kind": "choice", "label": self.label, "options": form_options}

    def compose_reply(self, form_values: Mapping[str, str]) -> str:
        return form_values.get("choice", "")

    def show(self, reply_text: str) -> list[ReplySegment]:
        try:
            value = self.parse(reply_text)
        except Violation:
            return super().show(reply_text)
        return super().show(dict(zip(self.options, self.labels, strict=True))[value] if self.labels else reply_text)

    def sample(self, random_source: random.Random) -> str:
        return random_source.choice(self.options)

    def pattern(self) -> str | None:
        return "(?:" + "|".join(map(escape, self.options)) + ")"

    def schema(self) -> Json | None:
        return {"type": "string", "enum": list(self.options)}


def _make_word_pattern(accepted_text: str) -> Pattern[str]:
    return compile_linear_pattern(
        rf"(?<!\w){escape(accepted_text)}(?!\w)", reason="a literal between two single characters"
    )


@dataclass(frozen=True)
class OneShown(OneOf):
    """One of the things that lie before a seat: `shown` are their titles, an option each.

    A person clicks a picture or a grid; a model sends the same words as for `OneOf`.
    """

    shown: tuple[str, ...] = ()
    kind: ClassVar[str] = "one-shown"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.shown) != len(self.options):
            raise ValueError(f"{len(self.options)} options but {len(self.shown)} things shown")

    def field(self, field_name: str) -> Json:
        form_field = super().field(field_name)
        form_options = [
            form_option | {"shown": shown_title}
            for form_option, shown_title in zip(form_field["options"], self.shown, strict=True)
        ]
        return form_field | {"kind": "shown", "options": form_options}


@dataclass(frozen=True)
class Tagged(ReplyFormat[T]):
    """`TAG: inner`, nothing before or after; a blank after the colon is free. The value is the inner format's."""

    tag: str
    inner: ReplyFormat[T]
    any_case: bool = False
    kind: ClassVar[str] = "tagged"

    @cached_property
    def _tag_pattern(self) -> Pattern[str]:
        flags = IGNORECASE if self.any_case else 0
        return compile_linear_pattern(
            escape(self.tag) + r":([\s\S]*)", flags, reason="a literal, then everything to the end"
        )

    def parse(self, reply_text: str) -> T:
        tag_match = self._tag_pattern.fullmatch(reply_text.strip())
        if not tag_match:
            raise NotInFormat(f'the reply must start with "{self.tag}:".')
        try:
            return self.inner.parse(tag_match[1])
        except NotInFormat as error:
            raise NotInFormat(f'after "{self.tag}:" {error}') from None
        except AmbiguousReply as error:
            raise AmbiguousReply(f'after "{self.tag}:" {error}') from None

    def words(self) -> str:
        if isinstance(self.inner, OneOf):
            return f"Reply with exactly {self.inner._list_options(self.tag + ': ')}, and nothing else."
        if not isinstance(self.inner, Text):
            return f'Start your reply with "{self.tag}:". After that: {self.inner.words()}'
        line_rule = "in one line, " if self.inner.lines == 1 else ""
        return f'Start your reply with "{self.tag}:", {line_rule}and write nothing before or after it.'

    def describe_form(self) -> Json:
        return self.inner.describe_form()

    def compose_reply(self, form_values: Mapping[str, str]) -> str:
        return f"{self.tag}: {self.inner.compose_reply(form_values)}"

    def sample(self, random_source: random.Random) -> str:
        return f"{self.tag}: {self.inner.sample(random_source)}"

    def pattern(self) -> str | None:
        inner_pattern = self.inner.pattern()
        return None if inner_pattern is None else f"{escape(self.tag)}: {inner_pattern}"

    def show(self, reply_text: str) -> list[ReplySegment]:
        tag_match = self._tag_pattern.fullmatch(reply_text.strip())
        if not tag_match:
            return super().show(reply_text)
        inner_text = self.inner.show(tag_match[1].strip())
        return [replace(segment, label=segment.label or self.tag.capitalize()) for segment in inner_text]


@dataclass(frozen=True)
class PickedAlternative(Generic[T]):
    """The value of an `EitherFormat`: which alternative was sent, and its value."""

    name: str
    value: T


@dataclass(frozen=True)
class EitherFormat(ReplyFormat[PickedAlternative[Any]]):
    """One of several named formats. A reply that fits two of them is `AmbiguousReply`."""

    alternatives: tuple[tuple[str, ReplyFormat[Any]], ...]
    kind: ClassVar[str] = "either"

    def parse(self, reply_text: str) -> PickedAlternative[Any]:
        picked_values: list[PickedAlternative[Any]] = []
        violations: list[Violation] = []
        for alternative_name, alternative_format in self.alternatives:
            try:
                picked_values.append(PickedAlternative(alternative_name, alternative_format.parse(reply_text)))
            except Violation as violation:
                violations.append(violation)
        if len(picked_values) == 1:
            return picked_values[0]
        if picked_values:
            raise AmbiguousReply(
                f"the reply fits both {' and '.join(matching_format.name for matching_format in picked_values)}."
            )
        for refusal in violations:
            if isinstance(refusal, AmbiguousReply):
                raise refusal
        raise NotInFormat(" Or: ".join(map(str, violations)))

    def words(self) -> str:
        return " Or: ".join(alternative_format.words() for _, alternative_format in self.alternatives)

    def describe_form(self) -> Json:
        return {
            "either": [
                alternative_format.describe_form() | {"name": name} for name, alternative_format in self.alternatives
            ]
        }

    def compose_reply(self, form_values: Mapping[str, str]) -> str:
        chosen_name = form_values.get("form", self.alternatives[0][0])
        for name, alternative_format in self.alternatives:
            if name == chosen_name:
                return alternative_format.compose_reply(form_values)
        raise NotInFormat(f"no alternative {chosen_name!r}; there are {[name for name, _ in self.alternatives]}.")

    def sample(self, random_source: random.Random) -> str:
        return random_source.choice(self.alternatives)[1].sample(random_source)

    def pattern(self) -> str | None:
        patterns = [alternative_format.pattern() for _, alternative_format in self.alternatives]
        return None if None in patterns else "(?:" + "|".join(map(str, patterns)) + ")"

    def show(self, reply_text: str) -> list[ReplySegment]:
        for _, alternative_format in self.alternatives:
            try:
                alternative_format.parse(reply_text)
            except Violation:
                continue
            return alternative_format.show(reply_text)
        return super().show(reply_text)


@dataclass(frozen=True)
class JsonObject(ReplyFormat[dict[str, Any]]):
    """One JSON object with exactly these keys, in any order, no code fence, no text around it.

    A field whose format is `private` (a thought) must be present, may be empty, and is never shown to other seats.
    """

    members: tuple[tuple[str, ReplyFormat[Any]], ...]
    title: str = "Reply"
    submit: str = "Send"
    kind: ClassVar[str] = "json-object"

    def parse(self, reply_text: str) -> dict[str, Any]:
        try:
            members_sent = json.loads(
                reply_text.strip(), object_pairs_hook=_reject_repeated_keys, parse_constant=_reject_constant
            )
        except RecursionError:
            raise NotInFormat("the JSON is nested too deeply.") from None
        except ValueError as error:
            raise NotInFormat(f"the reply must be one JSON object and nothing else ({str(error)[:120]}).") from None
        if not isinstance(members_sent, dict):
            raise NotInFormat("the reply must be one JSON object.")
        member_names = [member_name for member_name, _ in self.members]
        if set(members_sent) != set(member_names):
            quoted_keys = ", ".join(f'"{member_name}"' for member_name in member_names)
            raise NotInFormat(f"the JSON object must have exactly the keys {quoted_keys}.")
        accepted_values: dict[str, Any] = {}
        for member_name, member_format in self.members:
            try:
                accepted_values[member_name] = member_format.read(members_sent[member_name])
            except Violation as error:
                raise type(error)(f'"{member_name}": {error}') from None
        return accepted_values

    def drop_private_fields(self, accepted_value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value without its private fields."""
        return {name: accepted_value[name] for name, member_format in self.members if not _is_private(member_format)}

    def words(self) -> str:
        json_outline = ", ".join(f'"{name}": …' for name, _ in self.members)
        member_details = [
            explanation for name, member in self.members if (explanation := member.explain_json_member(name))
        ]
        keys_phrase = "exactly this key" if len(self.members) == 1 else "exactly these keys"
        return " ".join(
            [f"Reply with one JSON object with {keys_phrase} and nothing else: {{{json_outline}}}.", *member_details]
        )

    def describe_form(self) -> Json:
        return {
            "title": self.title,
            "fields": [member_format.field(member_name) for member_name, member_format in self.members],
            "submit": self.submit,
        }

    def compose_reply(self, form_values: Mapping[str, str]) -> str:
        member_values = {member_name: member.write(form_values, member_name) for member_name, member in self.members}
        return json.dumps(member_values, ensure_ascii=False)

    def sample(self, random_source: random.Random) -> str:
        return self.compose_reply({member_name: member.sample(random_source) for member_name, member in self.members})

    def pattern(self) -> str | None:
        return None

    def schema(self) -> Json | None:
        member_schemas = {member_name: member_format.schema() for member_name, member_format in self.members}
        if None in member_schemas.values():
            return None
        member_names = [member_name for member_name, _ in self.members]
        return {"type": "object", "properties": member_schemas, "required": member_names, "additionalProperties": False}

    def show(self, reply_text: str) -> list[ReplySegment]:
        try:
            accepted_value = self.parse(reply_text)
        except Violation:
            return super().show(reply_text)
        public_members = [member_name for member_name, member_format in self.members if not _is_private(member_format)]
        return [
            ReplySegment(
                member_format.display_value(accepted_value[member_name]),
                None if [member_name] == public_members else member_name.capitalize(),
                _is_private(member_format),
                member_format.label if isinstance(member_format, OneOf) else None,
            )
            for member_name, member_format in self.members
            if not (_is_private(member_format) and accepted_value[member_name] == "")
        ]


def _is_private(reply_format: ReplyFormat[Any]) -> bool:
    return bool(getattr(reply_format, "private", False))


def _reject_repeated_keys(member_pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    value_by_key = dict(member_pairs)
    if len(value_by_key) != len(member_pairs):
        raise ValueError("a key is given twice")
    return value_by_key


def _reject_constant(constant_name: str) -> None:
    raise ValueError(f"{constant_name} is not JSON")


def one_of(*options: str, **other_fields: Any) -> OneOf:
    """Return a `OneOf` from separate arguments: `one_of("north", "south")`, `one_of(*living, label="Name")`."""
    return OneOf(options, **other_fields)


def either(**alternatives: ReplyFormat[Any]) -> EitherFormat:
    """Return an `EitherFormat` whose alternatives are named by keyword: `either(question=…, decision=…)`."""
    return EitherFormat(tuple(alternatives.items()))


def json_object(*, title: str = "Reply", submit: str = "Send", **members: ReplyFormat[Any]) -> JsonObject:
    """Return a `JsonObject` whose keys are named by keyword: `json_object(thought=Thought(), speak=Text())`."""
    return JsonObject(tuple(members.items()), title, submit)


def thought(field_label: str = "Notes to yourself (never shown)") -> Text:
    """Return the format of a private thought: a text that may be empty and that no other seat sees."""
    return Text(label=field_label, lines=3, optional=True, private=True)


FORMAT_BY_KIND: dict[str, type[ReplyFormat[Any]]] = {
    kind.kind: kind for kind in (Text, OneOf, OneShown, Tagged, EitherFormat, JsonObject)
}


def register(format_class: type[ReplyFormat[Any]]) -> type[ReplyFormat[Any]]:
    """Class decorator: make a game's own format known to `build_format`. Its `kind` must be free."""
    if FORMAT_BY_KIND.setdefault(format_class.kind, format_class) is not format_class:
        raise ValueError(f"a reply format {format_class.kind!r} exists already")
    return format_class


def build_format(format_declaration: Mapping[str, Any]) -> ReplyFormat[Any]:
    """Rebuild a format from its `declaration`. Raises KeyError for a kind that is not known here."""
    format_class = FORMAT_BY_KIND[format_declaration["kind"]]
    if isinstance(format_declaration, Declaration):
        return format_declaration.format
    return format_class(
        **{name: _undeclare_value(field_value) for name, field_value in format_declaration.items() if name != "kind"}
    )


def _undeclare_value(declared_value: object) -> object:
    if isinstance(declared_value, dict):
        return build_format(declared_value)
    if isinstance(declared_value, list):
        return tuple(_undeclare_value(inner_value) for inner_value in declared_value)
    return declared_value
