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
from games.common.language.listening import MARGIN, log_chance
from games.common.language.scene_answers import SceneAnswerer
from games.common.language.scenes import Scene, SceneThing, base_colour, group, is_complete_kind
from games.common.language.wording import add_article, count_noun
from games.reference.talkers.facts import Fact, Sight

APART = 0.08
"""The least distance, as a share of the picture's width, at which a thing is called left or right of another."""
UNMENTIONED = frozenset(("picture", "photo", "frame", "panel", "post", "rail", "plinth"))
"""Things that the speaker does not mention, as they would sound odd: "the picture with a picture"."""


class PhotoSight(Sight):
    """One picture."""

    noun = "picture"
    margin = MARGIN

    def __init__(self, description: Mapping[str, Any]) -> None:
        self.scene = Scene(description)
        self.speaker = SceneAnswerer(self.scene)

    def facts(self) -> Iterator[Fact]:
        """Yield the kind of place, then things by name, by look, by number and with their place."""
        things = [item for item in self.scene.things if item.is_clear and item.name not in UNMENTIONED]
        things.sort(key=lambda item: (item.name in group("parts"), -item.size))
        numbers = Counter(item.name for item in self.scene.things)
        names = list(dict.fromkeys(item.name for item in things))
        for name in filter(None, (self.scene.category, *names)):
            yield Fact((Phrase(name),), add_article(name))
        for item in things:
            yield from self._looks(item)
        for name in names:
            if 1 < (number := numbers[name]) <= 8:
                yield _number_fact(number, name)
        for item in things:
            if not 0.33 <= item.x <= 0.67:
                words, place = _look_words(item), "left" if item.x < 0.5 else "right"
                noun = add_article(" ".join((*self.speaker.look(words), item.name)))
                yield Fact((Phrase(item.name, tuple(words), places=(place,)),), f"{noun} on the {place}")
        landmarks = [item for item in things if numbers[item.name] == 1][:6]
        for item, landmark in product(things[:8], landmarks):
            yield from _relations(item, landmark)
        if self.scene.is_complete:
            yield _number_fact(len(self.scene.things), "object")

    def _looks(self, item: SceneThing) -> Iterator[Fact]:
        """Yield a thing with each word for its look, with all of them, and with each of its parts."""
        words = _look_words(item)
        for modifiers in filter(None, [*([word] for word in words), words]):
            noun = " ".join((*self.speaker.look(modifiers), item.name))
            yield Fact((Phrase(item.name, tuple(modifiers)),), add_article(noun))
        for part in self.scene.parts:
            if part.support == item.id and (text := part.id.removeprefix(f"{item.id} ")) in item.words:
                phrase = Phrase(item.name, links=(Link("with", Phrase(part.name, part.words)),))
                yield Fact((phrase,), add_article(f"{item.name} {text}"))

    def chance(self, fact: Fact) -> float:
        """Return how likely a fact is true here."""
        return self.speaker.chance(Claim(fact.key[0]))

    def without(self, fact: Fact) -> str | None:
        """Return words for the absence of what a fact states, None if nobody would mention it."""
        phrase: Phrase = fact.key[0]
        is_simple = phrase == Phrase(phrase.head, phrase.modifiers[:1]) and phrase.head != self.scene.category
        if is_simple and (is_complete_kind(phrase.head) or self.scene.is_countable(phrase)):
            return f"no {' '.join((*phrase.modifiers, phrase.head))}"
        return None

    def fit(self, expression: str) -> float:
        """Return how well an expression fits this picture: the log of its chance."""
        return log_chance(expression, self.scene)


def _look_words(item: SceneThing) -> list[str]:
    """Return the words for the look of a thing that can stand before its name."""
    return [word for word in item.words if " " not in word or base_colour(word)]


def _relations(item: SceneThing, landmark: SceneThing) -> Iterator[Fact]:
    """Yield that a thing is left or right of something unique, if that is clear."""
    if landmark.name != item.name and abs(item.x - landmark.x) > APART:
        relation = "left of" if item.x < landmark.x else "right of"
        phrase = Phrase(item.name, links=(Link(relation, Phrase(landmark.name, definite=True)),))
        yield Fact((phrase,), f"{add_article(item.name)} {relation} the {landmark.name}")


def _number_fact(number: int, name: str) -> Fact:
    return Fact((Phrase(name, count=Count(number, number), plural=number > 1),), count_noun(number, name))
