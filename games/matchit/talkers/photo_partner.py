"""The talker for pictures of rooms, scenes and solids: it describes, answers, asks and decides.

It weighs what the partner says against its own picture: each claim that it understood counts for "same" or for
"different" by how likely somebody with the same picture would make it. What the partner leaves out does not count.
`reasons` explains the decision in the debriefing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import Any

from games.common.language.claims import NONE, Claim, Evidence, Phrase, Question, Truth, Verdict
from games.common.language.grammar import read_text
from games.common.language.scene_answers import SIDES, SceneAnswerer
from games.common.language.scenes import (
    VAGUE,
    Scene,
    SceneThing,
    fits_order,
    group,
    is_complete_kind,
    name_fit,
    vocabulary,
)
from games.common.language.wording import add_article, capitalise, pluralise
from games.matchit.talkers.utterances import Talker, Utterance, hear

MOST_SUPPORT = 0.5
"""The most that all messages together can count for "same": near twins share most things."""
ANSWER_FACTOR = 1.6
"""How much more an answer counts against "same" than a description: the partner looked at just this."""
MAX_DESCRIBED = 14
"""The most things that a description names."""
DENIALS = ("no", "nope", "none", "nothing", "not", "zero")
AFFIRMATIONS = ("yes", "yeah", "yep", "yup", "correct", "right", "exactly", "indeed")
WRONG_ORDER = Verdict(Truth.NO, -1.8, "the order from left to right does not fit")
OPEN_QUESTIONS = ("What else do you see?", "What do you see on the right?", "What do you see on the left?")
TOTAL = "How many objects do you see in total?"
FITS = {Truth.YES: "fits", Truth.NO: "does not fit", Truth.UNKNOWN: "may fit"}


class PhotoPartner(Talker):
    """One seat: its own picture and its random generator."""

    threshold = -1.2
    good_share = 0.9
    last_question = OPEN_QUESTIONS[0]

    def __init__(self, description: Mapping[str, Any], rng: Random) -> None:
        self.scene = Scene(description)
        self.speaker = SceneAnswerer(self.scene)
        self.rng = rng

    # ------------------------------------------------------------------ describing and answering
    def describe(self) -> str:
        """Describe the own picture: the kind of place, then the things from left to right."""
        things = self._things_to_describe()
        if not things:
            return next(iter(self.scene.captions), "I see hardly anything in my picture that I could name.")
        sentences = [self._introduction()]
        names = Counter(item.name for item in self.scene.things)
        supports = {item.support for item in things}
        for support in self.scene.things:
            if support.id in supports and names[support.name] == 1:
                on_it = [item for item in things if item.support == support.id]
                sentences += [f"On the {support.name}: {self.speaker.group(on_it)}."] if on_it else []
                things = [item for item in things if item not in on_it]
        for side in SIDES:
            on_side = [item for item in things if self.speaker.side(item) == side]
            sentences += [f"{capitalise(side)}: {self.speaker.group(on_side)}."] if on_side else []
        return " ".join(filter(None, sentences))

    def _introduction(self) -> str:
        if self.scene.is_complete:
            number = len(self.scene.things)
            return f"There are {number} objects." if number > 1 else "There is one object."
        return f"This is {add_article(self.scene.category)}." if self.scene.category else ""

    def _things_to_describe(self) -> list[SceneThing]:
        if self.scene.is_complete:
            return sorted(self.scene.things, key=lambda item: item.x)
        clear = [item for item in self.scene.things if item.is_clear or item.box is None]
        names = {item.name for item in sorted(clear, key=lambda item: -salience(item))[:MAX_DESCRIBED]}
        return sorted((item for item in clear if item.name in names), key=lambda item: item.x)

    def answer(self, question: str) -> str:
        """Answer a question about the own picture; to "what else?" name things that the own description left out."""
        questions = read_text(question, vocabulary()).questions
        if not questions or questions[0].kind != "more":
            return self.speaker.reply(question)
        described_names = {item.name for item in self._things_to_describe()}
        others = [item for item in self.speaker.things_by_size() if item.name not in described_names][:4]
        return f"I also see {self.speaker.group(others)}." if others else "I have named all that I can name."

    # ------------------------------------------------------------------ listening
    def weigh(self, history: Sequence[Utterance]) -> Evidence:
        """Return the evidence for "same" and "different" in the partner's messages."""
        evidence = Evidence()
        earlier_claims: set[Claim] = set()
        for utterance, message_claims in claims_by_message(history):
            claims = [claim for claim in message_claims if without_wording(claim) not in earlier_claims]
            earlier_claims |= {without_wording(claim) for claim in claims}
            support = MOST_SUPPORT - sum(weight for weight, _ in evidence.reasons if weight > 0)
            verdicts = self._judge_all(claims, max(0.0, support))
            if not fits_order(self.scene, utterance.text, claims):
                verdicts.append(WRONG_ORDER)
            factor = ANSWER_FACTOR if utterance.kind == "answer" else 1.0
            evidence.add(scale(verdict, factor if verdict.weight < 0 else 1.0) for verdict in verdicts)
        return evidence

    def _judge_all(self, claims: Sequence[Claim], support: float) -> list[Verdict]:
        """Judge the claims of one message; together they count at most `support` for "same"."""
        verdicts: list[Verdict] = []
        vague: set[str] = set()
        for claim, following in zip_longest(claims, claims[1:]):
            if following and following.predicate and claim == replace(following, predicate=None, text=claim.text):
                if claim.subject.is_bare and not claim.subject.count.is_stated:
                    continue  # it only introduces the subject of the next one
            verdict = self.speaker.judge(claim)
            verdict = replace(verdict, reason=f"“{claim.text}” {FITS[verdict.truth]}")
            if VAGUE <= verdict.weight < 0:  # a name that may mean something else speaks against "same" once
                verdict = scale(verdict, 0.0 if claim.subject.head in vague else 1.0)
                vague.add(claim.subject.head)
            if claim.is_alternative and verdicts:
                verdict = max(verdict, verdicts.pop(), key=lambda verdict: verdict.weight)
            verdicts.append(verdict)
        total = sum(verdict.weight for verdict in verdicts if verdict.weight > 0)
        factor = min(1.0, support / total) if total else 1.0
        return [scale(verdict, factor if verdict.weight > 0 else 1.0) for verdict in verdicts]

    # ------------------------------------------------------------------ asking
    def questions(self, history: Sequence[Utterance]) -> Iterator[tuple[float, str]]:
        """Yield questions about what is easily seen in the own picture and has not been mentioned, then open ones."""
        claims = [claim for _, claims in claims_by_message(history) for claim in claims]
        for name in dict.fromkeys(item.name for item in self.scene.things if item.is_clear):
            yield from self._topics(name, self._known_aspects(name, claims))
        yield 0.2 * self.scene.is_complete, TOTAL
        yield from zip((0.05, 0.04, 0.03), OPEN_QUESTIONS, strict=True)

    @staticmethod
    def _known_aspects(name: str, claims: Sequence[Claim]) -> set[str]:
        """Return the aspects of own things of a name that the partner has mentioned."""
        phrases = [phrase for claim in claims for phrase in (claim.whole, *(o.phrase for o in claim.whole.links))]
        phrases = [phrase for phrase in phrases if phrase.head and name_fit(phrase.head, name) >= 0.8]
        aspects = {
            "there": bool(phrases),
            "count": any(phrase.count.is_stated for phrase in phrases),
            "colour": any(phrase.modifiers or phrase.negated for phrase in phrases),
            "lit": any({"lit", "unlit"} & {*phrase.modifiers} or phrase.negated for phrase in phrases),
            "place": any(phrase.places or phrase.links or phrase.negated for phrase in phrases),
        }
        return {aspect for aspect, is_known in aspects.items() if is_known}

    def _topics(self, name: str, known_aspects: set[str]) -> Iterator[tuple[float, str]]:
        """Yield possible questions about the things of a name whose answers are not known yet."""
        things = [item for item in self.scene.things if item.name == name]
        weight = max(map(salience, things))
        several = len(things) > 1
        noun = pluralise(name) if several else name
        if "there" not in known_aspects:
            wall = " on the wall" if name in ("picture", "painting", "photo", "poster") else ""
            yield weight, f"Do you see {noun if several else add_article(name)}{wall}?"
            return
        is_coloured = any(item.colours for item in things)
        weights = {
            f"Is the {name} lit?": ("lit", 0.65 * (name in group("lights") and not several)),
            f"How many {noun} do you see?": ("count", 0.7 * (1 < len(things) <= 6)),
            f"What colour {'are' if several else 'is'} the {noun}?": ("colour", 0.6 * is_coloured),
            f"Where is the {name}?": ("place", 0.45 * (not several)),
        }
        for question, (aspect, share) in weights.items():
            if aspect not in known_aspects:
                yield share * weight, question


