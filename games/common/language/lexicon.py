"""What the scripted players know of English words: lemma, part of speech, kinds, colours, sizes, materials, synonyms.

`LEXICON` reads the generated `lexicon.json.gz` (made by `assets/lexicon/build.py` from WordNet and sentence embeddings)
and the hand-written `words.toml` when it is first needed. A game adds its own names with a `Vocabulary`, which also
joins names of several words and corrects typing errors, but never a word that is English.
"""

from __future__ import annotations

import gzip
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from games.common.language.tokens import Token

FOLDER = Path(__file__).parent
SHORTEST_TYPO = 5
"""Shorter words are not corrected: too many other words are near them."""
LONGEST_WORD = 24


class Lexicon:
    """English words. All methods take lower-case words."""

    @cached_property
    def _data(self) -> dict[str, str]:
        with gzip.open(FOLDER / "lexicon.json.gz", "rt", encoding="utf-8") as file:
            data: dict[str, str] = json.load(file)
        return data

    def grammar_words(self, group: str) -> frozenset[str]:
        """Return a list of the table "grammar": determiners, pronouns, …"""
        return frozenset(self.table("grammar")[group])

    def _section(self, name: str) -> str:
        return self._data[name]

    @cached_property
    def _tables(self) -> Mapping[str, dict[str, list[str]]]:
        """The hand-written tables of `words.toml`."""
        data: dict[str, dict[str, list[str]]] = tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))
        return data

    def table(self, name: str) -> dict[str, list[str]]:
        """Return a hand-written table of `words.toml`: other words by canonical word."""
        return self._tables[name]

    @cached_property
    def _parts(self) -> dict[str, str]:
        return dict(pair.split("/") for pair in self._section("words").split(" "))

    @cached_property
    def _function_words(self) -> frozenset[str]:
        return frozenset(self._section("function_words").split(" "))

    @cached_property
    def _synsets(self) -> list[str]:
        return [name.replace("_", " ") for name in self._section("synsets").split(" ")]

    @cached_property
    def _parents(self) -> list[int]:
        return [int(number) for number in self._section("parents").split(" ")]

    @cached_property
    def _senses(self) -> dict[str, list[int]]:
        pairs = (entry.split(":") for entry in self._section("senses").split(";"))
        return {word: [int(number) for number in numbers.split(",")] for word, numbers in pairs}

    @cached_property
    def _near(self) -> dict[str, dict[str, float]]:
        pairs = (entry.split(":") for entry in self._section("near").split(";"))
        return {
            word: {name: int(score) / 100 for name, score in (item.split("=") for item in items.split(","))}
            for word, items in pairs
        }

    @cached_property
    def _irregular(self) -> dict[str, str]:
        tables = (self.table("irregular_verbs"), self.table("irregular"))
        return {form: lemma for table in tables for lemma, forms in table.items() for form in forms}

    def categories(self, table: str) -> Mapping[str, str]:
        """Return the canonical word of each word in a table of `words.toml`, e.g. "colours": scarlet -> red."""
        return self._canonical.setdefault(
            table,
            {word: name for name, words in self.table(table).items() for word in (name, *words)},
        )

    @cached_property
    def _canonical(self) -> dict[str, dict[str, str]]:
        return {}

    def is_word(self, word: str) -> bool:
        """Return whether a word is English, in any form."""
        return word in self._function_words or word in self._irregular or self.lemma(word) in self._parts

    def parts(self, word: str) -> str:
        """Return the parts of speech of a lemma, the most usual first, of n, v, a and r; empty if it is unknown."""
        return self._parts.get(word, "")

    def lemma(self, word: str) -> str:
        """Return the dictionary form of a word: "shelves" -> "shelf", "hanging" -> "hang", "red" -> "red"."""
        if word in self._irregular:
            return self._irregular[word]
        if len(word) <= 3 or word in self._uninflected:
            return word
        for ending, replacements in ENDINGS:
            if word.endswith(ending):
                stem = word[: -len(ending)]
                for replacement in replacements:
                    if stem + replacement in self._parts and len(stem) > 1:
                        return stem + replacement
        return word

    @cached_property
    def _uninflected(self) -> frozenset[str]:
        return self.grammar_words("uninflected")

    def is_plural(self, word: str) -> bool:
        """Return whether a word is a noun in the plural."""
        lemma = self.lemma(word)
        is_irregular = word in self.table("irregular").get(lemma, ())
        return lemma != word and (is_irregular or (word.endswith("s") and not word.endswith("ss")))

    def hypernyms(self, word: str) -> list[list[str]]:
        """Return for each sense of a noun the names of the synset and of all above it: sofa, seat, furniture, …"""
        chains = []
        for number in self._senses.get(word, ()):
            chain = [self._synsets[number]]
            while self._parents[number] != number:
                number = self._parents[number]
                chain.append(self._synsets[number])
            chains.append(chain)
        return chains

    def is_a(self, word: str, kind: str) -> bool:
        """Return whether one of the senses of a noun is of a kind ("bus" is a "vehicle"), or means the same."""
        if word == kind or word in self.table("kinds").get(kind, ()):
            return True
        kinds = {self._synsets[number] for number in self._senses.get(kind, ())[:1]} | {kind}
        return any(not kinds.isdisjoint(chain) for chain in self.hypernyms(word))

    def first_sense(self, word: str) -> int | None:
        """Return the number of the usual sense of a noun, None if it is unknown."""
        senses = self._senses.get(word)
        return senses[0] if senses else None

    def is_a_first(self, word: str, kind: str) -> bool:
        """Return whether the usual sense of a noun is of the usual sense of a kind."""
        if word in self.table("kinds").get(kind, ()):
            return True
        sense, above = self.first_sense(word), self.first_sense(kind)
        while sense is not None and above is not None:
            if sense == above:
                return True
            parent = self._parents[sense]
            sense = parent if parent != sense else None
        return False

    def near(self, word: str) -> Mapping[str, float]:
        """Return names of things that a word is near in meaning, with a similarity from 0.55 to 1."""
        return self._near.get(word, {})


ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ies", ("y", "ie")),
    ("ves", ("f", "fe", "ve")),
    ("sses", ("ss",)),
    ("xes", ("x",)),
    ("shes", ("sh",)),
    ("ches", ("ch", "che")),
    ("oes", ("o", "oe")),
    ("ses", ("se", "s")),
    ("s", ("",)),
    ("ying", ("y", "ie")),
    ("ing", ("", "e")),
    ("ied", ("y",)),
    ("ed", ("e", "")),
)
"""Endings of inflected forms, each with what may stand there in the lemma; the first that is a word counts."""
LEXICON = Lexicon()


