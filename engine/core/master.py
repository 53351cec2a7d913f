"""GameMaster: one instance in play. It holds open asks, takes replies, advances the rulebook and returns events.

It does no I/O and has no clock: its driver (a page, a run, a test) numbers, stamps, stores and shows the events. Each
method that takes something in returns everything that follows from it: one update, to be stored in one transaction
before its effect is shown. Given its start and its replies, an episode is deterministic; `resume` relies on that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine.core.content import content_to_json
from engine.core.events import PRESENCE_KINDS, Aborted, Event, Json, Kind, Outcome, digest, to_json
from engine.core.game import Game
from engine.core.replies import NotAllowed, PickedAlternative, Violation
from engine.core.start import EpisodeStart
from engine.core.table import Ask, Table

RULEBOOK_FAULT_PREFIX = "the rulebook failed"
"""Begins the cause of a fault after an error in a game's own code."""


class RulesChanged(Exception):
    """The present rules would not have written this log; `n` is the first event that differs."""

    def __init__(self, event_number: int, logged_event: Event | None, replayed_event: Event | None) -> None:
        self.n, self.logged_event, self.replayed_event = event_number, logged_event, replayed_event
        super().__init__(
            f"event {event_number} of the log is {_shorten_event(logged_event)}, "
            f"the present rules give {_shorten_event(replayed_event)}"
        )


class AskNotOpen(LookupError):
    """A reply to an ask that is not (or no longer) open."""


def _shorten_event(event: Event | None) -> str:
    return "nothing" if event is None else f"{event.kind} of {event.seat or 'the table'}"


@dataclass(slots=True)
class OpenAsk:
    """An ask waiting for its reply: its number in the episode, the request, and how many reminders were sent."""

    id: int
    request: Ask[Any]
    reminders: int = 0


