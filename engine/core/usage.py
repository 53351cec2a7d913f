"""What a model was sent, how its replies ended, and what they took, added up over replies.

Everything is read from the `meta` of replies and faults, so that any log can be counted. Runs show it while they play,
the store keeps it with the result of each episode, and results add it up per condition.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.core.condition import is_person
from engine.core.event_views import FaultEvent, HandOver, ReplyEvent
from engine.core.events import Event, Json, Kind, canonical_json, to_json
from engine.core.player import FaultCode
from engine.core.wording import plural

META_KEY = "meta"
"""Key of the data of a reply, and of some faults."""
LUDENS_META_KEYS = {"seconds", "attempts"}
"""Keys of a reply's meta that `Episode` adds: they say nothing of tokens, cost or how a model was asked."""


class MetaKey(StrEnum):
    """Keys of the meta of a model's reply. They stand in logs."""

    CACHED = "cached"
    COST = "cost"
    DROPPED = "dropped"
    ERROR = "error"
    FINISH = "finish"
    REASONING = "reasoning"
    REASONING_ITEMS = "reasoning_items"
    REFUSED = "refused"
    SENT = "sent"
    WAITS = "waits"


class FinishKind(StrEnum):
    """Why a model stopped before it was done."""

    TRUNCATED = "cut"
    """It reached a limit of tokens."""
    FILTERED = "filtered"
    """A filter of the provider stopped it."""
    REFUSED = "refused"
    """It declined to answer."""


CONTENT_FILTER = "content_filter"
"""The finish reason of a reply that a filter stopped, also if the server said so with an HTTP status."""
FINISH_KIND_BY_REASON = {
    **dict.fromkeys(
        ("length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"), FinishKind.TRUNCATED
    ),
    **dict.fromkeys((CONTENT_FILTER, "safety", "recitation", "blocklist", "prohibited_content"), FinishKind.FILTERED),
    "refusal": FinishKind.REFUSED,
}
"""What the finish reasons of servers mean; the others mean that the reply is complete."""
MAX_TRUNCATED_SHARE = 0.05
"""If more replies than this share were cut, results say more about the limit than about the model."""
USAGE_EVENT_KINDS = frozenset((Kind.REPLY, Kind.FAULT))
"""The kinds of events that can have usage."""
TOKEN_COUNTS = ("tokens_in", "tokens_out", "tokens_reasoning", "tokens_cached", "tokens_cache_write")


def classify_finish(reply_meta: Mapping[str, Any]) -> FinishKind | None:
    """Return why a reply is not complete, None if it is or if nobody said so."""
    if reply_meta.get(MetaKey.REFUSED):
        return FinishKind.REFUSED
    finish_reason = reply_meta.get(MetaKey.FINISH)
    return FINISH_KIND_BY_REASON.get(finish_reason.lower()) if isinstance(finish_reason, str) else None


def count_paid_tokens(reply_meta: Mapping[str, Any]) -> dict[str, int]:
    """Return the tokens of a reply by `TOKEN_COUNTS`; a reply from the cache took none."""
    if reply_meta.get(MetaKey.CACHED):
        return {}
    return {count_name: reply_meta[count_name] for count_name in TOKEN_COUNTS if reply_meta.get(count_name)}


def read_paid_cost(reply_meta: Mapping[str, Any]) -> float:
    """Return what a reply cost in USD, 0 if it is from the cache or no price is known."""
    return 0.0 if reply_meta.get(MetaKey.CACHED) else float(reply_meta.get(MetaKey.COST, 0.0))


