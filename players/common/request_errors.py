"""What can go wrong with a request: one tree of errors, to which the errors of every vendor are mapped.

A `retryable` error is retried; any other ends in a `PlayerFault` at once. No error carries the request, so that a key
cannot appear in a traceback. Messages and next steps stand in stored causes: they keep their wording.
"""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Mapping
from typing import Any, ClassVar

from engine.core.patterns import compile_pattern
from engine.core.player import FaultCode

MAX_MESSAGE_LENGTH = 300
"""Characters of a server's message that are kept."""

ERROR_STATUSES = {
    "invalid_request_error": 400,
    "invalid_api_key": 401,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "model_not_found": 404,
    "not_found_error": 404,
    "request_too_large": 413,
    "insufficient_quota": 429,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
    "INVALID_ARGUMENT": 400,
    "FAILED_PRECONDITION": 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
}
"""The HTTP status that the vendors document for the names of their errors."""


CONTENT_FILTER_REASONS = {
    "content_filter",
    "content_policy_violation",
    "data_inspection_failed",
    "invalid_prompt",
    "moderation_blocked",
}
"""Codes of errors with which providers say that a filter stopped a request."""
CONTENT_FILTER_PATTERN = (
    r"content (filter|management policy|policy)|blocked by (the |our )?(safety|content)|usage policy"
    r"|safety (filter|system)"
)
CONTEXT_REASONS = {
    "context_exceeded",
    "context_length_exceeded",
    "context_window_exceeded",
    "exceed_context_size_error",
}
"""Codes of errors with which servers say that a prompt is too long for the model."""
CONTEXT_EXCEEDED_PATTERN = (
    r"maximum context|context (length|window|size) (is )?exceed|exceed(s|ed)? [^.]{0,40}context"
    r"|(longer|greater) than [^.]{0,40}context|context (the )?overflow"
    r"|(prompt|input) is too long|prompt too long|too long to fit into the model"
    r"|input token count [^.]{0,60}exceeds|input tokens exceed|tokens in the prompt cannot exceed"
    r"|max_model_len|maximum model length|max_new_tokens. must be <=|inputs. must have less than \d+ tokens"
    r"|maximum prompt length|exceed(s|ed)? model token limit|range of input length|prompt token count [^.]{0,40}exceeds"
    r"|too many tokens|less than max_seq_len"
    r"|reduce the length of (the|your) (input|messages|prompt)"
)
"""As OpenAI, Azure, Anthropic, Gemini, Mistral, Cohere, xAI, Moonshot, Alibaba, GitHub, SiliconFlow, vLLM, SGLang,
llama.cpp, Ollama, LM Studio and TGI say it."""
CONTEXT_LIMIT_PATTERN = r"(?:context length|context size|context)[^.\d]{0,20}(?P<limit>\d{3,8})"


class RequestError(Exception):
    """A request without an answer. The message says in one line what happened."""

    code: ClassVar[FaultCode] = FaultCode.OTHER
    retryable: ClassVar[bool] = False
    next_step: ClassVar[str] = ""

    def __init__(self, error_text: str, *, retry_after: float | None = None) -> None:
        super().__init__(error_text)
        self.retry_after = retry_after
        """Seconds that the server asks to wait before the next request."""


class ServerUnreachable(RequestError):
    """No connection, or no answer in time."""

    code = FaultCode.UNREACHABLE
    retryable = True
    next_step = "is the server running, and is its base_url right?"


class ServerError(RequestError):
    """The server failed; the request may be valid."""

    code = FaultCode.SERVER_ERROR
    retryable = True
    next_step = "try again later"


class RateLimited(RequestError):
    """The server wants fewer requests."""

    code = FaultCode.RATE_LIMITED
    retryable = True
    next_step = "try again later, or set requests_per_minute and concurrency of the server in players.toml"


class AuthenticationError(RequestError):
    """The key is missing or wrong, lacks a permission, or has no credit."""

    code = FaultCode.AUTHENTICATION
    next_step = "check the key and its account"


class NotFound(RequestError):
    """The server does not know the model or the path."""

    code = FaultCode.NOT_FOUND
    next_step = "check the model's name and the server's base_url (most end in /v1)"


