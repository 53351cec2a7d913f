"""What the pages of a table show: the state of one seat's page, and of all spectators' pages, as JSON.

A seat's state holds nothing but what that seat may know. The lines of the conversation are sent with these states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core.events import Json
from ui.live.offers import PERSON_PROVIDER
from ui.live.waiting import loading_share, stalled_words

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
def seat_state(table: LiveTable, seat: str) -> Json:
    """Return what a page of a seat shows besides its lines."""
    conversation = table.record.conversations[seat]
    person = table.start.get("people", {}).get(seat, {})
    ask = open_ask(table, seat)
    if table.is_over:
        turn = {"who": "over", "text": "The game is over", "since": table.record.last_event_at.get(seat)}
    elif ask:
        since = conversation.ask.since if conversation.ask else None
        turn = {"who": "you", "text": _your_turn(ask["form"]), "since": since, **_time_limit(table, seat)}
    else:
        turn = {"who": "other", **_waiting_turn(table, seat)}
    return {
        "game": describe_game(table),
        "seat": seat,
        "practice": bool(person.get("practice")),
        "informed": bool(person.get("informed")),
        "pinned": [table.pictures.link(pin, f"seat/{seat}") for pin in conversation.pinned_exhibits],
        "ask": ask,
        "turn": turn,
        "left": table.record.progress.get(seat),
        "goal": _seat_goal(table, seat),
        "others": [_other_seat(table, other_seat) for other_seat in table.row.seats if other_seat != seat],
        "company": conversation.seat_states,
        "asked": _awaited_seats(table, seat),
        "elsewhere": table.pages.is_open_in_several_browsers(seat),
        "requests": table.joining.ids(seat),
        "stalled": _stalled_reason(table, seat),
        "silent": bool(table.silent_seats()) and not table.hides_partner,
        "outcome": _table_outcome(table, seat),
        "episode": table.id if table.is_over and not table.study else None,
        **({"hidden_partner": True} if table.hides_partner else {}),
        "rematch": table.rematch.as_json(seat, is_pair=len(table.row.seats) == 2) if table.rematch else None,
        **({"study": table.study[seat]} if seat in table.study else {}),
        **({"pastes": "blocked"} if person.get("pastes") == "blocked" else {}),  # without it pasting is allowed
    }


def open_ask(table: LiveTable, seat: str) -> Json | None:
    """Return what a seat is asked now, as its page shows it."""
    conversation = table.record.conversations[seat]
    ask = conversation.ask
    if ask is None or table.is_over:
        return None
    return {
        "id": ask.id,
        "form": ask.format.form(),
        "why": ask.reminder,
        "reminders": ask.reminders,
        "draft": None,
    }


def _seat_goal(table: LiveTable, seat: str) -> Json | None:
    """Return what a seat's page keeps in sight: its goal, and how many of its replies count."""
    goal_text, ask = table.goals.get(seat), table.record.conversations[seat].ask
    reply_noun = table.game.counted_replies if table.game else ""
    if not reply_noun or ask is None or table.is_over:
        return {"text": goal_text} if goal_text else None
    reply_count = ask.own_number - 1
    return {
        "text": goal_text,
        "count": f"{reply_count} {reply_noun if reply_count != 1 else reply_noun.removesuffix('s')} so far",
    }


def _time_limit(table: LiveTable, seat: str) -> Json:
    """Return how long the person at a seat has for the open ask; others never learn it."""
    turn = table.clock.turn(seat) if table.clock else None
    if turn is None or table.clock is None:
        return {}
    limit = table.clock.limit
    shown_rule = "unsaid" if table.hides_partner and limit.rule == "program" else limit.rule
    limit_facts = {"until": turn.ends_at_ms, "seconds": limit.seconds, "rule": shown_rule, "extended": turn.is_extended}
    return {"limit": limit_facts}


def _your_turn(form: Json) -> str:
    titles = [form_part["title"] for form_part in form.get("either", [form])]
    return "Your turn: " + " or ".join(title[:1].lower() + title[1:] for title in titles)


def _other_seat(table: LiveTable, seat: str) -> Json:
    """Return what a page knows of another seat: whether its person is there, whether a program has taken it over."""
    if table.hides_partner:
        return {"seat": seat, "here": None, "handed": False}
    is_handed_over = len(table.record.transcript.players.get(seat, ())) > 1 and table.player(seat) != PERSON_PROVIDER
    state = {"seat": seat, "here": _person_presence(table, seat), "handed": is_handed_over}
    return state | ({"writing": True} if seat in table.writers and _person_presence(table, seat) else {})


def _person_presence(table: LiveTable, seat: str) -> bool | None:
    """Return whether the person of a seat is there; None for a program's seat."""
    return table.presence.is_present(seat) if table.player(seat) == PERSON_PROVIDER else None


