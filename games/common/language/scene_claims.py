"""Weighs what is said of a picture: how much it counts for "same" or "different".

The weight of a claim comes from the chance that somebody who sees the picture would make it. `scene_truths` judges what
is surely so, to answer questions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from games.common.language.claims import MANY, Claim, Link, Phrase, Truth, Verdict
from games.common.language.grammar import find_attribute_table, words_of
from games.common.language.lexicon import LEXICON
from games.common.language.scenes import (
    BASE_CHANCE,
    DOUBTFUL_CHANCE,
    EXACT_RELATIONS,
    HIDDEN_COMPLETE,
    HIDDEN_UNKNOWN,
    PLACE_RELATIONS,
    Scene,
    combine_chances,
    is_content,
)
from games.common.language.things import (
    EXCLUDED,
    YES,
    SceneThing,
    find_colours,
    group,
    is_alive,
    is_named,
    is_named_by_pot,
    is_room,
)

SAME_PLACE_DISTANCE = 0.05
"""Things that are no further apart may be named in any order."""
INNER_RELATIONS = ("with", "in", "of", "at", "full of")
FITTING, STRONGEST = 0.15, -2.5
"""The weight of a claim that fits, and of one that cannot be meant."""
ROOM, COUNTED, WEAK, VAGUE = -1.45, -1.15, -0.9, -0.7
"""The most that claims count against "same" which people may mean otherwise: rooms; more things in a room than are
named, where some may not be; places and relations; names."""


class SceneEvaluator:
    """Judges claims about one picture."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def rate_claim(self, claim: Claim) -> float:
        """Return the chance that somebody who sees this picture makes a claim."""
        if claim.predicate is None or is_about_picture(claim):
            chance = self._rate_existence(claim.predicate or claim.subject)
        else:
            chance = self._rate_predicate(claim.subject, claim.predicate)
        return 1.0 - 0.95 * chance if claim.is_negated else chance

    def _rate_existence(self, phrase: Phrase) -> float:
        if not phrase.head and phrase.is_bare:
            return BASE_CHANCE
        if is_frame(phrase):
            return max(0.4, math.prod(self._rate_existence(link.phrase) for link in phrase.links))
        if phrase.head in self.scene.shown_words:
            return BASE_CHANCE  # a desert on a screen
        category_chance = self.scene.rate_category(phrase)
        matches = self.scene.find_matches(Phrase(phrase.head))
        if category_chance is None:
            return self._rate_things(phrase, bool(matches))
        if matches and (phrase.modifiers or phrase.places or (category_chance < BASE_CHANCE and not phrase.is_bare)):
            return max(self._rate_place_like(phrase), category_chance if category_chance < BASE_CHANCE else 0.0)
        chance = max(category_chance, 0.7 * matches[0][1].chance if matches else 0.0)
        chance = 1.0 - 0.95 * chance if phrase.is_negated else chance
        return chance * self._rate_surroundings(phrase)

    def _rate_things(self, phrase: Phrase, is_found: bool) -> float:
        """Return the chance of things; of a "reading corner with a lamp", which has no name, that of what it has."""
        is_alone = phrase.is_negated or is_found or is_content(phrase)
        return self.scene.rate_phrase(phrase) * (1.0 if is_alone else self._rate_surroundings(phrase))

    def _rate_place_like(self, phrase: Phrase) -> float:
        """Return the chance of a thing that is a place, too: "an outdoor pool with palm trees"."""
        outer_links = tuple(link for link in phrase.links if link.relation not in INNER_RELATIONS)
        place_chance = self.scene.rate_phrase(replace(phrase, links=outer_links))
        return max(self.scene.rate_phrase(phrase), place_chance * self._rate_surroundings(phrase))

    def _rate_surroundings(self, phrase: Phrase) -> float:
        """Return the chance of all that a phrase says something is in or has: "in a garden", "with a stove"."""
        links = [link for link in phrase.links if link.relation in INNER_RELATIONS]
        if phrase.modifiers[-1:] and phrase.modifiers[-1] in group("surfaces"):  # "brick wall bedroom"
            links.append(Link("with", Phrase(phrase.modifiers[-1], phrase.modifiers[:-1])))
        links = [link for link in links if link.phrase.head or link.phrase.modifiers]
        least_chances = [0.6 * (link.relation in ("in", "at", "of")) for link in links]
        chances = [self.scene.rate_phrase(link.phrase) for link in links]
        return combine_chances(list(map(max, chances, least_chances)))

    def _rate_predicate(self, subject: Phrase, predicate: Phrase) -> float:
        """Return the chance that a subject is as a predicate says."""
        matches = self.scene.find_matches(subject)
        likely_matches = [(entity, fit) for entity, fit in matches if fit.chance >= matches[0][1].chance / 3]
        chances = [self.rate_predicate(entity, subject, predicate) * fit.chance for entity, fit in likely_matches]
        hidden_chance = HIDDEN_COMPLETE if chances or self.scene.is_exhaustive(subject) else HIDDEN_UNKNOWN
        return max(*chances, hidden_chance, 0.0)

    def rate_predicate(self, entity: SceneThing, subject: Phrase, predicate: Phrase) -> float:
        """Return the chance that somebody says of a thing what a predicate says."""
        predicate = replace(predicate.uncounted, definite=subject.definite, is_plural=subject.is_plural)
        if not predicate.head:
            is_unseen = predicate.modifiers and is_named_by_pot(entity, subject.head)
            return BASE_CHANCE if is_unseen else combine_chances(self.scene.rate_aspects(entity, predicate))
        fit = self.scene.fit(entity, predicate)
        is_thing = is_named(predicate.head) and not find_attribute_table(predicate.head)  # not "are the tiles square"
        return fit.chance if fit.name else 0.4 if not is_thing else EXCLUDED if self.scene.is_complete else 0.1

    def judge(self, claim: Claim) -> Verdict:
        """Return whether a claim is so, and its weight as evidence."""
        chance = self.rate_claim(claim)
        if chance >= YES:
            return Verdict(Truth.YES, FITTING, claim.text)
        if chance > DOUBTFUL_CHANCE:
            return Verdict(Truth.UNKNOWN, 0.0, claim.text)
        return Verdict(Truth.NO, max(self._find_limit(claim), 1.2 * math.log(chance / DOUBTFUL_CHANCE)), claim.text)

    def _find_limit(self, claim: Claim) -> float:
        """Return the most that a claim which does not fit counts, by what of it does not fit.

        In natural descriptions of the very picture, places, relations, names of rooms and things that are only named
        otherwise are what seems not to fit; colours, numbers and things of which all are named hardly ever.
        """
        phrase, scene = claim.subject, self.scene
        if claim.predicate:
            return self._limit_predicate(claim, claim.predicate)
        if phrase.is_negated:
            return STRONGEST if scene.is_exhaustive(phrase) else WEAK
        is_amount = phrase.count.low > 2 and phrase.count.high == MANY
        if not phrase.head and (is_amount or not find_colours(phrase.modifiers)):
            return VAGUE  # "most of it", "lots of green"
        if phrase.links and self._rate_existence(replace(phrase, links=())) > DOUBTFUL_CHANCE:
            is_there = bool(scene.find_matches(Phrase(phrase.head)))  # of "a sunset above the sea" it is not known
            return self._limit_links([o for o in phrase.links if is_there or o.relation in INNER_RELATIONS])
        if self.scene.rate_category(phrase) is not None:
            return WEAK if phrase.modifiers else ROOM
        if phrase.modifiers and self._rate_existence(replace(phrase, modifiers=())) > DOUBTFUL_CHANCE:
            return self._limit_look(phrase)
        is_relative = scene.kind == "room" and len(phrase.places) > 1  # "at the front … on the right": of the front
        if is_relative and self._rate_existence(replace(phrase, places=())) > DOUBTFUL_CHANCE:
            return WEAK
        return self._limit_absence(phrase)

    def _limit_predicate(self, claim: Claim, predicate: Phrase) -> float:
        """Return the most that counts that a thing is not as is said of it, or not there at all."""
        subject = claim.subject.uncounted
        if not claim.subject.is_negated and self._rate_existence(subject) <= DOUBTFUL_CHANCE:
            return self._find_limit(Claim(subject))
        plain_claim = replace(claim, predicate=replace(predicate, links=()))
        if predicate.links and self.rate_claim(plain_claim) <= DOUBTFUL_CHANCE:  # "red with a black lid": not red
            return self._find_limit(plain_claim)
        is_placed = predicate.places or has_relation(predicate.links, EXACT_RELATIONS | {"on", "in"})
        is_specific = predicate.modifiers or is_placed
        is_loose = predicate.links and not is_specific
        return WEAK if predicate.head or predicate.find_linked("with") or is_loose else STRONGEST

    def _limit_look(self, phrase: Phrase) -> float:
        """Return the most that counts that things do not look so; the colours of surfaces are read from pixels."""
        if phrase.head in group("surfaces") or phrase.head == "water":
            return WEAK
        return STRONGEST if find_colours(phrase.modifiers) or self.scene.is_complete else VAGUE

    def _limit_links(self, links: Sequence[Link]) -> float:
        """Return the most that counts that a thing is not related to others as said, or that these are not there."""
        is_exact = has_relation(links, EXACT_RELATIONS)
        targets = [link.phrase for link in links if link.phrase.head not in words_of("side_nouns")]
        return min(STRONGEST if is_exact else WEAK, 0.0, *(self.judge(Claim(target)).weight for target in targets))

    def _limit_absence(self, phrase: Phrase) -> float:
        """Return the most that counts that things are not here, or not in a number."""
        if phrase.count.is_stated or self.scene.find_matches(Phrase(phrase.head)):
            is_more = phrase.count.low > max(1, self.scene.count_things(phrase.uncounted)[1])  # some may not be named
            is_open = is_more and self.scene.kind == "room" and not self.scene.is_exhaustive(phrase)
            return COUNTED if is_open else STRONGEST
        is_doubtful = phrase.is_plural and not is_alive(phrase.head)
        is_doubtful = is_doubtful or (self.scene.is_complete and phrase.head in group("heaps"))
        return VAGUE if not self.scene.is_exhaustive(phrase) else WEAK if is_doubtful else STRONGEST