@dataclass
class PlayerUsage:
    """The sums for one player. Cached replies count as replies, and take no tokens."""

    replies: int = 0
    finishes: Counter[str] = field(default_factory=Counter)
    """Replies that are not complete, by `FinishKind`."""
    empty_count: int = 0
    """Replies without text among them."""
    context_exceeded: int = 0
    """Prompts that were too long for the model."""
    sent: Counter[str] = field(default_factory=Counter)
    """How many replies had these fields in their requests, by the canonical JSON of the fields."""
    dropped: Counter[str] = field(default_factory=Counter)
    """How many replies were asked for without a parameter that the address names, by parameter."""
    tokens: Counter[str] = field(default_factory=Counter)
    """By `TOKEN_COUNTS`."""
    cost: float = 0.0
    """In USD, as far as prices are known."""
    wait_counts: Counter[str] = field(default_factory=Counter)
    """How often a request had to wait, by cause: a `FaultCode`, or "limits" for the limits of its server."""
    wait_seconds: dict[str, float] = field(default_factory=dict)

    def add_reply(self, reply_meta: Mapping[str, Any], *, is_empty: bool = False) -> None:
        """Count a reply by its meta."""
        self.replies += 1
        finish_label = classify_finish(reply_meta)
        if finish_label is not None:
            self.finishes[finish_label] += 1
            self.empty_count += is_empty
        if MetaKey.SENT in reply_meta:
            self.sent[canonical_json(reply_meta[MetaKey.SENT])] += 1
        for count_name in reply_meta.get(
            MetaKey.DROPPED, ()
        ):  # `Counter.update` takes 3 µs, for a few names of one reply
            self.dropped[count_name] += 1
        for count_name, token_count in count_paid_tokens(reply_meta).items():
            self.tokens[count_name] += token_count
        self.cost += read_paid_cost(reply_meta)
        self._add_waits(reply_meta)

    def add_fault(self, fault: FaultEvent) -> None:
        """Count a fault. An unusable reply that was paid for is part of it."""
        self.context_exceeded += fault.code == FaultCode.PROMPT_TOO_LONG
        if fault.code == FaultCode.EMPTY_REPLY:
            self.add_reply(fault.meta or {}, is_empty=True)
        else:
            self._add_waits(fault.meta or {})

    def _add_waits(self, reply_meta: Mapping[str, Any]) -> None:
        for wait_cause, (wait_count, cause_seconds) in reply_meta.get(MetaKey.WAITS, {}).items():
            self.wait_counts[wait_cause] += wait_count
            self.wait_seconds[wait_cause] = self.wait_seconds.get(wait_cause, 0.0) + cause_seconds

    def __iadd__(self, other_usage: PlayerUsage) -> PlayerUsage:
        """Add the sums of other replies of the same player."""
        for sum_name, other_sum in vars(other_usage).items():
            own_value = getattr(self, sum_name)
            if isinstance(other_sum, dict):
                for counter_key, added_amount in other_sum.items():
                    own_value[counter_key] = own_value.get(counter_key, 0) + added_amount
            else:
                setattr(self, sum_name, own_value + other_sum)
        return self

    @property
    def is_noteworthy(self) -> bool:
        """Whether something was dropped, or a reply is not complete."""
        return bool(self.dropped or self.finishes or self.context_exceeded)

    @property
    def truncated_share(self) -> float:
        """The share of replies that reached a limit of tokens, 0 to 1."""
        return self.finishes[FinishKind.TRUNCATED] / self.replies if self.replies else 0.0

    def as_json(self) -> Json:
        """Return the sums that are not zero; `from_json` is the inverse."""
        nonzero_sums = {sum_name: value for sum_name, value in vars(self).items() if value}
        return {sum_name: dict(value) if isinstance(value, dict) else value for sum_name, value in nonzero_sums.items()}

    @classmethod
    def from_json(cls, usage_json: Json) -> PlayerUsage:
        """Return the sums that `as_json` wrote."""
        player_usage = cls()
        for sum_name, sum_value in usage_json.items():
            setattr(player_usage, sum_name, type(getattr(player_usage, sum_name))(sum_value))
        return player_usage


UsageByPlayer = dict[str, PlayerUsage]
"""The sums of several players, by address."""


def has_only_reply_time(event: Event) -> bool:
    """Return whether an event is a reply of which nothing but its time is known, like that of a scripted player."""
    return event.kind is Kind.REPLY and LUDENS_META_KEYS.issuperset(event.data[META_KEY])


def add_event(usage_sums: UsageByPlayer, player: str, event: Event) -> None:
    """Count an event of a seat at which `player` sits. Only models have usage: nothing is `sent` to other players."""
    if is_person(player):  # whose address is not for those who read scores
        return
    if event.kind is Kind.REPLY:
        reply_meta = event.data[META_KEY]  # not by a view, which takes a microsecond for each reply of a run
        if MetaKey.SENT in reply_meta or classify_finish(reply_meta):
            is_empty = not ReplyEvent.from_event(event).text.strip()
            _get_player_usage(usage_sums, player).add_reply(reply_meta, is_empty=is_empty)
    elif event.kind is Kind.FAULT:
        fault = FaultEvent.from_event(event)
        if fault.meta or fault.code == FaultCode.PROMPT_TOO_LONG:
            _get_player_usage(usage_sums, player).add_fault(fault)


