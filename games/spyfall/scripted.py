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
from functools import cache
from pathlib import Path
from random import Random

from engine.core.content import RelayedMessage, TextExhibit
from engine.core.player import Player, Reply
from engine.core.replies import JsonObject, OneOf
from engine.core.views import SeatView
from games.common.language.predicates import clauses_of, content
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


@cache
def reason_templates() -> dict[str, list[str]]:
    """Return reasons for a vote by kind, with placeholders for the name, the quote and the word that decides it."""
    templates: dict[str, list[str]] = tomllib.loads(
        (Path(__file__).parent / "reasons.toml").read_text(encoding="utf-8")
    )
    return templates


@dataclass
class Memory:
    """What a seat remembers of its conversation: its word, all descriptions, and the votes of the present round."""

    word: str = ""
    descriptions: dict[str, list[str]] = field(default_factory=dict)
    """Name of another player to their descriptions, in order."""
    votes: list[str] = field(default_factory=list)
    """The names that others voted for in this round."""
    vote_reasons: list[str] = field(default_factory=list)
    """Why others voted as they did, in this round."""
    own_texts: list[str] = field(default_factory=list)
    """What the seat itself said, descriptions and reasons of votes."""
    all_descriptions: list[tuple[str, str]] = field(default_factory=list)
    """(name, text) of the others' descriptions, in order."""

    @classmethod
    def of(cls, view: SeatView) -> Memory:
        """Return what a seat remembers of its conversation."""
        memory = cls()
        for message in view.messages:
            for exhibit in message.content_parts(TextExhibit):
                if exhibit.title == WORD_TITLE:
                    memory.word = exhibit.text
            for relayed_message in message.content_parts(RelayedMessage):
                memory.add(relayed_message)
            if message.role == "assistant":
                memory.own_texts.append(_spoken_text(message.text()))
        return memory

    def add(self, message: RelayedMessage) -> None:
        """Add a vote or a description of another player; a description starts a new round of votes."""
        name = str(message.by)
        if message.label.startswith(f"{name} votes for "):
            self.votes.append(message.label.removeprefix(f"{name} votes for "))
            self.vote_reasons.append(message.text)
        else:
            self.votes, self.vote_reasons = [], []
            self.descriptions.setdefault(name, []).append(message.text)
            self.all_descriptions.append((name, message.text))

    def opinions(self, name: str) -> list[tuple[str, Opinion]]:
        """Return somebody's descriptions, with how well each fits the own word."""
        return [(text, judge(self.word, text)) for text in self.descriptions.get(name, ())]

    def weight(self, name: str) -> float:
        """Return how well somebody's descriptions fit the own word.

        A true description counts less the more true ones others gave before, since a spy learns from those.
        """
        doubts, trust, earlier_count = 0.0, 0.0, 0
        for speaker, text in self.all_descriptions:
            weight = judge(self.word, text).weight
            if speaker != name:
                earlier_count += weight > 0
            elif weight < 0:
                doubts += weight
            else:
                trust += weight / (1 + earlier_count / LEARNING)
        return doubts + min(TRUST, trust)

    def count_repetitions(self, name: str) -> int:
        """Return how many of somebody's descriptions had been given before."""
        earlier_texts, count = set(map(normalise, self.own_texts)), 0
        for speaker, text in self.all_descriptions:
            count += speaker == name and normalise(text) in earlier_texts
            earlier_texts.add(normalise(text))
        return count

    def is_likely_spy(self) -> bool:
        """Return whether the seat seems to be the spy: more of the others do not fit its word than fit it."""
        weights = [self.weight(name) for name in self.descriptions]
        return sum(weight < 0 for weight in weights) > max(1, sum(weight > 0 for weight in weights))


def _spoken_text(reply_text: str) -> str:
    """Return what an own reply says to the others; the whole text of a reply that is not such JSON."""
    try:
        match json.loads(reply_text):
            case {"speak": speech}:
                return str(speech)
    except (ValueError, RecursionError):
        pass
    return reply_text


class Scripted(Player):
    """Describes its word and votes."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return a description, or a vote if the form has a field for a name."""
        memory, reply_format = Memory.of(view), view.ask.format
        assert isinstance(reply_format, JsonObject)
        names = next((member.options for _, member in reply_format.members if isinstance(member, OneOf)), ())
        values = vote(memory, names, view.random) if names else describe(memory, view.random)
        return Reply(json.dumps(values, ensure_ascii=False))


