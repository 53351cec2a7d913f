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
from games.common.scripted_seat import ScriptedSeat, read_own_values
from games.common.words import find_mention, list_word_forms, normalise_text
from games.spyfall.instances import WORD_TITLE
from games.spyfall.knowledge import NAMED_WEIGHT, Opinion, judge_description, look_up_knowledge

DOUBT_DEVIATION = 2.0
"""The standard deviation of the random error in a player's opinion of somebody: scripted players make mistakes."""
MAX_TRUST = 0.4
"""The most that true descriptions count in favour of somebody: a spy may know them as well."""
HALF_TRUST_COUNT = 0.4
"""The number of telling descriptions after which another one counts half."""
REPETITION_PENALTY = 0.5
"""How much each repetition of others counts against somebody."""
FALLBACK_DESCRIPTION = "It is something that most people know."


REASON_TEMPLATES: dict[str, list[str]] = tomllib.loads(
    Path(__file__).with_name("reasons.toml").read_text(encoding="utf-8")
)
"""Reasons for a vote by kind, with placeholders for the name, the quote and the word that decides it."""


@dataclass
class Memory:
    """What a seat remembers of its conversation: its word, all descriptions, and the votes of the present round."""

    own_word: str = ""
    descriptions: list[tuple[str, str]] = field(default_factory=list)
    """(name, text) of the others' descriptions, in order."""
    votes: list[tuple[str, str]] = field(default_factory=list)
    """(name that was voted for, reason) of the others' votes in this round."""
    own_texts: list[str] = field(default_factory=list)
    """What the seat itself said, descriptions and reasons of votes."""

    @classmethod
    def from_view(cls, view: SeatView) -> Memory:
        """Return what a seat remembers of its conversation."""
        memory = cls()
        for message in view.messages:
            if message.role == "assistant":
                memory.own_texts += [own_text or message.text() for own_text in read_own_values(message, "speak")]
            for exhibit in message.content_parts(TextExhibit):
                memory.own_word = exhibit.text if exhibit.title == WORD_TITLE else memory.own_word
            for relayed_message in message.content_parts(RelayedMessage):
                _, vote_separator, voted_name = relayed_message.label.partition(" votes for ")
                if vote_separator:
                    memory.votes.append((voted_name, relayed_message.text))
                else:  # a description starts a new round of votes
                    memory.votes = []
                    memory.descriptions.append((str(relayed_message.by), relayed_message.text))
        return memory

    def weigh_player(self, player_name: str) -> float:
        """Return how well somebody's descriptions fit the own word.

        A true description counts less the more true ones others gave before, since a spy learns from those.
        """
        negative_weight_sum, positive_weight_sum, earlier_true_count = 0.0, 0.0, 0
        for speaker, description in self.descriptions:
            description_weight = judge_description(self.own_word, description).weight
            if speaker != player_name:
                earlier_true_count += description_weight > 0
            else:
                negative_weight_sum += min(0, description_weight)
                positive_weight_sum += max(0, description_weight) / (1 + earlier_true_count / HALF_TRUST_COUNT)
        return negative_weight_sum + min(MAX_TRUST, positive_weight_sum)

    def count_repetitions(self, player_name: str) -> int:
        """Return how many of somebody's descriptions had been given before."""
        earlier_texts, repetition_count = set(map(normalise_text, self.own_texts)), 0
        for speaker, description in self.descriptions:
            repetition_count += speaker == player_name and normalise_text(description) in earlier_texts
            earlier_texts.add(normalise_text(description))
        return repetition_count

    def is_likely_spy(self) -> bool:
        """Return whether the seat seems to be the spy: more of the others do not fit its word than fit it."""
        player_weights = [self.weigh_player(player_name) for player_name in dict(self.descriptions)]
        return sum(weight < 0 for weight in player_weights) > max(1, sum(weight > 0 for weight in player_weights))


class Scripted(ScriptedSeat):
    """Describes its word and votes."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a description, or a vote if the form has a field for a name."""
        memory = Memory.from_view(view)
        names = [name for name_format in _list_name_fields(view).values() for name in name_format.options]
        reply_values = make_vote(memory, names, view.random) if names else make_description(memory, view.random)
        return Reply(json.dumps(reply_values, ensure_ascii=False))


def _list_name_fields(view: SeatView) -> dict[str, OneOf]:
    """Return the fields of the form in which a name is chosen."""
    assert isinstance(view.ask.format, JsonObject)
    return {name: member_format for name, member_format in view.ask.format.members if isinstance(member_format, OneOf)}


