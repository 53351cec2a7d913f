"""Prompt templates: named, versioned sets of texts with `$name` places.

A game keeps the texts of every version that games were played with: `prompts/native.toml` has the present version,
`prompts/native.1.toml` version 1. An open episode goes on with the texts of the version that it began with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from string import Template

from engine.core.suggestions import did_you_mean


@dataclass(frozen=True, eq=False)  # compared by identity: what is made from a set is cached
class Prompts:
    """A named, versioned set of prompt texts with `$name` places, read from `prompts/NAME.toml` of a game."""

    name: str
    version: int
    texts: Mapping[str, str]
    earlier_versions: Mapping[int, Prompts] = field(default_factory=dict, repr=False)
    """The earlier versions that are kept, by number."""
    path: Path | None = field(default=None, repr=False)
    """The file with the texts, for messages."""

    def __call__(self, prompt_key: str, **prompt_values: object) -> str:
        """Return text `prompt_key` with its places filled. Raises KeyError for an unknown text or an unfilled place."""
        try:
            text_pieces = self._text_pieces[prompt_key].copy()
            text_pieces[1::2] = [str(prompt_values[place_name]) for place_name in text_pieces[1::2]]
        except KeyError as error:
            raise KeyError(self._describe_missing_key(prompt_key, error.args[0])) from None
        return "".join(text_pieces)

    def _describe_missing_key(self, prompt_key: str, missing_name: str) -> str:
        if prompt_key in self.texts:
            return f"{self.path}: the prompt {prompt_key!r} needs a value for ${missing_name}"
        suggestion, known_keys = did_you_mean(prompt_key, self.texts), ", ".join(self.texts)
        return f"{self.path} has no prompt {prompt_key!r}{suggestion}; it has: {known_keys}"

    def select_version(self, version: int) -> Prompts:
        """Return the set as it was at a version.

        This set itself if that version is not kept: what an episode was told then shows whether it can go on.
        """
        return self.earlier_versions.get(version, self)

    @property
    def versions(self) -> tuple[int, ...]:
        """All versions that are kept, the present one last."""
        return (*sorted(self.earlier_versions), self.version)

    @cached_property
    def _text_pieces(self) -> dict[str, list[str]]:
        """Each text cut at its places: text, name, text, name, …, text."""
        return {k: _split_text(prompt_text, f"{self.path}, {k!r}") for k, prompt_text in self.texts.items()}

    @classmethod
    def load(cls, folder: Path, set_name: str = "native") -> Prompts:
        """Read `folder/NAME.toml`, and earlier versions from `folder/NAME.1.toml`, `folder/NAME.2.toml` and so on.

        Each file has an integer `version` and a table `[texts]`. Raises ValueError for a file without them, and for a
        file of an earlier version whose name and version differ, or whose version is not earlier.
        """
        current_path = folder / f"{set_name}.toml"
        version, prompt_texts = _read_prompts(current_path)
        earlier_prompts: dict[int, Prompts] = {}
        for path in sorted(folder.glob(f"{set_name}.*.toml")):
            earlier_version, earlier_texts = _read_prompts(path)
            if path.name != f"{set_name}.{earlier_version}.toml" or earlier_version >= version:
                raise ValueError(
                    f"{path} has version {earlier_version}: {set_name}.N.toml keeps version N, lower than {version}"
                )
            earlier_prompts[earlier_version] = cls(set_name, earlier_version, earlier_texts, path=path)
        return cls(set_name, version, prompt_texts, earlier_prompts, current_path)


def _read_prompts(path: Path) -> tuple[int, dict[str, str]]:
    prompt_tables = tomllib.loads(path.read_text(encoding="utf-8"))
    if not {"version", "texts"} <= prompt_tables.keys():
        raise ValueError(f"{path} needs `version = 1`, or a later number, and a table [texts] with the prompts")
    return prompt_tables["version"], {key: prompt_text.strip() for key, prompt_text in prompt_tables["texts"].items()}


def _split_text(prompt_text: str, text_location: str) -> list[str]:
    text_pieces, cut_position = [""], 0
    for placeholder_match in Template.pattern.finditer(prompt_text):
        text_pieces[-1] += prompt_text[cut_position : placeholder_match.start()]
        cut_position = placeholder_match.end()
        if place_name := placeholder_match["named"] or placeholder_match["braced"]:
            text_pieces += [place_name, ""]
        elif placeholder_match["escaped"]:
            text_pieces[-1] += "$"
        else:
            raise ValueError(f"{text_location}: a lone $ before {prompt_text[cut_position:][:20]!r}: write $$")
    text_pieces[-1] += prompt_text[cut_position:]
    return text_pieces
