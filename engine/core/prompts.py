"""Prompt templates: named, versioned sets of texts with `$name` places."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import Template


@dataclass(frozen=True)
class Prompts:
    """A named, versioned set of prompt texts with `$name` places, read from `prompts/NAME.toml` of a game."""

    name: str
    version: int
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return text `key` with its places filled. Raises KeyError for an unknown text or an unfilled place."""
        pieces = self._pieces[key].copy()
        pieces[1::2] = [str(values[name]) for name in pieces[1::2]]
        return "".join(pieces)

    @cached_property
    def _pieces(self) -> dict[str, list[str]]:
        """Each text cut at its places: text, name, text, name, …, text."""
        return {key: _cut(text) for key, text in self.texts.items()}

    @classmethod
    def load(cls, folder: Path, name: str = "native") -> Prompts:
        """Read `folder/NAME.toml`: an integer `version` and a table `[texts]`."""
        prompt_tables = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
        return cls(name, prompt_tables["version"], {key: text.strip() for key, text in prompt_tables["texts"].items()})


def _cut(text: str) -> list[str]:
    pieces, cut_position = [""], 0
    for match in Template.pattern.finditer(text):
        pieces[-1] += text[cut_position : match.start()]
        cut_position = match.end()
        if name := match["named"] or match["braced"]:
            pieces += [name, ""]
        elif match["escaped"]:
            pieces[-1] += "$"
        else:
            raise ValueError(f"a prompt has a lone $ before {text[cut_position:][:20]!r}: write $$")
    pieces[-1] += text[cut_position:]
    return pieces
