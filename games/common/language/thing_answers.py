"""Answers what is known of things that a question names: how many there are, how they look, where they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from games.common.language.claims import MANY, Answer, Claim, Link, Phrase, Question, Truth
from games.common.language.grammar import words_of
from games.common.language.lexicon import LEXICON
from games.common.language.scene_wording import UNFOUND, SceneDescriber, find_noun, unsure, write_counts
from games.common.language.scenes import is_depicted
from games.common.language.things import (
    EXACT_CHANCE,
    OTHER_NAME,
    YES,
    SceneThing,
    find_colours,
    find_generic_kind,
    group,
    has_unsure_colour,
    is_named,
    is_named_by_pot,
    is_room,
    rate_name,
)
from games.common.language.wording import add_article, is_plural_name, join_list, pluralise, say_count, spell_out_number


# ---------------------------------------------------------------------- how many
def answer_number(speaker: SceneDescriber, question: Question) -> Answer:
    """Answer "how many chairs are red", with their colours; "at least" as many as are surely meant if others may be."""
    if _counts_some(question):
        return speaker.unsure_of(question.claims[0].subject)
    phrase = find_counted(question)
    sure_count, possible_count = speaker.scene.count_things(phrase)
    things = speaker.subjects(phrase) if sure_count else []
    noun_text = find_noun(things, phrase)
    straddling_count = possible_count - sure_count if "half" in phrase.places else 0
    exact_count = sum(entity.thing_count for entity in things)
    is_loose = exact_count < sure_count and phrase.head != "plant"  # cushions may be pillows
    if sure_count and (is_loose or speaker.may_mean_others(phrase)):
        sure_count, possible_count = exact_count, MANY
    if sure_count != possible_count or not speaker.is_counted(phrase, things, question.action):
        texts = [f"I see at least {say_count(sure_count, noun_text)}"] if sure_count else []
        texts += [f"{spell_out_number(straddling_count)} across the middle"] if straddling_count else []
        return unsure(", and ".join(texts))
    if _is_open_number(speaker, things, phrase):
        return unsure(speaker.list_things(things))
    if sure_count == 0:
        return Answer("none", Truth.NO)
    named_colours = find_colours(phrase.modifiers)
    colours = [entity.colours[0] for entity in things if len(entity.colours) == 1]
    is_mixed = len(colours) == sure_count and len(set(colours)) > 1 and sure_count <= 5
    detail_text = f" ({join_list(write_counts(colours))})" if is_mixed else ""
    return Answer(f"{say_count(sure_count, ' '.join((*named_colours, noun_text)))}{detail_text}")


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


def _counts_some(question: Question) -> bool:
    """Return whether a question counts by what is not known: "how many toys face us", "… does each table have"."""
    is_of_each = any(claim.text.startswith(("each ", "every ")) for claim in question.claims)
    return is_of_each or question.action in words_of("actions") or any(map(_names_attribute, question.claims[1:]))


def _names_attribute(claim: Claim) -> bool:
    """Return whether a claim is a word for no thing: "upright" in "how many chairs are upright"."""
    head, other_words = claim.subject.head, words_of("particles") | words_of("posture")
    return bool(head) and claim.predicate is None and not is_named(head) and head not in other_words


def _is_open_number(speaker: SceneDescriber, things: Sequence[SceneThing], phrase: Phrase) -> bool:
    """Return whether the names of things leave open how many there are: "stairs", "a vase with flowers"."""
    details = " ".join(detail for item in speaker.scene.things for detail in item.details)
    is_part = any(entity.is_part for entity in things) and not any(entity.thing_count > 1 for entity in things)
    is_shelf = any(item.name.startswith("shelf of ") for item in things)  # with several boards
    is_shelf |= phrase.head == "shelf of books" or (phrase.head == "shelf" and "shelves" in details)
    is_tiered = any(re.match("in [2-9]", word) for item in things for word in item.words)  # "bench in 3 tiers"
    is_several = any(item.is_uncounted or (item.is_several and item.name != phrase.head) for item in things)
    is_loose = {OTHER_NAME} < {rate_name(phrase.head, item.name) for item in things}  # "blocks" of cubes and cylinders
    return is_part or is_shelf or is_tiered or is_several or is_loose


def answer_others(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "which cone is not yellow", "how many are no cubes"; of what is not so only solids are known."""
    if not _is_of_others(question):
        return None
    subject, denied = _find_denied(question)
    is_known = speaker.scene.is_complete and question.kind in ("what", "number") and denied != Phrase()
    fits = [(solid, speaker.scene.fit(solid, denied)) for solid in speaker.subjects(subject)]
    if not is_known or any(fit.is_possible and not fit.is_sure for _, fit in fits):
        return speaker.unsure_of(question.claims[0].subject)
    others = [solid for solid, fit in fits if not fit.is_sure]
    if question.kind == "number":
        return Answer(say_count(len(others), find_noun(others, subject)) if others else "none")
    return Answer(speaker.list_things(others) if others else "none of them")


