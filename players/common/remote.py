"""A model behind a network: everything that does not depend on the protocol of its server.

A `ChatProtocol` defines how a request is written and a response read. `RemotePlayer` does the rest: limits, retries,
timeouts, fields that the server rejects, the cache, and the record of what was really sent. The vendor's package is
imported at the first reply, in a thread, and writes the head of all requests (`players/common/connection.py`). Every
attempt is counted and limited here.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from engine.core.events import Json, digest
from engine.core.patterns import IGNORECASE, compile_linear_pattern, compile_pattern, escape
from engine.core.player import (
    Address,
    FaultCode,
    ModelInfo,
    Player,
    PlayerFault,
    PlayerInfo,
    Provider,
    ProviderContext,
    Reply,
    UnknownPlayer,
)
from engine.core.replies import ReplyFormat
from engine.core.tokens import compute_reply_cost, estimate_tokens
from engine.core.usage import CONTENT_FILTER, TOKEN_COUNTS, MetaKey
from engine.core.views import SeatView
from engine.storage.reply_cache import ReplyCache
from players.common.chat import Turn, digest_turns, list_picture_sizes, read_turns
from players.common.connection import Connection, RequestWriter, connect
from players.common.endpoint import Endpoint
from players.common.limits import MAX_RETRY_AFTER, EventLoopLocal, Limiter, sample_backoff_seconds
from players.common.parameters import CONNECTION_PARAMETERS, Reader, read_parameters
from players.common.request_errors import (
    ContentFiltered,
    ContextExceeded,
    InvalidRequest,
    InvalidResponse,
    RateLimited,
    RequestError,
    map_embedded_error,
)
from players.common.streaming import ReplyStream, read_json_body, read_stream

ASSUMED_REPLY_TOKENS = 300
"""An estimate for the limit of tokens per minute, corrected by the response."""
MIN_RATE_LIMIT_ERRORS = 3
"""At least this many rate limit errors in a row fail the waiting requests as well."""


@dataclass(frozen=True, slots=True)
class RequestField:
    """A field of a request besides model and messages: its dotted path, and the parameter that it carries."""

    path: str
    value: Any
    parameter: str
    aliases: tuple[str, ...] = ()
    """Other names by which a server may mention it when it rejects it."""
    constraint: str = "schema"
    """What the field of `constrain` restricts replies to: "schema", "list" or "pattern"."""


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """The response of a server; None where it says nothing."""

    text: str
    model: str | None = None
    finish: str | None = None
    reasoning: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    tokens_cached: int | None = None
    tokens_cache_write: int | None = None
    reasoning_items: tuple[Json, ...] = ()
    """What the server wants back with this reply in later requests."""
    is_refusal: bool = False
    """Whether the text is the model's refusal, sent apart from usual replies."""

    def __post_init__(self) -> None:
        for count_name in TOKEN_COUNTS:
            token_count = getattr(self, count_name)
            if not isinstance(token_count, int) or isinstance(token_count, bool) or token_count < 0:
                object.__setattr__(self, count_name, None)  # an invalid count is treated as missing

    def make_metadata(self) -> Json:
        """Return what is known about the reply, by the names of `Reply.meta`."""
        names = ("model", "finish", "reasoning", *TOKEN_COUNTS)
        reply_meta = {field: field_value for field in names if (field_value := getattr(self, field)) is not None}
        if self.reasoning_items:
            reply_meta[MetaKey.REASONING_ITEMS] = list(self.reasoning_items)
        return reply_meta | ({MetaKey.REFUSED: True} if self.is_refusal else {})


class ChatProtocol(RequestWriter, Protocol):
    """A protocol that servers speak; the extra of ours that installs its package has the same name."""

    parameters: Mapping[str, Reader]

    def check(self, values: Json) -> None:
        """Raise ValueError for parameters that cannot be used together."""
        ...

    def conversation(self, turns: Sequence[Turn], values: Json) -> Json:
        """Return turns as the members of a request that hold the conversation."""
        ...

    def make_cache_fields(self) -> list[RequestField]:
        """Return the fields with which the server keeps a conversation for the next request, if it wants any."""
        ...

    def fields(self, values: Json, reply_format: ReplyFormat[Any], endpoint: Endpoint) -> list[RequestField]:
        """Return the fields that carry parameters; the protocol leaves out parameters that it does not have."""
        ...

    def read_response(self, response: Json) -> ModelResponse:
        """Return the contents of a response. Raises `InvalidResponse` for one of another protocol."""
        ...

    def new_stream(self) -> ReplyStream:
        """Return what puts a response together that arrives in parts."""
        ...


