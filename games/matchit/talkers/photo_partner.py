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

from games.common.language.claims import MANY, Claim, Evidence, Phrase, Truth, Verdict
from games.common.language.scene_answers import SceneAnswerer, find_questions
from games.common.language.scene_claims import VAGUE, WEAK, fits_order
from games.common.language.scene_wording import SIDE_PHRASES
from games.common.language.scenes import Scene
from games.common.language.things import SceneThing, group, is_complete_kind, rate_name
from games.common.language.wording import add_article, capitalise, pluralise
from games.matchit.talkers.photo_claims import group_claims, names_nothing, strip_wording
from games.matchit.talkers.utterances import Talker, Utterance

MAX_SUPPORT = 0.5
"""The most that all messages together can count for "same": near twins share most things."""
MAX_DOUBT, FITTING_SHARE, LONG = 1.4, 0.4, 6
"""The most that small doubts count in a message of so many claims of which this share fits; what may fit is half."""
MAX_VAGUE = 1.15
"""The most that vague doubts count in a message of which something fits and that has no others."""
ANSWER_FACTOR = 1.6
"""How much more an answer counts against "same" than a description: the partner looked at just this."""
MAX_DESCRIBED = 14
"""The most things that a description names."""
WRONG_ORDER_VERDICT = Verdict(Truth.NO, -1.8, "the order from left to right does not fit")
OPEN_QUESTIONS = ("What else do you see?", "What do you see on the right?", "What do you see on the left?")
TOTAL_QUESTION = "How many objects do you see in total?"
FIT_PHRASE_BY_TRUTH = {Truth.YES: "fits", Truth.NO: "does not fit", Truth.UNKNOWN: "may fit"}


