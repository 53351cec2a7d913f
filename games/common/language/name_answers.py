"""Answers questions that things which they do not name answer: "what is on the table", "who is on the bench"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise

from games.common.language.claims import Answer, Claim, Phrase, Question, Truth
from games.common.language.geometry import LEAST_PLACE_LEAD, NEAR_RELATIONS, SORT_KEYS, are_close
from games.common.language.grammar import words_of
from games.common.language.scene_truths import OPEN_POSTURES
from games.common.language.scene_wording import MOST_LISTED, SIDE_PHRASES, UNFOUND, SceneDescriber, follows_name, unsure
from games.common.language.scenes import PLACE_RELATIONS
from games.common.language.thing_answers import answer_place, merge_subject
from games.common.language.things import EXACT_CHANCE, SceneThing, find_generic_kind, group, is_alive, is_named
from games.common.language.wording import add_article, join_list

SUPPORTS = ("shelf", "table", "desk", "bench", "stool", "chair", "step", "rack", "hook")


def name_support(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "on which shelf is the globe", "on which side is the door"; walls are not known."""
    phrase = _find_asked(question)
    target_phrase = phrase.find_linked("on") or phrase
    if question.asked_noun == "wall":  # "which wall is the map on"
        return speaker.unsure_of(target_phrase)
    if question.asked_noun not in (*SUPPORTS, *words_of("side_nouns")) or not target_phrase.head:
        return None
    is_relative = target_phrase.find_linked("of")  # "on which side of the bed"
    return unsure() if is_relative else answer_place(speaker, Question("place", (Claim(target_phrase),)))