class RedirectedRequest(RequestError):
    """The server points to another address. Not followed: the other host would receive the key and headers."""

    code = FaultCode.NOT_FOUND
    next_step = "no redirect is followed; if that address is right, set base_url of the server to it"


class InvalidRequest(RequestError):
    """The server rejects this request. `parameter` is the field it names, `reason` its code for why."""

    code = FaultCode.INVALID_REQUEST
    next_step = "change what it names in the player's parameters"

    def __init__(self, error_text: str, *, parameter: str | None = None, reason: str | None = None) -> None:
        super().__init__(error_text)
        self.parameter, self.reason = parameter, reason


class ContentFiltered(RequestError):
    """A filter of the provider stopped the prompt or the reply."""

    code = FaultCode.EMPTY_REPLY


class ContextExceeded(RequestError):
    """The conversation is too long for the model, with the room for its reply. `limit` is its context in tokens."""

    code = FaultCode.PROMPT_TOO_LONG
    next_step = "seat a model with a longer context, or lower max_tokens"

    def __init__(self, error_text: str) -> None:
        super().__init__(error_text)
        limit_match = compile_pattern(CONTEXT_LIMIT_PATTERN, ignore_case=True).search(error_text)
        self.limit = max(int(limit_digits or 0) for limit_digits in limit_match.values()) if limit_match else 0


class InvalidResponse(RequestError):
    """The response does not follow the protocol."""

    code = FaultCode.INVALID_RESPONSE
    next_step = "is the server's base_url right (most end in /v1), and its wire?"


class IncompleteResponse(RequestError):
    """The response is empty or ends in the middle, as when a proxy loses its connection to the server."""

    code = FaultCode.INVALID_RESPONSE
    retryable = True
    next_step = "try again later; if it is always so, is the server's base_url right (most end in /v1)?"


def map_embedded_error(error_body: Any, response_headers: Mapping[str, str] | None = None) -> RequestError | None:
    """Return our error for a response with status 200 whose JSON body is an error, None for any other body."""
    error_envelope = _find_error_envelope(error_body)
    error_object = error_envelope.get("error") if isinstance(error_envelope, Mapping) else None
    if not error_object:
        return None
    fields = error_object if isinstance(error_object, Mapping) else {}
    error_code = fields.get("code")
    if isinstance(error_code, int) and 400 <= error_code < 600:
        return map_status_to_error(error_code, error_body, response_headers)
    names = [status for status in (error_code, fields.get("type"), fields.get("status")) if isinstance(status, str)]
    status = next((status for status in names if status in ERROR_STATUSES), "")
    error_label = f"200 with {status}" if status else "200 with an error"
    return map_status_to_error(ERROR_STATUSES.get(status, 500), error_body, response_headers, status_label=error_label)


