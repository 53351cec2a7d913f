"""What a scripted player sees in a picture of a room, a scene or solids: facts to say, and how well an expression fits.

Facts are phrases of the language library. Speaker and listener judge them by the same evaluator, so the speaker says
only what the listener takes to be true of one picture and not of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from games.common.language.claims import Claim, Count, Link, Phrase
from games.common.language.listening import log_chances
from games.common.language.scene_answers import MATERIALS, SIDES, SceneAnswerer
from games.common.language.scenes import YES, Scene, SceneThing, base_colour, group, is_complete_kind
from games.common.language.wording import add_article, count_noun, pluralise
from games.reference.talkers.facts import Fact

MAYBE, LIKELY = 0.2, 0.5
"""A fact with a greater chance may be true of another picture."""
APART = 0.08
"""The least distance, as a share of the picture's width, at which a thing is called left or right of another."""
UNMENTIONED = frozenset(("picture", "photo", "frame", "panel", "post", "rail", "plinth"))
"""Things that the speaker does not mention, as they would sound odd: "the picture with a picture"."""


class PhotoSight:
    """One picture."""

    noun = "picture"

    def __init__(self, description: Mapping[str, Any]) -> None:
        self.scene = Scene(description)
        self.speaker = SceneAnswerer(self.scene)

    @cached_property
    def _shown_things(self) -> list[SceneThing]:
        """The things to mention, the most noticeable first."""
        things = [item for item in self.scene.things if item.is_clear and item.name not in UNMENTIONED]
        return sorted(things, key=lambda item: (item.name in group("parts"), -item.size))

    def facts(self) -> Iterator[Fact]:
        """Yield the kind of place, then things by name, by look, by number and with their place."""
        if self.scene.category:
            yield _fact(Phrase(self.scene.category), add_article(self.scene.category))
        names = list(dict.fromkeys(item.name for item in self._shown_things))
        for name in names:
            yield _fact(Phrase(name), add_article(name))
        for item in self._shown_things:
            yield from self._looks(item)
        for name in names:
            number = sum(item.name == name for item in self.scene.things)
            if 1 < number <= 8:
                yield _fact(Phrase(name, count=Count(number, number, True), plural=True), count_noun(number, name))
        for item in self._shown_things:
            yield from self._places(item)
        yield from self._relations()
        number = len(self.scene.things)
        if self.scene.is_complete:
            yield _fact(Phrase("object", count=Count(number, number, True)), count_noun(number, "object"))

    def _looks(self, item: SceneThing) -> Iterator[Fact]:
        """Yield a thing with each word for its look, then with all of them."""
        words = [word for word in item.words if " " not in word or base_colour(word)]
        for modifiers in [*([word] for word in words), words]:
            if modifiers:
                yield _fact(Phrase(item.name, tuple(modifiers)), add_article(self._noun(item.name, modifiers)))

        for part in self.scene.parts:
            look = next((word for word in item.words if part.id.endswith(word)), "")
            if part.support == item.id and look:
                phrase = Phrase(item.name, links=(Link("with", Phrase(part.name, part.words)),))
                yield _fact(phrase, add_article(f"{item.name} {look}"))

    def _places(self, item: SceneThing) -> Iterator[Fact]:
        words = [word for word in item.words if " " not in word or base_colour(word)]
        side = self.speaker.side(item)
        place = {"on the left": "left", "on the right": "right"}.get(side)
        if place and (item.x < 0.33 or item.x > 0.67):
            phrase = Phrase(item.name, tuple(words), places=(place,))
            yield _fact(phrase, f"{add_article(self._noun(item.name, words))} {SIDES[0 if place == 'left' else 2]}")

    def _relations(self) -> Iterator[Fact]:
        """Yield things that are clearly left or right of something unique."""
        names = [item.name for item in self.scene.things]
        landmarks = [item for item in self._shown_things if names.count(item.name) == 1][:6]
        for item in self._shown_things[:8]:
            for landmark in landmarks:
                if landmark.name != item.name and abs(item.x - landmark.x) > APART:
                    relation = "left of" if item.x < landmark.x else "right of"
                    phrase = Phrase(item.name, links=(Link(relation, Phrase(landmark.name, definite=True)),))
                    yield _fact(phrase, f"{add_article(item.name)} {relation} the {landmark.name}")

    def _noun(self, name: str, words: Sequence[str]) -> str:
        modifiers = [MATERIALS.get(word, word) if self.scene.is_complete else word for word in words]
        return " ".join((*modifiers, name))

    def holds(self, fact: Fact) -> bool:
        """Return whether a fact may be true here."""
        return self.speaker.chance(Claim("exists", fact.key[0])) > MAYBE

    def is_likely(self, fact: Fact) -> bool:
        """Return whether a fact is rather true than not here."""
        return self.speaker.chance(Claim("exists", fact.key[0])) > LIKELY

    def has(self, fact: Fact) -> bool:
        """Return whether a fact is clearly true here."""
        return self.speaker.chance(Claim("exists", fact.key[0])) >= YES

    def without(self, fact: Fact) -> str | None:
        """Return words for the absence of what a fact states, None if nobody would mention it."""
        phrase: Phrase = fact.key[0]
        if (
            phrase.count.is_stated
            or phrase.places
            or phrase.links
            or len(phrase.modifiers) > 1
            or phrase.head == self.scene.category
        ):
            return None
        if not (is_complete_kind(phrase.head) or self.scene.is_countable(phrase)):
            return None
        return f"no {' '.join((*phrase.modifiers, pluralise(phrase.head) if phrase.plural else phrase.head))}"

    def fit(self, expression: str, among: Sequence[Any]) -> float:
        """Return how well an expression fits this picture: the log of its chance."""
        return log_chances(expression, [self.scene])[0]


def _fact(phrase: Phrase, words: str) -> Fact:
    return Fact((phrase,), words)