def _get_player_usage(usages: UsageByPlayer, player: str) -> PlayerUsage:
    if player not in usages:  # `setdefault` would make one for each reply, which takes 4 µs
        usages[player] = PlayerUsage()
    return usages[player]


def usage_by_player(seats: Mapping[str, str], events: Iterable[Event]) -> UsageByPlayer:
    """Return the usage of the models in an episode by address, given who began at which seat.

    Of the events only those that say who took a seat over, replies and faults are needed.
    """
    usages: UsageByPlayer = {}
    players = dict(seats)
    for event in events:
        if event.kind in USAGE_EVENT_KINDS:
            if not has_only_reply_time(event):  # as in most events of most logs
                add_event(usages, players.get(event.seat or "", ""), event)
        elif event.seat and event.kind is Kind.SEAT:
            players[event.seat] = HandOver.from_event(event).player
    return usages


def add_usages(usages: UsageByPlayer, other_usages: Mapping[str, PlayerUsage]) -> None:
    """Add the sums of the same players in other episodes."""
    for player, usage in other_usages.items():
        own_usage = _get_player_usage(usages, player)
        own_usage += usage


# ---------------------------------------------------------------------- in words
def describe_request_fields(usage: PlayerUsage) -> str:
    """Return what requests had besides model and messages: "max_tokens=40, without temperature"."""
    sent_texts = [_describe_fields(sent_fields) for sent_fields, _ in usage.sent.most_common()]
    dropped_texts = [
        n if affected_reply_count == usage.replies else f"{n} ({affected_reply_count:,} of {usage.replies:,} replies)"
        for n, affected_reply_count in sorted(usage.dropped.items())
    ]
    usage_texts = [" or ".join(sent_texts), f"without {' and '.join(dropped_texts)}" if dropped_texts else ""]
    return ", ".join(filter(None, usage_texts))


def _describe_fields(canonical_fields: str) -> str:
    sent_fields: Json = json.loads(canonical_fields)
    return " ".join(f"{field_name}={v if isinstance(v, str) else to_json(v)}" for field_name, v in sent_fields.items())


def describe_finishes(usage: PlayerUsage) -> str:
    """Return how many replies were not complete: "3 cut, 1 filtered (1 empty), 2 context"."""
    finish_texts = [
        f"{usage.finishes[finish_kind]:,} {finish_kind}" for finish_kind in FinishKind if usage.finishes[finish_kind]
    ]
    if finish_texts and usage.empty_count:
        finish_texts[-1] += f" ({usage.empty_count:,} empty)"
    return ", ".join([*finish_texts, *([f"{usage.context_exceeded:,} context"] if usage.context_exceeded else [])])


def describe_waits(usage: PlayerUsage) -> str:
    """Return how long requests waited: "12.5 s (rate_limited 3 times, 12.0 s; limits 1 time, 0.5 s)"."""
    wait_causes = sorted(usage.wait_counts, key=lambda wait_cause: -usage.wait_seconds.get(wait_cause, 0.0))
    wait_texts = [
        f"{wait_cause} {plural(wait_count, 'time')}, {usage.wait_seconds.get(wait_cause, 0.0):,.1f} s"
        for wait_cause in wait_causes
        if (wait_count := usage.wait_counts[wait_cause])
    ]
    return f"{sum(usage.wait_seconds.values()):,.1f} s ({'; '.join(wait_texts)})" if wait_texts else ""


def describe_models(usages: UsageByPlayer, describe_usage: Callable[[PlayerUsage], str]) -> str:
    """Return what a description says of the models of a row, with their names if there are several."""
    text_by_player = {player: text for player, player_usage in usages.items() if (text := describe_usage(player_usage))}
    return "; ".join(
        text_by_player.values() if len(usages) < 2 else (f"{player}: {text}" for player, text in text_by_player.items())
    )


def list_warnings(player: str, usage: PlayerUsage) -> list[str]:
    """Return what a reader of results must know about a player's replies, a sentence each."""
    warnings = []
    for parameter_name, affected_reply_count in sorted(usage.dropped.items()):
        share_text = (
            "any" if affected_reply_count == usage.replies else f"{affected_reply_count:,} of {usage.replies:,}"
        )
        warnings.append(
            f"{player}: {parameter_name} was NOT sent for {share_text} of its replies: it is not taken there"
        )
    if usage.truncated_share > MAX_TRUNCATED_SHARE:
        warnings.append(
            f"{player}: {usage.truncated_share:.0%} of its replies were cut at the limit of tokens: raise max_tokens"
        )
    return warnings