# ---------------------------------------------------------------------- what a server accepts
FIELD_SYNONYMS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
"""Two names of one field: some models accept only one of them, some servers only the other."""
UNSUPPORTED_FIELD_PATTERN = (
    r"unsupported|not (currently |yet )?(support|allow|permit|accept|implement|recogni|available|enabled)|n't support"
    r"|unknown|unrecogni|unexpected|extra (inputs|fields)|deprecated|use \S+ instead"
)
UNKNOWN_FIELD_PATTERN = r"unsupported[ _]param|unknown|unrecogni|unexpected|extra (inputs|fields)|use \S+ instead"
"""A field that is refused whatever its value is."""
REFUSED_VALUE_PATTERN = (
    r"(unsupported|invalid)[ _]value|supported values are|is not (a valid|one of|a supported)|input should be '"
)
"""A field that the server knows, with a value that it or this model does not take."""
VALUE_RANGE_PATTERN = (
    r"above|below|at (least|most)|greater|less than|m(ax|in)imum|too (large|small|long|short|high|low)|between"
)
"""A number out of range. Nothing is left out, because the player can choose another number."""


@dataclass
class ServerCapabilities:
    """What one model at one server accepts, as its errors have shown."""

    rejected_fields: set[str] = field(default_factory=set)
    """Paths of fields."""
    rejected_values: set[tuple[str, str]] = field(default_factory=set)
    """Paths with a value, as JSON."""
    new_name_by_field: dict[str, str] = field(default_factory=dict)

    def adapt_request_fields(self, fields: Sequence[RequestField]) -> list[RequestField]:
        """Return the fields that are worth sending, under the names that the server accepts."""
        # most servers have rejected nothing: then no value is written as JSON
        if not (self.rejected_fields or self.rejected_values or self.new_name_by_field):
            return list(fields)
        accepted_fields = [
            request_field
            for request_field in fields
            if request_field.path not in self.rejected_fields
            and _make_rejection_key(request_field) not in self.rejected_values
        ]
        return [
            replace(request_field, path=self.new_name_by_field.get(request_field.path, request_field.path))
            for request_field in accepted_fields
        ]

    def learn_from_error(self, request_error: InvalidRequest, sent_fields: Sequence[RequestField]) -> None:
        """Remember which of the sent fields an error names as unsupported, as such or with their value.

        A number out of range does not count. The limit of tokens is never left out for its value.
        """
        error_text = f"{request_error} {request_error.reason}"
        is_unknown = _matches_pattern(UNKNOWN_FIELD_PATTERN, error_text)
        if not is_unknown and _matches_pattern(VALUE_RANGE_PATTERN, error_text):
            return
        is_value_refused = not is_unknown and _matches_pattern(REFUSED_VALUE_PATTERN, error_text)
        if not is_value_refused and not _matches_pattern(UNSUPPORTED_FIELD_PATTERN, error_text):
            return
        for request_field in sent_fields:
            if not _error_names_field(request_error, request_field):
                continue
            if is_value_refused:
                if request_field.path not in FIELD_SYNONYMS:
                    self.rejected_values.add(_make_rejection_key(request_field))
            elif request_field.path not in FIELD_SYNONYMS:
                self.rejected_fields.add(request_field.path)
            elif request_field.path not in self.new_name_by_field.values():  # otherwise the server accepts neither name
                self.new_name_by_field[request_field.path] = FIELD_SYNONYMS[request_field.path]


def _matches_pattern(pattern: str, error_text: str) -> bool:
    return compile_pattern(pattern, ignore_case=True).search(error_text) is not None


def _make_rejection_key(request_field: RequestField) -> tuple[str, str]:
    return request_field.path, json.dumps(request_field.value, sort_keys=True)


