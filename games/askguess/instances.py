"""The instances of Ask-Guess: the 100 class names of CIFAR-100, each with its forms; the same in every variant."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from pydantic import BaseModel, field_validator, model_validator

from games.common.words import find_mention, normalise

WORD_TITLE = "Your word"
"""The title under which the answerer sees the word."""
EXPERIMENTS = {"cifar": "the 100 words of CIFAR-100"}


class Instance(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """The word and the forms in which it counts as said."""

    word: str
    forms: tuple[str, ...]

    @field_validator("forms")
    @classmethod
    def _are_plain(cls, forms: tuple[str, ...]) -> tuple[str, ...]:
        for form in forms:
            if not form or normalise(form) != form:
                raise ValueError(f"a form has small letters and no punctuation; {form!r} does not")
        return forms

    @model_validator(mode="after")
    def _is_a_form(self) -> Instance:
        if find_mention(self.word, self.forms) is None:
            raise ValueError(f"field forms: the word {self.word!r} itself is missing")
        return self


def load(data: Any) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    return Instance.model_validate(data)


def check(experiment: str, instance: Instance) -> str | None:
    """Return why an instance does not belong to an experiment, None when it does."""
    if experiment not in EXPERIMENTS:
        return f"no experiment {experiment!r}; there are {', '.join(EXPERIMENTS)}"
    forms = _forms_by_word()
    if instance.word not in forms:
        return f"field word: {instance.word!r} is not one of the 100"
    if instance.forms != forms[instance.word]:
        return f"field forms: {instance.word} has the forms {', '.join(forms[instance.word])}"
    return None


def _forms_by_word() -> dict[str, tuple[str, ...]]:
    from games.askguess.vocabulary import words  # with all that is known of them: playing does without

    return {name: word.forms for name, word in words().items()}


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/askguess/VARIANT.json: the words in an order drawn from the seed."""
    forms = _forms_by_word()
    names = sorted(forms)
    Random(f"askguess/{seed}").shuffle(names)
    experiments = {"cifar": [{"word": name, "forms": forms[name]} for name in names]}
    content = {"game": "askguess", "variant": variant, "version": 1, "seed": seed, "experiments": experiments}
    text = json.dumps(content, ensure_ascii=False, indent=1)
    return re.sub(r"\{[^{}]*\}", lambda match: " ".join(match[0].split()), text) + "\n"