@dataclass
class GameMaster:
    """One instance in play.

    Where partners are hidden (`EpisodeStart.hides_partner`), a reply whose effect others could notice is `held` until
    `release`; a refused one that is followed by a reminder is not.
    """

    game: Game
    start: EpisodeStart
    open: dict[int, OpenAsk] = field(default_factory=dict)
    held_continuations: dict[int, Callable[[], list[Event]]] = field(default_factory=dict)
    """Open asks whose reply waits for its release, with what makes the events that follow from it."""
    outcome: Outcome | None = None
    failure_cause: str | None = None
    """Why the rulebook cannot continue (a bug in it), None otherwise."""

    def __post_init__(self) -> None:
        settings = self.game.settings.model_validate(self.start.settings)
        self.instance = self.game.load(self.start.instance)
        self._table = Table(
            self.game.seats,
            self.start.variant,
            settings,
            f"{self.start.seed}/table",
            self.game.prompts_for(
                self.game.prompts.select_version(self.start.prompts_version),
                self.start.variant,
                settings,
                self.instance,
            ),
            self.start.simultaneous,
        )
        self._rulebook = self.game.play(self._table, self.instance)
        self.holds_replies = self.start.hides_partner
        self._seats_of_asks: list[str] = []  # the seat of every ask so far
        self._value_by_ask: dict[int, Any] = {}
        self._step_asks: list[int] = []

    @classmethod
    def begin_episode(cls, game: Game, episode_start: EpisodeStart) -> tuple[GameMaster, list[Event]]:
        """Return a GameMaster at its first asks, and the events up to there."""
        master = cls(game, episode_start)
        return master, [Event(Kind.START, None, episode_start.as_json), *master._run_rulebook(None)]

    @classmethod
    def resume(cls, game: Game, log: Sequence[Event]) -> GameMaster:
        """Return a GameMaster in the state where the log ends: feed the logged replies again and compare all events.

        Raises `RulesChanged` if the events differ from the log.
        """
        if not log or log[0].kind is not Kind.START:
            raise RulesChanged(0, log[0] if log else None, Event(Kind.START, None, {}))
        master, produced_events = cls.begin_episode(game, EpisodeStart.model_validate(log[0].data))
        remaining_events = iter([event for event in log if event.kind not in PRESENCE_KINDS])
        outcome_event = next((event for event in log if event.kind is Kind.OUTCOME), None)
        _compare_events(produced_events, remaining_events)
        for event in remaining_events:
            _compare_events(master._replay_event(event, outcome_event), iter([event]), remaining_events)
        return master

    def _replay_event(self, event: Event, outcome_event: Event | None) -> list[Event]:
        """Feed again what came from outside in `event`; `outcome_event` is the log's outcome event."""
        try:
            match event.kind, event.data:
                case Kind.REPLY, {"ask": request_number, "text": reply_text, "meta": reply_meta}:
                    return self.reply(request_number, reply_text, reply_meta)
                case Kind.RELEASED, {"ask": int(request_number)}:
                    return self.release(request_number)
                case Kind.FAULT, {"ask": int(request_number), "cause": cause, **fault_details}:
                    return self.fault(request_number, cause, *map(fault_details.get, ("code", "meta")))
                case Kind.SEAT, {"player": player, "reason": handover_reason}:
                    return self.hand_over_seat(str(event.seat), player, handover_reason)
                case Kind.SEAT, {"player": player}:
                    return self.hand_over_seat(str(event.seat), player)
                case ((Kind.CANCEL | Kind.OUTCOME), _) if outcome_event:  # only `end` begins with these
                    return self.end(Outcome.from_json(outcome_event.data))
        except AskNotOpen:
            pass
        raise RulesChanged(event.n, event, None)

    # ------------------------------------------------------------------ input
    def reply(
        self, request_number: int, reply_text: str, reply_meta: Json | None = None, *, refuse_malformed: bool = False
    ) -> list[Event]:
        """Take a reply word for word and return what follows, unless it is held until `release`.

        A late one (the ask is closed, or has a reply that is held) is returned as discarded.

        Raises `AskNotOpen` for an ask that was never made. With `refuse_malformed`, a malformed reply raises
        `NotInFormat` or `AmbiguousReply` and changes nothing, so that a person can correct the text.
        """
        if not 0 < request_number <= len(self._seats_of_asks):
            raise AskNotOpen(f"no ask {request_number}; {len(self._seats_of_asks)} were made")
        if request_number not in self.open or request_number in self.held_continuations:
            late_reply = {"ask": request_number, "text": reply_text, "meta": reply_meta or {}, "discarded": True}
            return [Event(Kind.REPLY, self._seats_of_asks[request_number - 1], late_reply)]
        open_ask = self.open[request_number]
        seat = open_ask.request.seat
        events = [Event(Kind.REPLY, seat, {"ask": request_number, "text": reply_text, "meta": reply_meta or {}})]
        try:
            accepted_value = open_ask.request.reply.parse(reply_text)
            if open_ask.request.allow and (refusal_reason := open_ask.request.allow(accepted_value)):
                raise NotAllowed(refusal_reason)
            parsed_event = Event(Kind.PARSED, seat, {"ask": request_number, "value": _to_json_value(accepted_value)})
        except Violation as violation:
            if refuse_malformed and not isinstance(violation, NotAllowed):
                raise
            if self.holds_replies and open_ask.reminders >= self.start.reprompt:
                self.held_continuations[request_number] = partial(self._refuse_reply, open_ask, violation)
                return events
            return events + self._refuse_reply(open_ask, violation)
        except Exception as error:  # a bug in a format or in `allow` must not lose the reply that met it
            return events + self._record_breakdown(error)
        if self.holds_replies:
            self.held_continuations[request_number] = partial(
                self._accept_reply, request_number, parsed_event, accepted_value
            )
            return events
        return events + self._accept_reply(request_number, parsed_event, accepted_value)

    def release(self, request_number: int) -> list[Event]:
        """Return what follows from a reply that is held. Raises `AskNotOpen` where none is."""
        if request_number not in self.held_continuations:
            raise AskNotOpen(f"no reply to ask {request_number} is held")
        continue_game = self.held_continuations.pop(request_number)
        return [Event(Kind.RELEASED, self.open[request_number].request.seat, {"ask": request_number}), *continue_game()]

    def fault(
        self, request_number: int, cause: str, fault_code: str | None = None, reply_meta: Json | None = None
    ) -> list[Event]:
        """Record that a player could not answer: the ask stays open, the episode is stalled. Raises `AskNotOpen`."""
        if request_number not in self.open:
            raise AskNotOpen(f"ask {request_number} is not open")
        fault_details = {"code": fault_code, "meta": reply_meta}
        fault_data: Json = {"ask": request_number, "cause": cause} | {
            detail_name: detail for detail_name, detail in fault_details.items() if detail
        }
        return [Event(Kind.FAULT, self.open[request_number].request.seat, fault_data)]

    def hand_over_seat(self, seat: str, player: str, reason: str | None = None) -> list[Event]:
        """Let another player take a seat; it gets the seat's whole conversation. Raises `AskNotOpen`.

        `reason` is stored where nobody asked for the change: "no reply in time", "left".
        """
        if self.outcome:
            raise AskNotOpen("the episode is over")
        if seat not in self.game.seats:
            raise AskNotOpen(f"no seat {seat!r}; there are {', '.join(self.game.seats)}")
        return [Event(Kind.SEAT, seat, {"player": player} | ({"reason": reason} if reason else {}))]

    def end(self, outcome: Outcome) -> list[Event]:
        """End the episode from outside (abandoned): open asks are cancelled."""
        if self.outcome:
            raise AskNotOpen("the episode is over")
        return [*self._cancel_open_asks(), *self._finish_episode(outcome)]

    # ------------------------------------------------------------------ consequences
    def _accept_reply(self, request_number: int, parsed_event: Event, parsed_value: Any) -> list[Event]:
        del self.open[request_number]
        self._value_by_ask[request_number] = parsed_value
        if len(self._value_by_ask) == len(self._step_asks):
            return [
                parsed_event,
                *self._run_rulebook(list(map(self._value_by_ask.pop, self._step_asks))),
            ]
        return [parsed_event]

    def _refuse_reply(self, open_ask: OpenAsk, violation: Violation) -> list[Event]:
        seat, is_last_attempt = open_ask.request.seat, open_ask.reminders >= self.start.reprompt
        prompt_words = open_ask.request.reply.prompt_words
        reminder = None if is_last_attempt else f"That reply could not be used: {violation} {prompt_words}"
        violation_data = {"ask": open_ask.id, "fault": violation.fault, "why": str(violation), "reminder": reminder}
        events = [Event(Kind.VIOLATION, seat, violation_data)]
        if not is_last_attempt:
            open_ask.reminders += 1
            return events
        del self.open[open_ask.id]
        return events + self._cancel_open_asks() + self._finish_episode(Aborted(violation.fault, seat))

    def _run_rulebook(self, parsed_values: Sequence[Any] | None) -> list[Event]:
        """Run the rulebook to its next asks or its end."""
        try:
            step_asks = next(self._rulebook) if parsed_values is None else self._rulebook.send(parsed_values)
            numbered_asks = self._number_asks(step_asks)
        except StopIteration as stop_iteration:
            if not isinstance(stop_iteration.value, Outcome):
                return self._record_breakdown(TypeError(f"it returned {stop_iteration.value!r} and not an outcome"))
            if self._table.unsent_asks:
                return self._record_breakdown(TypeError("it ended"))
            return self._pop_effect_events() + self._finish_episode(stop_iteration.value)
        except Exception as error:  # a bug in a rulebook must not lose the reply that met it
            return self._record_breakdown(error)
        events = self._pop_effect_events()
        self._step_asks = []
        for open_ask, event in numbered_asks:
            self._step_asks.append(open_ask.id)
            self._seats_of_asks.append(open_ask.request.seat)
            self.open[open_ask.id] = open_ask
            events.append(event)
        return events

    def _number_asks(self, step_asks: Sequence[Ask[Any]]) -> list[tuple[OpenAsk, Event]]:
        """Number the rulebook's asks. Raises TypeError for something else, ValueError without any."""
        if not isinstance(step_asks, (tuple, list, Sequence)):  # the usual ones first: to ask an ABC takes 1 µs
            raise TypeError(f"it yielded a {type(step_asks).__name__}")
        if not step_asks:
            raise ValueError("it asked nobody")
        numbered_asks = enumerate(step_asks, len(self._seats_of_asks) + 1)
        return [
            (
                OpenAsk(request_number, request),
                Event(Kind.ASK, self._table._check_seat(request.seat), _make_ask_data(request_number, request)),
            )
            for request_number, request in numbered_asks
        ]

    def _record_breakdown(self, error: Exception) -> list[Event]:
        """Record that the rulebook cannot continue: no outcome, but nothing is lost."""
        if self._table.unsent_asks:
            seat = self._table.unsent_asks[0]
            error = TypeError(f"an ask of {seat} was not sent; write `yield from table.ask({seat!r}, …)` ({error})")
        self.failure_cause = f"{RULEBOOK_FAULT_PREFIX}: {type(error).__name__}: {error}"
        return [*self._pop_effect_events(), Event(Kind.FAULT, None, {"ask": None, "cause": self.failure_cause})]

    def _pop_effect_events(self) -> list[Event]:
        effects, self._table.effects = self._table.effects, []
        return effects

    def _cancel_open_asks(self) -> list[Event]:
        cancel_events = [
            Event(Kind.CANCEL, open_ask.request.seat, {"ask": open_ask.id}) for open_ask in self.open.values()
        ]
        self.open.clear()
        self.held_continuations.clear()
        return cancel_events

    def _finish_episode(self, outcome: Outcome) -> list[Event]:
        self.outcome = outcome
        self._rulebook.close()
        return [Event(Kind.OUTCOME, None, outcome.as_json())]