def _error_names_field(request_error: InvalidRequest, sent_field: RequestField) -> bool:
    if request_error.parameter:
        return request_error.parameter == sent_field.path or request_error.parameter.startswith(
            (f"{sent_field.path}.", f"{sent_field.path}[")
        )
    names = "|".join(escape(known_name) for known_name in (sent_field.path, *sent_field.aliases))
    pattern = compile_linear_pattern(
        rf"(?<![\w.])(?:{names})(?!\w)", IGNORECASE, reason="literals between two single characters"
    )
    return pattern.search(str(request_error)) is not None


def nest_fields(request_fields: Sequence[RequestField]) -> Json:
    """Return fields as nested JSON: `a.b` becomes the member `b` of the object `a`."""
    nested_fields: Json = {}
    for request_field in request_fields:
        *outer_names, last_name = request_field.path.split(".")
        inner_body = nested_fields
        for outer_name in outer_names:
            inner_body = inner_body.setdefault(outer_name, {})
        inner_body[last_name] = request_field.value
    return nested_fields


def make_json_schema(reply_format: ReplyFormat[Any]) -> Json | None:
    """Return the schema that a reply can be constrained to; None if a reply is not a JSON object.

    (A schema of a single string would make the model write quotes, which changes the reply.)
    """
    reply_schema = reply_format.schema()
    return reply_schema if reply_schema and reply_schema.get("type") == "object" else None


# ---------------------------------------------------------------------- the player
RULES_PARAMETER, SYSTEM_ROLE, DETAIL_PARAMETER = "rules", "system", "detail"
CACHE_PARAMETER, STREAM_PARAMETER = "cache", "stream"
MESSAGE_PARAMETERS = (RULES_PARAMETER, DETAIL_PARAMETER)
"""Parameters that change how messages are written, not fields beside them."""
TRANSPORT_PARAMETERS = (CACHE_PARAMETER, STREAM_PARAMETER)
"""Parameters of fields on which no reply depends: neither the digest of a prompt nor the record has them."""
MIN_CACHED_TURNS, MIN_CACHED_TOKENS = 3, 1024
"""A conversation is kept at the server from its second request on, and from the length that servers keep."""
SERVER_LIMITS_CAUSE = "limits"
"""Why a request waits that has not failed: the limits of its server, learned or configured."""
MIN_WAIT_SECONDS = 0.01
"""Seconds: a shorter wait for the limits is not worth a note."""


class WaitLog:
    """How often and how long one reply had to wait, by cause."""

    def __init__(self) -> None:
        self._wait_by_cause: dict[str, tuple[int, float]] = {}

    def count_attempt(self, wait_cause: str) -> None:
        """Count a failed attempt."""
        wait_count, seconds = self._wait_by_cause.get(wait_cause, (0, 0.0))
        self._wait_by_cause[wait_cause] = wait_count + 1, seconds

    def add_wait(self, wait_cause: str, seconds: float) -> None:
        """Add a wait. One for the limits counts by itself, the others belong to a failed attempt."""
        if wait_cause == SERVER_LIMITS_CAUSE and seconds < MIN_WAIT_SECONDS:
            return
        wait_count, waited_seconds = self._wait_by_cause.get(wait_cause, (0, 0.0))
        self._wait_by_cause[wait_cause] = wait_count + (wait_cause == SERVER_LIMITS_CAUSE), waited_seconds + seconds

    def as_meta(self) -> Json:
        """Return the waits as `Reply.meta` stores them: {cause: [number, seconds]}; nothing without any."""
        wait_json = {
            str(cause): [wait_count, round(seconds, 3)] for cause, (wait_count, seconds) in self._wait_by_cause.items()
        }
        return {str(MetaKey.WAITS): wait_json} if wait_json else {}


def _is_reply_limit_too_high(context_error: ContextExceeded, sent_fields: Sequence[RequestField]) -> bool:
    """Return whether the room for the reply is larger than the whole context: a mistake in the player's parameters."""
    token_limits = [sent_field.value for sent_field in sent_fields if sent_field.parameter == "max_tokens"]
    return bool(context_error.limit and token_limits and token_limits[0] >= context_error.limit)