class PhotoPartner(Talker):
    """One seat: its own picture and its random generator."""

    decision_threshold = -1.2
    min_gain_share = 0.9
    last_question = OPEN_QUESTIONS[0]

    def __init__(self, description: Mapping[str, Any], rng: Random) -> None:
        self.scene = Scene(description)
        self.speaker = SceneAnswerer(self.scene)
        self.rng = rng

    # ------------------------------------------------------------------ describing and answering
    def describe(self) -> str:
        """Describe the own picture: the kind of place, then the things from left to right."""
        things = self._select_things()
        if not things:
            return next(iter(self.scene.captions), "I see hardly anything in my picture that I could name.")
        sentences = [self._write_introduction()]
        count_by_name = Counter(scene_thing.name for scene_thing in self.scene.things)
        support_ids = {scene_thing.support for scene_thing in things}
        for support_thing in self.scene.things:
            if support_thing.id in support_ids and count_by_name[support_thing.name] == 1:
                on_it = [scene_thing for scene_thing in things if scene_thing.support == support_thing.id]
                sentences += [f"On the {support_thing.name}: {self.speaker.group(on_it)}."] if on_it else []
                things = [scene_thing for scene_thing in things if scene_thing not in on_it]
        for picture_side in SIDE_PHRASES:
            side_things = [scene_thing for scene_thing in things if self.speaker.side(scene_thing) == picture_side]
            sentences += [f"{capitalise(picture_side)}: {self.speaker.group(side_things)}."] if side_things else []
        return " ".join(filter(None, sentences))

    def _write_introduction(self) -> str:
        if self.scene.is_complete:
            thing_count = len(self.scene.things)
            return f"There are {thing_count} objects." if thing_count > 1 else "There is one object."
        return f"This is {add_article(self.scene.category)}." if self.scene.category else ""

    def _select_things(self) -> list[SceneThing]:
        if self.scene.is_complete:
            return sorted(self.scene.things, key=lambda item: item.x)
        clear = [item for item in self.scene.things if item.is_prominent or item.box is None]
        names = {item.name for item in sorted(clear, key=lambda item: -measure_salience(item))[:MAX_DESCRIBED]}
        return sorted((item for item in clear if item.name in names), key=lambda item: item.x)

    def answer(self, question: str, own_texts: Sequence[str] = ()) -> str:
        """Answer a question about the own picture; to "what else?" name things that it has not named yet."""
        questions = find_questions(question)
        if not own_texts or not questions or questions[0].kind != "more":
            return self.speaker.reply_to(question)
        named_text = " ".join(own_texts)
        others = [item for item in self.speaker.sort_by_size() if item.name not in named_text][:4]
        return f"I also see {self.speaker.group(others)}." if others else "I have named all that I can name."

    # ------------------------------------------------------------------ listening
    def weigh(self, history: Sequence[Utterance]) -> Evidence:
        """Return the evidence for "same" and "different" in the partner's messages."""
        evidence = Evidence()
        earlier_claims: set[Claim] = set()
        for utterance, message_claims in group_claims(history):
            claims = [claim for claim in message_claims if strip_wording(claim) not in earlier_claims]
            earlier_claims |= {strip_wording(claim) for claim in claims}
            support_left = MAX_SUPPORT - sum(weight for weight, _ in evidence.reasons if weight > 0)
            verdicts = self._judge_claims(claims, max(0.0, support_left))
            if not fits_order(self.scene, utterance.text, claims):
                verdicts.append(WRONG_ORDER_VERDICT)
            answer_factor = ANSWER_FACTOR if utterance.kind == "answer" else 1.0
            evidence.add(scale_verdict(verdict, answer_factor if verdict.weight < 0 else 1.0) for verdict in verdicts)
        return evidence

    def _judge_claims(self, claims: Sequence[Claim], support_left: float) -> list[Verdict]:
        """Judge the claims of one message; together they count at most `support_left` for "same"."""
        verdicts: list[Verdict] = []
        vague_heads: set[str] = set()
        missing: set[Phrase] = set()
        for claim, next_claim in zip_longest(claims, claims[1:]):
            if next_claim and next_claim.predicate and claim == replace(next_claim, predicate=None, text=claim.text):
                if claim.subject.is_bare and not claim.subject.count.is_stated:
                    continue  # it only introduces the subject of the next one
                if self.scene.kind == "room" and (next_claim.predicate.places or next_claim.predicate.links):
                    count = replace(claim.subject.count, high=MANY)  # "four stools are on the right", not in all
                    claim = replace(claim, subject=replace(claim.subject, count=count))
            verdict = self.speaker.judge(claim)
            if verdict.weight < 0 and names_nothing(claim):
                continue
            verdict = replace(verdict, reason=f"“{claim.text}” {FIT_PHRASE_BY_TRUTH[verdict.truth]}")
            if VAGUE <= verdict.weight < 0:  # a name that may mean something else speaks against "same" once
                verdict = scale_verdict(verdict, 0.0 if claim.subject.head in vague_heads else 1.0)
                vague_heads.add(claim.subject.head)
            if claim.predicate is None and verdict.weight < 0:
                missing.add(claim.subject)
            elif claim.subject in missing:  # of what is not there it says no more
                verdict = scale_verdict(verdict, 0.0)
            if claim.is_alternative and verdicts:
                verdict = max(verdict, verdicts.pop(), key=lambda verdict: verdict.weight)
            verdicts.append(verdict)
        return limit_weights(verdicts, support_left)

    # ------------------------------------------------------------------ asking
    def propose_questions(self, history: Sequence[Utterance]) -> Iterator[tuple[float, str]]:
        """Yield questions about what is easily seen in the own picture and has not been mentioned, then open ones."""
        claims = [claim for _, claims in group_claims(history) for claim in claims]
        for thing_name in dict.fromkeys(
            scene_thing.name for scene_thing in self.scene.things if scene_thing.is_prominent
        ):
            yield from self._propose_topics(thing_name, self._find_known_aspects(thing_name, claims))
        yield 0.2 * self.scene.is_complete, TOTAL_QUESTION
        yield from zip((0.05, 0.04, 0.03), OPEN_QUESTIONS, strict=True)

    @staticmethod
    def _find_known_aspects(thing_name: str, claims: Sequence[Claim]) -> set[str]:
        """Return the aspects of own things of a name that the partner has mentioned."""
        phrases = [phrase for claim in claims for phrase in (claim.whole, *(link.phrase for link in claim.whole.links))]
        phrases = [phrase for phrase in phrases if phrase.head and rate_name(phrase.head, thing_name) >= 0.8]
        known_flags = {
            "there": bool(phrases),
            "count": any(phrase.count.is_stated for phrase in phrases),
            "colour": any(phrase.modifiers or phrase.is_negated for phrase in phrases),
            "lit": any({"lit", "unlit"} & {*phrase.modifiers} or phrase.is_negated for phrase in phrases),
            "place": any(phrase.places or phrase.links or phrase.is_negated for phrase in phrases),
        }
        return {aspect for aspect, is_known in known_flags.items() if is_known}

    def _propose_topics(self, thing_name: str, known_aspects: set[str]) -> Iterator[tuple[float, str]]:
        """Yield possible questions about the things of a name whose answers are not known yet."""
        things = [scene_thing for scene_thing in self.scene.things if scene_thing.name == thing_name]
        thing_weight = max(map(measure_salience, things))
        has_several = len(things) > 1
        noun = pluralise(thing_name) if has_several else thing_name
        if "there" not in known_aspects:
            wall_phrase = " on the wall" if thing_name in ("picture", "painting", "photo", "poster") else ""
            yield thing_weight, f"Do you see {noun if has_several else add_article(thing_name)}{wall_phrase}?"
            return
        is_coloured = any(scene_thing.colours for scene_thing in things)
        weighted_questions = {
            f"Is the {thing_name} lit?": ("lit", 0.65 * (thing_name in group("lights") and not has_several)),
            f"How many {noun} do you see?": ("count", 0.7 * (1 < len(things) <= 6)),
            f"What colour {'are' if has_several else 'is'} the {noun}?": ("colour", 0.6 * is_coloured),
            f"Where is the {thing_name}?": ("place", 0.45 * (not has_several)),
        }
        for question, (aspect, weight_share) in weighted_questions.items():
            if aspect not in known_aspects:
                yield weight_share * thing_weight, question


