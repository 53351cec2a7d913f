"""The scripted player of SpyFall: says what it knows of its word, vague things first, and looks for who does not fit.

It knows the sentences of `knowledge.py` and what its seat hears, no more. It weighs every description by how well it
fits its own word, people's too; where most of the others do not fit, it takes itself for the spy and goes along.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from engine.core.game import ScriptedPlayer
from engine.core.player import Player, Reply
from engine.core.replies import JsonObject, OneOf
from engine.core.views import SeatView
from games.common.words import normalise
from games.spyfall.instances import WORD_TITLE
from games.spyfall.knowledge import fit, keywords, sentences

DOUBT = 1.2
"""How far a player's feeling about somebody is off: scripted players are no machines of deduction."""


@dataclass
class Heard:
    """What a seat has heard: its word, everybody's descriptions, and how often somebody was voted for lately."""

    word: str = ""
    said: dict[str, list[str]] = field(default_factory=dict)
    voted: list[str] = field(default_factory=list)
    mine: list[str] = field(default_factory=list)
    order: list[tuple[str, str]] = field(default_factory=list)
    """Descriptions as they came: who said what."""

    @classmethod
    def of(cls, view: SeatView) -> Heard:
        """Return what a conversation says."""
        heard = cls()
        for message in view.messages:
            for part in message.parts:
                if part.get("title") == WORD_TITLE:
                    heard.word = part["exhibit"]
                elif "quote" in part:
                    heard.hear(str(part["by"]), part["label"], part["quote"])
            if message.role == "assistant":
                heard.mine.append(_spoken(message.text()))
        return heard

    def hear(self, by: str, label: str, text: str) -> None:
        """Take in what somebody said: a vote, or else a description, with which a new round of votes begins."""
        if label.startswith(f"{by} votes for "):
            self.voted.append(label.removeprefix(f"{by} votes for "))
        else:
            self.voted = []
            self.said.setdefault(by, []).append(text)
            self.order.append((by, text))

    def fits(self, name: str) -> float:
        """Say how well somebody's descriptions fit the own word; what is vague counts little."""
        return sum(fit(self.word, text) for text in self.said.get(name, ()))

    def repeats(self, name: str) -> int:
        """Count the descriptions that somebody had heard from others before."""
        before, count = set(map(normalise, self.mine)), 0
        for by, text in self.order:
            count += by == name and normalise(text) in before
            before.add(normalise(text))
        return count

    def odd(self) -> bool:
        """Whether the seat takes itself for the spy: more of the others speak for another word than for its own."""
        fits = [self.fits(name) for name in self.said]
        return sum(value < 0 for value in fits) > max(1, sum(value >= 0 for value in fits))


def _spoken(text: str) -> str:
    try:
        return str(json.loads(text)["speak"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return text


class Scripted(Player):
    """Describes and votes from what it knows and hears."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return a description, or a vote where a name is asked for."""
        heard, asked = Heard.of(view), view.ask.format
        assert isinstance(asked, JsonObject)
        names = next((member.options for _, member in asked.members if isinstance(member, OneOf)), ())
        made = vote(heard, names, view.random) if names else describe(heard, view.random)
        return Reply(json.dumps(made, ensure_ascii=False))


def describe(heard: Heard, rng: Random) -> dict[str, str]:
    """Return a true sentence nobody has said, vague in the first round and more telling in each that follows."""
    used = {normalise(text) for texts in heard.said.values() for text in texts} | set(map(normalise, heard.mine))
    vague, telling = sentences(heard.word)
    number = 1 + sum(text in (*vague, *telling) for text in heard.mine)
    if heard.odd():
        others = keywords(" ".join(text for texts in heard.said.values() for text in texts))
        new = [text for text in vague if normalise(text) not in used] or list(vague)
        best = max((len(keywords(text) & others) for text in new), default=0)
        chosen = [text for text in new if len(keywords(text) & others) == best]
        return _describe("The others seem to have another word. I stay vague.", chosen, rng)
    wanted = vague if number == 1 else (*telling[: 2 * (number - 1)], *vague)
    new = [text for text in wanted if normalise(text) not in used]
    new = new or [text for text in (*telling, *vague) if normalise(text) not in used] or list(vague)
    return _describe("Something true that not everybody will understand.", new, rng)


def _describe(thought: str, chosen: Sequence[str], rng: Random) -> dict[str, str]:
    return {"thought": thought, "speak": rng.choice(chosen) if chosen else "It is something that most people know."}


def vote(heard: Heard, names: Sequence[str], rng: Random) -> dict[str, str]:
    """Return a vote for whoever fits the own word least; a player who takes itself for the spy follows the others."""
    fits = {name: heard.fits(name) - 0.5 * heard.repeats(name) + rng.gauss(0, DOUBT) for name in names}
    if heard.odd():
        counts = {name: heard.voted.count(name) for name in names}
        most = [name for name in names if counts[name] == max(counts.values())]
        fits = {name: -fits[name] for name in most}
    least = [name for name in fits if fits[name] == min(fits.values())]
    chosen = rng.choice(least)
    thought = "; ".join(f"{name} {value:+.1f}" for name, value in sorted(fits.items()))
    return {"thought": f"How well they fit my word: {thought}.", "speak": _why(heard, chosen, rng), "name": chosen}


def _why(heard: Heard, name: str, rng: Random) -> str:
    """Return a reason that does not say the own word."""
    worst = min(heard.said.get(name, ["nothing"]), key=lambda text: fit(heard.word, text))
    quoted = f"“{worst[:120].rstrip('.')}”"
    if fit(heard.word, worst) <= -6 or heard.odd():
        return rng.choice((f"{name} does not sound like the rest of us.", f"I did not understand what {name} meant."))
    if fit(heard.word, worst) < 0:
        return rng.choice((f"{name} said {quoted}. That is not what I have.", f"{quoted}? Not with my word, {name}."))
    return rng.choice((f"{quoted} could be anything. {name} is hiding.", f"{name} has told us least: {quoted}."))


def fallback(view: SeatView) -> str | None:
    """Return a statement that fits every word, with a vote at random where one is asked for."""
    asked = view.ask.format
    assert isinstance(asked, JsonObject)
    values = {"thought": "", "speak": "It is something that most people know."}
    values |= {name: member.sample(view.random) for name, member in asked.members if isinstance(member, OneOf)}
    return json.dumps(values)


PLAYERS: dict[str, ScriptedPlayer] = {
    "scripted": ScriptedPlayer("says what it knows of its word, votes for whose words fit it least", Scripted, fallback)
}