def scale(verdict: Verdict, factor: float) -> Verdict:
    """Return a verdict that counts more or less."""
    return replace(verdict, weight=verdict.weight * factor)


def salience(item: SceneThing) -> float:
    """Return how noticeable a thing is, and how reliable the answer to a question about it will be."""
    weight = min(0.5, item.size**0.5) + 0.1 + 0.15 * bool(item.support) + 0.2 * is_complete_kind(item.name)
    is_minor = item.name in group("parts") or item.name in ("wall panel", "column", "post", "rail")
    return float(weight * (0.7 if is_minor else 1.0) * (0.5 + 0.5 * item.visible))


# ---------------------------------------------------------------------- reading messages
def claims_by_message(history: Sequence[Utterance]) -> Iterator[tuple[Utterance, list[Claim]]]:
    """Yield the partner's messages with their claims; an answer is read together with the last question."""
    for utterance, question in hear(history):
        yield utterance, list(claims_of(utterance.text, next(iter(read_text(question, vocabulary()).questions), None)))


def claims_of(text: str, question: Question | None) -> Iterator[Claim]:
    """Yield the claims of a message; an answer is read together with the question that it answers."""
    claims = read_text(text, vocabulary()).claims
    if question is None or not question.claims:
        yield from claims
        return
    first = text.lower().split(maxsplit=1)[0].strip(".,;!:") if text.split() else ""
    topic, is_denial = question.claims[-1], first in DENIALS
    if question.kind in ("polar", "number") and (is_denial or (first in AFFIRMATIONS and question.kind == "polar")):
        phrase = replace(topic.subject, count=NONE) if is_denial and not topic.predicate else topic.subject
        wording = " ".join((*topic.whole.modifiers, topic.whole.head))
        yield Claim(phrase, topic.predicate, is_denial and topic.predicate is not None, text=f"{first}, {wording}")
        claims = tuple(claim for claim in claims if claim.subject.head or not is_denial)
    for claim in claims:
        yield complete_claim(claim, question, topic.subject)


def complete_claim(claim: Claim, question: Question, topic: Phrase) -> Claim:
    """Return a claim, with the subject of the question if the answer leaves it out: "Blue.", "Three."."""
    subject = claim.subject
    if not subject.head and (subject.pronoun or claim.predicate is None):
        whole = replace(topic.uncounted.plus(claim.whole), head=topic.head)
        return Claim(whole, text=claim.text, negated=claim.negated)
    if question.kind == "what" and claim.predicate is None and subject.is_bare:  # "what is on the table?" "A cup."
        return replace(claim, subject=subject.plus(Phrase(places=topic.places, links=topic.links)))
    return claim


def without_wording(claim: Claim) -> Claim:
    """Return a claim without its wording, to recognise repetitions."""
    return replace(claim, text="", subject=replace(claim.subject, definite=False))
