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

    @cached_property
    def _tables(self) -> dict[str, dict[str, list[str]]]:
        return tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))

    @cached_property
    def _parts(self) -> dict[str, str]:
        return dict(pair.split("/") for pair in self._section("words"))

    @cached_property
    def _function_words(self) -> frozenset[str]:
        return frozenset(self._section("function_words"))

    @cached_property
    def _parents(self) -> list[int]:
        return [int(number) for number in self._section("parents")]

    @cached_property
    def _senses(self) -> dict[str, list[int]]:
        pairs = (entry.split(":") for entry in self._section("senses", ";"))
        return {word: [int(number) for number in numbers.split(",")] for word, numbers in pairs}

    @cached_property
    def _synsets(self) -> list[str]:
        return [name.replace("_", " ") for name in self._section("synsets")]

    @cached_property
    def _near(self) -> dict[str, dict[str, float]]:
        pairs = (entry.split(":") for entry in self._section("near", ";"))
        return {
            word: {name: int(score) / 100 for name, score in (item.split("=") for item in items.split(","))}
            for word, items in pairs
        }

    @cached_property
    def _irregular(self) -> dict[str, str]:
        return {**self.categories("irregular_verbs"), **self.categories("irregular")}

    @cached_property
    def _canonical(self) -> dict[str, dict[str, str]]:
        return {
            table: {word: name for name, words in entries.items() for word in (name, *words)}
            for table, entries in self._tables.items()
        }

    def _section(self, name: str, separator: str = " ") -> list[str]:
        return self._data[name].split(separator)

    def table(self, name: str) -> dict[str, list[str]]:
        """Return a hand-written table of `words.toml`: other words by canonical word."""
        return self._tables[name]

    def grammar_words(self, group: str) -> frozenset[str]:
        """Return a list of the table "grammar": determiners, pronouns, …"""
        return frozenset(self.table("grammar")[group])

    def categories(self, table: str) -> Mapping[str, str]:
        """Return the canonical word of each word in a table of `words.toml`, e.g. "colours": scarlet -> red."""
        return self._canonical[table]

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
        stems = (
            (word.removesuffix(ending), replacements)
            for ending, replacements in self.table("endings").items()
            if word.endswith(ending)
        )
        lemmas = (stem + replacement for stem, replacements in stems if len(stem) > 1 for replacement in replacements)
        return next((lemma for lemma in lemmas if lemma in self._parts), word)

    @cached_property
    def _uninflected(self) -> frozenset[str]:
        return self.grammar_words("uninflected")

    def is_plural(self, word: str) -> bool:
        """Return whether a word is a noun in the plural."""
        lemma = self.lemma(word)
        is_irregular = word in self.table("irregular").get(lemma, ())
        return lemma != word and (is_irregular or (word.endswith("s") and not word.endswith("ss")))

    def _chain(self, sense: int) -> list[int]:
        """Return the number of a synset and of all above it."""
        chain = [sense]
        while self._parents[chain[-1]] != chain[-1]:
            chain.append(self._parents[chain[-1]])
        return chain

    def hypernyms(self, word: str) -> list[list[str]]:
        """Return for each sense of a noun the names of the synset and of all above it: sofa, seat, furniture, …"""
        return [[self._synsets[number] for number in self._chain(sense)] for sense in self._senses.get(word, ())]

    def is_a(self, word: str, kind: str) -> bool:
        """Return whether one of the senses of a noun is of a kind ("bus" is a "vehicle"), or means the same."""
        kinds = {self._synsets[number] for number in self._senses.get(kind, ())[:1]} | {kind}
        is_listed = word == kind or word in self.table("kinds").get(kind, ())
        return is_listed or any(not kinds.isdisjoint(chain) for chain in self.hypernyms(word))

    def is_a_first(self, word: str, kind: str) -> bool:
        """Return whether the usual sense of a noun is of the usual sense of a kind."""
        senses, kinds = self._senses.get(word), self._senses.get(kind)
        is_listed = word in self.table("kinds").get(kind, ())
        return is_listed or bool(senses and kinds and kinds[0] in self._chain(senses[0]))

    def near(self, word: str) -> Mapping[str, float]:
        """Return names of things that a word is near in meaning, with a similarity from 0.55 to 1."""
        return self._near.get(word, {})