def fits_order(scene: Scene, text: str, claims: Sequence[Claim]) -> bool:
    """Return whether the things that a text names "from left to right" stand so; True if it does not say so."""
    _, is_ordered, ordered_text = text.lower().partition("left to right")
    if not is_ordered:
        return True
    least_x, free_things = 0.0, list(scene.things)
    for claim in [claim for claim in claims if claim.text.lower() in ordered_text] or claims:
        matching_things = [entity for entity in free_things if entity.box and scene.fit(entity, claim.subject).is_sure]
        if not matching_things:
            continue
        entity = min(matching_things, key=lambda option: (option.x < least_x - SAME_PLACE_DISTANCE, option.x))
        if entity.x < least_x - SAME_PLACE_DISTANCE:
            return False
        least_x = max(least_x, entity.x)
        free_things.remove(entity)
    return True


def has_relation(links: Iterable[Link], relations: Iterable[str]) -> bool:
    """Return whether something is said to be related to another thing in one of some ways."""
    return any(link.relation in relations for link in links)


def is_frame(phrase: Phrase) -> bool:
    """Return whether a phrase only says that the picture has something: "the one with …", "a picture of …"."""
    is_anything = phrase.pronoun and not phrase.definite
    if is_anything and phrase.links and phrase.links[0].relation in PLACE_RELATIONS:
        return False
    names_picture = phrase.head in ("", *words_of("frame_nouns")) and not phrase.modifiers and not phrase.places
    return bool(phrase.links) and names_picture and all(link.relation in INNER_RELATIONS for link in phrase.links)