def _awaited_seats(table: LiveTable, seat: str) -> list[str]:
    """Return the other seats that are asked now, in games where everybody may know that."""
    if table.is_over or table.game is None or not table.game.open_turns:
        return []
    return [str(ask["seat"]) for ask in table.record.transcript.open.values() if ask["seat"] != seat]


def _waiting_turn(table: LiveTable, seat: str) -> Json:
    """Return whom a seat waits for, and since when.

    Where not everybody may know who is asked, words and time are those of the seat's own latest move. `clock` says
    whether to show seconds: they would hurry people, but not programs.
    """
    awaited_seats = _awaited_seats(table, seat)
    shown_seats = awaited_seats or [seat_name for seat_name in table.row.seats if seat_name != seat]
    asked_at = [ask["since"] for ask in table.record.transcript.open.values() if ask["seat"] in awaited_seats]
    own_latest = table.record.last_event_at.get(seat, table.row.created)
    is_pair = len(table.row.seats) == 2
    names = _join_names(awaited_seats) or ("your partner" if is_pair else "the others")
    if table.hides_partner:
        verb_form = "is" if len(shown_seats) == 1 else "are"
        return {
            "text": f"{names[:1].upper()}{names[1:]} {verb_form} writing",
            "since": min(asked_at, default=own_latest),
        }
    since = max(min(asked_at, default=own_latest), table.asked_again_at)
    programs = [seat_name for seat_name in shown_seats if table.player(seat_name) != PERSON_PROVIDER]
    if not programs or table.stalled_cause:
        return {"text": f"Waiting for {names}", "since": since}
    if table.loaded_share is not None:
        waiting_text = f"{'Your partner’s' if is_pair else 'A'} model is being loaded"
    elif programs == shown_seats:
        waiting_text = f"{names[:1].upper()}{names[1:]} {'is' if len(shown_seats) == 1 else 'are'} thinking"
    else:
        waiting_text = f"Waiting for {names}"
    return {"text": waiting_text, "since": since, "clock": True, "loading": table.loaded_share}


def _stalled_reason(table: LiveTable, seat: str) -> str | None:
    """Return why the game waits, as this seat may know it: details of other seats stay hidden."""
    if table.is_over:
        return None
    if own_reason := table.blocked_reason or table.record.conversations[seat].stalled:
        return own_reason
    if not table.record.transcript.stalled or table.hides_partner:
        return None
    silent = [awaited for awaited in _awaited_seats(table, seat) if awaited in table.silent_seats()]
    player_phrase = _join_names(silent) or ("Your partner" if len(table.row.seats) == 2 else "One of the others")
    return stalled_words(table.record.transcript.stalled, player_phrase, table.record.transcript.fault_code)


def _table_outcome(table: LiveTable, seat: str) -> Json | None:
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
def spectator_state(table: LiveTable) -> Json:
    """Return what spectators' pages show besides the lines."""
    return {
        "episode": table.id,
        "game": describe_game(table),
        "seats": [
            {"seat": seat, "player": table.player(seat), "here": _person_presence(table, seat)}
            for seat in table.row.seats
        ],
        "people": table.has_people,
        "pinned": {
            seat: [table.pictures.link(pin, "watch") for pin in conversation.pinned_exhibits]
            for seat, conversation in table.record.conversations.items()
        },
        "open": [_open_ask_for_spectators(table, ask_number) for ask_number in table.record.transcript.open],
        "outcome": table.record.transcript.outcome,
        "status": table.status,
        "stalled": None if table.is_over else table.stalled_cause,
        "silent": bool(table.silent_seats()),
    }


def _open_ask_for_spectators(table: LiveTable, ask_number: int) -> Json:
    ask = table.record.transcript.open[ask_number]
    state = {"seat": ask["seat"], "since": max(ask["since"], table.asked_again_at)}
    if table.player(ask["seat"]) == PERSON_PROVIDER or table.stalled_cause:
        return state
    players = [table.episode.players[ask["seat"]]] if table.episode else []
    return {**state, "clock": True, "loading": loading_share(players), **_partial_reply(table, ask_number, ask["seat"])}


def _partial_reply(table: LiveTable, ask_number: int, seat: str) -> Json:
    """Return what a seat's program has written so far of its reply to an open ask."""
    reply_text = table.partial_replies.text(seat)
    open_ask = table.episode.master.open.get(ask_number) if table.episode else None
    if not reply_text or open_ask is None:
        return {}
    reply_segments = open_ask.request.reply.show(reply_text)
    return {"partial": [{"label": segment.label, "text": segment.text} for segment in reply_segments]}