def _make_ask_data(request_number: int, reply_request: Ask[Any]) -> Json:
    return {
        "ask": request_number,
        "said": content_to_json(reply_request.content),
        "pictures": [picture.as_json() for picture in reply_request.pictures],
        "format": reply_request.reply.declaration(),
        "words": reply_request.reply.prompt_words,
        "progress": reply_request.progress.as_json() if reply_request.progress else None,
    }


def _to_json_value(parsed_value: Any) -> Any:
    """Return the value as the log stores it: a copy, because a rulebook may change the value it gets."""
    if isinstance(parsed_value, PickedAlternative):
        return {"picked": parsed_value.name, "value": _to_json_value(parsed_value.value)}
    return parsed_value if isinstance(parsed_value, str) else json.loads(to_json(parsed_value))


def _compare_events(produced_events: Iterable[Event], *logged_events: Iterator[Event]) -> None:
    for produced_event in produced_events:
        next_event = next((event for event_source in logged_events for event in event_source), None)
        if next_event is None or not next_event.equals_ignoring_time(produced_event):
            raise RulesChanged(next_event.n if next_event else -1, next_event, produced_event)


def build_start_event(
    game: Game,
    *,
    ludens: str,
    variant: str,
    experiment: str,
    instance: Json,
    instance_id: str,
    instance_hash: str | None = None,
    seats: dict[str, str],
    settings: Json | None = None,
    reprompt: int = 0,
    run_seed: int = 0,
    repetition: int = 0,
    seed: str | None = None,
    people: dict[str, Json] | None = None,
    prompts: int | None = None,
    rules_for_models: Mapping[str, str] | None = None,
    is_simultaneous: bool = True,
) -> EpisodeStart:
    """Return the start of an episode with its settings completed and its seed derived.

    `prompts` is the version of the game's prompts, by default the present one; imported instances bring theirs. The
    seed is the SHA-256 of (run seed, game, variant, experiment, instance hash, seating, repetition) unless given.
    `is_simultaneous` is False for a record of moves that were made in turn.

    Raises ValueError for a seat that is missing or unknown, pydantic's ValidationError for bad settings.
    """
    if set(seats) != set(game.seats):
        raise ValueError(f"{game.name} has the seats {', '.join(game.seats)}; given: {', '.join(seats) or 'none'}")
    instance_hash = instance_hash or digest(instance)
    seating = {seat: seats[seat] for seat in game.seats}
    prompts_name, current_version = game.prompt_set(instance)
    derived_seed = digest([run_seed, game.name, variant, experiment, instance_hash, seating, repetition])
    return EpisodeStart(
        ludens=ludens,
        game=game.name,
        game_version=game.version,
        variant=variant,
        experiment=experiment,
        instance=instance,
        instance_id=instance_id,
        instance_hash=instance_hash,
        prompts=prompts_name,
        prompts_version=prompts if prompts and prompts_name == game.prompts.name else current_version,
        settings=game.settings.model_validate(game.settings_of(instance) | (settings or {})).model_dump(mode="json"),
        reprompt=reprompt,
        seed=seed or derived_seed,
        seats=seating,
        simultaneous=is_simultaneous and game.simultaneous_moves,
        run_seed=run_seed,
        repetition=repetition,
        people=people or {},
        **{n: rule_value for n, rule_value in (rules_for_models or {}).items() if rule_value is not None},
    )