_CONNECTION_BY_SERVER: defaultdict[str, EventLoopLocal[Connection]] = defaultdict(EventLoopLocal)
"""Connections by package."""
_LIMITER_BY_SERVER: EventLoopLocal[Limiter] = EventLoopLocal()
_IMPORT_LOCKS: EventLoopLocal[asyncio.Lock] = EventLoopLocal()
_CAPABILITIES_BY_SERVER: dict[tuple[Any, ...], ServerCapabilities] = {}


class RemotePlayer(Player):
    """A model at a server. `values` are the address's parameters."""

    streams = True

    def __init__(
        self,
        protocol: ChatProtocol,
        endpoint: Endpoint,
        address: Address,
        model_info: ModelInfo,
        parameter_values: Json,
        cache: ReplyCache | None,
    ) -> None:
        self._protocol, self._endpoint, self._player_info, self._cache = protocol, endpoint, model_info, cache
        self._name, self._model, self._parameter_values = address.model, address.name, parameter_values
        self._reasoning_items: dict[int, tuple[Json, ...]] = {}
        """What the server wants back, by the number of the reply in the conversation."""
        self._capabilities = _CAPABILITIES_BY_SERVER.setdefault((*endpoint.id, address.name), ServerCapabilities())

    def recall(self, replies: Sequence[Reply]) -> None:
        """Take up what the server wants back with earlier replies."""
        for reply_number, recalled_reply in enumerate(replies):
            self._reasoning_items[reply_number] = tuple(recalled_reply.meta.get(MetaKey.REASONING_ITEMS, ()))

    async def reply(self, view: SeatView) -> Reply:
        """Return the model's reply. Raises `PlayerFault` with the cause and the next step."""
        has_system_message = self._parameter_values.get(RULES_PARAMETER) == SYSTEM_ROLE
        turns = await read_turns(view, self._name, self._player_info.pictures, has_system_message=has_system_message)
        turns, reply_number = self._add_reasoning(turns)
        request_fields = self._protocol.fields(self._parameter_values, view.ask.format, self._endpoint)
        if (
            self._parameter_values.get(CACHE_PARAMETER, True)
            and len(turns) >= MIN_CACHED_TURNS
            and _estimate_prompt_tokens(turns) >= MIN_CACHED_TOKENS
        ):
            request_fields = [*request_fields, *self._protocol.make_cache_fields()]
        server_reply = await self._obtain_reply(turns, request_fields, view.show_partial_reply)
        self._reasoning_items[reply_number] = tuple(server_reply.meta.get(MetaKey.REASONING_ITEMS, ()))
        return server_reply

    async def _obtain_reply(
        self,
        turns: Sequence[Turn],
        request_fields: Sequence[RequestField],
        show_partial_reply: Callable[[str], None] | None,
    ) -> Reply:
        """Return the reply from the cache, or else from the server."""
        if not self._cache:
            return await self._request_reply(turns, request_fields, show_partial_reply)
        server = self._endpoint.server
        key_parts = [self._compute_prompt_digest(turns, request_fields), sorted(server.headers.items())]
        cache_key = digest([*key_parts, sorted(server.query.items())] if server.query else key_parts)
        model_reply = await asyncio.to_thread(self._cache.find_reply, cache_key)
        if model_reply is None:
            model_reply = await self._request_reply(turns, request_fields, show_partial_reply)
            if model_reply.text:  # what was filtered or cut may work another time
                await asyncio.to_thread(self._cache.add_reply, cache_key, model_reply)
        return model_reply

    def _add_reasoning(self, turns: Sequence[Turn]) -> tuple[tuple[Turn, ...], int]:
        """Return turns with what the server wants back with the replies, and the number of the reply to come."""
        reply_number, new_turns = 0, []
        for turn in turns:
            if turn.role == "assistant":
                if reasoning_items := self._reasoning_items.get(reply_number):
                    turn = replace(turn, reasoning_items=reasoning_items)
                reply_number += 1
            new_turns.append(turn)
        return tuple(new_turns), reply_number

    async def _request_reply(
        self, turns: Sequence[Turn], fields: Sequence[RequestField], show_partial_reply: Callable[[str], None] | None
    ) -> Reply:
        """Send the request until it succeeds or all attempts have failed."""
        if show_partial_reply:
            fields = [*fields, *self._list_stream_fields()]
        server, event_loop = self._endpoint.server, asyncio.get_running_loop()
        limiter = _get_limiter(self._endpoint)
        conversation, tokens = self._protocol.conversation(turns, self._parameter_values), self._estimate_tokens(turns)
        attempts = failures = 0
        wait_log, wait_cause, started_at = WaitLog(), SERVER_LIMITS_CAUSE, event_loop.time()
        while True:
            sent_fields = self._select_sendable_fields(fields)
            request_body = {"model": self._model, **conversation, **nest_fields(sent_fields)}
            error: RequestError
            asked_at = event_loop.time()
            try:
                async with limiter.acquire(tokens) as request_slot:
                    wait_log.add_wait(wait_cause, event_loop.time() - asked_at)
                    connection = await self._shared_connection()
                    attempts, started_at = attempts + 1, event_loop.time()
                    try:
                        response = await self._send_request(connection, request_body, show_partial_reply)
                        request_slot.report_success((response.tokens_in or 0) + (response.tokens_out or 0) or None)
                        if STREAM_PARAMETER in request_body and response.tokens_out is None:
                            # the server may count a reply that comes at once
                            self._capabilities.rejected_fields.add(STREAM_PARAMETER)
                        reply_meta = self._make_reply_meta(turns, fields, sent_fields, response, attempts, started_at)
                        return Reply(response.text, reply_meta | wait_log.as_meta())
                    except RateLimited as rate_limit:
                        request_slot.report_rate_limit(rate_limit, max(server.attempts, MIN_RATE_LIMIT_ERRORS))
                        raise
            except RequestError as request_error:
                error = request_error
                error.args = (self._endpoint.redact(str(error)),)  # some servers quote the key that they received
            if isinstance(error, InvalidRequest):
                self._capabilities.learn_from_error(error, sent_fields)
                if self._select_sendable_fields(fields) != sent_fields:
                    wait_cause = SERVER_LIMITS_CAUSE
                    continue
            if isinstance(error, ContentFiltered):  # whoever asked decides what a reply without text is
                response = ModelResponse("", finish=CONTENT_FILTER, tokens_in=0, tokens_out=0)
                reply_meta = self._make_reply_meta(turns, fields, sent_fields, response, attempts, started_at)
                return Reply("", reply_meta | {MetaKey.ERROR: str(error)} | wait_log.as_meta())
            if isinstance(error, ContextExceeded) and _is_reply_limit_too_high(error, sent_fields):
                error = InvalidRequest(str(error))
            failures += 1
            if show_partial_reply:  # the next attempt begins anew
                show_partial_reply("")
            wait_seconds = error.retry_after or 0.0
            if not error.retryable or failures >= server.attempts or wait_seconds > MAX_RETRY_AFTER or not attempts:
                raise self._make_player_fault(error, attempts, wait_seconds, wait_log)
            wait_log.count_attempt(error.code)
            wait_cause = error.code
            if not isinstance(error, RateLimited):  # for rate limits the limiter waits, with all requests
                pause_seconds = max(sample_backoff_seconds(failures), wait_seconds)
                wait_log.add_wait(error.code, pause_seconds)
                await asyncio.sleep(pause_seconds)
                wait_cause = SERVER_LIMITS_CAUSE

    def _list_stream_fields(self) -> list[RequestField]:
        """Return the fields that ask for a reply in parts."""
        stream_fields = self._protocol.new_stream().fields
        return [
            RequestField(field_name, field_value, STREAM_PARAMETER, ("streaming",))
            for field_name, field_value in stream_fields.items()
        ]

    def _select_sendable_fields(self, request_fields: Sequence[RequestField]) -> list[RequestField]:
        """Return the fields that the server accepts; those of a stream only together, or its tokens are not counted."""
        accepted_fields = self._capabilities.adapt_request_fields(request_fields)
        if len(accepted_fields) == len(request_fields):
            return accepted_fields
        stream_counts = [
            sum(request_field.parameter == STREAM_PARAMETER for request_field in field_list)
            for field_list in (request_fields, accepted_fields)
        ]
        if stream_counts[0] == stream_counts[1]:
            return accepted_fields
        return [request_field for request_field in accepted_fields if request_field.parameter != STREAM_PARAMETER]

    async def _send_request(
        self, connection: Connection, request_body: Json, show_partial_reply: Callable[[str], None] | None
    ) -> ModelResponse:
        """Send one request. Raises a `RequestError`."""
        read_response = read_json_body
        if show_partial_reply and STREAM_PARAMETER in request_body:
            read_response = partial(
                read_stream, stream=self._protocol.new_stream(), show_partial_reply=show_partial_reply
            )
        response_json, response_headers = await connection.post(request_body, read_response)
        if embedded_error := map_embedded_error(response_json, response_headers):
            raise embedded_error
        if not isinstance(response_json, dict):
            raise InvalidResponse(f"it answered with something that is no JSON object: {str(response_json)[:60]!r}")
        return self._protocol.read_response(response_json)

    async def _shared_connection(self) -> Connection:
        """Return the connection shared by all players of this server. Raises a `RequestError` or `PlayerFault`."""
        package, connections = self._protocol.package, _CONNECTION_BY_SERVER[self._protocol.package]
        if connection := connections.find_value(self._endpoint.id):
            return connection
        if missing_reason := _explain_missing_package(self._protocol):
            raise PlayerFault(f"{self._name}: {missing_reason}", FaultCode.NOT_INSTALLED)
        if missing_reason := self._endpoint.explain_missing_key():
            raise PlayerFault(f"{self._name}: {missing_reason}", FaultCode.AUTHENTICATION)
        async with _IMPORT_LOCKS.get_or_make(package, asyncio.Lock):
            if not (connection := connections.find_value(self._endpoint.id)):
                connection = await connect(self._protocol, self._endpoint)
                connections.add_value(self._endpoint.id, connection)
        return connection

    def _make_reply_meta(
        self,
        turns: Sequence[Turn],
        requested_fields: Sequence[RequestField],
        sent_fields: Sequence[RequestField],
        response: ModelResponse,
        attempt_count: int,
        started_at: float,
    ) -> Json:
        """Return what is known about a reply, as `Reply.meta` stores it."""
        sent_parameters = {request_field.parameter for request_field in sent_fields}
        parameters = {key for key, setting_value in self._parameter_values.items() if setting_value is not False}
        parameters |= {
            request_field.parameter
            for request_field in requested_fields
            if request_field.parameter not in TRANSPORT_PARAMETERS
        }
        message_values = {
            key: self._parameter_values[key] for key in MESSAGE_PARAMETERS if key in self._parameter_values
        }
        reply_meta = response.make_metadata() | {
            "sent": message_values
            | {
                request_field.path: request_field.value
                for request_field in sent_fields
                if request_field.parameter not in ("constrain", *TRANSPORT_PARAMETERS)
            },
            "prompt": self._compute_prompt_digest(turns, sent_fields),
            "attempts": attempt_count,
            "seconds": round(asyncio.get_running_loop().time() - started_at, 6),
        }
        if dropped_parameters := sorted(parameters - sent_parameters - {*message_values, *TRANSPORT_PARAMETERS}):
            reply_meta["dropped"] = dropped_parameters
        if pictures := list_picture_sizes(turns):
            reply_meta["pictures"] = pictures
        if "constrain" in sent_parameters:
            reply_meta["constrained"] = next(
                sent_field.constraint for sent_field in sent_fields if sent_field.parameter == "constrain"
            )
        if response.tokens_in is None or response.tokens_out is None:  # budgets must hold for such servers as well
            reply_meta["tokens_in"] = round(_estimate_prompt_tokens(turns))
            reply_meta["tokens_out"] = round(estimate_tokens(len(response.text)))
            reply_meta["estimated"] = True
        if resent_count := sum(bool(turn.reasoning_items) for turn in turns):
            reply_meta["reasoning_resent"] = resent_count
        if self._player_info.price:
            reply_meta["cost"] = round(
                compute_reply_cost(reply_meta, self._player_info.price, self._player_info.special_prices), 9
            )
        return reply_meta

    def _compute_prompt_digest(self, turns: Sequence[Turn], request_fields: Sequence[RequestField]) -> str:
        """Return the digest of everything that is sent with these fields, except keys and headers."""
        server_url, package = self._endpoint.server.base_url, self._protocol.package
        fields_in_digest = [
            request_field for request_field in request_fields if request_field.parameter not in TRANSPORT_PARAMETERS
        ]
        return digest([package, server_url, self._model, digest_turns(turns), nest_fields(fields_in_digest)])

    def _estimate_tokens(self, turns: Sequence[Turn]) -> float:
        """Return about how many tokens a request and its response have."""
        reply_tokens: int = min(self._parameter_values.get("max_tokens", ASSUMED_REPLY_TOKENS), ASSUMED_REPLY_TOKENS)
        return _estimate_prompt_tokens(turns) + reply_tokens

    def _make_player_fault(
        self, request_error: RequestError, attempt_count: int, wait_seconds: float, wait_log: WaitLog
    ) -> PlayerFault:
        attempts_text = f" ({attempt_count} attempts)" if attempt_count > 1 else ""
        pause_text = f"; it asks to wait {wait_seconds:,.0f} s" if wait_seconds > MAX_RETRY_AFTER else ""
        step_text = f"; {request_error.next_step}" if request_error.next_step else ""
        return PlayerFault(
            f"{self._name} gave no answer: {request_error}{attempts_text}{pause_text}{step_text}",
            request_error.code,
            wait_log.as_meta(),
        )


