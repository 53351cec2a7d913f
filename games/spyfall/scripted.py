"""The scripted player of SpyFall: describes its word, vaguely at first, and votes for the player who fits it least.

It knows only the sentences of `knowledge.py` and the messages to its seat. It weighs every description, also those of
people, by how well it fits its own word. If most of the others do not fit, it assumes that it is the spy and follows
them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engine.core.content import RelayedMessage, TextExhibit
from engine.core.player import Reply
from engine.core.replies import JsonObject, OneOf
from engine.core.views import SeatView
from games.common.language.predicates import content, split_clauses
from games.common.scripted_seat import ScriptedSeat, own_values
from games.common.words import find_mention, forms, normalise
from games.spyfall.instances import WORD_TITLE
from games.spyfall.knowledge import NAMED, Opinion, judge, knowledge

DOUBT = 2.0
"""The standard deviation of the random error in a player's opinion of somebody: scripted players make mistakes."""
TRUST = 0.4
"""The most that true descriptions count in favour of somebody: a spy may know them as well."""
LEARNING = 0.4
"""The number of telling descriptions after which another one counts half."""
REPETITION = 0.5
"""How much each repetition of others counts against somebody."""
FITS_EVERY_WORD = "It is something that most people know."


REASONS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("reasons.toml").read_text(encoding="utf-8"))
"""Reasons for a vote by kind, with placeholders for the name, the quote and the word that decides it."""


@dataclass
class Memory:
    """What a seat remembers of its conversation: its word, all descriptions, and the votes of the present round."""

    word: str = ""
    descriptions: list[tuple[str, str]] = field(default_factory=list)
    """(name, text) of the others' descriptions, in order."""
    votes: list[tuple[str, str]] = field(default_factory=list)
    """(name that was voted for, reason) of the others' votes in this round."""
    own_texts: list[str] = field(default_factory=list)
    """What the seat itself said, descriptions and reasons of votes."""

    @classmethod
    def of(cls, view: SeatView) -> Memory:
        """Return what a seat remembers of its conversation."""
        memory = cls()
        for message in view.messages:
            if message.role == "assistant":
                memory.own_texts += [text or message.text() for text in own_values(message, "speak")]
            for exhibit in message.content_parts(TextExhibit):
                memory.word = exhibit.text if exhibit.title == WORD_TITLE else memory.word
            for relayed in message.content_parts(RelayedMessage):
                _, votes_for, name = relayed.label.partition(" votes for ")
                if votes_for:
                    memory.votes.append((name, relayed.text))
                else:  # a description starts a new round of votes
                    memory.votes = []
                    memory.descriptions.append((str(relayed.by), relayed.text))
        return memory

    def weight(self, name: str) -> float:
        """Return how well somebody's descriptions fit the own word.

        A true description counts less the more true ones others gave before, since a spy learns from those.
        """
        doubts, trust, earlier_count = 0.0, 0.0, 0
        for speaker, text in self.descriptions:
            weight = judge(self.word, text).weight
            if speaker != name:
                earlier_count += weight > 0
            else:
                doubts += min(0, weight)
                trust += max(0, weight) / (1 + earlier_count / LEARNING)
        return doubts + min(TRUST, trust)

    def count_repetitions(self, name: str) -> int:
        """Return how many of somebody's descriptions had been given before."""
        earlier_texts, count = set(map(normalise, self.own_texts)), 0
        for speaker, text in self.descriptions:
            count += speaker == name and normalise(text) in earlier_texts
            earlier_texts.add(normalise(text))
        return count

    def is_likely_spy(self) -> bool:
        """Return whether the seat seems to be the spy: more of the others do not fit its word than fit it."""
        weights = [self.weight(name) for name in dict(self.descriptions)]
        return sum(weight < 0 for weight in weights) > max(1, sum(weight > 0 for weight in weights))


class Scripted(ScriptedSeat):
    """Describes its word and votes."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a description, or a vote if the form has a field for a name."""
        memory = Memory.of(view)
        names = [name for options in _choices(view).values() for name in options.options]
        values = vote(memory, names, view.random) if names else describe(memory, view.random)
        return Reply(json.dumps(values, ensure_ascii=False))


