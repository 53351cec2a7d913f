"""The talker for pictures of rooms, scenes and solids: it describes, answers, asks and decides.

It weighs what the partner says against its own picture: each claim that it understood counts for "same" or for
"different" by how likely somebody with the same picture would make it. What the partner leaves out does not count.
`reasons` explains the decision in the debriefing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from games.common.language.claims import NONE, Claim, Count, Evidence, Question, Truth, Verdict
from games.common.language.grammar import read_text
from games.common.language.scene_answers import SIDES, SceneAnswerer
from games.common.language.scenes import (
    VAGUE,
    Scene,
    SceneThing,
    fits_order,
    group,
    is_complete_kind,
    is_ordered,
    name_fit,
    vocabulary,
)
from games.common.language.wording import add_article, capitalise, pluralise
from games.matchit.talkers.utterances import Utterance, Weighing

MOST_SUPPORT = 0.5
"""The most that all messages together can count for "same": near twins share most things."""
ANSWER_FACTOR = 1.6
"""How much more an answer counts against "same" than a description."""
MAX_DESCRIBED = 14
"""The most things that a description names."""
DENIALS = ("no", "nope", "none", "nothing", "not", "zero")
AFFIRMATIONS = ("yes", "yeah", "yep", "yup", "correct", "right", "exactly", "indeed")
UNSURE = "not sure|cannot tell|can not tell|do not know|unsure|no idea|did not understand|hard to say".split("|")
WRONG_ORDER = -1.8
OPEN_QUESTIONS = ("What else do you see?", "What do you see on the right?", "What do you see on the left?")


@dataclass(frozen=True)
class Topic:
    """A possible question, its subject (a name and an aspect), and how informative its answer would be."""

    text: str
    name: str
    aspect: str
    weight: float


class PhotoPartner(Weighing):
    """One seat: its own picture and its random generator."""

    threshold = -1.2

    def __init__(self, description: Mapping[str, Any], rng: Random) -> None:
        self.scene = Scene(description)
        self.speaker = SceneAnswerer(self.scene)
        self.caption: str | None = None
        match description:
            case {"captions": [caption, *_]}:
                self.caption = caption
        self.rng = rng

    # ------------------------------------------------------------------ describing and answering
    def describe(self) -> str:
        """Describe the own picture: the kind of place, then the things from left to right."""
        things = self._things_to_describe()
        if not things and self.caption is not None:
            return self.caption
        if not things:
            return "I see hardly anything in my picture that I could name."
        sentences = [self._introduction()]
        for support in self._supports(things):
            on_it = [item for item in things if item.support == support.id]
            sentences.append(f"On the {support.name}: {self.speaker.group(on_it)}.")
            things = [item for item in things if item not in on_it]
        for side in SIDES:
            on_side = [item for item in things if self.speaker.side(item) == side]
            if on_side:
                sentences.append(f"{capitalise(side)}: {self.speaker.group(on_side)}.")
        return " ".join(sentence for sentence in sentences if sentence)

    def _supports(self, things: Sequence[SceneThing]) -> list[SceneThing]:
        """Return the things that some others are on, if their name is unique in the picture."""
        names = Counter(item.name for item in self.scene.things)
        supports = {item.support for item in things}
        return [item for item in self.scene.things if item.id in supports and names[item.name] == 1]

    def _introduction(self) -> str:
        if self.scene.is_complete:
            number = len(self.scene.things)
            return f"There are {number} objects." if number > 1 else "There is one object."
        return f"This is {add_article(self.scene.category)}." if self.scene.category else ""

    def _things_to_describe(self) -> list[SceneThing]:
        clear = [item for item in self.scene.things if item.is_clear or item.box is None]
        if self.scene.is_complete:
            return sorted(self.scene.things, key=lambda item: item.x)
        ranked = sorted(clear, key=lambda item: -salience(item))[:MAX_DESCRIBED]
        names = {item.name for item in ranked}
        return sorted((item for item in clear if item.name in names), key=lambda item: item.x)

    def answer(self, question: str) -> str:
        """Answer a question about the own picture; to "what else?" name things that the own description left out."""
        questions = read_text(question, vocabulary()).questions
        if questions and questions[0].kind == "more":
            described_names = {item.name for item in self._things_to_describe()}
            others = [item for item in self.speaker.things_by_size() if item.name not in described_names][:4]
            return f"I also see {self.speaker.group(others)}." if others else "I have named all that I can name."
        return self.speaker.reply(question)

    # ------------------------------------------------------------------ listening
    def weigh(self, history: Sequence[Utterance]) -> Evidence:
        """Return the evidence for "same" and "different" in the partner's messages."""
        evidence = Evidence()
        earlier_claims: set[Claim] = set()
        for utterance, message_claims in claims_by_message(history):
            if utterance.kind == "question":
                continue
            claims = [claim for claim in message_claims if without_wording(claim) not in earlier_claims]
            earlier_claims |= {without_wording(claim) for claim in claims}
            support = MOST_SUPPORT - sum(weight for weight, _ in evidence.reasons if weight > 0)
            verdicts = self._judge_all(claims, max(0.0, support))
            if is_ordered(utterance.text) and not fits_order(self.scene, claims):
                verdicts.append(Verdict(Truth.NO, WRONG_ORDER, "the order from left to right does not fit"))
            if utterance.kind == "answer":  # it looked at just this
                verdicts = [replace(v, weight=v.weight * ANSWER_FACTOR) if v.weight < 0 else v for v in verdicts]
            evidence.add(verdicts)
        return evidence

    def _judge_all(self, claims: Sequence[Claim], support: float) -> list[Verdict]:
        """Judge the claims of one message; together they count at most `support` for "same"."""
        verdicts: list[Verdict] = []
        vague: set[str] = set()
        for claim in merge_counts(claims):
            verdict = self.judge(claim)
            if VAGUE <= verdict.weight < 0:
                verdict = replace(verdict, weight=verdict.weight * (claim.subject.head not in vague))
                vague.add(claim.subject.head)  # a name that may mean something else speaks against "same" once
            if claim.is_alternative and verdicts:
                verdict = max(verdict, verdicts.pop(), key=lambda verdict: verdict.weight)
            verdicts.append(verdict)
        total = sum(verdict.weight for verdict in verdicts if verdict.weight > 0)
        scale = min(1.0, support / total) if total else 1.0
        return [replace(v, weight=v.weight * scale) if v.weight > 0 else v for v in verdicts]

    def judge(self, claim: Claim) -> Verdict:
        """Return the verdict on a claim, with a reason in words."""
        verdict = self.speaker.judge(claim)
        fit_words = {Truth.YES: "fits", Truth.NO: "does not fit"}.get(verdict.truth, "may fit")
        return replace(verdict, reason=f"“{claim.text}” {fit_words}")

    # ------------------------------------------------------------------ asking
    def ask(self, history: Sequence[Utterance]) -> str:
        """Ask about something that is easily seen in the own picture and has not been mentioned."""
        earlier_questions = {entry.text for entry in history if entry.speaker == "me" and entry.kind == "question"}
        topics = [topic for topic in self._topics(self._known_aspects(history)) if topic.text not in earlier_questions]
        best = max((topic.weight for topic in topics), default=0.0)
        if best < 0.05:
            return next((text for text in OPEN_QUESTIONS if text not in earlier_questions), OPEN_QUESTIONS[0])
        return self.rng.choice([topic for topic in topics if topic.weight >= 0.9 * best]).text

    def _known_aspects(self, history: Sequence[Utterance]) -> set[tuple[str, str]]:
        """Return the aspects of own things that the partner has mentioned: pairs of name and aspect."""
        return {
            aspect for _, claims in claims_by_message(history) for claim in claims for aspect in self._aspects_in(claim)
        }

    def _aspects_in(self, claim: Claim) -> Iterator[tuple[str, str]]:
        """Yield the aspects of own things that a claim mentions, in its subject and in what it is related to."""
        for phrase in (claim.subject, *(link.phrase for link in (*claim.links, *claim.subject.links)), claim.object):
            if phrase is None or not phrase.head:
                continue
            for name in {item.name: None for item in self.scene.things if name_fit(phrase.head, item.name) >= 0.8}:
                yield name, "there"
                if phrase.negated:
                    yield from ((name, aspect) for aspect in ("count", "colour", "place", "lit"))
                if phrase.count.is_stated:
                    yield name, "count"
                words = {*phrase.modifiers, *claim.attributes}
                if words:
                    yield name, "colour"
                if words & {"lit", "unlit"}:
                    yield name, "lit"
                if phrase.places or phrase.links or claim.places or claim.links:
                    yield name, "place"

    def _topics(self, known_aspects: set[tuple[str, str]]) -> Iterator[Topic]:
        """Yield possible questions whose answers are not known yet."""
        if self.scene.is_complete and ("", "total") not in known_aspects:
            yield Topic("How many objects do you see in total?", "", "total", 0.2)
        names = {item.name: None for item in self.scene.things if item.is_clear}
        for name in names:
            things = [item for item in self.scene.things if item.name == name]
            for topic in self._topics_of(name, things, known_aspects):
                if (name, topic.aspect) not in known_aspects:
                    yield topic

    def _topics_of(
        self, name: str, things: Sequence[SceneThing], known_aspects: set[tuple[str, str]]
    ) -> Iterator[Topic]:
        weight = max(salience(item) for item in things)
        several = len(things) > 1
        if (name, "there") not in known_aspects:
            noun = pluralise(name) if several else add_article(name)
            wall = " on the wall" if name in ("picture", "painting", "photo", "poster") else ""
            yield Topic(f"Do you see {noun}{wall}?", name, "there", weight)
            return
        if name in group("lights") and not several:
            yield Topic(f"Is the {name} lit?", name, "lit", 0.65 * weight)
        if several and len(things) <= 6:
            yield Topic(f"How many {pluralise(name)} do you see?", name, "count", 0.7 * weight)
        if any(item.colours for item in things):
            subject = f"are the {pluralise(name)}" if several else f"is the {name}"
            yield Topic(f"What colour {subject}?", name, "colour", 0.6 * weight)
        if not several:
            yield Topic(f"Where is the {name}?", name, "place", 0.45 * weight)


