"""Answers whether something is so, and which of two things is so: "is the lamp on", "is it red or blue"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.common.language.claims import Answer, Claim, Phrase, Question, Truth
from games.common.language.grammar import words_of
from games.common.language.name_answers import name_all
from games.common.language.scene_claims import find_main_claims, find_settings, is_about_picture
from games.common.language.scene_wording import STATE_WORDS, SceneDescriber, confirm, unsure
from games.common.language.things import is_room


def deny_people(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "is anybody watching", which needs that somebody is there."""
    heads = {claim.subject.head for claim in question.claims if not claim.subject.modifiers}
    if not (question.action or len(question.claims) > 1) or heads.isdisjoint(words_of("people")):
        return None
    is_empty = speaker.judge_truth(Claim(Phrase("visitor"))) is Truth.NO
    return confirm(False, "I see nobody") if is_empty else unsure()


def answer_claims(speaker: SceneDescriber, question: Question) -> Answer:
    """Answer whether all claims are so; where something also does more than that, only "no" is known."""
    subject = question.claims[0].subject
    if _leaves_out(question.claims):
        return speaker.unsure_of(subject)
    answers = [answer_claim(speaker, claim) for claim in find_main_claims(_share_place(speaker, question.claims))]
    is_placed = any(claim.predicate and speaker.subjects(claim.subject) for claim in question.claims)
    is_counted = any(claim.subject.count.is_stated for claim in question.claims)  # "does one object touch another"
    is_denied = Truth.NO in {answer.truth for answer in answers} and not (is_placed or is_counted)
    return speaker.unsure_of(subject) if question.action and not is_denied else _join_answers(answers)