def make_description(memory: Memory, rng: Random) -> dict[str, str]:
    """Return a true sentence that nobody has said, vague in the first round and more telling in each later one."""
    other_texts = [text for _, text in memory.descriptions]
    used_texts = set(map(normalise_text, [*other_texts, *memory.own_texts]))
    vague_sentences, telling_sentences = (
        look_up_knowledge(memory.own_word).vague_sentences,
        look_up_knowledge(memory.own_word).telling_sentences,
    )
    earlier_count = sum(text in (*vague_sentences, *telling_sentences) for text in memory.own_texts)
    is_spy = memory.is_likely_spy()
    sentence_pools = (
        (vague_sentences,)
        if is_spy
        else ((*telling_sentences[: 2 * earlier_count], *vague_sentences), telling_sentences)
    )
    new_texts = (
        [text for text in sentence_pool if normalise_text(text) not in used_texts] for sentence_pool in sentence_pools
    )
    texts = next(filter(None, new_texts), vague_sentences or (FALLBACK_DESCRIPTION,))
    if not is_spy:
        return {"thought": "Something true that not everybody will understand.", "speak": rng.choice(texts)}
    shared_words = {text: len(_collect_content_words([text]) & _collect_content_words(other_texts)) for text in texts}
    closest_texts = [text for text, shared_count in shared_words.items() if shared_count == max(shared_words.values())]
    return {"thought": "The others seem to have another word. I stay vague.", "speak": rng.choice(closest_texts)}


def _collect_content_words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for clause in split_clauses(text) for word in content(clause))


def make_vote(memory: Memory, names: Sequence[str], rng: Random) -> dict[str, str]:
    """Return a vote for the player who fits the own word least; a player who seems to be the spy follows the others."""
    repetition_penalties = {name: REPETITION_PENALTY * memory.count_repetitions(name) for name in names}
    weights = {
        name: memory.weigh_player(name) - repetition_penalties[name] + rng.gauss(0, DOUBT_DEVIATION) for name in names
    }
    if memory.is_likely_spy():
        count_by_name = {name: [voted_name for voted_name, _ in memory.votes].count(name) for name in names}
        weights = {name: -weights[name] for name in names if count_by_name[name] == max(count_by_name.values())}
    suspect = rng.choice([name for name in weights if weights[name] == min(weights.values())])
    thought_text = "; ".join(f"{name} {name_weight:+.1f}" for name, name_weight in sorted(weights.items()))
    return {
        "thought": f"How well they fit my word: {thought_text}.",
        "speak": make_reason(memory, suspect, rng),
        "name": suspect,
    }


def make_reason(memory: Memory, name: str, rng: Random) -> str:
    """Return the reason for a vote, in words that are new in this round and do not contain the own word."""
    opinions = [
        (text, judge_description(memory.own_word, text)) for speaker, text in memory.descriptions if speaker == name
    ]
    text, opinion = min(opinions, key=lambda description: description[1].weight, default=("nothing", Opinion()))
    used_texts = set(map(normalise_text, [*(text for _, text in memory.votes), *memory.own_texts]))
    for reason_kind in (_choose_reason_kind(memory, name, opinion, rng), "vague", "follow"):
        quote = rng.choice(opinions)[0] if reason_kind == "vague" and opinions else text
        values = {"name": name, "quote": quote[:120].rstrip(".!?"), "word": " ".join(opinion.contradicting_words[:1])}
        reason_texts = [template.format(**values) for template in REASON_TEMPLATES[reason_kind]]
        reason_texts = [text for text in reason_texts if normalise_text(text) not in used_texts]
        if new_texts := [text for text in reason_texts if not find_mention(text, list_word_forms(memory.own_word))]:
            return rng.choice(new_texts)
    return f"I stay with {name}."


def _choose_reason_kind(memory: Memory, player_name: str, opinion: Opinion, rng: Random) -> str:
    """Return what decides a vote: a key of `reasons.toml`."""
    is_named_by_others = player_name in dict(memory.votes)
    if memory.is_likely_spy():
        return "follow" if is_named_by_others else "odd"
    if opinion.weight <= NAMED_WEIGHT:
        return "named"
    if opinion.contradicting_words:
        return "against"
    if memory.count_repetitions(player_name):
        return "repeat"
    return "follow" if is_named_by_others and rng.random() < 0.3 else "vague"


def fallback(view: SeatView) -> str | None:
    """Return a statement that fits every word, and a random vote if the form has a field for a name."""
    sampled_votes = {name: member_format.sample(view.random) for name, member_format in _list_name_fields(view).items()}
    return json.dumps({"thought": "", "speak": FALLBACK_DESCRIPTION} | sampled_votes)