LEXICON = Lexicon()


class Vocabulary:
    """The names a game uses, and other names for them; all may consist of several words."""

    def __init__(self, names: Iterable[str], synonyms: Mapping[str, str] | None = None) -> None:
        """Take names, and the names that synonyms stand for. Joined phrases of `words.toml` are always known."""
        self.canonical = {name: name for name in sorted(set(names))} | dict(synonyms or {})
        self._names = {**LEXICON.categories("joined"), **{name: name for name in self.canonical}}
        self._first: dict[str, list[list[str]]] = {}
        for parts in sorted((name.split(" ") for name in self._names if " " in name), key=len, reverse=True):
            self._first.setdefault(parts[0], []).append(parts)
        self._shortened: dict[str, list[str]] = {}
        for word in dict.fromkeys(part for name in self.canonical for part in name.split(" ")):
            for shorter in (word, *deletions(word)) if len(word) >= SHORTEST_TYPO - 1 else ():
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
            token, parts = fixed[at], self._name_at(fixed, at)
            words = fixed[at : at + max(1, len(parts))]
            if parts:
                is_plural = [word.text for word in (words[-1], token)] != [parts[-1], parts[0]]
                raw, name = " ".join(word.raw for word in words), self._names[" ".join(parts)]
                joined.append(replace(token, text=name, raw=raw, end=words[-1].end, plural=is_plural, number=None))
            else:
                is_plural = LEXICON.is_plural(token.text) or token.raw.lower() == f"{token.text}s"  # "kickboards"
                joined.append(replace(token, plural=is_plural))
            at += len(words)
        return joined

    def _split_possessives(self, tokens: list[Token]) -> Iterator[Token]:
        """Yield tokens with "lamp is" for "lamp's" before a colour, a place and the like, but not before a noun."""
        for at, token in enumerate(tokens):
            following = tokens[at + 1].text if at + 1 < len(tokens) else ""
            if token.text.endswith("'s") and f"{token.text} {LEXICON.lemma(following)}" not in self._names:
                if token.text[:-2] in LEXICON.grammar_words("owners"):
                    continue
                is_predicate = following in LEXICON.grammar_words(
                    "before_predicate"
                ) or following in LEXICON.categories("colours")
                yield replace(token, text=token.text[:-2], end=token.end - 2)
                if is_predicate or following in LEXICON.categories("states"):
                    yield replace(token, text="is", raw="'s", start=token.end - 2)
            else:
                yield token

    def _name_at(self, tokens: list[Token], at: int) -> list[str]:
        """Return the words of the longest name of several words that begins at a place, none if there is none."""
        first = tokens[at].text
        for parts in self._first.get(first, ()) or self._first.get(LEXICON.lemma(first), ()):
            words = [token.text for token in tokens[at : at + len(parts)]]
            if len(words) == len(parts) and all(map(is_form, words, parts)):
                return parts
        return []


def is_form(word: str, name: str) -> bool:
    """Return whether a word is a name or a form of it."""
    return word == name or LEXICON.lemma(word) == name


def deletions(word: str) -> list[str]:
    """Return what is left of a word without each of its letters."""
    return [word[:at] + word[at + 1 :] for at in range(len(word))]


def is_one_edit(word: str, other: str) -> bool:
    """Return whether a letter more, less or other, or two letters exchanged, make one word of the other."""
    if len(word) != len(other):
        shorter, longer = sorted((word, other), key=len)
        return shorter in deletions(longer)
    differing = [at for at, (a, b) in enumerate(zip(word, other, strict=True)) if a != b]
    is_exchange = differing[1:] == [differing[0] + 1] if differing else False
    return len(differing) == 1 or (is_exchange and sorted(word) == sorted(other))
