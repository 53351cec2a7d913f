"""Answers questions about a picture of a scene from its description.

Every answer begins with what was asked. Where the description cannot tell, the answer says "I am not sure" and what is
known; it never denies what may only be missing from the description.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise

from games.common.language.claims import MANY, Answer, Claim, Link, Phrase, Question, Truth
from games.common.language.geometry import NEAR_RELATIONS, are_close
from games.common.language.grammar import find_attribute_table, is_aspect_name, read_text, words_of
from games.common.language.lexicon import LEXICON
from games.common.language.scene_claims import (
    find_settings,
    has_relation,
    is_about_picture,
    judge_several,
)
from games.common.language.scene_wording import (
    MOST_LISTED,
    SIDE_PHRASES,
    STATE_WORDS,
    SceneDescriber,
    follows_name,
    merge_shades,
    write_counts,
)
from games.common.language.scenes import PLACE_RELATIONS, is_depicted
from games.common.language.seen_answers import answer_posture, answer_shown, is_only_placed
from games.common.language.things import (
    CLOSE_CHANCE,
    COMPOUND_CHANCE,
    EXACT_CHANCE,
    EXACT_NAME,
    OTHER_NAME,
    YES,
    SceneThing,
    base_colour,
    find_colours,
    find_generic_kind,
    group,
    has_unsure_colour,
    is_alive,
    is_named,
    is_named_by_pot,
    is_room,
    rate_name,
    vocabulary,
)
from games.common.language.tokens import MAX_LENGTH
from games.common.language.wording import (
    add_article,
    capitalise,
    is_plural_name,
    join_list,
    pluralise,
    say_count,
)
from games.common.language.writing_answers import answer_writing

UNSURE_TEXT = "I am not sure"
UNFOUND = "I cannot tell about that"
OPEN_POSTURES = ("float", "lean", "grow", "stack", "attach", "separate", "divide", "join", "connect")
"""Postures that descriptions do not tell."""
SUPPORTS = ("shelf", "table", "desk", "bench", "stool", "chair", "step", "rack", "hook")
MAX_LOOKS = 6
"""The most colours or other looks that an answer lists."""
LARGEST_LYING = 0.01
"""The largest share of the picture of a room of what lies somewhere, and does not stand."""
COMPARISONS = {"same": "same", "equally": "same", "different": "different"}
MORE_OR_FEWER = {"more": "more", "fewer": "fewer", "less": "fewer"}
SOLID_ASPECTS = ("colour", "material", "size", "shape")
COMPARED_WORDS = {"equally": "", "stuff": "material"}
"""What is compared with words that name no aspect; "" if that is not clear."""
SORT_KEYS: dict[str, Callable[[SceneThing], float]] = {
    "left": lambda item: item.x,
    "right": lambda item: -item.x,
    "top": lambda item: item.y,
    "bottom": lambda item: -item.y,
    "back": lambda item: item.box[3] if item.box else 0.0,
    "front": lambda item: -item.box[3] if item.box else 0.0,
    "large": lambda item: -math.log(max(item.size, 1e-6)),
    "small": lambda item: math.log(max(item.size, 1e-6)),
}
"""By what things are sorted so that the one that is most so comes first."""
LEAST_LEAD = {"large": 0.25, "small": 0.25}
"""By how much the first has to lead in sizes (logarithms of areas)."""
LEAST_PLACE_LEAD = 0.025
"""By how much the first has to lead in places (shares of the picture)."""


class SceneAnswerer(SceneDescriber):
    """Answers questions about one picture."""

    def reply_to(self, question_text: str) -> str:
        """Return the answer to what somebody asks, in words."""
        cut_note = f"I only read the first {MAX_LENGTH:,} characters. " if len(question_text) > MAX_LENGTH else ""
        sentences = re.split(r"(?<=[.!?\n])\s+", question_text[:MAX_LENGTH].strip())
        writing_answers = [answer_writing(self.scene, sentence) for sentence in sentences]
        if any(writing_answers):
            replies = [
                f"{capitalise(answer.text)}." if answer else self._answer_all(find_questions(sentence))
                for answer, sentence in zip(writing_answers, sentences, strict=True)
            ]
            return cut_note + " ".join(list(dict.fromkeys(filter(None, replies)))[:2])
        questions = find_questions(question_text) or find_questions(question_text, only_questions=True)
        return cut_note + (self._answer_all(questions) or "I did not understand that question.")

    def _answer_all(self, questions: Sequence[Question]) -> str:
        """Return the answers to the first two questions as sentences, "" without a question."""
        return " ".join(dict.fromkeys(f"{capitalise(self.answer(question).text)}." for question in questions[:2]))

    def answer(self, question: Question) -> Answer:
        """Return the answer to a question, to the open one where the answers that it offers may not be so."""
        answer = self._answer_as_asked(question)
        if answer.truth is Truth.UNKNOWN and question.open_question:
            return self._answer_as_asked(question.open_question)
        return answer

    def _answer_as_asked(self, question: Question) -> Answer:
        """Return the answer to a question; it says so if the question was not understood or cannot be answered."""
        handler: Callable[[Question], Answer] | None = getattr(self, f"_answer_{question.kind}", None)
        if question.kind == "kind" and not question.claims and self.scene.is_complete:  # "what shapes do you have"
            return self._list_kinds(question.asks_for)
        if handler is None or (not question.claims and question.kind != "what"):
            return unsure("" if question.kind == "text" else "I did not understand the question")
        if not question.unread_words and (others_answer := self._answer_others(question)):
            return others_answer
        if question.unread_words or _is_of_others(question):
            return unsure(self._say_known(question.claims[0].subject) if question.claims else "")
        if question.claims and is_only_placed(self, question):
            question = replace(question, action="")
        detail_answer = question.claims and (answer_shown(self, question) or answer_posture(self, question))
        return detail_answer or handler(question)

    def _answer_others(self, question: Question) -> Answer | None:
        """Answer "which cone is not yellow", "how many are no cubes" about solids, None for other questions."""
        is_about_solids = self.scene.is_complete and question.kind in ("what", "number")
        subject, denied = _find_denied(question) if is_about_solids and _is_of_others(question) else (None, None)
        if not subject or not denied:
            return None
        fits = [(solid, self.scene.fit(solid, denied)) for solid in self.subjects(subject)]
        if any(fit.is_possible and not fit.is_sure for _, fit in fits):
            return None
        others = [solid for solid, fit in fits if not fit.is_sure]
        if question.kind == "number":
            return Answer(say_count(len(others), _noun(others, subject)) if others else "none")
        return Answer(self.list_things(others) if others else "none of them")

    def _answer_polar(self, question: Question) -> Answer:
        if special_answer := self._answer_compared(question):
            return special_answer
        heads = {claim.subject.head for claim in question.claims if not claim.subject.modifiers}
        if (question.action or len(question.claims) > 1) and heads & words_of("people"):  # "is anybody watching"
            question = replace(question, claims=(Claim(Phrase("visitor")),))
            truth = self.judge_truth(question.claims[0])
            return Answer("no, I see nobody", truth) if truth is Truth.NO else unsure()
        if _leaves_out(question.claims):
            return unsure(self._say_known(question.claims[0].subject))
        answers = [self._answer_claim(claim) for claim in _find_main_claims(self._share_place(question.claims))]
        truths = {answer.truth for answer in answers}
        is_placed = any(claim.predicate and self.subjects(claim.subject) for claim in question.claims)
        is_counted = any(claim.subject.count.is_stated for claim in question.claims)  # "does one object touch another"
        if question.action and (
            is_placed or is_counted or Truth.NO not in truths or question.action in words_of("posture")
        ):
            return unsure(self._say_known(question.claims[0].subject))
        return _join_answers(answers)

    def _share_place(self, claims: Sequence[Claim]) -> Sequence[Claim]:
        """Return claims all of which are where the last is, if only then they are so: "two cups and a jug on it"."""
        links = claims[-1].subject.links
        if len(claims) == 1 or not links or any(claim.predicate for claim in claims):
            return claims
        placed = [
            replace(claim, subject=replace(claim.subject, links=links)) if claim.subject.is_bare else claim
            for claim in claims
        ]
        truths = [
            (self.judge_truth(claim), self.judge_truth(other)) for claim, other in zip(claims, placed, strict=True)
        ]
        return placed if (Truth.NO, Truth.YES) in truths else claims

    def _answer_compared(self, question: Question) -> Answer | None:
        """Answer "more chairs than tables?", "the same colour?", "biggest toy", None for other questions."""
        if number_answer := self._compare_numbers(question.claims):
            return number_answer
        if question.is_superlative and len(question.claims) == 1 and not question.claims[0].predicate:
            return self._answer_extreme(question)
        if question.is_superlative and (extreme_answer := self._answer_whether_extreme(question.claims[-1])):
            return extreme_answer
        if "the only " in question.claims[-1].text:
            return self._answer_whether_only(question.claims[-1])
        comparison = next(filter(None, map(_find_comparison, question.claims)), "")
        if not comparison:
            return None
        shared_answer = self._answer_shared(question.claims) if comparison == "same" else None
        return shared_answer or self._answer_same(question.claims, is_same=comparison == "same")

    def _answer_whether_extreme(self, claim: Claim) -> Answer | None:
        """Answer "is the orange cube the biggest object", None for another question."""
        if not (claim.predicate and claim.predicate.definite and _list_directions(claim.predicate)):
            return None
        things, extreme_thing = self.subjects(claim.subject), self._find_extreme(claim.predicate)
        if len(things) != 1 or extreme_thing is None:
            return unsure(self._say_known(claim.subject))
        truth = Truth.YES if things[0] is extreme_thing else Truth.NO
        return Answer(f"{truth.value}, it is {self.identify(extreme_thing)}", truth)

    def _answer_whether_only(self, claim: Claim) -> Answer | None:
        """Answer "is the cushion the only thing on the sofa", None for another question."""
        if not claim.predicate:
            return None
        answer = unsure() if claim.is_negated else self._answer_claim(claim)
        if answer.truth is not Truth.YES:
            return answer
        matches, things = self.scene.find_matches(claim.predicate.uncounted), self.subjects(claim.subject)
        others = [(item, fit) for item, fit in matches if fit.is_possible and item not in things and not item.is_part]
        if sure_others := [item for item, fit in others if fit.is_sure]:
            return Answer(f"no, {self.list_things(sure_others)}", Truth.NO)
        return unsure() if others or not self.scene.is_exhaustive(claim.predicate) else answer

    def _answer_claim(self, claim: Claim) -> Answer:
        if self._asks_what_is_there(claim):
            return self._answer_anything(claim)
        is_open = self._is_vague(claim) or self._is_of_some(claim.subject)
        truth = Truth.UNKNOWN if is_open else self.judge_truth(claim)
        if truth is Truth.UNKNOWN:
            return unsure(self._say_known(claim.subject))
        if is_about_picture(claim) and claim.predicate and claim.predicate.count.is_stated:  # "is it two cones"
            return Answer(self._say_existence(claim.predicate, truth), truth)
        if claim.predicate and claim.subject.count.is_stated and not claim.is_negated:  # "are two things metal"
            is_of_both = truth is Truth.NO and claim.subject.definite  # "are both things cones"
            things = self.subjects(claim.subject) if is_of_both else []
            return Answer(
                f"no, {self.list_things(things)}" if things else self._say_existence(claim.whole, truth), truth
            )
        is_bare_room = is_room(claim.subject.head) and claim.subject.is_bare
        if self._is_missing(claim, truth) or (claim.predicate is None and not is_bare_room):
            return Answer(self._say_existence(claim.subject, truth), truth)
        text = self._say_reason(claim)
        return Answer(f"{truth.value}, {text}" if text else truth.value, truth)

    def _say_reason(self, claim: Claim) -> str:
        """Return what is so of the thing that a claim is about, or what room it is, "" where neither was asked."""
        predicate = claim.predicate
        if predicate and find_settings(claim) and not is_room(predicate.head):  # "is it night"
            return ""
        if predicate and not is_about_picture(claim):
            return self._say_state(claim.subject, predicate)
        is_of_room = not predicate or not self.scene.is_complete or is_room(predicate.head)
        return self._say_category() if is_of_room else ""  # not of "are they all cubes"

    def _answer_anything(self, claim: Claim) -> Answer:
        """Answer "anything under the bed" with what is there."""
        answer = self._name_all(claim.subject)
        if answer.truth is not Truth.UNKNOWN:
            return Answer(f"yes, {answer.text}", Truth.YES)
        return Answer("no, I see none", Truth.NO) if self.judge_truth(claim) is Truth.NO else answer

    @staticmethod
    def _asks_what_is_there(claim: Claim) -> bool:
        """Return whether a claim is "anything under the bed", which things that are there answer."""
        subject = claim.subject
        is_anything = subject.pronoun and not subject.head and bool(subject.links)
        return is_anything and claim.predicate is None and not (claim.is_negated or subject.is_negated)

    def _is_missing(self, claim: Claim, truth: Truth) -> bool:
        """Return whether what a claim is about is not there: "is the cat black"."""
        is_of_thing = not is_about_picture(claim) and bool(claim.predicate and claim.subject.head)
        return is_of_thing and truth is Truth.NO and not self.subjects(claim.subject)

    def _is_vague(self, claim: Claim) -> bool:
        """Return whether a claim is about the whole ("is it bright in there") or one of several ("in the crate")."""
        phrase, places = claim.subject, [link.phrase for link in claim.subject.links]
        if not (phrase.head or phrase.pronoun) and phrase.places:  # "background grey"
            return True
        if not phrase.pronoun or is_about_picture(claim) or find_settings(claim):
            return False
        is_one_of = any(place.definite and not place.is_plural and len(self.subjects(place)) > 1 for place in places)
        has_verb = not words_of("posture").isdisjoint(phrase.modifiers)  # "something to sit on"
        return phrase.is_bare or is_one_of or has_verb

    def _is_of_some(self, phrase: Phrase) -> bool:
        """Return whether one thing is said to be in several places that have not one each: "a lamp on both tables"."""
        links = [link for link in phrase.links if link.phrase.is_plural and link.phrase.definite]
        targets = [link.phrase for link in links if link.relation in ("on", "in")]
        is_one = not phrase.is_plural and phrase.count.low == 1
        return is_one and any(1 <= len(self.subjects(phrase)) < len(self.subjects(target)) for target in targets)

    def _answer_same(self, claims: Sequence[Claim], *, is_same: bool) -> Answer:
        """Answer "are all the chairs the same colour", "do the chairs and the curtains have different colours"."""
        links = tuple(link for link in claims[0].subject.links if not _find_comparison(Claim(link.phrase)))
        modifiers = tuple(word for word in claims[0].subject.modifiers if word not in ("same", "different"))
        subject = replace(claims[0].subject, modifiers=modifiers, links=links)
        phrases = [subject, *_list_compared(claims)]
        # "does any object have the same colour as the cone", "two things of the same colour", "as one of the chairs"
        is_of_any = not subject.definite and (len(phrases) > 1 or subject.count.is_stated)
        is_of_any = is_of_any or any(phrase.is_plural and not phrase.definite for phrase in phrases[1:])
        aspect = _find_compared_aspect(claims)
        is_known = aspect == "colour" or (self.scene.is_complete and aspect in SOLID_ASPECTS)
        if is_of_any or not is_known or not self._are_comparable(phrases, aspect):
            return unsure(self._say_known(subject))
        things = [entity for phrase in phrases for entity in self.subjects(phrase)]
        looks = list(dict.fromkeys(filter(None, (self.say_kind(entity, aspect) for entity in things))))
        truth = Truth.YES if (len(looks) == 1) == is_same else Truth.NO
        return Answer(f"{truth.value}, they are {join_list(looks)}", truth)

    def _answer_shared(self, claims: Sequence[Claim]) -> Answer | None:
        """Answer "are there two cubes of the same size" about solids, None for other questions."""
        subject, aspect = claims[0].subject, _find_compared_aspect(claims)
        links = [link for link in subject.links if not _find_comparison(Claim(link.phrase))]
        is_placed, is_of_two = bool(links or subject.places), subject.count.low == 2 and not subject.definite
        is_known = self.scene.is_complete and aspect in SOLID_ASPECTS
        if not (is_known and is_of_two) or is_placed or _list_compared(claims):
            return None
        solids = self.subjects(Phrase(subject.head, tuple(word for word in subject.modifiers if word != "same")))
        looks = [self.say_kind(solid, aspect) for solid in solids]
        counts = Counter(looks if aspect == "shape" else [f"{look} ones" for look in looks])
        shared_looks = [look for look, count in counts.items() if count > 1]
        if shared_looks:
            return Answer(f"yes, {join_list(shared_looks)}", Truth.YES)
        return Answer("no, all of them differ", Truth.NO) if len(solids) > 1 else None

    def _are_comparable(self, phrases: Sequence[Phrase], aspect: str) -> bool:
        """Return whether what phrases mean is surely known, with looks that are not only shades of one colour."""
        groups = [self.subjects(phrase) for phrase in phrases]
        things = [entity for group in groups for entity in group]
        looks = {text for entity in things if (text := self.say_kind(entity, aspect))}
        is_shade = aspect == "colour" and _are_shades(things, looks)
        is_vague = any(map(self._may_mean_others, phrases)) or any(
            phrase.links and not self.scene.fit(entity, phrase.uncounted).is_sure
            for phrase, group in zip(phrases, groups, strict=True)
            for entity in group
        )
        is_of_pots = any(is_named_by_pot(entity, phrase.head) for phrase in phrases for entity in things)
        return len(things) > 1 and all(groups) and bool(looks) and not (is_shade or is_vague or is_of_pots)

    def _compare_numbers(self, claims: Sequence[Claim]) -> Answer | None:
        """Answer "are there more red chairs than green ones", "more cubes or spheres", None for other questions."""
        comparison, phrases = _find_compared_numbers(claims)
        if not comparison:
            return None
        counts = [self._answer_number(Question("number", (Claim(counted),))) for counted in phrases]
        if len(counts) != 2 or any(answer.truth is Truth.UNKNOWN for answer in counts):
            return unsure()
        first, second = (self.scene.count_things(counted)[0] for counted in phrases)
        nouns = [" ".join((*counted.modifiers, _noun(self.subjects(counted), counted))) for counted in phrases]
        text = f"I see {say_count(first, nouns[0])} and {say_count(second, nouns[1])}"
        if claims[-1].is_alternative:
            return Answer(text)
        truths = {"more": first > second, "fewer": first < second, "same": first == second}
        truth = Truth.YES if truths[comparison] else Truth.NO
        return Answer(f"{truth.value}, {text}", truth)

    def _say_existence(self, phrase: Phrase, truth: Truth) -> str:
        """Return the answer whether there is what a phrase says."""
        things = self.subjects(phrase)
        if phrase.is_negated:
            return "no, I see none" if truth is Truth.YES else self.list_things(things)
        if things and truth is Truth.YES:
            return f"yes, {self.list_things(things)}"
        if things and phrase.count.is_stated:
            noun_text = " ".join((*self.describe_look(phrase.modifiers), _noun(things, phrase)))
            return f"no, there {'is' if len(things) == 1 else 'are'} {say_count(len(things), noun_text)}"
        denial_text = f"{truth.value}, I see no {_words(phrase)}" if phrase.head else f"{truth.value}, I see none"
        known_text = self._say_known(phrase) if not phrase.is_bare and not find_generic_kind(phrase.head) else ""
        return f"{denial_text}; {known_text}" if known_text else denial_text

    def _say_known(self, phrase: Phrase) -> str:
        """Return what is known of things that a phrase may mean, "" if there are none."""
        things = [entity for entity in self.subjects(Phrase(phrase.head)) if entity.box and not entity.is_part]
        is_seen = any(entity.is_seen for entity in things)
        is_mixed = len(things) > MOST_LISTED and len({entity.name for entity in things}) > 1
        return self.list_things(things) if phrase.head and is_seen and not is_mixed else ""

    def _say_category(self) -> str:
        if self.scene.is_complete:
            return "it is no room but some objects on a plain floor"
        return f"it is {add_article(self.scene.category)}" if self.scene.category else ""

    def _say_state(self, subject: Phrase, predicate: Phrase) -> str:
        """Return what is so of the thing that a predicate is about, "" where nothing needs to be added."""
        things, linked_phrase = self.subjects(subject), predicate.find_linked("with")
        if linked_phrase:
            linked_things = self.subjects(linked_phrase)
            own_things = [item for item in linked_things if item.support in {entity.id for entity in things}]
            return self.list_things(own_things or linked_things) if linked_things else ""
        if len(things) != 1:
            return ""
        is_placed = predicate.places or has_relation(predicate.links, (*PLACE_RELATIONS, "below"))
        if is_placed and things[0].box:
            return f"the {things[0].name} is {self.describe_place(things[0], is_short=bool(predicate.places))}"
        asked_tables = {_find_table(word) for word in predicate.modifiers}
        words = [word for word in things[0].words if _find_table(word) in asked_tables]
        return f"the {things[0].name} is {join_list(self.describe_look(merge_shades(words)))}" if words else ""

    def _answer_choice(self, question: Question) -> Answer:
        """Answer "is it shiny or matte", "a cello or a double bass", "on the left or on the right"."""
        option_claims = _find_main_claims(question.claims)
        if number_answer := self._compare_numbers(option_claims) or self._answer_offered_number(option_claims):
            return number_answer
        is_offer = any(claim.is_alternative for claim in option_claims)
        is_open = not is_offer and any(len(claim.whole.places) > 1 for claim in option_claims)  # "from front or back"
        if question.action in words_of("actions") or is_open:
            return unsure(self._say_known(option_claims[0].subject))
        truths = list(map(self.judge_truth, option_claims))
        true = [claim for claim, truth in zip(option_claims, truths, strict=True) if truth is Truth.YES]
        if len(truths) > 1 and set(truths) == {Truth.NO}:
            is_open = any(map(self._is_open_option, option_claims))
            return unsure() if is_open else Answer("no, neither of them", Truth.NO)
        if true and all(claim.predicate is None for claim in option_claims):
            return Answer("; ".join(self._answer_claim(claim).text for claim in true[:2]), Truth.YES)
        text = self._say_option(true[0]) if len(true) == 1 else ""
        return Answer(text) if text else unsure(self._say_known(option_claims[0].subject))

    def _answer_offered_number(self, claims: Sequence[Claim]) -> Answer | None:
        """Answer "are there two or three cones", None for another question."""
        wholes = [claim.whole for claim in claims]
        phrases = _share_noun([(not whole.head and whole.find_linked("with")) or whole for whole in wholes])
        is_number = all(phrase.count.is_stated for phrase in phrases)
        if not is_number or len({(phrase.head, phrase.modifiers) for phrase in phrases}) != 1:
            return None
        return self._answer_number(Question("number", (Claim(phrases[0].uncounted),)))

    def _say_option(self, claim: Claim) -> str:
        """Return "the lamp is red", "" for what has no name: "is the background light or dark"."""
        subject, predicate = claim.subject, claim.predicate or Phrase()
        text = _words(replace(predicate, modifiers=tuple(self.describe_look(predicate.modifiers))))
        if not text or not (subject.head or subject.pronoun):
            return ""
        is_noun = predicate.head and not (predicate.is_plural or find_settings(claim))
        text = add_article(text) if is_noun else text
        return f"{f'the {subject.head}' if subject.head else 'it'} is {text}"

    def _is_open_option(self, claim: Claim) -> bool:
        """Return whether an option is a number or a place of what is there: then "neither of them" may be false."""
        whole = claim.whole
        is_here = bool(self.subjects(Phrase(whole.head)))
        return whole.count.is_stated or (is_here and bool(whole.places or whole.links))

    def _answer_number(self, question: Question) -> Answer:
        if _counts_some(question):
            return unsure(self._say_known(question.claims[0].subject))
        phrase = find_counted(question)
        sure_count, possible_count = self.scene.count_things(phrase)
        things = self.subjects(phrase) if sure_count else []
        noun_text = _noun(things, phrase)
        exact_count = sum(entity.thing_count for entity in things)
        is_loose = exact_count < sure_count and phrase.head != "plant"  # cushions may be pillows
        if sure_count and (is_loose or self._may_mean_others(phrase)):
            sure_count, possible_count = exact_count, MANY
        if sure_count != possible_count or not self._is_counted(phrase, things, question.action):
            return unsure(f"I see at least {say_count(sure_count, noun_text)}" if sure_count else "")
        if _is_open_number(things, phrase):
            return unsure(self.list_things(things))
        if sure_count == 0:
            return Answer("none", Truth.NO)
        named_colours = find_colours(phrase.modifiers)
        colours = [entity.colours[0] for entity in things if len(entity.colours) == 1]
        is_mixed = len(colours) == sure_count and len(set(colours)) > 1 and not named_colours and sure_count <= 5
        detail_text = f" ({join_list(write_counts(colours))})" if is_mixed else ""
        return Answer(f"{say_count(sure_count, ' '.join((*named_colours, noun_text)))}{detail_text}")

    def _may(self, entity: SceneThing, posture: str) -> bool:
        """Return whether a thing may stand, lie or hang, as a question says; of other postures it is not known."""
        if posture in OPEN_POSTURES:
            return False
        support = self.scene.by_id.get(entity.support)
        if posture == "hang" and support and support.box and entity.box:
            return entity.box[3] > support.box[3]  # it reaches below what it is on
        if posture == "hang" and entity.name in group("fixtures"):
            return False
        if posture == "hang" and not self.scene.geometry.is_on_wall(entity):
            is_low = self.scene.kind == "room" and entity.box is not None and entity.box[3] > 0.4
            return not is_low or entity.name in (group("wall") | group("hung") | group("hanging")) - {"window"}
        is_large = self.scene.kind == "room" and entity.size > LARGEST_LYING
        if posture == "lie" and (is_large or entity.name in group("furniture")):
            return entity.name in group("flat")
        is_hung = entity.name in group("wall") | group("hung") and not entity.support  # not a photo on a desk
        return posture not in ("stand", "lie", "sit") or not is_hung

    def subjects(self, phrase: Phrase) -> list[SceneThing]:
        """Return the things that a question is about: only those that are called just so, if there are any."""
        things = super().subjects(phrase)
        return [entity for entity in things if self._is_exact(entity, phrase)] or things

    def _may_mean_others(self, phrase: Phrase) -> bool:
        """Return whether a phrase may mean more things: a piano stool may be a chair, a lamp a ceiling lamp.

        Statues and sculptures are the same to people, as each is called the other.
        """
        if any(rate_name(phrase.head, entity.name) == COMPOUND_CHANCE for entity in self.scene.things):
            return True
        things = self.subjects(phrase)
        owner_ids = {entity.support for entity in things if entity.is_part}
        others = [entity for entity in super().subjects(phrase) if entity not in things and entity.id not in owner_ids]
        if phrase.head == "plant":
            others = [entity for entity in others if entity.name not in group("pot_plants")]
        return any(rate_name(other.name, entity.name) < CLOSE_CHANCE for other in others for entity in things)

    def _judge_predicate(self, subject: Phrase, predicate: Phrase) -> Truth:
        extreme_thing = self._find_extreme(subject) if subject.definite and len(self.subjects(subject)) > 1 else None
        if extreme_thing:  # "is the leftmost bookcase orange"
            return judge_several(
                [self.rate_predicate(extreme_thing, subject, predicate)], is_of_all=True, is_vague=True
            )
        is_vague = subject.is_plural and self._may_mean_others(subject)  # "are the boxes brown"
        return Truth.UNKNOWN if is_vague else super()._judge_predicate(subject, predicate)

    def _is_exact(self, entity: SceneThing, phrase: Phrase) -> bool:
        """Return whether a thing is just what a phrase calls it, not only of a kind that may be called so."""
        is_kind = entity.name.endswith(phrase.head)  # a hacksaw is a saw
        return is_kind or self.scene.fit(entity, Phrase(phrase.head)).name >= EXACT_NAME

    def _is_counted(self, phrase: Phrase, things: Sequence[SceneThing], posture: str) -> bool:
        """Return whether the description names all things that are called so and stand or hang as a question says."""
        is_open = any((item.is_uncounted and not item.is_part) or not self._may(item, posture) for item in things)
        if any(is_named_by_pot(item, phrase.head) for item in things):  # the pot of a cactus is one, too
            is_open = is_open or any(
                item.name in group("pot_plants") and item not in things for item in self.scene.things
            )
        if is_open or self.scene.holds_more(phrase.head):
            return False
        is_named = any(fit.is_sure and fit.name >= OTHER_NAME for _, fit in self.scene.find_matches(phrase))
        return is_named or self.scene.is_countable(phrase)

    def _answer_kind(self, question: Question) -> Answer:
        """Answer "what colour is it", "what is it made of", "what shape is it", "what kind of room is it"."""
        phrase = _merge_subject(question.claims)
        if is_room(phrase.head) or phrase.head in ("room", "place"):
            is_kind = LEXICON.categories("aspects").get(question.asks_for) == "look"
            return Answer(self._say_category() or "it is a room") if is_kind else unsure()
        if question.is_superlative or "far" in phrase.places:
            extreme_thing = self._find_extreme(phrase)
            known_text = self._say_known(Phrase(phrase.head))
            return self._say_aspects([extreme_thing], question.asks_for) if extreme_thing else unsure(known_text)
        if not phrase.head:  # "what shape is left of the cube", "what colour is it"
            return self._name_all(phrase) if self.scene.is_complete and not phrase.is_bare else unsure()
        things = self._sort_subjects(phrase)
        if any(self._is_doubtful(entity, phrase, question.asks_for) for entity in things):
            return unsure(self._say_known(phrase))
        kind_count = len(self.subjects(Phrase(phrase.head, phrase.modifiers)))
        if phrase.is_plural and phrase.links and len(things) == 1 < kind_count:  # "the balls by the pool"
            return unsure(self._say_known(phrase))
        if len(things) > 1 and self._is_unclear(phrase, things):
            answer = self._say_aspects(things, question.asks_for)
            return answer if answer.text.startswith("the ") else unsure(self.list_things(things))
        return self._say_aspects(things, question.asks_for) if things else unsure(UNFOUND)

    def _sort_subjects(self, phrase: Phrase) -> list[SceneThing]:
        """Return the things that a phrase means from left to right, or from "top to bottom"."""
        return sorted(self.subjects(phrase), key=SORT_KEYS["top" if {"top", "bottom"} <= {*phrase.places} else "left"])

    def _list_kinds(self, asks_for: str) -> Answer:
        """Return the shapes, the colours or the materials of all solids."""
        texts = [
            pluralise(solid.name) if asks_for == "shape" else self.say_aspect(solid, asks_for)
            for solid in self.scene.things
        ]
        return Answer(f"I see {join_list(list(dict.fromkeys(texts)))}") if asks_for != "kind" else unsure()

    def _say_aspects(self, things: Sequence[SceneThing], asks_for: str) -> Answer:
        """Return the colours, the material, … of things: "the chairs are red", "two red and one blue"."""
        if len(things) == 1 and asks_for == "shape" and self.scene.is_complete:
            return Answer(f"it is {add_article(things[0].name)}")
        look_texts = {entity.id: text for entity in things if (text := self.say_aspect(entity, asks_for))}
        names = [entity.name for entity in things if entity.id in look_texts]
        if not names:
            return unsure(self.list_things(things))
        if len(set(look_texts.values())) == 1:
            count = sum(entity.thing_count for entity in things if entity.id in look_texts)
            is_one = count == 1 and not is_plural_name(names[0])
            subject = f"{names[0]} is" if is_one else f"{pluralise(names[0])} are"
            return Answer(f"the {subject}{' made of' * (asks_for == 'material')} {look_texts.popitem()[1]}")
        if len(set(look_texts.values())) > MAX_LOOKS:
            return unsure(self.list_things(things))
        return Answer(join_list(write_counts(look_texts.values())))

    def _is_doubtful(self, entity: SceneThing, phrase: Phrase, asks_for: str) -> bool:
        """Return whether a thing may not be what a phrase means, or its colour, if asked for, is not surely known."""
        has_colour = LEXICON.categories("aspects").get(asks_for) in ("colours", "look")
        if is_named_by_pot(entity, phrase.head) or (has_colour and has_unsure_colour(entity)):
            return True
        if self.scene.fit(entity, phrase.uncounted).is_sure:
            return False
        has_unknown_word = any(not find_attribute_table(word) for word in phrase.modifiers)
        is_unnamed = has_unknown_word and not self._is_exact(entity, phrase)
        is_one_of = bool(phrase.links or phrase.modifiers) and not self._is_only(entity, phrase)
        return is_unnamed or is_depicted(phrase) or is_one_of

    def _is_only(self, entity: SceneThing, phrase: Phrase) -> bool:
        """Return whether nothing else is called as a phrase says."""
        matches = self.scene.find_matches(Phrase(phrase.head))
        return all(item is entity or fit.name < YES for item, fit in matches) and entity.thing_count == 1

    def _is_unclear(self, phrase: Phrase, things: Sequence[SceneThing]) -> bool:
        """Return whether one of several things is meant, and it is not said which."""
        is_vague = things[0].is_part or self.scene.fit(things[0], Phrase(phrase.head)).name < EXACT_CHANCE
        return phrase.definite and not phrase.is_plural and (is_vague or not phrase.is_bare)

    def _answer_place(self, question: Question) -> Answer:
        """Answer "where is the cat", "what is the cat sitting on", "where does this look like"."""
        phrase = question.claims[0].subject
        if phrase == Phrase(pronoun=True, definite=phrase.definite):
            return Answer(self._say_category()) if self._say_category() else unsure()
        if phrase.is_plural and (common_support := self._find_common_support(self.subjects(phrase))):
            return Answer(f"they are on the {common_support.name}")
        return self._say_places(question, phrase)

    def _say_places(self, question: Question, phrase: Phrase) -> Answer:
        things = self.subjects(phrase) or self.subjects(replace(phrase, links=(), places=()))
        asked_phrase = phrase if len(things) > 1 else replace(phrase, links=(), places=())  # not of three "with wheels"
        is_clear = all(self.scene.fit(entity, asked_phrase).is_sure for entity in things)
        is_clear = is_clear and not any(item.is_several for item in things)  # "where are the bottles" of two shelves
        if (len(things) > 1 and not is_clear) or _means_several(phrase, things) or phrase.find_linked("to"):
            return unsure(self.list_things(things) if things else "")
        if len(things) == 1:
            support = self.scene.by_id.get(things[0].support)
            if question.asks_for == "support" and not support:  # "what is the cat sitting on"
                return unsure(self.list_things(things))
            side_text = self.side(things[0]) or "there, but I cannot say where"
            support_text = f", on the {self._say_level(support)}{support.name}" if support else ""
            return Answer(f"the {things[0].name} is {side_text}{support_text}")
        if not all(map(self.side, things)):
            return unsure(self.list_things(things))
        return Answer(join_list(write_counts(map(self.side, things)))) if things else unsure(UNFOUND)

    def _find_common_support(self, things: Sequence[SceneThing]) -> SceneThing | None:
        """Return what several things all are on, None if they are not."""
        supports = {entity.support for entity in things}
        return self.scene.by_id.get(supports.pop()) if len(supports) == 1 < len(things) else None

    def _answer_what(self, question: Question) -> Answer:
        """Answer "what is on the table", "what do you see on the left", "which room is it"."""
        asks_for = question.asks_for
        if asks_for in ("room", "place") and self._say_category():
            return Answer(self._say_category())
        phrases = [claim.whole for claim in question.claims] or [Phrase()]
        phrase = phrases[-1] if phrases[0].pronoun and phrases[0].is_bare else phrases[0]  # "which one has flowers"
        if asks_for and not any(other.head or other.pronoun for other in phrases):  # "which one is shiny and orange"
            phrase = reduce(Phrase.merge, phrases)
        target_phrase = phrase.find_linked("on") or phrase
        if asks_for == "wall":  # "which wall is the map on"
            return unsure(self._say_known(target_phrase))
        if asks_for in (*SUPPORTS, *words_of("side_nouns")) and target_phrase.head:  # "on which shelf is the globe"
            is_relative = target_phrase.find_linked("of")  # "on which side of the bed"
            return unsure() if is_relative else self._answer_place(Question("place", (Claim(target_phrase),)))
        return self._answer_extreme(question) or self._answer_which(question, phrase)

    def _answer_which(self, question: Question, phrase: Phrase) -> Answer:
        """Name the things that a phrase means, or describe the one that it names; without either, the largest."""
        asks_for = question.asks_for
        if phrase.links or phrase.places or asks_for or (phrase.modifiers and not phrase.head):
            head = asks_for or ("" if _names_anything(phrase.head) else phrase.head)
            asked_phrase = replace(phrase, head=head, count=Phrase().count, pronoun=False)
            if asks_for == "person":
                return self._name_living(asked_phrase)
            is_one = bool(asks_for or phrase.pronoun or (phrase.head and phrase.definite)) and not question.is_plural
            return self._name_all(asked_phrase, question.action, is_one=is_one)
        if phrase.head or question.action:  # not "what separates the beds"
            is_open = not phrase.head or question.action in OPEN_POSTURES
            return unsure() if is_open else self._describe_things(phrase)
        return Answer(f"I see {self.group(self.sort_by_size()[:4])}")

    def _name_living(self, phrase: Phrase) -> Answer:
        """Answer "who is on the bench": people and animals; nobody where all are named."""
        matches = self.scene.find_matches(replace(phrase, head=""))
        living = [item for item, fit in matches if fit.is_sure and item.box and is_alive(item.name)]
        if living:
            return Answer(f"I see {self.group(living[:MOST_LISTED])}")
        may_be_there = any(fit.is_possible and is_alive(item.name) for item, fit in matches)
        is_known = self.scene.is_exhaustive(replace(phrase, head="person")) and not may_be_there
        return Answer("nobody", Truth.NO) if is_known else unsure()

    def _answer_extreme(self, question: Question) -> Answer | None:
        """Answer "which cube is the largest", "which balloon is on the left", None for another question."""
        if question.is_superlative and question.claims and question.claims[-1].is_alternative:
            return self._answer_comparison(question)
        phrase = _make_superlative(question)
        is_far = "far" in phrase.places
        is_choice = bool(question.asks_for) and not question.is_plural and bool(_list_directions(phrase))
        if not (question.is_superlative or is_far or is_choice):
            return None
        # not "furthest left on the floor"
        is_of_surface = any(link.phrase.head in group("surfaces") for link in phrase.links)
        is_open = "corner" in phrase.places or is_of_surface or (is_far and phrase.links)
        extreme_thing = None if is_open else self._find_extreme(phrase)
        if extreme_thing is None:
            return unsure(self._say_known(Phrase(phrase.head)) if phrase.head else "")
        return Answer(f"it is {self.identify(extreme_thing)}")

    def _answer_comparison(self, question: Question) -> Answer:
        """Answer "which is further left, the mat or the ball"; of sizes only those of solids."""
        directions = _list_directions(_make_superlative(question))
        phrases = [_drop_directions(claim.whole) for claim in question.claims if claim.subject.head]
        groups = [self.subjects(phrase) for phrase in phrases]
        things = [things[0] for things in groups if len(things) == 1 and things[0].box]
        is_clear = len(directions) == 1 and len(things) == len(groups) > 1
        is_alike = self.scene.is_complete or directions[:1] in (["left"], ["right"])
        first = _find_first(things, directions[0]) if is_clear and is_alike else None
        if first is None:
            return unsure()
        is_named = len({entity.name for entity in things}) > 1
        return Answer(f"it is the {first.name if is_named else self.describe_thing(first)}")

    def _name_all(self, phrase: Phrase, posture: str = "", *, is_one: bool = False) -> Answer:
        """Name the things that a phrase means, without what cannot stand or hang as the question says.

        `is_one`: whether only one is asked for ("which plant has flowers"); then it is not said which of several.
        """
        if not self.scene.is_complete and "corner" in phrase.places:
            return unsure()
        things = self._list_nameable(phrase, posture)
        if not things and (contents := self._list_contents(phrase)):
            return Answer(f"I see {join_list(contents)}")
        if not things:
            return unsure("I cannot say what is there")
        is_loose = all(self.scene.fit(item, phrase).name < EXACT_CHANCE for item in things)  # "what flowers" of a plant
        is_loose = is_loose or all(
            self._is_target(item, phrase) for item in things
        )  # "what fruit is in the fruit bowl"
        most_meant = len({item.name for item in things}) if phrase.head else 1
        if is_loose or (is_one and len(things) > most_meant):
            return unsure(self.list_things(things))
        others = [item for item, fit in self.scene.find_matches(phrase) if fit.is_possible and item not in things]
        return Answer(f"I see {self._list_some(things, others)}")

    def _list_some(self, things: Sequence[SceneThing], others: Sequence[SceneThing]) -> str:
        """List the first things, with "at least" if others of a name that is counted may be meant, too."""
        thing_texts, counts = self._count_equal(things), Counter(item.name for item in things)
        least_text = "at least " if any(counts[item.name] > 1 for item in others) else ""
        others_text = ", among other things" if len(thing_texts) > MOST_LISTED else ""
        return f"{least_text}{join_list(thing_texts[:MOST_LISTED])}{others_text}"

    def _is_central(self, entity: SceneThing) -> bool:
        """Return whether a thing is in the middle of the picture, and of a room not on its back wall."""
        is_far = entity.name in ("window", "door") or self.scene.geometry.is_raised(entity) or entity.edges[3] < 0.5
        return self.side(entity) == SIDE_PHRASES[1] and not (self.scene.kind == "room" and is_far)

    def _list_contents(self, phrase: Phrase) -> list[str]:
        """Return what the description says the one thing holds in which, or on which, a phrase is: "apples"."""
        relations = ("in", "on", "on top of")
        targets = [link.phrase for link in phrase.links if link.relation in relations and link.phrase.head]
        holders = self.subjects(targets[0]) if len(targets) == len(phrase.links) == 1 and not phrase.head else []
        if len(holders) != 1 or not self.scene.fit(holders[0], targets[0]).is_sure:
            return []
        words = [*holders[0].words, *(text for text in holders[0].details if text.startswith("full of "))]
        return [word.removeprefix(start) for word in words for start in ("full of ", "with ") if word.startswith(start)]

    def _list_nameable(self, phrase: Phrase, posture: str) -> list[SceneThing]:
        """Return the things that are surely as a phrase says and may stand or hang so, without parts and far ones."""
        target_ids, is_of_middle = self._list_target_ids(phrase), phrase.places == ("middle",) and not phrase.head
        matches = [item for item, fit in self.scene.find_matches(phrase) if fit.is_sure and item.id not in target_ids]
        things = [item for item in matches if not item.is_part and (item.box or phrase.head)]
        things = [item for item in things if self._is_close(item, phrase) and self._may(item, posture)]
        things = [item for item in things if self._is_central(item)] if is_of_middle else things
        is_over = posture == "hang" and phrase.find_linked("above")  # not the pictures behind what the lamp hangs over
        return [item for item in things if is_over and item.name in group("overhead")] or things

    def _is_target(self, entity: SceneThing, phrase: Phrase) -> bool:
        """Return whether a thing is what a phrase says something is in or on."""
        return any(entity in self.subjects(link.phrase) for link in phrase.links if link.relation in ("in", "on"))

    def _list_target_ids(self, phrase: Phrase) -> set[str]:
        """Return the ids of the things that others are related to; what is in a fruit bowl may be the bowl."""
        targets = [link.phrase for link in phrase.links if link.relation != "with"]
        return {item.id for target in targets for item in self.subjects(target) if not _holds_named(item)}

    def _is_close(self, entity: SceneThing, phrase: Phrase) -> bool:
        """Return whether a thing is close to what a phrase says it is behind; solids may be far left of others."""
        relations = ("behind", "in front of") if self.scene.is_complete else NEAR_RELATIONS
        links = [link for link in phrase.links if link.relation in relations or link.phrase.head == "wall"]
        target_groups = [(link.relation, self.subjects(link.phrase)) for link in links]
        return all(
            any(
                are_close(entity, relation, target) and target not in self.scene.geometry.list_supports(entity)
                for target in targets
            )
            for relation, targets in target_groups
            if targets
        )

    def _find_extreme(self, phrase: Phrase) -> SceneThing | None:
        """Return "the largest object", "the leftmost thing"; None where several may be it, or no direction is named."""
        directions, group_phrase = _list_directions(phrase), phrase.find_linked("of") or Phrase()
        if len(directions) != 1 or phrase.is_plural or (directions[0] in ("top", "bottom") and not phrase.head):
            return None  # what is highest in the picture need not be so in the room
        things = self._list_sortable(replace(phrase, head=phrase.head or group_phrase.head), directions[0])
        if directions[0] in ("front", "back") and any(item.support or item.name in group("wall") for item in things):
            return None
        return _find_first([item for item in things if directions[0] in item.words] or things, directions[0])

    def _list_sortable(self, phrase: Phrase, direction: str) -> list[SceneThing]:
        """Return the things with boxes that a phrase means without its direction and the group that it is of."""
        modifiers = tuple(word for word in phrase.modifiers if word != direction)
        places = tuple(place for place in phrase.places if place not in (direction, "far"))
        links = tuple(link for link in phrase.links if link.relation != "of")
        matches = self.scene.find_matches(Phrase(phrase.head, modifiers, places=places, links=links))
        return [entity for entity, fit in matches if fit.is_sure and entity.box and not entity.is_part]

    def _describe_things(self, phrase: Phrase) -> Answer:
        """Describe the things that a phrase names, with what is on them."""
        things = self.subjects(phrase)
        if not things:
            return unsure(UNFOUND)
        if len({entity.name for entity in things}) > 1 and phrase.is_plural and len(things) <= MOST_LISTED:
            return Answer(self.list_things(things))  # "what are the purple things"
        if len({entity.name for entity in things}) > 1:  # "what is that orange thing"
            return unsure(self.list_things(things) if len(things) <= MOST_LISTED else "")
        things_on_them = [other for other in self.scene.things if other.support in {entity.id for entity in things}]
        things_text = self.list_things(things)
        return Answer(f"{things_text}, with {self.group(things_on_them[:5])} on it" if things_on_them else things_text)


def find_questions(text: str, *, only_questions: bool = False) -> list[Question]:
    """Return the questions of a text that ask something; `only_questions`: whether all of it asks."""
    return list(filter(is_answerable, read_text(text, vocabulary(), only_questions=only_questions).questions))


def is_answerable(question: Question) -> bool:
    """Return whether a question asks something by itself: not "same?", "and you?"."""
    whole_phrases = {claim.whole for claim in question.claims}
    words = set().union(*(phrase.words for phrase in whole_phrases)) - {""}
    is_plain = not any(claim.predicate or claim.subject.places or claim.subject.links for claim in question.claims)
    if is_plain and words and words <= words_of("tags"):  # "Correct?"
        return False
    return whole_phrases != {Phrase("same")} if whole_phrases else question.kind != "unknown"


def _is_of_others(question: Question) -> bool:
    """Return whether it is about "things that are not cones", or asks what is not so, or how many are not."""
    if question.kind in ("polar", "choice"):
        return len(question.claims) > 1 and any(
            claim.subject.is_negated or (claim.is_negated and claim.subject.pronoun) for claim in question.claims
        )
    links = [link for claim in question.claims for link in claim.whole.links]
    is_denied = any(claim.is_negated or claim.subject.is_negated for claim in question.claims)
    return is_denied or any(link.phrase.is_negated for link in links)


def _find_denied(question: Question) -> tuple[Phrase | None, Phrase | None]:
    """Return what a question is about and the word that it denies; None for several words and with places."""
    claim = question.claims[-1]
    subject = Phrase(question.asks_for) if question.asks_for else question.claims[0].subject
    subject = subject if subject.head and not subject.is_negated else Phrase("thing")
    denied = claim.whole.uncounted if claim.subject.is_negated else claim.predicate or Phrase()
    is_placed = subject.all_places or denied.all_places
    return (subject, denied) if len(denied.words - {""}) == 1 and not is_placed else (None, None)


def _join_answers(answers: Sequence[Answer]) -> Answer:
    """Return the answer to all parts of a question: yes or no where they agree or one is unknown beside "no"."""
    truths = {answer.truth for answer in answers}
    known_answers = [answer for answer in answers if answer.truth is not Truth.UNKNOWN]
    text = "; ".join(dict.fromkeys(answer.text for answer in known_answers))
    if truths == {Truth.UNKNOWN}:
        return unsure("; ".join(dict.fromkeys(filter(None, map(_cut_fact, answers)))))
    if len(truths) == 1 or truths == {Truth.NO, Truth.UNKNOWN}:
        return Answer(text, known_answers[0].truth)
    if Truth.UNKNOWN in truths:  # without "yes" or "no", which would be of a part only
        return unsure("; ".join(filter(None, map(_cut_fact, known_answers))))
    return Answer(f"not all of it: {text}", Truth.NO)


def _names_anything(head: str) -> bool:
    """Return whether a word names no kind of thing: "the thing on the right", "what is hiding behind the cone"."""
    is_verb = head.endswith("ing") and not is_named(head)
    return is_verb or not head or find_generic_kind(head) == "thing"


def _means_several(phrase: Phrase, things: Sequence[SceneThing]) -> bool:
    """Return whether a phrase means several things of which the description has one."""
    return phrase.is_plural and len(things) == 1 and not (things[0].is_several or things[0].thing_count > 1)


def _is_open_number(things: Sequence[SceneThing], phrase: Phrase) -> bool:
    """Return whether the names of things leave open how many there are: "stairs", "a vase with flowers"."""
    is_part = any(entity.is_part for entity in things) and not any(entity.thing_count > 1 for entity in things)
    is_shelf = any(item.name.startswith("shelf of ") for item in things)  # with several boards
    in_tiers = any(re.match("in [2-9]", word) for item in things for word in item.words)  # "bench in 3 tiers"
    is_several = any(item.is_uncounted or (item.is_several and item.name != phrase.head) for item in things)
    return is_part or is_shelf or in_tiers or is_several


def _list_directions(phrase: Phrase) -> list[str]:
    """Return the words of a phrase by which things can be sorted: "left", "large"."""
    words = dict.fromkeys((*phrase.places, *phrase.modifiers))
    return [word for word in words if word in SORT_KEYS or word == "middle"]


def _drop_directions(phrase: Phrase) -> Phrase:
    """Return a phrase without its places and the words by which things can be sorted."""
    return replace(phrase, modifiers=tuple(word for word in phrase.modifiers if word not in SORT_KEYS), places=())


def _find_first(things: Sequence[SceneThing], direction: str) -> SceneThing | None:
    """Return the thing that is most in a direction, None if another one nearly is, too."""
    if direction == "middle":
        row = sorted(things, key=lambda item: item.x)
        middle = len(row) // 2
        is_odd = len(row) % 2 == 1 and len(row) > 1
        steps = [right.x - left.x for left, right in pairwise(row[middle - 1 : middle + 2])] if is_odd else []
        return row[middle] if steps and min(steps) > LEAST_PLACE_LEAD else None
    sort_key, least_lead = SORT_KEYS[direction], LEAST_LEAD.get(direction, LEAST_PLACE_LEAD)
    ranked = sorted(things, key=sort_key)
    if direction == "small" and ranked and ranked[0].height > min(item.height for item in ranked):
        return None  # narrow, but not low
    is_clear = len(ranked) == 1 or (len(ranked) > 1 and sort_key(ranked[1]) - sort_key(ranked[0]) > least_lead)
    return ranked[0] if is_clear else None


def _find_comparison(claim: Claim) -> str:
    """Return "same" or "different" if that is what a claim says of things: "the chairs have the same colour"."""
    phrases = (claim.whole, claim.predicate or Phrase(), *(link.phrase for link in claim.whole.links))
    words = {word for phrase in phrases for word in (phrase.head, *phrase.modifiers)}
    if claim.predicate and claim.predicate.modifiers and claim.predicate.find_linked("as"):
        return "same"  # "is the red cube as big as the orange one"
    return next((kind for word, kind in COMPARISONS.items() if word in words and claim.subject.head), "")


def _find_compared_numbers(claims: Sequence[Claim]) -> tuple[str, list[Phrase]]:
    """Return "more", "fewer" or "same" if claims compare numbers, else "", and the two phrases that are counted."""
    whole, links = claims[0].whole, claims[0].whole.links
    if [link.relation for link in links] == ["as", "as"] and not whole.head:  # "as many balls as cones"
        is_number = links[1].phrase.count.is_stated  # "as many as ten things"
        return "same", [] if is_number else [link.phrase.uncounted for link in links]
    comparison = next((MORE_OR_FEWER[word] for word in whole.modifiers if word in MORE_OR_FEWER), "")
    others = [claim.whole for claim in claims[1:] if claim.is_alternative]
    others = others or [link.phrase for link in links if link.relation == "than"]
    return comparison, _share_noun([_drop_comparison(phrase) for phrase in (whole, *others)])


def _share_noun(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return "red chairs" and "blue chairs" for "red" and "blue chairs", and all on the table if the first are.

    Return no phrase where no noun is named.
    """
    head = next((phrase.head for phrase in phrases if phrase.head), "")
    return [
        replace(phrase, head=phrase.head or head, links=phrase.links or phrases[0].links) for phrase in phrases if head
    ]


