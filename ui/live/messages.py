"""What the pages of a table show: the state of one seat's page, and of all spectators' pages, as JSON.

A seat's state holds nothing but what that seat may know. The lines of the conversation are sent with these states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core.events import Json
from ui.live.offers import PERSON_PROVIDER
from ui.live.waiting import describe_stalled_game, measure_loading

if TYPE_CHECKING:
    from ui.live.table import LiveTable


def describe_game(table: LiveTable) -> Json:
    """Return the game of a table as pages show it: names, titles, rules in plain words."""
    game, name = table.game, table.row.variant
    if game is None:
        return {"name": table.row.game, "title": table.row.game, "variant": name, "variant_title": name, "rules": []}
    variant = next((variant for variant in game.variants if variant.name == name), None)  # an old log may have others
    return {
        "name": game.name,
        "title": game.title,
        "variant": name,
        "variant_title": variant.title if variant else name,
        "rules": [*game.rules, *(variant.rules if variant else ())],
    }


# ---------------------------------------------------------------------- a seat
def describe_seat(table: LiveTable, seat: str) -> Json:
    """Return what a page of a seat shows besides its lines."""
    conversation = table.record.conversations[seat]
    person_notes = table.start.get("people", {}).get(seat, {})
    reply_request_json = describe_ask(table, seat)
    if table.is_over:
        turn = {"who": "over", "text": "The game is over", "since": table.record.last_event_at.get(seat)}
    elif reply_request_json:
        asked_at = conversation.open_ask.asked_at_ms if conversation.open_ask else None
        turn = {
            "who": "you",
            "text": _describe_own_turn(reply_request_json["form"]),
            "since": asked_at,
            **_time_limit(table, seat),
        }
    else:
        turn = {"who": "other", **_describe_waiting(table, seat)}
    return {
        "game": describe_game(table),
        "seat": seat,
        "practice": bool(person_notes.get("practice")),
        "informed": bool(person_notes.get("informed")),
        "pinned": [
            table.pictures.link_picture(pinned_exhibit, f"seat/{seat}")
            for pinned_exhibit in conversation.pinned_exhibits
        ],
        "ask": reply_request_json,
        "turn": turn,
        "left": table.record.progress.get(seat),
        "goal": _describe_goal(table, seat),
        "others": [_describe_other_seat(table, other_seat) for other_seat in table.row.seats if other_seat != seat],
        "company": conversation.seat_states,
        "asked": _list_awaited_seats(table, seat),
        "elsewhere": table.pages.is_open_in_several_browsers(seat),
        "requests": table.join_requests.list_ids(seat),
        "stalled": _describe_stall(table, seat),
        "silent": bool(table.list_silent_seats()) and not table.hides_partner,
        "outcome": _describe_outcome(table, seat),
        "episode": table.id if table.is_over and not table.study else None,
        **({"hidden_partner": True} if table.hides_partner else {}),
        "rematch": table.rematch.as_json(seat, has_two_seats=len(table.row.seats) == 2) if table.rematch else None,
        **({"study": table.study[seat]} if seat in table.study else {}),
        **({"pastes": "blocked"} if person_notes.get("pastes") == "blocked" else {}),  # without it pasting is allowed
    }


def describe_ask(table: LiveTable, seat: str) -> Json | None:
    """Return what a seat is asked now, as its page shows it."""
    conversation = table.record.conversations[seat]
    open_ask = conversation.open_ask
    if open_ask is None or table.is_over:
        return None
    return {
        "id": open_ask.id,
        "form": open_ask.format.describe_form(),
        "why": open_ask.reminder,
        "reminders": open_ask.reminders,
        "draft": None,
    }


def _describe_goal(table: LiveTable, seat: str) -> Json | None:
    """Return what a seat's page keeps in sight: its goal, and how many of its replies count."""
    goal_text, open_ask = table.goals.get(seat), table.record.conversations[seat].open_ask
    counted_reply_noun = table.game.counted_replies if table.game else ""
    if not counted_reply_noun or open_ask is None or table.is_over:
        return {"text": goal_text} if goal_text else None
    reply_count = open_ask.own_request_number - 1
    noun_text = counted_reply_noun if reply_count != 1 else counted_reply_noun.removesuffix("s")
    return {
        "text": goal_text,
        "count": f"{reply_count} {noun_text} so far",
    }


def _time_limit(table: LiveTable, seat: str) -> Json:
    """Return how long the person at a seat has for the open ask; others never learn it."""
    turn = table.clock.find_turn(seat) if table.clock else None
    if turn is None or table.clock is None:
        return {}
    limit = table.clock.limit
    move_rule = "unsaid" if table.hides_partner and limit.rule == "program" else limit.rule
    limit_facts = {"until": turn.ends_at_ms, "seconds": limit.seconds, "rule": move_rule, "extended": turn.is_extended}
    return {"limit": limit_facts}


def _describe_own_turn(reply_form: Json) -> str:
    form_titles = [form_part["title"] for form_part in reply_form.get("either", [reply_form])]
    return "Your turn: " + " or ".join(form_title[:1].lower() + form_title[1:] for form_title in form_titles)


def _describe_other_seat(table: LiveTable, seat: str) -> Json:
    """Return what a page knows of another seat: whether its person is there, whether a program has taken it over."""
    if table.hides_partner:
        return {"seat": seat, "here": None, "handed": False}
    is_handed_over = len(table.record.transcript.players.get(seat, ())) > 1 and table.player(seat) != PERSON_PROVIDER
    seat_json = {"seat": seat, "here": _find_presence(table, seat), "handed": is_handed_over}
    return seat_json | ({"writing": True} if seat in table.writers and _find_presence(table, seat) else {})