def salience(item: SceneThing) -> float:
    """Return how noticeable a thing is, and how reliable the answer to a question about it will be."""
    weight = min(0.5, item.size**0.5) + 0.1
    if item.support:
        weight += 0.15
    if is_complete_kind(item.name):
        weight += 0.2
    if item.name in group("parts") or item.name in ("wall panel", "column", "post", "rail"):
        weight *= 0.7
    return float(weight * (0.5 + 0.5 * item.visible))


# ---------------------------------------------------------------------- reading messages
def claims_by_message(history: Sequence[Utterance]) -> Iterator[tuple[Utterance, list[Claim]]]:
    """Yield the partner's messages with their claims; an answer is read together with the last question."""
    last_question: Question | None = None
    for utterance in history:
        if utterance.speaker == "partner":
            yield utterance, claims_of(utterance.text, last_question if utterance.kind == "answer" else None)
        elif utterance.kind == "question":
            questions = read_text(utterance.text, vocabulary()).questions
            last_question = questions[0] if questions else last_question


def claims_of(text: str, question: Question | None) -> list[Claim]:
    """Return the claims of a message; an answer is read together with the question that it answers."""
    if any(words in f" {text.lower()} ".replace("'t", " not").replace("can not", "cannot") for words in UNSURE):
        return []
    reading = read_text(text, vocabulary())
    if question is None or not question.claims:
        return list(reading.claims)
    return list(_answer_claims(text, question, reading.claims))