def _drop_comparison(phrase: Phrase) -> Phrase:
    """Return "red chairs on the left" for "more red chairs on the left than …"."""
    return Phrase(
        phrase.head,
        tuple(word for word in phrase.modifiers if word not in MORE_OR_FEWER),
        links=tuple(link for link in phrase.links if link.relation != "than"),
    )


def _find_compared_aspect(claims: Sequence[Claim]) -> str:
    """Return by what things are compared: "colour" where nothing else is named."""
    compared = [claim.predicate for claim in claims if claim.predicate]
    compared += [link.phrase for claim in claims for link in claim.subject.links]
    words = {word for phrase in compared for word in phrase.words}.union(*(claim.text.split() for claim in claims[1:]))
    likened_words = {word for phrase in _list_compared(claims) for word in phrase.words}
    nested = [phrase for whole in compared for phrase in (whole, *(link.phrase for link in whole.links))]
    heads = {phrase.head for phrase in nested if "same" in phrase.modifiers} - {"", *COMPARED_WORDS}
    if not all(map(is_aspect_name, heads)):  # "on the same wall"
        return ""
    aspects = set(map(_find_aspect, words - likened_words)) - {"colour"}
    aspects = aspects - {""} or aspects  # "equally big"
    return aspects.pop() if len(aspects) == 1 else "" if aspects else "colour"


