"""Answers what compares things: their numbers, their looks ("the same colour"), and which is the most so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from games.common.language.claims import Answer, Claim, Phrase, Question, Truth
from games.common.language.geometry import SORT_KEYS, find_first, find_nearest
from games.common.language.grammar import is_aspect_name, is_number
from games.common.language.lexicon import LEXICON
from games.common.language.scene_claims import find_main_claims
from games.common.language.scene_truths import list_directions
from games.common.language.scene_wording import MOST_LISTED, SceneDescriber, confirm, find_noun, unsure
from games.common.language.thing_answers import answer_number
from games.common.language.things import SceneThing, base_colour, group
from games.common.language.wording import is_plural_name, join_list, pluralise, say_count, spell_out_number

COMPARISONS = {"same": "same", "equally": "same", "identical": "same", "alike": "same", "different": "different"}
MORE_OR_FEWER = {"more": "more", "fewer": "fewer", "less": "fewer"}
SOLID_ASPECTS = ("colour", "material", "size", "shape")
COMPARED_WORDS = {"equally": "", "stuff": "material", "kind": "shape", "type": "shape", "sort": "shape"}
"""What is compared with words that name no aspect; "" if that is not clear."""


# ---------------------------------------------------------------------- numbers
def compare_numbers(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "are there more red chairs than green ones", "more cubes or spheres"."""
    comparison, phrases = _find_compared_numbers(question.claims)
    if not comparison:
        return None
    answers = [answer_number(speaker, Question("number", (Claim(phrase),))) for phrase in phrases]
    if len(answers) != 2 or any(answer.truth is Truth.UNKNOWN for answer in answers):
        return unsure()
    first, second = (speaker.scene.count_things(phrase)[0] for phrase in phrases)
    groups = [speaker.subjects(phrase) for phrase in phrases]
    if any(phrase.links for phrase in phrases) and not set(groups[0]).isdisjoint(groups[1]):
        return unsure()  # "more apples in the bowl or on the table", on which the bowl is
    nouns = [" ".join((*o.modifiers, find_noun(things, o))) for o, things in zip(phrases, groups, strict=True)]
    text = f"I see {say_count(first, nouns[0])} and {say_count(second, nouns[1])}"
    if question.kind == "number":
        difference = {"more": first - second, "fewer": second - first}.get(comparison, 0)
        return Answer(f"{spell_out_number(difference) if difference > 0 else 'none'}; {text}")
    if question.claims[-1].is_alternative:
        return Answer(text)
    return confirm({"more": first > second, "fewer": first < second, "same": first == second}[comparison], text)


