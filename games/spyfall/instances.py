"""The instances of SpyFall: eleven pairs of related words, in the paper's direction (`given`) and exchanged.

A word ships its forms: every spelling that counts as saying it. An instance does not say who the spy is: the spy is
drawn from the episode's seed.
"""

from __future__ import annotations

import json

from pydantic import BaseModel, Field, model_validator

from engine.core.events import Json
from games.common.words import find_mention, list_word_forms, normalise_text

WORD_TITLE = "Your word (only you see it)"
"""The title under which a player sees its word."""
EXPERIMENTS = {"given": "the words as in the paper", "exchanged": "the two words exchanged"}

WORD_SPELLINGS: dict[str, tuple[str, ...]] = {
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
"""Every word with its spellings that do not follow a rule."""

WORD_PAIRS = tuple(zip(list(WORD_SPELLINGS)[::2], list(WORD_SPELLINGS)[1::2], strict=True))
"""The spy's word and the common one (gameeval-paper, Table 3)."""


class Word(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """A word with the forms that count as saying it."""

    word: str = Field(min_length=1)
    forms: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _check_own_form(self) -> Word:
        if find_mention(self.word, self.forms) is None:
            raise ValueError(f"field forms: {self.word!r} is not among its own forms")
        return self


class Instance(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """The spy's word and the word that the others share."""

    spy: Word
    common: Word

    @model_validator(mode="after")
    def _check_words_distinct(self) -> Instance:
        if {normalise_text(word_form) for word_form in self.spy.forms} & {
            normalise_text(word_form) for word_form in self.common.forms
        }:
            raise ValueError(f"field spy: {self.spy.word!r} and {self.common.word!r} share a form")
        return self


def load(instance_data: Json) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    return Instance.model_validate(instance_data)


def check(experiment: str, instance: Instance) -> str | None:
    """Return why an instance does not belong to an experiment, None when it does."""
    word_pair = (instance.spy.word, instance.common.word)
    pairs = WORD_PAIRS if experiment == "given" else [(common_word, spy_word) for spy_word, common_word in WORD_PAIRS]
    if word_pair not in pairs:
        return f"field spy: {word_pair[0]!r} against {word_pair[1]!r} is not a pair of {experiment}"
    return None


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/spyfall/VARIANT.json; the pairs do not depend on the seed."""
    word_pairs = [(_make_word_json(spy_word), _make_word_json(common_word)) for spy_word, common_word in WORD_PAIRS]
    experiments = {
        "given": [{"spy": spy_word, "common": common_word} for spy_word, common_word in word_pairs],
        "exchanged": [{"spy": common_word, "common": spy_word} for spy_word, common_word in word_pairs],
    }
    file_content = {"game": "spyfall", "variant": variant, "version": 1, "seed": seed, "experiments": experiments}
    return json.dumps(file_content, indent=1) + "\n"


def _make_word_json(word: str) -> Json:
    return {"word": word, "forms": list(list_word_forms(word, *WORD_SPELLINGS[word]))}