def _is_of_others(question: Question) -> bool:
    """Return whether it is about "things that are not cones", or asks what is not so, or how many are not."""
    if question.kind in ("polar", "choice"):
        denials = [claim for claim in question.claims if claim.subject.is_negated or claim.is_negated]
        is_denied = any(claim.subject.is_negated or claim.subject.pronoun for claim in denials)
        return len(question.claims) > 1 and is_denied
    links = [link for claim in question.claims for link in claim.whole.links]
    is_denied = any(claim.is_negated or claim.subject.is_negated for claim in question.claims)
    return is_denied or any(link.phrase.is_negated for link in links)


def _find_denied(question: Question) -> tuple[Phrase, Phrase]:
    """Return what a question is about and the word that it denies; an empty one for several words and with places."""
    claim = question.claims[-1]
    subject = Phrase(question.asked_noun) if question.asked_noun else question.claims[0].subject
    subject = subject if subject.head and not subject.is_negated else Phrase("thing")
    denied = claim.whole.uncounted if claim.subject.is_negated else claim.predicate or Phrase()
    is_placed = subject.all_places or denied.all_places
    return subject, denied if len(denied.words - {""}) == 1 and not is_placed else Phrase()


# ---------------------------------------------------------------------- how they look
def list_looks(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "what shapes are there" about solids."""
    if question.claims or not speaker.scene.is_complete or question.asked_noun == "kind":
        return None
    texts = (speaker.say_kind(solid, question.asked_noun) for solid in speaker.scene.things)
    return Answer(f"I see {join_list(list(dict.fromkeys(texts)))}")


def answer_look(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "what colour is the sofa", "what is it made of", "what shape is the rug"."""
    phrase = merge_subject(question.claims)
    if question.is_superlative or "far" in phrase.places:  # "what colour is the largest cube"
        first = speaker.find_extreme(phrase)
        return _say_aspects(speaker, [first], question.asked_noun) if first else speaker.unsure_of(Phrase(phrase.head))
    if not phrase.head:  # "what colour is it"
        return unsure()
    is_of_column = {"top", "bottom"} <= {*phrase.places}
    things = sorted(speaker.subjects(phrase), key=lambda item: item.y if is_of_column else item.x)
    kind_count = len(speaker.subjects(Phrase(phrase.head, phrase.modifiers)))
    is_one_of = phrase.is_plural and phrase.links and len(things) == 1 < kind_count  # "the balls by the pool"
    if is_one_of or any(_is_doubtful(speaker, entity, phrase, question.asked_noun) for entity in things):
        return speaker.unsure_of(phrase)
    answer = _say_aspects(speaker, things, question.asked_noun) if things else unsure(UNFOUND)
    if len(things) > 1 and _is_unclear(speaker, phrase, things) and not answer.text.startswith("the "):
        return unsure(speaker.list_things(things))
    return answer


def _say_aspects(speaker: SceneDescriber, things: Sequence[SceneThing], asked_noun: str) -> Answer:
    """Return the colours, the material, … of things: "the chairs are red", "two red and one blue"."""
    if asked_noun == "shape" and speaker.scene.is_complete:
        counts = Counter(entity.name for entity in things)
        texts = [say_count(number, name) for name, number in counts.items()]
        return Answer(join_list(texts) if len(things) > 1 else f"it is {add_article(things[0].name)}")
    looks = [(entity, text) for entity in things if (text := speaker.say_aspect(entity, asked_noun))]
    if not looks:
        return unsure(speaker.list_things(things))
    if len({text for _, text in looks}) > 1:
        return Answer(join_list(write_counts(text for _, text in looks)))
    first, look_text = looks[0]
    is_singular = sum(entity.thing_count for entity, _ in looks) == 1 and not is_plural_name(first.name)
    names = dict.fromkeys(pluralise(entity.name) for entity, _ in looks)
    subject = f"{first.name} is" if is_singular else f"{join_list(list(names))} are"
    return Answer(f"the {subject}{' made of' * (asked_noun == 'material')} {look_text}")


def _is_doubtful(speaker: SceneDescriber, entity: SceneThing, phrase: Phrase, asked_noun: str) -> bool:
    """Return whether a thing may not be what a phrase means, or its colour, if asked for, is not surely known."""
    has_colour = LEXICON.categories("aspects").get(asked_noun) in ("colours", "look")
    if is_named_by_pot(entity, phrase.head) or (has_colour and has_unsure_colour(entity)):
        return True
    if speaker.scene.fit(entity, phrase.uncounted).is_sure:
        return False
    matches = speaker.scene.find_matches(Phrase(phrase.head))
    is_beside = any(link.phrase.head not in group("surfaces") for link in phrase.links)
    is_one_of = phrase.is_plural and is_beside and not is_plural_name(entity.name)  # "the boxes behind the lathe"
    is_one = all(item is entity or fit.name < YES for item, fit in matches) and entity.thing_count == 1
    return is_depicted(phrase) or (bool(phrase.links or phrase.modifiers) and (is_one_of or not is_one))


def _is_unclear(speaker: SceneDescriber, phrase: Phrase, things: Sequence[SceneThing]) -> bool:
    """Return whether one of several things is meant, and it is not said which."""
    is_vague = things[0].is_part or speaker.scene.fit(things[0], Phrase(phrase.head)).name < EXACT_CHANCE
    return not phrase.is_plural and (is_vague or not phrase.is_bare)


def merge_subject(claims: Sequence[Claim]) -> Phrase:
    """Return the thing that claims name: "the pot that holds the cactus" of "the pot" and "the pot with the cactus"."""
    phrase = claims[0].subject
    surface_phrase = phrase.find_linked("on")
    if not phrase.head and surface_phrase and surface_phrase.head in group("surfaces"):
        return surface_phrase  # "what pattern is on the floor"
    for claim in claims[1:]:
        phrase = phrase.merge(claim.predicate) if claim.predicate and claim.predicate.links else phrase
    return phrase


# ---------------------------------------------------------------------- where they are
def answer_whole_place(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "where is this", "which room is it", "what kind of room is it"."""
    subject, is_kind = merge_subject(question.claims or (Claim(Phrase()),)), question.kind == "kind"
    is_whole = question.kind == "place" and subject == Phrase(pronoun=True, definite=subject.definite)
    head = subject.head if is_kind else question.asked_noun
    if not (is_whole or head in ("room", "place") or (is_kind and is_room(head))):
        return None
    is_asked = not is_kind or LEXICON.categories("aspects").get(question.asked_noun) == "look"
    return Answer(speaker.say_category()) if is_asked and speaker.say_category() else unsure()


def answer_place(speaker: SceneDescriber, question: Question) -> Answer:
    """Answer "where is the cat", "what is the cat sitting on", "where are the cups"."""
    phrase = question.claims[0].subject
    things = speaker.subjects(phrase) or speaker.subjects(replace(phrase, links=(), places=()))
    is_one_of = phrase.is_plural and len(things) == 1 and not (things[0].is_several or things[0].thing_count > 1)
    if not things:
        return unsure(UNFOUND)
    if len(things) > 1:
        return _say_places(speaker, phrase, things)
    support = speaker.scene.by_id.get(things[0].support)
    # "where are the cups" of one, "what is the cat sitting on"
    if is_one_of or phrase.find_linked("to") or (question.asked_noun == "support" and not support):
        return unsure(speaker.list_things(things))
    side_text = speaker.side(things[0]) or "there, but I cannot say where"
    support_text = f", on the {speaker.say_level(support)}{support.name}" if support else ""
    return Answer(f"the {things[0].name} is {side_text}{support_text}")


def _say_places(speaker: SceneDescriber, phrase: Phrase, things: Sequence[SceneThing]) -> Answer:
    """Return where several things are: on the same, or on which sides."""
    support_ids, sides = {entity.support for entity in things}, list(map(speaker.side, things))
    if phrase.is_plural and len(support_ids) == 1 and (support := speaker.scene.by_id.get(support_ids.pop())):
        return Answer(f"they are on the {support.name}")
    # not "where are the bottles" of two shelves of bottles
    is_clear = all(speaker.scene.fit(item, phrase).is_sure and not item.is_several for item in things)
    is_clear = is_clear and all(sides) and not phrase.find_linked("to")
    return Answer(join_list(write_counts(sides))) if is_clear else unsure(speaker.list_things(things))