def scale_verdict(verdict: Verdict, weight_factor: float) -> Verdict:
    """Return a verdict that counts more or less."""
    return replace(verdict, weight=verdict.weight * weight_factor)


def limit_weights(verdicts: Sequence[Verdict], most_support: float) -> list[Verdict]:
    """Return verdicts of which those for "same" count at most so much together.

    Small doubts of a long message decide nothing together where enough of it fits: they are about what a description
    leaves out, or names otherwise, and the more is said, the more there are. Nor do vague ones where something fits.
    """
    count_by_truth = Counter(verdict.truth for verdict in verdicts)
    fitting_count = count_by_truth[Truth.YES]
    fitting_share = (fitting_count + count_by_truth[Truth.UNKNOWN] / 2) / max(1, len(verdicts))
    is_fitting = fitting_count and len(verdicts) >= LONG and fitting_share >= FITTING_SHARE
    has_only_vague = fitting_count and all(verdict.weight >= VAGUE for verdict in verdicts)

    def is_small(weight: float) -> bool:
        return bool(is_fitting or has_only_vague) and WEAK <= weight < 0

    total_support = sum(verdict.weight for verdict in verdicts if verdict.weight > 0)
    total_doubt = -sum(verdict.weight for verdict in verdicts if is_small(verdict.weight))
    max_doubt = MAX_DOUBT if is_fitting else MAX_VAGUE
    support_factor, doubt_factor = most_support / (total_support or 1.0), max_doubt / (total_doubt or 1.0)
    factors = ((v, support_factor if v.weight > 0 else doubt_factor if is_small(v.weight) else 1.0) for v in verdicts)
    return [scale_verdict(verdict, min(1.0, factor)) for verdict, factor in factors]


def measure_salience(item: SceneThing) -> float:
    """Return how noticeable a thing is, and how reliable the answer to a question about it will be."""
    base_salience = min(0.5, item.size**0.5) + 0.1 + 0.15 * bool(item.support) + 0.2 * is_complete_kind(item.name)
    is_minor = item.name in group("parts") or item.name in ("wall panel", "column", "post", "rail")
    return float(base_salience * (0.7 if is_minor else 1.0) * (0.5 + 0.5 * item.visible))