def _answer_claims(text: str, question: Question, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Yield the claims of an answer about the topic of the question, then its other claims."""
    first = text.lower().split(maxsplit=1)[0].strip(".,;!:") if text.split() else ""
    topic = question.claims[-1]
    if question.kind == "number" and first in DENIALS:
        yield Claim("exists", replace(topic.subject, count=NONE), text=first)
    if question.kind == "polar" and first in (*DENIALS, *AFFIRMATIONS):
        is_denial = first in DENIALS
        count = NONE if is_denial else topic.subject.count
        if topic.kind == "exists":
            yield replace(topic, subject=replace(topic.subject, count=count), text=f"{first}, {_words(topic)}")
        else:
            yield replace(topic, negated=is_denial, text=f"{first}, {_words(topic)}")
        claims = [claim for claim in claims if not (is_denial and not claim.subject.head)]
    for claim in claims:
        yield complete_claim(claim, question, topic)


def complete_claim(claim: Claim, question: Question, topic: Claim) -> Claim:
    """Return a claim, with the subject of the question if the answer leaves it out: "Blue.", "Three."."""
    subject = claim.subject
    is_elliptical = not subject.head and (subject.pronoun or claim.kind == "exists")
    question_subject = topic.subject
    if not is_elliptical:
        if question.kind == "what" and claim.kind == "exists" and subject.is_bare:  # "what is on the table?" "A cup."
            full_subject = replace(subject, places=question_subject.places, links=question_subject.links)
            return replace(claim, subject=full_subject)
        return claim
    if question.kind == "number" and subject.count.is_stated and not subject.modifiers:
        return Claim("exists", replace(question_subject, count=subject.count), text=claim.text)
    merged = replace(
        question_subject,
        modifiers=(*question_subject.modifiers, *subject.modifiers, *claim.attributes),
        places=(*question_subject.places, *subject.places, *claim.places),
        links=(*question_subject.links, *subject.links, *claim.links),
        count=subject.count if subject.count.is_stated else Count(),
    )
    return Claim("exists", merged, text=claim.text, negated=claim.negated)


def without_wording(claim: Claim) -> Claim:
    """Return a claim without its wording, to recognise repetitions."""
    subject = replace(claim.subject, raw="", definite=False)
    return replace(claim, text="", subject=subject)


def _words(claim: Claim) -> str:
    phrase = claim.subject
    return " ".join((*phrase.modifiers, phrase.head, *claim.attributes)).strip()


def merge_counts(claims: Iterable[Claim]) -> list[Claim]:
    """Return claims without those that only introduce the subject of the next one."""
    claim_list = list(claims)
    return [
        claim
        for claim, following in zip(claim_list, [*claim_list[1:], None][: len(claim_list)], strict=True)
        if not (
            following is not None
            and claim.kind == "exists"
            and following.kind != "exists"
            and following.subject == claim.subject
            and claim.subject.is_bare
            and not claim.subject.count.is_stated
        )
    ]