def _estimate_prompt_tokens(turns: Sequence[Turn]) -> float:
    return estimate_tokens(sum(len(turn.text) for turn in turns), sum(len(turn.pictures) for turn in turns))


def _get_limiter(endpoint: Endpoint) -> Limiter:
    server = endpoint.server

    def make_limiter() -> Limiter:
        return Limiter(
            requests_per_minute=server.requests_per_minute,
            tokens_per_minute=server.tokens_per_minute,
            concurrency=server.concurrency,
        )

    return _LIMITER_BY_SERVER.get_or_make(endpoint.id, make_limiter)


def _explain_missing_package(protocol: ChatProtocol) -> str | None:
    """Return how to install the package of a protocol, None if it is installed."""
    package = protocol.package
    if importlib.util.find_spec(package):
        return None
    return f"the package {package} is not installed: .venv/bin/pip install -c constraints.txt -e '.[{package}]'"


async def close_connections(protocol: ChatProtocol) -> None:
    """Close the connections of a protocol in the running loop; the next reply makes new ones."""
    for connection in _CONNECTION_BY_SERVER[protocol.package].pop_values():
        await connection.close()


# ---------------------------------------------------------------------- the provider
class RemoteProvider(Provider):
    """Makes players of models at servers that speak one protocol."""

    def __init__(self, summary: str, protocol: ChatProtocol) -> None:
        self.summary, self.protocol = summary, protocol

    def make_player(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return the player of an address. Raises `UnknownPlayer`; nothing is imported or requested yet."""
        if not address.name:
            raise UnknownPlayer(f"which model? write {address.provider}/MODEL")
        endpoint = Endpoint.from_address(address, context)
        parameters = read_parameters(address, self.protocol.parameters, skipped_names=CONNECTION_PARAMETERS)
        try:
            self.protocol.check(parameters)
        except ValueError as value_error:
            raise UnknownPlayer(f"{address.model}: {value_error}") from None
        cache = ReplyCache(context.cache) if context.cache else None
        return RemotePlayer(self.protocol, endpoint, address, context.model(address), parameters, cache)

    def info(self, address: Address, context: ProviderContext) -> PlayerInfo:
        """Return what is known about an address before it plays.

        A model without a price counts as paid, unless its server runs on this machine and needs no key.
        """
        model_info = context.model(address)
        endpoint = Endpoint.from_address(address, context)
        is_free_of_charge = endpoint.is_local and not endpoint.server.key_env
        return PlayerInfo(
            model_info.summary or self.summary,
            unusable_reason=_explain_missing_package(self.protocol) or endpoint.explain_missing_key(),
            max_pictures=model_info.pictures,
            is_paid=any(model_info.price) if model_info.price else not is_free_of_charge,
            price=model_info.price,
        )

    async def close(self) -> None:
        """Close the connections of this event loop."""
        await close_connections(self.protocol)