def _find_presence(table: LiveTable, seat: str) -> bool | None:
    """Return whether the person of a seat is there; None for a program's seat."""
    return table.presence.is_present(seat) if table.player(seat) == PERSON_PROVIDER else None


def _list_awaited_seats(table: LiveTable, seat: str) -> list[str]:
    """Return the other seats that are asked now, in games where everybody may know that."""
    if table.is_over or table.game is None or not table.game.open_turns:
        return []
    return [str(open_ask["seat"]) for open_ask in table.record.transcript.open.values() if open_ask["seat"] != seat]


def _describe_waiting(table: LiveTable, seat: str) -> Json:
    """Return whom a seat waits for, and since when.

    Where not everybody may know who is asked, words and time are those of the seat's own latest move. `clock` says
    whether to show seconds: they would hurry people, but not programs.
    """
    awaited_seats = _list_awaited_seats(table, seat)
    shown_seats = awaited_seats or [seat_name for seat_name in table.row.seats if seat_name != seat]
    asked_at = [
        open_ask["since"] for open_ask in table.record.transcript.open.values() if open_ask["seat"] in awaited_seats
    ]
    own_event_ms = table.record.last_event_at.get(seat, table.row.created)
    has_two_seats = len(table.row.seats) == 2
    names_text = _join_names(awaited_seats) or ("your partner" if has_two_seats else "the others")
    if table.hides_partner:
        verb_form = "is" if len(shown_seats) == 1 else "are"
        return {
            "text": f"{names_text[:1].upper()}{names_text[1:]} {verb_form} writing",
            "since": min(asked_at, default=own_event_ms),
        }
    waiting_since = max(min(asked_at, default=own_event_ms), table.asked_again_at)
    program_seats = [seat_name for seat_name in shown_seats if table.player(seat_name) != PERSON_PROVIDER]
    if not program_seats or table.stalled_cause:
        return {"text": f"Waiting for {names_text}", "since": waiting_since}
    if table.model_load_progress is not None:
        waiting_text = f"{'Your partner’s' if has_two_seats else 'A'} model is being loaded"
    elif program_seats == shown_seats:
        waiting_text = f"{names_text[:1].upper()}{names_text[1:]} {'is' if len(shown_seats) == 1 else 'are'} thinking"
    else:
        waiting_text = f"Waiting for {names_text}"
    return {"text": waiting_text, "since": waiting_since, "clock": True, "loading": table.model_load_progress}


def _describe_stall(table: LiveTable, seat: str) -> str | None:
    """Return why the game waits, as this seat may know it: details of other seats stay hidden."""
    if table.is_over:
        return None
    if waiting_reason := table.blocked_reason or table.record.conversations[seat].stall_cause:
        return waiting_reason
    if not table.record.transcript.stall_cause or table.hides_partner:
        return None
    silent_seats = [
        awaited_seat for awaited_seat in _list_awaited_seats(table, seat) if awaited_seat in table.list_silent_seats()
    ]
    player_phrase = _join_names(silent_seats) or ("Your partner" if len(table.row.seats) == 2 else "One of the others")
    return describe_stalled_game(table.record.transcript.stall_cause, player_phrase, table.record.transcript.fault_code)


def _describe_outcome(table: LiveTable, seat: str) -> Json | None:
    """Return how the game ended, without a reason that tells what kind of player another seat had."""
    outcome = table.record.conversations[seat].outcome
    if outcome and table.hides_partner and outcome["seat"] not in (None, seat):
        return {**outcome, "reason": None}
    return outcome


def _join_names(names: Sequence[str]) -> str:
    """Return names in words: "Tom", "Tom and Rose", "Tom, Rose and 3 others"."""
    if len(names) < 3:
        return " and ".join(names)
    return f"{names[0]}, {names[1]} and {'one other' if len(names) == 3 else f'{len(names) - 2} others'}"


# ---------------------------------------------------------------------- spectators
def describe_for_spectators(table: LiveTable) -> Json:
    """Return what spectators' pages show besides the lines."""
    return {
        "episode": table.id,
        "game": describe_game(table),
        "seats": [
            {"seat": seat, "player": table.player(seat), "here": _find_presence(table, seat)}
            for seat in table.row.seats
        ],
        "people": table.has_people,
        "pinned": {
            seat: [
                table.pictures.link_picture(pinned_exhibit, "watch") for pinned_exhibit in conversation.pinned_exhibits
            ]
            for seat, conversation in table.record.conversations.items()
        },
        "open": [_describe_spectators_ask(table, request_number) for request_number in table.record.transcript.open],
        "outcome": table.record.transcript.outcome,
        "status": table.status,
        "stalled": None if table.is_over else table.stalled_cause,
        "silent": bool(table.list_silent_seats()),
    }


def _describe_spectators_ask(table: LiveTable, request_number: int) -> Json:
    spectator_ask = table.record.transcript.open[request_number]
    reply_request_json = {"seat": spectator_ask["seat"], "since": max(spectator_ask["since"], table.asked_again_at)}
    if table.player(spectator_ask["seat"]) == PERSON_PROVIDER or table.stalled_cause:
        return reply_request_json
    players = [table.episode.players[spectator_ask["seat"]]] if table.episode else []
    reply_request_json |= {"clock": True, "loading": measure_loading(players)}
    return reply_request_json | _describe_partial_reply(table, request_number, spectator_ask["seat"])


def _describe_partial_reply(table: LiveTable, request_number: int, seat: str) -> Json:
    """Return what a seat's program has written so far of its reply to an open ask."""
    reply_text = table.partial_replies.get_text(seat)
    open_ask = table.episode.master.open.get(request_number) if table.episode else None
    if not reply_text or open_ask is None:
        return {}
    reply_segments = open_ask.request.reply.show(reply_text)
    return {"partial": [{"label": segment.label, "text": segment.text} for segment in reply_segments]}
