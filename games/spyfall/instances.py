"""The instances of SpyFall: eleven pairs of related words, in the paper's direction (`given`) and exchanged.

A word ships its forms: every spelling that counts as saying it. Who is the spy is not part of an instance, it is drawn
from the episode's seed.
"""

from __future__ import annotations

import json

from pydantic import BaseModel, Field, model_validator

from engine.core.events import Json
from games.common.words import find_mention, forms, normalise

EXPERIMENTS = {"given": "the words as in the paper", "exchanged": "the two words exchanged"}

SPELLED: dict[str, tuple[str, ...]] = {
    "ipad": ("i pad", "i pads"),
    "iphone": ("i phone", "i phones"),
    "guitar": (),
    "lute": (),
    "BMW": ("b m w", "bmws"),
    "BENZ": (),
    "eyebrow": ("eye brow", "eye brows"),
    "beard": (),
    "grape": (),
    "raisins": ("raisin",),
    "sea lion": (),
    "seal": (),
    "spider man": ("spider men",),
    "batman": ("bat man", "bat men", "batmen"),
    "nike": (),
    "adidas": (),
    "milk": (),
    "soy milk": ("soya milk", "soybean milk"),
    "motorcycle": ("motor cycle", "motor cycles"),
    "electromobile": ("electro mobile", "electro mobiles"),
    "tiger": (),
    "lion": (),
}
"""Every word with the spellings that are not made by rule."""

PAIRS = tuple(zip(list(SPELLED)[::2], list(SPELLED)[1::2], strict=True))
"""The spy's word and the common one (gameeval-paper, Table 3)."""


class Word(BaseModel, frozen=True, extra="forbid"):
    """A word with the forms that count as saying it."""

    word: str = Field(min_length=1)
    forms: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _says_itself(self) -> Word:
        if find_mention(self.word, self.forms) is None:
            raise ValueError(f"field forms: {self.word!r} is none of its own forms")
        return self


class Instance(BaseModel, frozen=True, extra="forbid"):
    """The spy's word and the word that the others share."""

    spy: Word
    common: Word

    @model_validator(mode="after")
    def _differ(self) -> Instance:
        if {normalise(form) for form in self.spy.forms} & {normalise(form) for form in self.common.forms}:
            raise ValueError(f"field spy: {self.spy.word!r} and {self.common.word!r} share a form")
        return self


def load(data: Json) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    return Instance.model_validate(data)


def check(experiment: str, instance: Instance) -> str | None:
    """Say why an instance does not belong to an experiment, None when it does."""
    pair = (instance.spy.word, instance.common.word)
    wanted = PAIRS if experiment == "given" else [(common, spy) for spy, common in PAIRS]
    if pair not in wanted:
        return f"field spy: {pair[0]!r} against {pair[1]!r} is no pair of {experiment}"
    return None


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/spyfall/VARIANT.json; the pairs are what they are, whatever the seed."""
    given = [{"spy": _word(spy), "common": _word(common)} for spy, common in PAIRS]
    exchanged = [{"spy": pair["common"], "common": pair["spy"]} for pair in given]
    made = {"given": given, "exchanged": exchanged}
    return (
        json.dumps(
            {"game": "spyfall", "variant": variant, "version": 1, "seed": seed, "experiments": made},
            indent=1,
        )
        + "\n"
    )


def _word(word: str) -> Json:
    return {"word": word, "forms": list(forms(word, *SPELLED[word]))}