def answer_offered_number(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "are there two or three cones"."""
    phrases = _share_noun([claim.whole for claim in find_main_claims(question.claims)])
    is_number = all(phrase.count.is_stated for phrase in phrases)
    if not is_number or len({(phrase.head, phrase.modifiers) for phrase in phrases}) != 1:
        return None
    return answer_number(speaker, Question("number", (Claim(phrases[0].uncounted),)))


def _find_compared_numbers(claims: Sequence[Claim]) -> tuple[str, list[Phrase]]:
    """Return "more", "fewer" or "same" if claims compare numbers, else "", and the two phrases that are counted."""
    claims = find_main_claims(claims)
    whole, links = claims[0].whole, claims[0].whole.links
    if [link.relation for link in links] == ["as", "as"] and not whole.head:  # "as many balls as cones"
        is_number = links[1].phrase.count.is_stated  # "as many as ten things"
        return "same", [] if is_number else [link.phrase.uncounted for link in links]
    comparison = next((MORE_OR_FEWER[word] for word in whole.modifiers if word in MORE_OR_FEWER), "")
    others = [claim.whole for claim in claims[1:] if claim.is_alternative]
    others = others or [link.phrase for link in links if link.relation == "than"]
    return comparison, _share_noun([_drop_comparison(phrase) for phrase in (whole, *others)])


def _share_noun(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return "red chairs" and "blue chairs" for "red" and "blue chairs", "three red chairs" for "three" after "two …".

    All are on the table if the first are.

    Return no phrase where no noun is named.
    """
    head = next((phrase.head for phrase in phrases if phrase.head), "")
    phrases = [replace(phrases[0], count=phrase.count) if is_number(phrase) else phrase for phrase in phrases]
    links = phrases[0].links
    return [replace(phrase, head=phrase.head or head, links=phrase.links or links) for phrase in phrases if head]


def _drop_comparison(phrase: Phrase) -> Phrase:
    """Return "red chairs on the left" for "more red chairs on the left than …"."""
    modifiers = tuple(word for word in phrase.modifiers if word not in MORE_OR_FEWER)
    return Phrase(phrase.head, modifiers, links=tuple(link for link in phrase.links if link.relation != "than"))


# ---------------------------------------------------------------------- looks
def compare_looks(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "are all the chairs the same colour", "do the chairs and the curtains have different colours"."""
    claims, comparison = question.claims, next(filter(None, map(_find_comparison, question.claims)), "")
    if not comparison:
        return None
    links = tuple(link for link in claims[0].subject.links if not _find_comparison(Claim(link.phrase)))
    modifiers = tuple(word for word in claims[0].subject.modifiers if word not in COMPARISONS)
    subject, aspect = replace(claims[0].subject, modifiers=modifiers, links=links), _find_compared_aspect(claims)
    phrases = [subject, *_list_compared(claims)]
    is_indefinite = _is_of_any(subject, phrases[1:])
    if aspect == "whole":
        return unsure() if is_indefinite else _compare_wholes(speaker, phrases, comparison)
    if aspect != "colour" and not (speaker.scene.is_complete and aspect in SOLID_ASPECTS):
        return speaker.unsure_of(subject)
    if speaker.scene.is_complete and comparison == "same" and is_indefinite and subject.count.low == 2:
        return _find_shared_look(speaker, phrases, aspect)
    looks = [] if is_indefinite else _list_looks(speaker, phrases, aspect)
    is_true = (len(looks) == 1) == (comparison == "same")
    return confirm(is_true, f"they are {join_list(looks)}") if looks else speaker.unsure_of(subject)


def _is_of_any(subject: Phrase, others: Sequence[Phrase]) -> bool:
    """Return whether any are meant: "has anything the colour of the cone", "two of the same size", "as a chair"."""
    is_open = not subject.definite and (bool(others) or subject.count.is_stated or subject.pronoun)
    return is_open or any(phrase.is_plural and not phrase.definite for phrase in others)


def _compare_wholes(speaker: SceneDescriber, phrases: Sequence[Phrase], comparison: str) -> Answer:
    """Answer "are the two cones the same": things of a room are not if their colours differ, else if all is equal."""
    looks, things = _list_looks(speaker, phrases, "colour"), [o for each in phrases for o in speaker.subjects(each)]
    is_equal = len({(entity.name, entity.words, entity.details) for entity in things}) == 1
    is_known = speaker.scene.is_complete or is_equal or len(looks) > 1
    if not looks or not is_known or len(things) > MOST_LISTED:
        return speaker.unsure_of(phrases[0])
    return confirm(is_equal == (comparison == "same"), f"they are {speaker.group(things)}")


def _list_looks(speaker: SceneDescriber, phrases: Sequence[Phrase], aspect: str) -> list[str]:
    """Return how the things that phrases mean look, nothing where these or more than shades are not surely known."""
    things_of = {phrase: speaker.subjects(phrase) for phrase in phrases}
    things = [entity for named_things in things_of.values() for entity in named_things]
    linked = [(entity, phrase.uncounted) for phrase in phrases if phrase.links for entity in things_of[phrase]]
    is_sure = all(speaker.scene.fit(entity, phrase).is_sure for entity, phrase in linked)
    looks = list(dict.fromkeys(filter(None, (speaker.say_kind(entity, aspect) for entity in things))))
    single = [phrase for phrase in phrases if phrase.definite and not phrase.is_plural]
    is_one_of = any(len(things_of[o]) > 1 and pluralise(o.head) != o.head for o in single)  # not "fish"
    is_vague = is_one_of or any(map(speaker.may_mean_others, phrases)) or _are_shades(things, looks)
    return looks if is_sure and not is_vague and all(things_of.values()) and len(things) > 1 else []


def _are_shades(things: Sequence[SceneThing], looks: Sequence[str]) -> bool:
    """Return whether things have several shades of the same colours, or colours that are not named."""
    is_same = len({tuple(map(base_colour, entity.colours)) for entity in things}) == 1
    return "colourful" in looks or (len(looks) > 1 and is_same and len({entity.colours for entity in things}) > 1)


def _find_shared_look(speaker: SceneDescriber, phrases: Sequence[Phrase], aspect: str) -> Answer:
    """Answer "are there two cubes of the same size" about solids."""
    solids = speaker.subjects(phrases[0].uncounted)
    if len(phrases) > 1 or phrases[0].links or phrases[0].places or len(solids) < 2:
        return speaker.unsure_of(phrases[0])
    looks = [speaker.say_kind(solid, aspect) for solid in solids]
    counts = Counter(looks if aspect == "shape" else [f"{look} ones" for look in looks])
    shared_values = [look for look, count in counts.items() if count > 1]
    return confirm(bool(shared_values), join_list(shared_values) or "all of them differ")


def _find_comparison(claim: Claim) -> str:
    """Return "same" or "different" if that is what a claim says of things: "the chairs have the same colour"."""
    phrases = (claim.whole, claim.predicate or Phrase(), *(link.phrase for link in claim.whole.links))
    words = {word for phrase in phrases for word in (phrase.head, *phrase.modifiers)}
    if claim.predicate and claim.predicate.modifiers and claim.predicate.find_linked("as"):
        return "same"  # "is the red cube as big as the orange one"
    return next((kind for word, kind in COMPARISONS.items() if word in words and claim.subject.head), "")


def _find_compared_aspect(claims: Sequence[Claim]) -> str:
    """Return by what things are compared: "whole" where nothing is named."""
    compared = [claim.predicate for claim in claims if claim.predicate]
    compared += [link.phrase for claim in claims for link in claim.subject.links]
    words = {word for phrase in compared for word in phrase.words}.union(*(claim.text.split() for claim in claims[1:]))
    likened_words = {word for phrase in _list_compared(claims) for word in phrase.words}
    nested = [phrase for whole in compared for phrase in (whole, *(link.phrase for link in whole.links))]
    heads = {phrase.head for phrase in nested if "same" in phrase.modifiers} - {"", *COMPARED_WORDS}
    if not all(map(is_aspect_name, heads)):  # "on the same wall"
        return ""
    aspects = set(map(_find_aspect, words - likened_words)) - {"whole"}
    aspects = aspects - {""} or aspects  # "equally big"
    return aspects.pop() if len(aspects) == 1 else "" if aspects else "whole"


def _find_aspect(word: str) -> str:
    """Return the aspect that a word of a comparison names: "whole" of words that name none, "" of "tall"."""
    size = LEXICON.categories("sizes").get(word)
    default = "colours" if base_colour(word) else "whole"
    aspect = "" if size else LEXICON.categories("aspects").get(word, default).removesuffix("s")
    return "size" if size in ("large", "small") else COMPARED_WORDS.get(word, aspect)


def _list_compared(claims: Sequence[Claim]) -> list[Phrase]:
    """Return what the subject of claims is compared with: the ring of "is the cube the same colour as the ring"."""
    predicates = [claim.predicate for claim in claims if claim.predicate]
    nested = [phrase for predicate in predicates for phrase in (predicate, *(link.phrase for link in predicate.links))]
    likened = [phrase.find_linked("as") for phrase in nested]
    return [*(phrase for phrase in predicates if phrase.head not in ("", "same")), *filter(None, likened)]


# ---------------------------------------------------------------------- the most
def name_extreme(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "which cube is the largest", "which balloon is on the left", "do you see the biggest toy"."""
    phrase = _make_superlative(question)
    is_far, is_polar = "far" in phrase.places, question.kind == "polar"
    is_choice = bool(question.asked_noun and list_directions(phrase)) and not question.is_plural
    is_asked = question.is_superlative or is_choice or (is_far and not is_polar)
    if not is_asked or (is_polar and len(question.claims) > 1):
        return None
    # not "furthest left on the floor"
    is_of_surface = any(link.phrase.head in group("surfaces") for link in phrase.links)
    is_open = "corner" in phrase.places or is_of_surface or (is_far and phrase.links)
    extreme_thing = None if is_open else speaker.find_extreme(phrase)
    if extreme_thing and is_plural_name(extreme_thing.name):  # "the leftmost book" of books
        return unsure()
    phrase = Phrase(phrase.head)
    return Answer(f"it is {speaker.identify(extreme_thing)}") if extreme_thing else speaker.unsure_of(phrase)


def answer_whether_extreme(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "is the orange cube the biggest object"."""
    subject, predicate = question.claims[-1].subject, question.claims[-1].predicate
    if not (question.is_superlative and predicate and predicate.definite and list_directions(predicate)):
        return None
    things, extreme_thing = speaker.subjects(subject), speaker.find_extreme(predicate)
    if len(things) != 1 or extreme_thing is None:
        return speaker.unsure_of(subject)
    return confirm(things[0] is extreme_thing, f"it is {speaker.identify(extreme_thing)}")


def name_nearest(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "what is nearest to the ring", "which is closer to the ring, the cube or the cone" of solids."""
    links = [link for claim in question.claims for link in claim.whole.links if link.relation == "nearest"]
    if not links:
        return None
    subjects = [replace(claim.subject, links=(), pronoun=False) for claim in question.claims]
    targets = speaker.subjects(links[0].phrase)
    groups = [speaker.subjects(replace(phrase, head=phrase.head or question.asked_noun)) for phrase in subjects]
    is_clear = len(targets) == 1 and (len(groups) == 1 or all(len(things) == 1 for things in groups))
    options = [solid for things in groups for solid in things if solid not in targets]
    nearest = find_nearest(options, targets[0]) if options and is_clear and speaker.scene.is_complete else None
    return Answer(f"it is {speaker.identify(nearest)}") if nearest else unsure()


def choose_extreme(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "which is further left, the mat or the ball"; of sizes only those of solids."""
    if not (question.is_superlative and question.claims and question.claims[-1].is_alternative):
        return None
    directions = list_directions(_make_superlative(question))
    phrases = [_drop_directions(claim.whole) for claim in question.claims if claim.subject.head]
    groups = [speaker.subjects(phrase) for phrase in phrases]
    things = [things[0] for things in groups if len(things) == 1 and things[0].box]
    is_clear = len(directions) == 1 and len(things) == len(groups) > 1
    is_alike = speaker.scene.is_complete or directions[:1] in (["left"], ["right"])
    first = find_first(things, directions[0]) if is_clear and is_alike else None
    is_named = len({entity.name for entity in things}) > 1
    return Answer(f"it is the {first.name if is_named else speaker.describe_thing(first)}") if first else unsure()


def _make_superlative(question: Question) -> Phrase:
    """Return "the smallest cube" for "which cube is the smallest"."""
    phrase = Phrase(question.asked_noun)
    for claim in question.claims:
        phrase = phrase.merge(claim.whole)
    return replace(phrase, modifiers=tuple(dict.fromkeys(phrase.modifiers)))


def _drop_directions(phrase: Phrase) -> Phrase:
    """Return a phrase without its places and the words by which things can be sorted."""
    return replace(phrase, modifiers=tuple(word for word in phrase.modifiers if word not in SORT_KEYS), places=())