def find_settings(claim: Claim) -> set[str]:
    """Return "indoor", "night", … if a claim says so of the whole: "it is outdoors", "it is an indoor pool"."""
    subject, predicate = claim.subject, claim.predicate or Phrase()
    is_whole = (subject.pronoun and subject.is_bare) or subject.head == "room" or is_room(subject.head)
    setting_words = LEXICON.categories("settings")
    is_place = predicate.head in ("", "place", *setting_words, *words_of("frame_nouns")) or is_room(predicate.head)
    words = (predicate.head, *predicate.modifiers) if is_whole and is_place else ()
    return {setting_words[word] for word in words if word in setting_words}


def is_about_picture(claim: Claim) -> bool:
    """Return whether a claim says what the picture is: "it is a kitchen", "my picture shows a kitchen"."""
    subject, predicate = claim.subject, claim.predicate or Phrase()
    is_picture = (subject.pronoun and subject == Phrase(pronoun=True, definite=subject.definite)) or (
        subject.head in ("room", "place", *words_of("frame_nouns"))
    )
    return is_picture and (bool(predicate.head) or is_frame(predicate))


def find_main_claims(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims without those that only name what another one is about: "the lamp" in "is the lamp lit"."""
    subjects = [claim.subject for claim in claims if claim.predicate]
    heads = {subject.head for subject in subjects}
    is_named = any(subject.pronoun for subject in subjects)
    main_claims = [claim for claim in claims if claim.predicate or not (is_named or claim.subject.head in heads)]
    return list(map(_name_content, main_claims))


def _name_content(claim: Claim) -> Claim:
    """Return that there is a window for "it has a window"."""
    links = claim.predicate.links if claim.predicate and is_frame(claim.predicate) else ()
    is_of_picture = is_about_picture(claim) and [link.relation for link in links] == ["with"] and not claim.is_negated
    return replace(claim, subject=links[0].phrase, predicate=None) if is_of_picture else claim