def name_in_order(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "in what order are the balloons": from left to right, where no two are at one place."""
    phrase = _find_asked(question)
    if "order" not in (phrase.head, question.asked_noun) or not phrase.links:
        return None
    target = phrase.links[0].phrase
    things = sorted(speaker.subjects(target), key=lambda item: item.x)
    is_sure = all(item.box and speaker.scene.fit(item, target).is_sure for item in things)
    steps = [right.x - left.x for left, right in pairwise(things)]
    if not is_sure or not speaker.is_counted(target, things, "") or min(steps, default=0.0) < LEAST_PLACE_LEAD:
        return unsure(speaker.list_things(things) if things else "")
    return Answer(f"from left to right: {join_list([add_article(speaker.describe_thing(item)) for item in things])}")


def name_living(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "who is on the bench": people and animals; nobody where all are named."""
    if question.asked_noun != "person":
        return None
    phrase = replace(_find_asked(question).uncounted, head="", pronoun=False)
    matches = [(item, fit) for item, fit in speaker.scene.find_matches(phrase) if is_alive(item.name)]
    if living := [item for item, fit in matches if fit.is_sure]:
        return Answer(f"I see {speaker.group(living[:MOST_LISTED])}")
    may_be_there = any(fit.is_possible for _, fit in matches)
    is_known = speaker.scene.is_exhaustive(replace(phrase, head="person")) and not may_be_there
    return Answer("nobody", Truth.NO) if is_known else unsure()


def name_related(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "what is on the table", "what do you see on the left", "which chair is red", "what is round"."""
    phrase, asked_noun = _find_asked(question), question.asked_noun
    if not (phrase.links or phrase.places or asked_noun or (phrase.modifiers and not phrase.head)):
        return None
    is_verb = phrase.head.endswith("ing") and not is_named(phrase.head)  # "what is hiding behind the cone"
    is_generic = is_verb or find_generic_kind(phrase.head) == "thing"
    is_singular = bool(asked_noun or phrase.pronoun or (phrase.head and phrase.definite)) and not question.is_plural
    asked_phrase = replace(phrase.uncounted, head=asked_noun or ("" if is_generic else phrase.head), pronoun=False)
    return name_all(speaker, asked_phrase, question.action, is_singular=is_singular)


def name_solid(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "what shape is left of the cube"."""
    phrase = merge_subject(question.claims)
    is_known = speaker.scene.is_complete and not (phrase.head or phrase.is_bare or question.is_superlative)
    return name_all(speaker, phrase) if is_known else None


def describe_things(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "what is the red thing", "describe the chairs": with what is on them; not "what separates the beds"."""
    phrase = _find_asked(question)
    if not phrase.head or question.action in OPEN_POSTURES:
        return unsure() if phrase.head or question.action else None
    things = speaker.subjects(phrase)
    if len({entity.name for entity in things}) > 1:
        things_text = speaker.list_things(things) if len(things) <= MOST_LISTED else ""
        return Answer(things_text) if phrase.is_plural and things_text else unsure(things_text)
    things_on_them = [other for other in speaker.scene.things if other.support in {entity.id for entity in things}]
    added_text = f", with {speaker.group(things_on_them[:5])} on it" if things_on_them else ""
    return Answer(f"{speaker.list_things(things)}{added_text}") if things else unsure(UNFOUND)


def name_largest(speaker: SceneDescriber, question: Question) -> Answer:
    """Answer "what can you see"."""
    return Answer(f"I see {speaker.group(speaker.sort_by_size()[:4])}")


def _find_asked(question: Question) -> Phrase:
    """Return what a question says of the things that it asks for."""
    phrases = [claim.whole for claim in question.claims] or [Phrase()]
    if question.asked_noun and not any(phrase.head or phrase.pronoun for phrase in phrases):
        return reduce(Phrase.merge, phrases)  # "which one is shiny and orange"
    return phrases[-1] if phrases[0].pronoun and phrases[0].is_bare else phrases[0]  # "which one has flowers"


def name_all(speaker: SceneDescriber, phrase: Phrase, posture: str = "", *, is_singular: bool = False) -> Answer:
    """Name the things that a phrase means, without what cannot stand or hang as the question says.

    `is_singular`: whether only one is asked for ("which plant has flowers"); then it is not said which of several.
    """
    if not speaker.scene.is_complete and "corner" in phrase.places:
        return unsure()
    phrase = _place_target(speaker, phrase)
    things = _list_nameable(speaker, phrase, posture)
    if not things and (contents := _list_contents(speaker, phrase)):
        return Answer(f"I see {join_list(contents)}")
    if not things:
        return unsure(speaker.say_unknown(phrase))
    # "what flowers" of a plant, "what fruit is in the fruit bowl"
    is_loose = all(speaker.scene.fit(item, phrase).name < EXACT_CHANCE for item in things)
    is_loose = is_loose or all(_is_target(speaker, item, phrase) for item in things)
    most_meant = len({item.name for item in things}) if phrase.head else 1
    if is_loose or (is_singular and len(things) > most_meant):
        return unsure(speaker.list_things(things))
    others = [item for item, fit in speaker.scene.find_matches(phrase) if fit.is_possible and item not in things]
    return Answer(f"I see {_list_some(speaker, things, others)}")


def _place_target(speaker: SceneDescriber, phrase: Phrase) -> Phrase:
    """Return "in the crate on the left" with the place of the crate, where there are several and one may be there."""
    link = phrase.links[0] if len(phrase.links) == 1 else None
    if not link or not phrase.places or link.relation not in PLACE_RELATIONS:
        return phrase
    target = link.phrase.merge(Phrase(places=phrase.places))
    is_one_of = len(speaker.subjects(link.phrase)) > 1 and speaker.subjects(target)
    return replace(phrase, places=(), links=(replace(link, phrase=target),)) if is_one_of else phrase


def _list_some(speaker: SceneDescriber, things: Sequence[SceneThing], others: Sequence[SceneThing]) -> str:
    """List the first things, with "at least" if others of a name that is counted may be meant, too."""
    thing_texts, counts = speaker.count_equal(things), Counter(item.name for item in things)
    least_text = "at least " if any(counts[item.name] > 1 for item in others) else ""
    others_text = ", among other things" if len(thing_texts) > MOST_LISTED else ""
    return f"{least_text}{join_list(thing_texts[:MOST_LISTED])}{others_text}"


def _is_central(speaker: SceneDescriber, entity: SceneThing) -> bool:
    """Return whether a thing is in the middle of the picture, and of a room not on its back wall."""
    is_far = entity.name in ("window", "door") or speaker.scene.geometry.is_raised(entity) or entity.edges[3] < 0.5
    return speaker.side(entity) == SIDE_PHRASES[1] and not (speaker.scene.kind == "room" and is_far)


def _list_contents(speaker: SceneDescriber, phrase: Phrase) -> list[str]:
    """Return what the description says the one thing holds in which, or on which, a phrase is: "apples"."""
    relations = ("in", "on", "on top of")
    targets = [link.phrase for link in phrase.links if link.relation in relations and link.phrase.head]
    containers = speaker.subjects(targets[0]) if len(targets) == len(phrase.links) == 1 and not phrase.head else []
    if len(containers) != 1 or not speaker.scene.fit(containers[0], targets[0]).is_sure:
        return []
    words = [*containers[0].words, *(text for text in containers[0].details if text.startswith("full of "))]
    return [word.removeprefix(start) for word in words for start in ("full of ", "with ") if word.startswith(start)]


def _list_nameable(speaker: SceneDescriber, phrase: Phrase, posture: str) -> list[SceneThing]:
    """Return the things that are surely as a phrase says and may stand or hang so, without parts and far ones."""
    target_ids, is_of_middle = _list_target_ids(speaker, phrase), phrase.places == ("middle",) and not phrase.head
    matches = [item for item, fit in speaker.scene.find_matches(phrase) if fit.is_sure and item.id not in target_ids]
    things = [item for item in matches if not item.is_part and (item.box or phrase.head)]
    things = [item for item in things if _is_close(speaker, item, phrase) and speaker.may_be(item, posture)]
    things = [item for item in things if _is_central(speaker, item)] if is_of_middle else things
    things = _list_outer(speaker, things, phrase.places)
    is_over = posture == "hang" and phrase.find_linked("above")  # not the pictures behind what the lamp hangs over
    return [item for item in things if is_over and item.name in group("overhead")] or things


def _list_outer(speaker: SceneDescriber, things: list[SceneThing], places: Sequence[str]) -> list[SceneThing]:
    """Return things, of solids at the back or front those that are furthest there."""
    if not speaker.scene.is_complete or places not in (("back",), ("front",)):
        return things
    keys = [SORT_KEYS[places[0]](solid) for solid in speaker.scene.things]
    return [item for item in things if SORT_KEYS[places[0]](item) <= 0.75 * min(keys) + 0.25 * max(keys)]


def _is_target(speaker: SceneDescriber, entity: SceneThing, phrase: Phrase) -> bool:
    """Return whether a thing is what a phrase says something is in or on."""
    return any(entity in speaker.subjects(link.phrase) for link in phrase.links if link.relation in ("in", "on"))


def _list_target_ids(speaker: SceneDescriber, phrase: Phrase) -> set[str]:
    """Return the ids of the things that others are related to; what is in a fruit bowl may be the bowl."""
    targets = [link.phrase for link in phrase.links if link.relation != "with"]
    return {item.id for target in targets for item in speaker.subjects(target) if not _holds_named(item)}


def _holds_named(entity: SceneThing) -> bool:
    """Return whether a thing's own words say what it holds: "fruit bowl", "vase with red flowers"."""
    return entity.name.rpartition(" ")[2] in group("holders") or any(map(follows_name, entity.words))


def _is_close(speaker: SceneDescriber, entity: SceneThing, phrase: Phrase) -> bool:
    """Return whether a thing is close to what a phrase says it is behind; solids may be far left of others."""
    relations = ("behind", "in front of") if speaker.scene.is_complete else NEAR_RELATIONS
    links = [link for link in phrase.links if link.relation in relations or link.phrase.head == "wall"]
    supports = set(speaker.scene.geometry.list_supports(entity))
    target_groups = [(link.relation, speaker.subjects(link.phrase)) for link in links]
    return all(
        any(are_close(entity, relation, target) for target in targets) and supports.isdisjoint(targets)
        for relation, targets in target_groups
        if targets
    )