def _choices(view: SeatView) -> dict[str, OneOf]:
    """Return the fields of the form in which a name is chosen."""
    assert isinstance(view.ask.format, JsonObject)
    return {name: member for name, member in view.ask.format.members if isinstance(member, OneOf)}


def describe(memory: Memory, rng: Random) -> dict[str, str]:
    """Return a true sentence that nobody has said, vague in the first round and more telling in each later one."""
    others_texts = [text for _, text in memory.descriptions]
    used_texts = set(map(normalise, [*others_texts, *memory.own_texts]))
    vague, telling = knowledge(memory.word).vague, knowledge(memory.word).telling
    earlier_count = sum(text in (*vague, *telling) for text in memory.own_texts)
    is_spy = memory.is_likely_spy()
    pools = (vague,) if is_spy else ((*telling[: 2 * earlier_count], *vague), telling)
    new_texts = ([text for text in pool if normalise(text) not in used_texts] for pool in pools)
    texts = next(filter(None, new_texts), vague or (FITS_EVERY_WORD,))
    if not is_spy:
        return {"thought": "Something true that not everybody will understand.", "speak": rng.choice(texts)}
    shared_words = {text: len(_content_words([text]) & _content_words(others_texts)) for text in texts}
    closest = [text for text, count in shared_words.items() if count == max(shared_words.values())]
    return {"thought": "The others seem to have another word. I stay vague.", "speak": rng.choice(closest)}


def _content_words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for clause in split_clauses(text) for word in content(clause))


def vote(memory: Memory, names: Sequence[str], rng: Random) -> dict[str, str]:
    """Return a vote for the player who fits the own word least; a player who seems to be the spy follows the others."""
    penalties = {name: REPETITION * memory.count_repetitions(name) for name in names}
    weights = {name: memory.weight(name) - penalties[name] + rng.gauss(0, DOUBT) for name in names}
    if memory.is_likely_spy():
        counts = {name: [voted for voted, _ in memory.votes].count(name) for name in names}
        weights = {name: -weights[name] for name in names if counts[name] == max(counts.values())}
    suspect = rng.choice([name for name in weights if weights[name] == min(weights.values())])
    thought = "; ".join(f"{name} {value:+.1f}" for name, value in sorted(weights.items()))
    return {"thought": f"How well they fit my word: {thought}.", "speak": reason(memory, suspect, rng), "name": suspect}


def reason(memory: Memory, name: str, rng: Random) -> str:
    """Return the reason for a vote, in words that are new in this round and do not contain the own word."""
    opinions = [(text, judge(memory.word, text)) for speaker, text in memory.descriptions if speaker == name]
    text, opinion = min(opinions, key=lambda description: description[1].weight, default=("nothing", Opinion()))
    used_texts = set(map(normalise, [*(text for _, text in memory.votes), *memory.own_texts]))
    for kind in (_kind_of_reason(memory, name, opinion, rng), "vague", "follow"):
        quote = rng.choice(opinions)[0] if kind == "vague" and opinions else text
        values = {"name": name, "quote": quote[:120].rstrip(".!?"), "word": " ".join(opinion.contradicting[:1])}
        texts = [template.format(**values) for template in REASONS[kind]]
        texts = [text for text in texts if normalise(text) not in used_texts]
        if new_texts := [text for text in texts if not find_mention(text, forms(memory.word))]:
            return rng.choice(new_texts)
    return f"I stay with {name}."


def _kind_of_reason(memory: Memory, name: str, opinion: Opinion, rng: Random) -> str:
    """Return what decides a vote: a key of `reasons.toml`."""
    is_named_by_others = name in dict(memory.votes)
    if memory.is_likely_spy():
        return "follow" if is_named_by_others else "odd"
    if opinion.weight <= NAMED:
        return "named"
    if opinion.contradicting:
        return "against"
    if memory.count_repetitions(name):
        return "repeat"
    return "follow" if is_named_by_others and rng.random() < 0.3 else "vague"


def fallback(view: SeatView) -> str | None:
    """Return a statement that fits every word, and a random vote if the form has a field for a name."""
    votes = {name: member.sample(view.random) for name, member in _choices(view).items()}
    return json.dumps({"thought": "", "speak": FITS_EVERY_WORD} | votes)