def map_status_to_error(
    status: int, error_body: Any, response_headers: Mapping[str, str] | None = None, *, status_label: str = ""
) -> RequestError:
    """Return our error for an HTTP status with its JSON body. Messages give `status_label` in place of the status."""
    status_label = status_label or str(status)
    error_envelope = _find_error_envelope(error_body)
    content = error_envelope.get("error", error_envelope) if isinstance(error_envelope, Mapping) else error_envelope
    fields = content if isinstance(content, Mapping) else {}
    error_details = _list_google_details(fields)
    detail_text = fields.get("message") or fields.get("detail") or (content if isinstance(content, str) else "")
    error_names = (fields.get("code"), fields.get("status"), fields.get("type"))  # Google's code is the HTTP status
    error_reason = next((error_name for error_name in error_names if isinstance(error_name, str) and error_name), "")
    error_text = f"it answered {status_label}" + (f": {make_one_line(detail_text)}" if detail_text else "")
    retry_delays = [
        parse_retry_after(response_headers or {}),
        *(_read_retry_delay(detail_text) for detail_text in error_details),
    ]
    wait_seconds = max((seconds for seconds in retry_delays if seconds is not None), default=None)
    if status in (401, 402, 403) or error_reason in ("insufficient_quota", "billing_error"):
        # the message is left out: it may quote the key
        reason_text = f" ({make_one_line(error_reason)})" if error_reason and not error_reason.isdecimal() else ""
        return AuthenticationError(f"it answered {status_label}{reason_text}")
    all_names = {error_name for error_name in (*error_names, _find_inner_code(fields)) if isinstance(error_name, str)}
    if not all_names.isdisjoint(CONTEXT_REASONS):  # of llama.cpp with status 500, too
        return ContextExceeded(error_text)
    if status in (429, 503, 529):
        return RateLimited(error_text, retry_after=wait_seconds)
    if status in (408, 409, 425) or status >= 500:
        return ServerError(error_text, retry_after=wait_seconds)
    if status == 404:
        return NotFound(error_text)
    if status == 400 and _matches_error(CONTENT_FILTER_REASONS, CONTENT_FILTER_PATTERN, all_names, detail_text):
        return ContentFiltered(error_text)
    if status in (400, 413, 422) and _matches_error(CONTEXT_REASONS, CONTEXT_EXCEEDED_PATTERN, all_names, detail_text):
        return ContextExceeded(error_text)
    parameter = fields.get("param") or _find_violated_field(error_details)
    return InvalidRequest(error_text, parameter=parameter if isinstance(parameter, str) else None, reason=error_reason)


def _find_inner_code(error_fields: Mapping[str, Any]) -> Any:
    """Return the code of the inner error that Azure sends."""
    match error_fields:
        case {"innererror": {"code": error_code}}:
            return error_code
    return None


def _matches_error(reasons: set[str], pattern: str, error_names: set[str], error_message: Any) -> bool:
    """Return whether an error has one of these codes, or a message that matches."""
    if not reasons.isdisjoint(error_names):
        return True
    return (
        isinstance(error_message, str) and compile_pattern(pattern, ignore_case=True).search(error_message) is not None
    )


def _find_error_envelope(error_body: Any) -> Any:
    """Return the object that holds an error: Google's OpenAI-compatible endpoint sends a list of one."""
    return (
        error_body[0]
        if isinstance(error_body, list) and error_body and isinstance(error_body[0], Mapping)
        else error_body
    )


def _list_google_details(error_fields: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the typed details of an error of Google's APIs (google.rpc), none for other errors."""
    error_details = error_fields.get("details")
    return (
        [error_detail for error_detail in error_details if isinstance(error_detail, Mapping)]
        if isinstance(error_details, list)
        else []
    )


def _read_retry_delay(error_detail: Mapping[str, Any]) -> float | None:
    """Return the seconds of a google.rpc.RetryInfo, such as "34.5s"; None for other details."""
    delay_text = error_detail.get("retryDelay")
    if not isinstance(delay_text, str) or not delay_text.endswith("s"):
        return None
    return parse_retry_after({"retry-after": delay_text[:-1]})


def _find_violated_field(error_details: list[Mapping[str, Any]]) -> str | None:
    """Return the field that a google.rpc.BadRequest names, without its path; None if it names none."""
    for error_detail in error_details:
        violations = error_detail.get("fieldViolations")
        for violation in violations if isinstance(violations, list) else ():
            field_name = violation.get("field") if isinstance(violation, Mapping) else None
            if isinstance(field_name, str) and field_name:
                return field_name.rpartition(".")[2]
    return None


def parse_retry_after(response_headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait: from Retry-After in seconds or as a date, or from retry-after-ms."""
    for header_name, seconds_per_unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            wait_seconds = float(response_headers.get(header_name, "")) * seconds_per_unit
        except ValueError:
            continue
        if math.isfinite(wait_seconds):
            return max(0.0, wait_seconds)
    try:
        retry_time = email.utils.parsedate_to_datetime(response_headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
    return max(0.0, retry_time.timestamp() - time.time())


def make_one_line(full_message: object) -> str:
    """Return a message as one line of bounded length."""
    joined_text = " ".join(str(full_message).split())
    return joined_text if len(joined_text) <= MAX_MESSAGE_LENGTH else joined_text[: MAX_MESSAGE_LENGTH - 1] + "…"
