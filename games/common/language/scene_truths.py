"""Finds what is surely so in a picture: which things a phrase means, whether a claim is so, and which thing is most so.

Where the description cannot tell, the truth is unknown: nothing is denied that may only be missing from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.common.language.claims import Claim, Phrase, Truth
from games.common.language.geometry import SORT_KEYS, find_first
from games.common.language.lexicon import LEXICON
from games.common.language.scene_claims import SceneEvaluator, find_settings, is_about_picture
from games.common.language.scenes import drop_loose_fits, judge_count
from games.common.language.things import (
    CLOSE_CHANCE,
    COMPOUND_CHANCE,
    EXACT_NAME,
    NO,
    OTHER_NAME,
    YES,
    SceneThing,
    group,
    is_named,
    rate_name,
    table,
)

MAJORITY_SHARE = 0.75
"""Up to which share of several things "are they red?" is denied: of more, most people say yes."""
OPEN_POSTURES = ("float", "lean", "grow", "stack", "attach", "separate", "divide", "join", "connect")
"""Postures that descriptions do not tell."""
LARGEST_LYING = 0.01
"""The largest share of the picture of a room of what lies somewhere, and does not stand."""


class SceneJudge(SceneEvaluator):
    """Judges whether something is surely so in one picture."""

    # -- things
    def subjects(self, phrase: Phrase) -> list[SceneThing]:
        """Return the things that a phrase is about: only those that are called just so, if there are any."""
        things = self._list_meant(phrase)
        return [entity for entity in things if self.is_exact(entity, phrase)] or things

    def _list_meant(self, phrase: Phrase) -> list[SceneThing]:
        """Return the things that a phrase surely means; those that it may mean, if there are none."""
        matches = self.scene.find_matches(phrase.uncounted)
        sure_things = [entity for entity, fit in drop_loose_fits(matches) if fit.is_sure]
        if any(map(is_named, phrase.modifiers)) and (not sure_things or phrase.head == "seat"):
            return []  # a "toilet seat" is neither a chair nor a stool, and "chair seats" are no chairs
        return sure_things or [entity for entity, fit in matches if fit.is_possible and fit.name >= YES]

    def is_exact(self, entity: SceneThing, phrase: Phrase) -> bool:
        """Return whether a thing is just what a phrase calls it, not only of a kind that may be called so."""
        is_subtype = entity.name.endswith(phrase.head)  # a hacksaw is a saw
        return is_subtype or self.scene.fit(entity, Phrase(phrase.head)).name >= EXACT_NAME

    def may_mean_others(self, phrase: Phrase) -> bool:
        """Return whether a phrase may mean more things: a piano stool may be a chair, a lamp a ceiling lamp.

        Statues and sculptures are the same to people, as each is called the other.
        """
        if any(rate_name(phrase.head, entity.name) == COMPOUND_CHANCE for entity in self.scene.things):
            return True
        things = self.subjects(phrase)
        owner_ids = {entity.support for entity in things if entity.is_part}
        others = [entity for entity in self._list_meant(phrase) if entity not in things and entity.id not in owner_ids]
        if phrase.head == "plant":
            others = [entity for entity in others if entity.name not in group("pot_plants")]
        return any(rate_name(other.name, entity.name) < CLOSE_CHANCE for other in others for entity in things)

    def is_counted(self, phrase: Phrase, things: Sequence[SceneThing], posture: str) -> bool:
        """Return whether the description names all things that are called so and stand or hang as a question says."""
        is_open = any((item.is_uncounted and not item.is_part) or not self.may_be(item, posture) for item in things)
        if is_open or self.scene.may_hold_more(phrase.head):
            return False
        is_named = any(fit.is_sure and fit.name >= OTHER_NAME for _, fit in self.scene.find_matches(phrase))
        return is_named or self.scene.is_countable(phrase)

    def may_be(self, entity: SceneThing, posture: str) -> bool:
        """Return whether a thing may stand, lie or hang, as a question says; of other postures it is not known."""
        if posture in OPEN_POSTURES:
            return False
        support = self.scene.by_id.get(entity.support)
        if posture == "hang" and support and support.box and entity.box:
            return entity.box[3] > support.box[3]  # it reaches below what it is on
        if posture == "hang" and entity.name in group("fixtures"):
            return False
        if posture == "hang" and not self.scene.geometry.is_on_wall(entity):
            is_low = self.scene.kind == "room" and entity.edges[3] > 0.4
            return not is_low or entity.name in (group("wall") | group("hung") | group("hanging")) - {"window"}
        is_large = self.scene.kind == "room" and entity.size > LARGEST_LYING
        if posture == "lie" and (is_large or entity.name in group("furniture")):
            return entity.name in group("flat")
        is_hung = entity.name in group("wall") | group("hung") and not entity.support  # not a photo on a desk
        return posture not in ("stand", "lie", "sit") or not is_hung

    # -- the one that is most so
    def find_extreme(self, phrase: Phrase) -> SceneThing | None:
        """Return "the largest object", "the leftmost thing"; None where several may be it, or no direction is named."""
        directions, group_phrase = list_directions(phrase), phrase.find_linked("of") or Phrase()
        if len(directions) != 1 or phrase.is_plural or (directions[0] in ("top", "bottom") and not phrase.head):
            return None  # what is highest in the picture need not be so in the room
        things = self._list_sortable(replace(phrase, head=phrase.head or group_phrase.head), directions[0])
        if directions[0] in ("front", "back") and any(item.support or item.name in group("wall") for item in things):
            return None
        return find_first([item for item in things if directions[0] in item.words] or things, directions[0])

    def _list_sortable(self, phrase: Phrase, direction: str) -> list[SceneThing]:
        """Return the things with boxes that a phrase means without its direction and the group that it is of."""
        modifiers = tuple(word for word in phrase.modifiers if word != direction)
        places = tuple(place for place in phrase.places if place not in (direction, "far"))
        links = tuple(link for link in phrase.links if link.relation != "of")
        matches = self.scene.find_matches(Phrase(phrase.head, modifiers, places=places, links=links))
        return [entity for entity, fit in matches if fit.is_sure and entity.box and not entity.is_part]

    # -- claims
    def judge_truth(self, claim: Claim) -> Truth:
        """Return whether a claim is so."""
        predicate = claim.predicate
        if predicate and (settings := find_settings(claim)):
            truth = self._judge_scene_setting(settings)
            setting_words = LEXICON.categories("settings")
            head = "" if predicate.head in setting_words else predicate.head
            modifiers = tuple(word for word in predicate.modifiers if word not in setting_words)
            predicate = replace(predicate, head=head, modifiers=modifiers)
            is_all = predicate == Phrase()
            truth = truth if is_all or truth is not Truth.YES else self.judge_truth(Claim(claim.subject, predicate))
        elif predicate is None or is_about_picture(claim):
            truth = self._judge_existence(predicate or claim.subject, is_whole=predicate is not None)
        else:
            is_any = claim.is_negated and not claim.subject.definite  # of "is any cone not red" all have to be red
            subject = replace(claim.subject, definite=True, is_plural=True) if is_any else claim.subject
            truth = self._judge_predicate(subject, predicate)
        return {Truth.YES: Truth.NO, Truth.NO: Truth.YES}.get(truth, truth) if claim.is_negated else truth

    def _judge_scene_setting(self, settings: set[str]) -> Truth:
        """Return whether the picture is "indoor" or "outdoor" and of "day" or "night" as is said."""
        facts = {("outdoor", "indoor"): self.scene.is_outdoors, ("night", "day"): self.scene.is_night}
        asked_facts = [(words, fact) for words, fact in facts.items() if settings.intersection(words)]
        if any(fact is None for _, fact in asked_facts):
            return Truth.UNKNOWN
        return Truth.YES if settings == {words[not fact] for words, fact in asked_facts} else Truth.NO

    def _judge_existence(self, phrase: Phrase, *, is_whole: bool = False) -> Truth:
        """Return whether there is what a phrase says, or whether the whole picture is that: "is it a gallery"."""
        category_chance = self.scene.rate_category(phrase)
        is_thing = not is_whole and is_named(phrase.head)
        if is_whole and category_chance is None and self.scene.category:  # "is it a bunk bed" of a bedroom
            return Truth.NO if self.scene.judge_existence(phrase) is Truth.NO else Truth.UNKNOWN
        if category_chance is not None and phrase.is_bare and (category_chance >= YES or not is_thing):
            is_other_room = category_chance >= YES and phrase.head in table("rooms").keys() - {self.scene.category}
            if phrase.count.low != 1 or is_other_room:  # "two pools"; "a garage" of a workshop
                return Truth.UNKNOWN
            return Truth.YES if category_chance >= YES else Truth.NO if category_chance <= NO else Truth.UNKNOWN
        return self.scene.judge_existence(phrase)

    def _judge_predicate(self, subject: Phrase, predicate: Phrase) -> Truth:
        things = self.subjects(subject)
        if not things:
            return self.scene.judge_existence(subject.uncounted)
        extreme_thing = self.find_extreme(subject) if subject.definite and len(things) > 1 else None
        if extreme_thing:  # "is the leftmost bookcase orange"
            things = [extreme_thing]
        elif not self._is_identified(subject, things):
            may_be_meant = [item for item, fit in self.scene.find_matches(subject) if fit.is_possible]
            are_all = subject.is_plural and all(self.rate_predicate(o, subject, predicate) >= YES for o in may_be_meant)
            return Truth.YES if are_all and not subject.links else Truth.UNKNOWN
        things = [entity for entity in things if not entity.box or entity.is_visible] or things
        chances = [self.rate_predicate(entity, subject, predicate) for entity in things]
        return self._judge_chances(chances, subject, predicate)

    def _judge_chances(self, chances: Sequence[float], subject: Phrase, predicate: Phrase) -> Truth:
        """Return whether a predicate is so of things, given its chances of each: of all, of any or of a number.

        "No" of some of all is unknown where others may be meant, and where it may be a slip of the description.
        """
        if subject.count.is_stated:
            return judge_count(subject.count, *(sum(chance >= limit for chance in chances) for limit in (YES, NO)))
        yes_count = sum(chance >= YES for chance in chances)
        if yes_count == len(chances) or (yes_count and not subject.definite):
            return Truth.YES
        if not yes_count:
            return Truth.NO if max(chances) <= NO else Truth.UNKNOWN
        is_vague = any((subject.places, subject.links, predicate.places, predicate.links))
        is_vague = is_vague or bool(subject.modifiers and not self.scene.is_complete)
        most_share = 1.0 if self.scene.is_complete else MAJORITY_SHARE
        is_of_all = subject.is_plural and not is_vague and yes_count <= most_share * len(chances)
        return Truth.NO if is_of_all and min(chances) <= NO else Truth.UNKNOWN  # "is the lemon in the bowl" of two

    def _is_identified(self, subject: Phrase, things: Sequence[SceneThing]) -> bool:
        """Return whether a phrase surely means things: not "the boxes" of several kinds, nor "the chair before it".

        With relations they have to be so, or the phrase can only mean this one.
        """
        if subject.is_plural and self.may_mean_others(subject):
            return False
        is_one_with = len(things) == 1 and all(link.relation == "with" for link in subject.links)
        is_only = len(things) == 1 and subject.definite and len(self.subjects(Phrase(subject.head))) == 1
        has_targets = all(self.subjects(link.phrase) for link in subject.links)
        is_sure = is_one_with or (is_only and has_targets) or not subject.links
        return is_sure or self.scene.count_things(subject)[0] > 0


def list_directions(phrase: Phrase) -> list[str]:
    """Return the words of a phrase by which things can be sorted: "left", "large"."""
    words = dict.fromkeys((*phrase.places, *phrase.modifiers))
    return [word for word in words if word in SORT_KEYS or word == "middle"]
