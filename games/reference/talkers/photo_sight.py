"""What a scripted player sees in a picture of a room, a scene or solids: facts to say, and how well an expression fits.

Facts are phrases of the language library. Speaker and listener judge them by the same evaluator, so the speaker says
only what the listener takes to be true of one picture and not of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from games.common.language.claims import Claim, Count, Link, Phrase
from games.common.language.listening import TIE_MARGIN, measure_log_chance
from games.common.language.scene_answers import SceneAnswerer
from games.common.language.scenes import Scene
from games.common.language.things import SceneThing, base_colour, group, is_complete_kind
from games.common.language.wording import add_article, say_count
from games.reference.talkers.facts import Fact, Sight

MIN_DISTANCE = 0.08
"""The least distance, as a share of the picture's width, at which a thing is called left or right of another."""
UNMENTIONED_NAMES = frozenset(("picture", "photo", "frame", "panel", "post", "rail", "plinth"))
"""Things that the speaker does not mention, as they would sound odd: "the picture with a picture"."""


class PhotoSight(Sight):
    """One picture."""

    noun = "picture"
    tie_margin = TIE_MARGIN

    def __init__(self, description: Mapping[str, Any]) -> None:
        self.scene = Scene(description)
        self.speaker = SceneAnswerer(self.scene)

    def list_facts(self) -> Iterator[Fact]:
        """Yield the kind of place, then things by name, by look, by number and with their place."""
        things = [item for item in self.scene.things if item.is_prominent and item.name not in UNMENTIONED_NAMES]
        things.sort(key=lambda item: (item.name in group("parts"), -item.size))
        count_by_name = Counter(item.name for item in self.scene.things)
        thing_names = list(dict.fromkeys(item.name for item in things))
        for thing_name in filter(None, (self.scene.category, *thing_names)):
            yield Fact((Phrase(thing_name),), add_article(thing_name))
        for item in things:
            yield from self._generate_look_facts(item)
        for thing_name in thing_names:
            if 1 < (thing_count := count_by_name[thing_name]) <= 8:
                yield _make_number_fact(thing_count, thing_name)
        for item in things:
            if not 0.33 <= item.x <= 0.67:
                look_words, side_name = _list_look_words(item), "left" if item.x < 0.5 else "right"
                noun = add_article(" ".join((*self.speaker.describe_look(look_words), item.name)))
                yield Fact((Phrase(item.name, tuple(look_words), places=(side_name,)),), f"{noun} on the {side_name}")
        landmarks = [item for item in things if count_by_name[item.name] == 1][:6]
        for item, landmark in product(things[:8], landmarks):
            yield from _generate_relations(item, landmark)
        if self.scene.is_complete:
            yield _make_number_fact(len(self.scene.things), "object")

    def _generate_look_facts(self, item: SceneThing) -> Iterator[Fact]:
        """Yield a thing with each word for its look, with all of them, and with each of its parts."""
        look_words = _list_look_words(item)
        for modifiers in filter(None, [*([word] for word in look_words), look_words]):
            noun_phrase = " ".join((*self.speaker.describe_look(modifiers), item.name))
            yield Fact((Phrase(item.name, tuple(modifiers)),), add_article(noun_phrase))
        for thing_part in self.scene.parts:
            if thing_part.support == item.id and (text := thing_part.id.removeprefix(f"{item.id} ")) in item.words:
                phrase = Phrase(item.name, links=(Link("with", Phrase(thing_part.name, thing_part.words)),))
                yield Fact((phrase,), add_article(f"{item.name} {text}"))

    def estimate_chance(self, fact: Fact) -> float:
        """Return how likely a fact is true here."""
        return self.speaker.rate_claim(Claim(fact.fact_key[0]))

    def describe_absence(self, fact: Fact) -> str | None:
        """Return words for the absence of what a fact states, None if nobody would mention it."""
        phrase: Phrase = fact.fact_key[0]
        is_simple = phrase == Phrase(phrase.head, phrase.modifiers[:1]) and phrase.head != self.scene.category
        if is_simple and (is_complete_kind(phrase.head) or self.scene.is_countable(phrase)):
            return f"no {' '.join((*phrase.modifiers, phrase.head))}"
        return None

    def rate_fit(self, expression: str) -> float:
        """Return how well an expression fits this picture: the log of its chance."""
        return measure_log_chance(expression, self.scene)


def _list_look_words(scene_thing: SceneThing) -> list[str]:
    """Return the words for the look of a thing that can stand before its name."""
    return [look_word for look_word in scene_thing.words if " " not in look_word or base_colour(look_word)]


def _generate_relations(scene_thing: SceneThing, landmark: SceneThing) -> Iterator[Fact]:
    """Yield that a thing is left or right of something unique, if that is clear."""
    if landmark.name != scene_thing.name and abs(scene_thing.x - landmark.x) > MIN_DISTANCE:
        relation = "left of" if scene_thing.x < landmark.x else "right of"
        phrase = Phrase(scene_thing.name, links=(Link(relation, Phrase(landmark.name, definite=True)),))
        yield Fact((phrase,), f"{add_article(scene_thing.name)} {relation} the {landmark.name}")


def _make_number_fact(number: int, thing_name: str) -> Fact:
    return Fact((Phrase(thing_name, count=Count(number, number), is_plural=number > 1),), say_count(number, thing_name))
