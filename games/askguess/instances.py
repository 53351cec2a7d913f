"""The instances of Ask-Guess: the 100 class names of CIFAR-100, each with its forms; the same in every variant."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from pydantic import BaseModel, field_validator, model_validator

from games.common.words import find_mention, normalise_text

WORD_TITLE = "Your word"
"""The title under which the answerer sees the word."""
EXPERIMENTS = {"cifar": "the 100 words of CIFAR-100"}


class Instance(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """The word and the forms in which it counts as said."""

    word: str
    forms: tuple[str, ...]

    @field_validator("forms")
    @classmethod
    def _check_forms_plain(cls, word_forms: tuple[str, ...]) -> tuple[str, ...]:
        for word_form in word_forms:
            if not word_form or normalise_text(word_form) != word_form:
                raise ValueError(f"a form has small letters and no punctuation; {word_form!r} does not")
        return word_forms

    @model_validator(mode="after")
    def _check_word_is_form(self) -> Instance:
        if find_mention(self.word, self.forms) is None:
            raise ValueError(f"field forms: the word {self.word!r} itself is missing")
        return self


def load(instance_data: Any) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    return Instance.model_validate(instance_data)


def check(experiment: str, instance: Instance) -> str | None:
    """Return why an instance does not belong to an experiment, None when it does."""
    if experiment not in EXPERIMENTS:
        return f"no experiment {experiment!r}; there are {', '.join(EXPERIMENTS)}"
    forms_by_word = _read_forms_by_word()
    if instance.word not in forms_by_word:
        return f"field word: {instance.word!r} is not one of the 100"
    if instance.forms != forms_by_word[instance.word]:
        return f"field forms: {instance.word} has the forms {', '.join(forms_by_word[instance.word])}"
    return None


def _read_forms_by_word() -> dict[str, tuple[str, ...]]:
    from games.askguess.vocabulary import read_words  # with all that is known of them: playing does without

    return {word_name: word.forms for word_name, word in read_words().items()}


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/askguess/VARIANT.json: the words in an order drawn from the seed."""
    forms_by_word = _read_forms_by_word()
    words = sorted(forms_by_word)
    Random(f"askguess/{seed}").shuffle(words)
    experiments = {"cifar": [{"word": word, "forms": forms_by_word[word]} for word in words]}
    file_content = {"game": "askguess", "variant": variant, "version": 1, "seed": seed, "experiments": experiments}
    file_text = json.dumps(file_content, ensure_ascii=False, indent=1)
    return re.sub(r"\{[^{}]*\}", lambda json_match: " ".join(json_match[0].split()), file_text) + "\n"