def _share_place(speaker: SceneDescriber, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return claims all of which are where the last is, if only then they are so: "two cups and a jug on it"."""
    links = claims[-1].subject.links
    subjects = [claim.subject for claim in claims]
    subjects = [replace(subject, links=links) if subject.is_bare else subject for subject in subjects]
    placed = [replace(claim, subject=subject) for claim, subject in zip(claims, subjects, strict=True)]
    truths = zip(map(speaker.judge_truth, claims), map(speaker.judge_truth, placed), strict=True)
    return placed if (Truth.NO, Truth.YES) in truths else claims


def answer_whether_only(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "is the cushion the only thing on the sofa"."""
    claim = question.claims[-1]
    if not claim.predicate or "the only " not in claim.text:
        return None
    answer = unsure() if claim.is_negated else answer_claim(speaker, claim)
    if answer.truth is not Truth.YES:
        return answer
    matches, things = speaker.scene.find_matches(claim.predicate.uncounted), speaker.subjects(claim.subject)
    others = [(item, fit) for item, fit in matches if fit.is_possible and item not in things]
    if sure_others := [item for item, fit in others if fit.is_sure]:
        return confirm(False, speaker.list_things(sure_others))
    return unsure() if others or not speaker.scene.is_exhaustive(claim.predicate) else answer


def answer_claim(speaker: SceneDescriber, claim: Claim) -> Answer:
    """Answer whether one claim is so."""
    subject, predicate = claim.subject, claim.predicate or Phrase()
    if subject.pronoun and subject.links and not (claim.predicate or subject.is_negated):
        return _answer_anything(speaker, claim)
    is_open = _is_vague(claim) or _is_of_some(speaker, subject)
    truth = Truth.UNKNOWN if is_open else speaker.judge_truth(claim)
    if truth is Truth.UNKNOWN:
        return speaker.unsure_of(subject)
    return _state_truth(speaker, claim, predicate, truth)


def _state_truth(speaker: SceneDescriber, claim: Claim, predicate: Phrase, truth: Truth) -> Answer:
    """Return whether a claim is so, with what is there or what else is so."""
    subject, things = claim.subject, speaker.subjects(claim.subject)
    if predicate.count.is_stated:  # "is it two cones"
        return Answer(speaker.say_existence(predicate, truth), truth)
    if claim.predicate and subject.count.is_stated:  # "are two things metal"
        is_of_both = truth is Truth.NO and subject.definite and things  # "are both things cones"
        text = f"no, {speaker.list_things(things)}" if is_of_both else speaker.say_existence(claim.whole, truth)
        return Answer(text, truth)
    is_of_thing = bool(subject.head) and not is_about_picture(claim)
    is_missing = truth is Truth.NO and is_of_thing and not things  # "is the cat black"
    if is_missing if claim.predicate else not (is_room(subject.head) and subject.is_bare):
        return Answer(speaker.say_existence(subject, truth), truth)
    return confirm(truth is Truth.YES, _say_reason(speaker, claim, predicate))


def _say_reason(speaker: SceneDescriber, claim: Claim, predicate: Phrase) -> str:
    """Return what is so of the thing that a claim is about, or what room it is, "" where neither was asked."""
    if find_settings(claim) and not is_room(predicate.head):  # "is it night"
        return ""
    if claim.predicate and not is_about_picture(claim):
        return speaker.say_state(claim.subject, predicate)
    is_of_solids = speaker.scene.is_complete and not is_room(predicate.head)  # "are they all cubes"
    return "" if is_of_solids else speaker.say_category()


def _answer_anything(speaker: SceneDescriber, claim: Claim) -> Answer:
    """Answer "anything under the bed" with what is there."""
    answer = name_all(speaker, claim.subject)
    if answer.truth is not Truth.UNKNOWN:
        return confirm(True, answer.text)
    return confirm(False, "I see none") if speaker.judge_truth(claim) is Truth.NO else answer


def _is_vague(claim: Claim) -> bool:
    """Return whether a claim is about the whole: "is it bright in there", "something to sit on"."""
    phrase = claim.subject
    if not phrase.pronoun:
        return not phrase.head and bool(phrase.places)  # "background grey"
    is_open = phrase.is_bare or not words_of("posture").isdisjoint(phrase.modifiers)
    return is_open and not (is_about_picture(claim) or find_settings(claim))


def _is_of_some(speaker: SceneDescriber, phrase: Phrase) -> bool:
    """Return whether one thing is said to be in several places that have not one each: "a lamp on both tables"."""
    links = [link for link in phrase.links if link.phrase.is_plural and link.phrase.definite]
    targets = [link.phrase for link in links if link.relation in ("on", "in")]
    is_singular = not phrase.is_plural and phrase.count.low == 1
    return is_singular and any(1 <= len(speaker.subjects(phrase)) < len(speaker.subjects(target)) for target in targets)


def _leaves_out(claims: Sequence[Claim]) -> bool:
    """Return whether claims name another thing of a kind that they are about: "the cube is shiny, and the teal one"."""
    subjects = [claim.subject for claim in claims if claim.predicate]
    others = [claim for claim in claims if not claim.predicate and claim.subject not in subjects]
    return bool(subjects) and any(claim.subject.head and claim.text.endswith((" one", " ones")) for claim in others)


def _join_answers(answers: Sequence[Answer]) -> Answer:
    """Return the answer to all parts of a question: yes or no where they agree or one is unknown beside "no"."""
    truths = {answer.truth for answer in answers}
    known_answers = [answer for answer in answers if answer.truth is not Truth.UNKNOWN]
    text = "; ".join(dict.fromkeys(answer.text for answer in known_answers))
    if len(truths) == 1 or truths == {Truth.NO, Truth.UNKNOWN}:
        return Answer(text, known_answers[0].truth) if text else unsure(_join_facts(answers))
    if Truth.UNKNOWN in truths:  # without "yes" or "no", which would be of a part only
        return unsure(_join_facts(known_answers))
    return Answer(f"not all of it: {text}", Truth.NO)


def _join_facts(answers: Sequence[Answer]) -> str:
    """Return what answers say beside "yes", "no" or "I am not sure"."""
    facts = [answer.text.partition("; " if answer.truth is Truth.UNKNOWN else ", ")[2] for answer in answers]
    return "; ".join(dict.fromkeys(filter(None, facts)))


def answer_choice(speaker: SceneDescriber, question: Question) -> Answer:
    """Answer "is it shiny or matte", "a cello or a double bass", "on the left or on the right"."""
    options = find_main_claims(question.claims)
    if question.action in words_of("actions") or _is_unread_choice(options):
        return speaker.unsure_of(options[0].subject)
    if any(claim.is_negated for claim in options):  # "is it shiny or not shiny"
        return _join_answers([answer_claim(speaker, claim) for claim in options if not claim.is_negated])
    true = [claim for claim in options if speaker.judge_truth(claim) is Truth.YES]
    if len(options) > 1 and all(speaker.judge_truth(claim) is Truth.NO for claim in options):
        is_open = any(_is_open_option(speaker, claim.whole) for claim in options)
        return unsure() if is_open else confirm(False, "neither of them")
    if true and all(claim.predicate is None for claim in options):
        return _confirm_options(speaker, options, true)
    text = _say_option(speaker, true[0]) if len(true) == 1 else ""
    return Answer(text) if text else speaker.unsure_of(options[0].subject)


def _is_unread_choice(options: Sequence[Claim]) -> bool:
    """Return whether options are lost: "from front or back", "is it standing or lying", "is a or b further left"."""
    is_offer = any(claim.is_alternative for claim in options)
    is_joined = not is_offer and any(len(claim.whole.places) > 1 for claim in options)
    is_lost = len(options) == 1 and not options[0].predicate and options[0].subject.definite
    return is_joined or is_lost or len({bool(claim.predicate.head) for claim in options if claim.predicate}) > 1


def _confirm_options(speaker: SceneDescriber, options: Sequence[Claim], true: Sequence[Claim]) -> Answer:
    """Return what there is of several options, without "yes" where only one of a kind is so."""
    texts = [answer_claim(speaker, claim).text for claim in true[:2]]
    is_chosen = len(true) == 1 and len({claim.subject.head for claim in options}) == 1 < len(options)
    return Answer(texts[0].removeprefix("yes, ") if is_chosen else "; ".join(texts), Truth.YES)


def _say_option(speaker: SceneDescriber, claim: Claim) -> str:
    predicate = claim.predicate or Phrase()
    predicate = replace(predicate, modifiers=(claim.text,)) if claim.text in STATE_WORDS else predicate  # "on"
    return speaker.say_option(claim.subject, predicate, is_place=bool(find_settings(claim)))


def _is_open_option(speaker: SceneDescriber, option: Phrase) -> bool:
    """Return whether an option is a number or a place of what is there: then "neither of them" may be false."""
    is_placed = bool(option.places or option.links)
    return option.count.is_stated or (is_placed and bool(speaker.subjects(Phrase(option.head))))