def describe(memory: Memory, rng: Random) -> dict[str, str]:
    """Return a true sentence that nobody has said, vague in the first round and more telling in each later one."""
    used_texts = {normalise(text) for texts in memory.descriptions.values() for text in texts}
    used_texts |= set(map(normalise, memory.own_texts))
    sentences = knowledge(memory.word)
    round_number = 1 + sum(text in (*sentences.vague, *sentences.telling) for text in memory.own_texts)
    if memory.is_likely_spy():
        others_words = content_words(text for texts in memory.descriptions.values() for text in texts)
        new_texts = [text for text in sentences.vague if normalise(text) not in used_texts] or list(sentences.vague)
        best = max((len(content_words([text]) & others_words) for text in new_texts), default=0)
        best_texts = [text for text in new_texts if len(content_words([text]) & others_words) == best]
        return _describe("The others seem to have another word. I stay vague.", best_texts, rng)
    telling = sentences.telling[: 2 * (round_number - 1)]
    new_texts = [text for text in (*telling, *sentences.vague) if normalise(text) not in used_texts]
    new_texts = (
        new_texts
        or [text for text in (*sentences.telling, *sentences.vague) if normalise(text) not in used_texts]
        or list(sentences.vague)
    )
    return _describe("Something true that not everybody will understand.", new_texts, rng)


def content_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the content words of some texts."""
    return frozenset(word for text in texts for clause in clauses_of(text) for word in content(clause))


def _describe(thought: str, texts: Sequence[str], rng: Random) -> dict[str, str]:
    return {"thought": thought, "speak": rng.choice(texts) if texts else "It is something that most people know."}


def vote(memory: Memory, names: Sequence[str], rng: Random) -> dict[str, str]:
    """Return a vote for the player who fits the own word least; a player who seems to be the spy follows the others."""
    weights = {
        name: memory.weight(name) - REPETITION * memory.count_repetitions(name) + rng.gauss(0, DOUBT) for name in names
    }
    if memory.is_likely_spy():
        counts = {name: memory.votes.count(name) for name in names}
        leaders = [name for name in names if counts[name] == max(counts.values())]
        weights = {name: -weights[name] for name in leaders}
    candidates = [name for name in weights if weights[name] == min(weights.values())]
    suspect = rng.choice(candidates)
    thought = "; ".join(f"{name} {value:+.1f}" for name, value in sorted(weights.items()))
    return {"thought": f"How well they fit my word: {thought}.", "speak": reason(memory, suspect, rng), "name": suspect}


def reason(memory: Memory, name: str, rng: Random) -> str:
    """Return the reason for a vote, in words that are new in this round and do not contain the own word."""
    opinions = memory.opinions(name)
    text, opinion = min(opinions, key=lambda description: description[1].weight, default=("nothing", Opinion()))
    used_texts = set(map(normalise, [*memory.vote_reasons, *memory.own_texts]))
    for kind in (_kind_of_reason(memory, name, opinion, rng), "vague", "follow"):
        quote = rng.choice(opinions)[0] if kind == "vague" and opinions else text
        values = {"name": name, "quote": quote[:120].rstrip(".!?"), "word": " ".join(opinion.contradicting[:1])}
        texts = [template.format(**values) for template in reason_templates()[kind]]
        new_texts = [text for text in texts if normalise(text) not in used_texts]
        if new_texts := [text for text in new_texts if find_mention(text, forms(memory.word)) is None]:
            return rng.choice(new_texts)
    return f"I stay with {name}."


def _kind_of_reason(memory: Memory, name: str, opinion: Opinion, rng: Random) -> str:
    """Return what decides a vote: a key of `reasons.toml`."""
    if memory.is_likely_spy():
        return "follow" if name in memory.votes else "odd"
    if opinion.weight <= NAMED:
        return "named"
    if opinion.contradicting:
        return "against"
    if memory.count_repetitions(name):
        return "repeat"
    return "follow" if name in memory.votes and rng.random() < 0.3 else "vague"


def fallback(view: SeatView) -> str | None:
    """Return a statement that fits every word, and a random vote if the form has a field for a name."""
    reply_format = view.ask.format
    assert isinstance(reply_format, JsonObject)
    values = {"thought": "", "speak": "It is something that most people know."}
    values |= {name: member.sample(view.random) for name, member in reply_format.members if isinstance(member, OneOf)}
    return json.dumps(values)