def _are_shades(things: Sequence[SceneThing], looks: Collection[str]) -> bool:
    """Return whether things have several shades of the same colours, or colours that are not named."""
    is_same = len({tuple(map(base_colour, entity.colours)) for entity in things}) == 1
    return (len(looks) > 1 and is_same) or "colourful" in looks


def _find_aspect(word: str) -> str:
    """Return the aspect that a word of a comparison names: "colour" of words that name none, "" of "tall"."""
    size = LEXICON.categories("sizes").get(word)
    aspect = "" if size else LEXICON.categories("aspects").get(word, "colours").removesuffix("s")
    return "size" if size in ("large", "small") else COMPARED_WORDS.get(word, aspect)


def _list_compared(claims: Sequence[Claim]) -> list[Phrase]:
    """Return what the subject of claims is compared with: the ring of "is the cube the same colour as the ring"."""
    predicates = [claim.predicate for claim in claims if claim.predicate]
    nested = [phrase for predicate in predicates for phrase in (predicate, *(link.phrase for link in predicate.links))]
    likened = [phrase.find_linked("as") for phrase in nested]
    return [*(phrase for phrase in predicates if phrase.head not in ("", "same")), *filter(None, likened)]


def _find_main_claims(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims without those that only name what another one is about: "the lamp" in "is the lamp lit"."""
    subjects = [claim.subject for claim in claims if claim.predicate]
    heads = {subject.head for subject in subjects}
    is_named = any(subject.pronoun for subject in subjects)
    return [claim for claim in claims if claim.predicate or not (is_named or claim.subject.head in heads)]


def _leaves_out(claims: Sequence[Claim]) -> bool:
    """Return whether claims name another thing of a kind that they are about: "the cube is shiny, and the teal one"."""
    subjects = [claim.subject for claim in claims if claim.predicate]
    others = [claim for claim in claims if not claim.predicate and claim.subject not in subjects]
    return bool(subjects) and any(claim.subject.head and claim.text.endswith((" one", " ones")) for claim in others)


def _merge_subject(claims: Sequence[Claim]) -> Phrase:
    """Return the thing that claims name: "the pot that holds the cactus" of "the pot" and "the pot with the cactus"."""
    phrase = claims[0].subject
    surface_phrase = phrase.find_linked("on")
    if not phrase.head and surface_phrase and surface_phrase.head in group("surfaces"):
        return surface_phrase  # "what pattern is on the floor"
    for claim in claims[1:]:
        phrase = phrase.merge(claim.predicate) if claim.predicate and claim.predicate.links else phrase
    return phrase


def _make_superlative(question: Question) -> Phrase:
    """Return "the smallest cube" for "which cube is the smallest"."""
    phrase = Phrase(question.asks_for)
    for claim in question.claims:
        phrase = phrase.merge(claim.whole)
    return replace(phrase, modifiers=tuple(dict.fromkeys(phrase.modifiers)))


def _counts_some(question: Question) -> bool:
    """Return whether a question counts by what is not known: "how many toys face us", "… does each table have"."""
    is_of_each = any(claim.text.startswith(("each ", "every ")) for claim in question.claims)
    return is_of_each or question.action in words_of("actions") or any(map(_names_attribute, question.claims[1:]))


def _names_attribute(claim: Claim) -> bool:
    """Return whether a claim is a word for no thing: "upright" in "how many chairs are upright"."""
    head = claim.subject.head
    return (
        bool(head)
        and claim.predicate is None
        and not is_named(head)
        and head not in words_of("particles") | words_of("posture")
    )


def find_counted(question: Question) -> Phrase:
    """Return what a question asks the number of."""
    phrase = question.claims[0].whole.uncounted
    for claim in question.claims[1:]:
        owner = claim.predicate and claim.predicate.find_linked("with")
        if owner and owner.definite:  # "how many hooks has the rack got"
            phrase = phrase.merge(Phrase(links=(Link("of", owner),)))
        elif claim.predicate:
            phrase = phrase.merge(replace(claim.predicate.uncounted, head=""))
        elif claim.subject.definite:  # "how many hooks does the rack have"
            phrase = phrase.merge(Phrase(links=(Link("of", claim.subject),)))
        elif claim.subject.is_plural and find_generic_kind(phrase.head or "thing") == "thing":
            phrase = replace(phrase, head="", pronoun=False).merge(claim.subject)  # "how many of them are cylinders"
    return phrase


def unsure(detail: str = "") -> Answer:
    """Return the answer that it cannot be said, with what is known; not how many things of any kind there are."""
    detail = "" if detail.endswith(" of them") else detail
    return Answer(f"{UNSURE_TEXT}; {detail}" if detail else UNSURE_TEXT, Truth.UNKNOWN)


def _cut_fact(answer: Answer) -> str:
    """Return an answer without "yes", "no" or "I am not sure", "" if it says no more."""
    return answer.text.partition("; " if answer.truth is Truth.UNKNOWN else ", ")[2]


def _noun(things: Sequence[SceneThing], phrase: Phrase) -> str:
    """Return what things are called: by their name, or as they were asked for if they have several."""
    thing_names = {entity.name for entity in things}
    asked_name = "thing" if phrase.head in ("", "stuff") else phrase.head
    return thing_names.pop() if len(thing_names) == 1 else asked_name


def _find_table(word: str) -> str:
    """Return the kind of an attribute: "colours", "materials", …; "" for words of none."""
    return find_attribute_table("lit" if word in STATE_WORDS else base_colour(word) or word)


def _holds_named(entity: SceneThing) -> bool:
    """Return whether a thing's own words say what it holds: "fruit bowl", "vase with red flowers"."""
    return entity.name.rpartition(" ")[2] in group("holders") or any(map(follows_name, entity.words))


def _words(phrase: Phrase) -> str:
    """Return a phrase as it was meant, without its number."""
    head = "person" if phrase.head in words_of("persons") else phrase.head
    head = pluralise(head) if phrase.is_plural else head
    places = [f"on the {' '.join(phrase.places)}"] if phrase.places else []
    links = [f"{link.relation} the {link.phrase.head}" for link in phrase.links if link.phrase.head]
    return " ".join(word for word in (*phrase.modifiers, head, *places, *links) if word)