BEFORE_PREDICATE = frozenset("a an the not on in at to left right above below behind next under near very too".split())


OWNERS = frozenset("someone somebody everyone everybody anyone one".split())


class Vocabulary:
    """The names a game uses, and other names for them; all may consist of several words."""

    def __init__(self, names: Iterable[str], synonyms: Mapping[str, str] | None = None) -> None:
        """Take names, and the names that synonyms stand for. Joined phrases of `words.toml` are always known."""
        self.canonical = {name: name for name in sorted(set(names))} | dict(synonyms or {})
        joined = {name: name for name in LEXICON.table("joined")} | dict(LEXICON.categories("joined"))
        self._first: dict[str, list[tuple[str, ...]]] = {}
        self._shortened: dict[str, list[str]] = {}
        self._names = {**joined, **{name: name for name in self.canonical}}
        words: dict[str, None] = {}
        for name in self._names:
            parts = tuple(name.split(" "))
            words.update(dict.fromkeys(parts if name in self.canonical else ()))
            if len(parts) > 1:
                self._first.setdefault(parts[0], []).append(parts)
        for options in self._first.values():
            options.sort(key=len, reverse=True)
        for word in words:
            if len(word) >= SHORTEST_TYPO - 1:
                for shorter in (word, *deletions(word)):
                    self._shortened.setdefault(shorter, []).append(word)

    def correct(self, word: str) -> str:
        """Return the only word of the game that is one typing error away from what is not English; else the word."""
        if not SHORTEST_TYPO <= len(word) <= LONGEST_WORD or not word.isalpha() or LEXICON.is_word(word):
            return word
        if word.endswith("in") and LEXICON.is_word(f"{word}g"):
            return f"{word}g"
        near = {
            candidate: None
            for shorter in (word, *deletions(word))
            for candidate in self._shortened.get(shorter, ())
            if is_one_edit(word, candidate)
        }
        return next(iter(near)) if len(near) == 1 else word

    def read(self, tokens: Iterable[Token]) -> list[Token]:
        """Return tokens with typing errors corrected and names of several words joined into one token."""
        fixed = [replace(token, text=self.correct(token.text)) for token in self._split_possessives(list(tokens))]
        joined: list[Token] = []
        at = 0
        while at < len(fixed):
            parts = self._name_at(fixed, at)
            token, last = fixed[at], fixed[at + max(1, len(parts)) - 1]
            if parts:
                is_plural = last.text != parts[-1] or token.text != parts[0]
                raw = " ".join(part.raw for part in fixed[at : at + len(parts)])
                token = replace(token, text=self._names[" ".join(parts)], raw=raw, end=last.end, plural=is_plural)
            else:
                token = replace(token, plural=LEXICON.is_plural(token.text))
            joined.append(token)
            at += max(1, len(parts))
        return joined

    def _split_possessives(self, tokens: list[Token]) -> Iterator[Token]:
        """Yield tokens with "lamp is" for "lamp's" before a colour, a place and the like, but not before a noun."""
        for at, token in enumerate(tokens):
            following = tokens[at + 1].text if at + 1 < len(tokens) else ""
            if token.text.endswith("'s") and f"{token.text} {following}" not in self._names:
                if token.text[:-2] in OWNERS:
                    continue
                is_predicate = following in BEFORE_PREDICATE or following in LEXICON.categories("colours")
                yield replace(token, text=token.text[:-2], end=token.end - 2)
                if is_predicate or following in LEXICON.categories("states"):
                    yield replace(token, text="is", raw="'s", start=token.end - 2)
            else:
                yield token

    def _name_at(self, tokens: list[Token], at: int) -> tuple[str, ...]:
        """Return the words of the longest name of several words that begins at a place, () if there is none."""
        first = tokens[at].text
        for parts in self._first.get(first, ()) or self._first.get(LEXICON.lemma(first), ()):
            words = [token.text for token in tokens[at : at + len(parts)]]
            if len(words) == len(parts) and all(map(is_form, words, parts)):
                return parts
        return ()


def is_form(word: str, name: str) -> bool:
    """Return whether a word is a name or a form of it."""
    return word == name or LEXICON.lemma(word) == name


def deletions(word: str) -> list[str]:
    """Return what is left of a word without each of its letters."""
    return [word[:at] + word[at + 1 :] for at in range(len(word))]


def is_one_edit(word: str, other: str) -> bool:
    """Return whether a letter more, less or other, or two letters exchanged, make one word of the other."""
    if abs(len(word) - len(other)) > 1 or word == other:
        return False
    start = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    tail, other_tail = word[start:], other[start:]
    return (
        tail[1:] == other_tail[1:]
        or tail[1:] == other_tail
        or tail == other_tail[1:]
        or (tail[:2] == other_tail[:2][::-1] and tail[2:] == other_tail[2:])
    )
