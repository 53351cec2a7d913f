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
from functools import cached_property, lru_cache
from pathlib import Path

from games.common.language.tokens import CACHE_SIZE, Token

DATA_FOLDER = Path(__file__).parent
SHORTEST_TYPO = 5
"""Shorter words are not corrected: too many other words are near them."""
LONGEST_WORD = 24


class Lexicon:
    """English words. All methods take lower-case words."""

    @cached_property
    def _sections(self) -> dict[str, str]:
        with gzip.open(DATA_FOLDER / "lexicon.json.gz", "rt", encoding="utf-8") as lexicon_file:
            sections: dict[str, str] = json.load(lexicon_file)
        return sections

    @cached_property
    def _word_tables(self) -> dict[str, dict[str, list[str]]]:
        return tomllib.loads((DATA_FOLDER / "words.toml").read_text(encoding="utf-8"))

    @cached_property
    def _parts_by_word(self) -> dict[str, str]:
        return dict(word_entry.split("/") for word_entry in self._read_section("words"))

    @cached_property
    def _function_words(self) -> frozenset[str]:
        return frozenset(self._read_section("function_words"))

    @cached_property
    def _parent_numbers(self) -> list[int]:
        return [int(number) for number in self._read_section("parents")]

    @cached_property
    def _senses(self) -> dict[str, list[int]]:
        sense_entries = (sense_entry.split(":") for sense_entry in self._read_section("senses", ";"))
        return {word: [int(number) for number in number_list.split(",")] for word, number_list in sense_entries}

    @cached_property
    def _synsets(self) -> list[str]:
        return [name.replace("_", " ") for name in self._read_section("synsets")]

    @cached_property
    def _similar_names(self) -> dict[str, dict[str, float]]:
        near_entries = (near_entry.split(":") for near_entry in self._read_section("near", ";"))
        return {
            word: {
                similar_name: int(score) / 100 for similar_name, score in (item.split("=") for item in items.split(","))
            }
            for word, items in near_entries
        }

    @cached_property
    def _irregular_forms(self) -> dict[str, str]:
        return {**self.categories("irregular_verbs"), **self.categories("irregular")}

    @cached_property
    def _canonical_words(self) -> dict[str, dict[str, str]]:
        return {
            table_name: {word: name for name, words in word_lists.items() for word in (name, *words)}
            for table_name, word_lists in self._word_tables.items()
        }

    def _read_section(self, section_name: str, separator: str = " ") -> list[str]:
        return self._sections[section_name].split(separator)

    def get_table(self, table_name: str) -> dict[str, list[str]]:
        """Return a hand-written table of `words.toml`: other words by canonical word."""
        return self._word_tables[table_name]

    def grammar_words(self, list_name: str) -> frozenset[str]:
        """Return a list of the table "grammar": determiners, pronouns, …"""
        return frozenset(self.get_table("grammar")[list_name])

    def categories(self, table_name: str) -> Mapping[str, str]:
        """Return the canonical word of each word in a table of `words.toml`, e.g. "colours": scarlet -> red."""
        return self._canonical_words[table_name]

    def is_word(self, word: str) -> bool:
        """Return whether a word is English, in any form."""
        own_forms = (self._function_words, self._uninflected_words, self._irregular_forms)
        return any(word in forms for forms in own_forms) or self.lemma(word) in self._parts_by_word

    def word_classes(self, word: str) -> str:
        """Return the parts of speech of a lemma, the most usual first, of n, v, a and r; empty if it is unknown."""
        return self._parts_by_word.get(word, "")

    def __init__(self) -> None:
        self.lemma = lru_cache(CACHE_SIZE)(self._find_lemma)

    def _find_lemma(self, word: str) -> str:
        """Return the dictionary form of a word: "shelves" -> "shelf", "hanging" -> "hang", "red" -> "red"."""
        if word in self._irregular_forms:
            return self._irregular_forms[word]
        if len(word) <= 3 or word in self._uninflected_words:
            return word
        endings = [pair for pair in self.get_table("endings").items() if word.endswith(pair[0])]
        stems = ((word.removesuffix(ending), replacements) for ending, replacements in endings)
        lemmas = (stem + replacement for stem, replacements in stems if len(stem) > 1 for replacement in replacements)
        return next((lemma for lemma in lemmas if lemma in self._parts_by_word), word)

    @cached_property
    def _uninflected_words(self) -> frozenset[str]:
        return self.grammar_words("uninflected")

    def is_plural(self, word: str) -> bool:
        """Return whether a word is a noun in the plural."""
        lemma = self.lemma(word)
        is_irregular = word in self.get_table("irregular").get(lemma, ())
        return lemma != word and (is_irregular or (word.endswith("s") and not word.endswith("ss")))

    def _chain(self, sense: int) -> list[int]:
        """Return the number of a synset and of all above it."""
        synset_chain = [sense]
        while self._parent_numbers[synset_chain[-1]] != synset_chain[-1]:
            synset_chain.append(self._parent_numbers[synset_chain[-1]])
        return synset_chain

    def hypernyms(self, word: str) -> list[list[str]]:
        """Return for each sense of a noun the names of the synset and of all above it: sofa, seat, furniture, …"""
        return [[self._synsets[number] for number in self._chain(sense)] for sense in self._senses.get(word, ())]

    def is_a(self, word: str, kind: str) -> bool:
        """Return whether one of the senses of a noun is of a kind ("bus" is a "vehicle"), or means the same."""
        kind_names = {self._synsets[number] for number in self._senses.get(kind, ())[:1]} | {kind}
        is_listed = word == kind or word in self.get_table("kinds").get(kind, ())
        return is_listed or any(not kind_names.isdisjoint(synset_names) for synset_names in self.hypernyms(word))

    def is_a_first(self, word: str, kind: str) -> bool:
        """Return whether the usual sense of a noun is of the usual sense of a kind."""
        senses, kind_senses = self._senses.get(word), self._senses.get(kind)
        is_listed = word in self.get_table("kinds").get(kind, ())
        return is_listed or bool(senses and kind_senses and kind_senses[0] in self._chain(senses[0]))

    def similar_names(self, word: str) -> Mapping[str, float]:
        """Return names of things that a word is near in meaning, with a similarity from 0.55 to 1."""
        return self._similar_names.get(word, {})


LEXICON = Lexicon()


class Vocabulary:
    """The names a game uses, and other names for them; all may consist of several words."""

    def __init__(self, names: Iterable[str], synonyms: Mapping[str, str] | None = None) -> None:
        """Take names, and the names that synonyms stand for. Joined phrases of `words.toml` are always known."""
        self.canonical_names = {name: name for name in sorted(set(names))} | dict(synonyms or {})
        self._names = {**LEXICON.categories("joined"), **{name: name for name in self.canonical_names}}
        self._first: dict[str, list[list[str]]] = {}
        for name_words in sorted((name.split(" ") for name in self._names if " " in name), key=len, reverse=True):
            self._first.setdefault(name_words[0], []).append(name_words)
        self._words_by_deletion: dict[str, list[str]] = {}
        for word in dict.fromkeys(part_word for name in self.canonical_names for part_word in name.split(" ")):
            for shortened_word in (word, *list_deletions(word)) if len(word) >= SHORTEST_TYPO - 1 else ():
                self._words_by_deletion.setdefault(shortened_word, []).append(word)

    def correct_word(self, word: str) -> str:
        """Return the only word of the game that is one typing error away from what is not English; else the word."""
        is_part_of_name = word in self._words_by_deletion.get(word, ())  # "chopping" of "chopping board"
        is_known = word in self._names or is_part_of_name or LEXICON.is_word(word)
        if not SHORTEST_TYPO <= len(word) <= LONGEST_WORD or not word.isalpha() or is_known:
            return word
        if word.endswith("in") and LEXICON.is_word(f"{word}g"):
            return f"{word}g"
        near_words = {
            candidate: None
            for shortened_word in (word, *list_deletions(word))
            for candidate in self._words_by_deletion.get(shortened_word, ())
            if is_one_edit(word, candidate)
        }
        return next(iter(near_words)) if len(near_words) == 1 else word

    def join_names(self, tokens: Iterable[Token]) -> list[Token]:
        """Return tokens with typing errors corrected and names of several words joined into one token."""
        fixed = [replace(token, text=self.correct_word(token.text)) for token in self._split_possessives(list(tokens))]
        joined: list[Token] = []
        index = 0
        while index < len(fixed):
            token, name_words = fixed[index], self._find_name(fixed, index)
            words = fixed[index : index + max(1, len(name_words))]
            if name_words:
                is_plural = [word_token.text for word_token in (words[-1], token)] != [name_words[-1], name_words[0]]
                raw_text, name = " ".join(word_token.raw for word_token in words), self._names[" ".join(name_words)]
                joined.append(replace(token, text=name, raw=raw_text, end=words[-1].end, plural=is_plural, number=None))
            else:
                is_plural = LEXICON.is_plural(token.text) or token.raw.lower() == f"{token.text}s"  # "kickboards"
                joined.append(replace(token, plural=is_plural))
            index += len(words)
        return joined

    def _split_possessives(self, tokens: list[Token]) -> Iterator[Token]:
        """Yield tokens with "lamp is" for "lamp's" before a colour, a place and the like, but not before a noun."""
        for index, token in enumerate(tokens):
            next_word = tokens[index + 1].text if index + 1 < len(tokens) else ""
            if token.text.endswith("'s") and f"{token.text} {LEXICON.lemma(next_word)}" not in self._names:
                if token.text[:-2] in LEXICON.grammar_words("owners"):
                    continue
                is_colour = next_word in LEXICON.categories("colours")
                is_predicate = is_colour or next_word in LEXICON.grammar_words("before_predicate")
                yield replace(token, text=token.text[:-2], end=token.end - 2)
                if is_predicate or next_word in LEXICON.categories("states"):
                    yield replace(token, text="is", raw="'s", start=token.end - 2)
            else:
                yield token

    def _find_name(self, tokens: list[Token], index: int) -> list[str]:
        """Return the words of the longest name of several words that begins at a place, none if there is none."""
        first_word = tokens[index].text
        for name_words in self._first.get(first_word, ()) or self._first.get(LEXICON.lemma(first_word), ()):
            words = [token.text for token in tokens[index : index + len(name_words)]]
            if len(words) == len(name_words) and all(map(is_word_form, words, name_words)):
                return name_words
        return []


def is_word_form(word: str, dictionary_form: str) -> bool:
    """Return whether a word is a name or a form of it."""
    return word == dictionary_form or (LEXICON.lemma(word) == dictionary_form and not word.endswith("ing"))


def list_deletions(word: str) -> list[str]:
    """Return what is left of a word without each of its letters."""
    return [word[:index] + word[index + 1 :] for index in range(len(word))]


def is_one_edit(word: str, other_word: str) -> bool:
    """Return whether a letter more, less or other, or two letters exchanged, make one word of the other."""
    if len(word) != len(other_word):
        shorter_word, longer_word = sorted((word, other_word), key=len)
        return shorter_word in list_deletions(longer_word)
    differing_indices = [index for index, (letter, b) in enumerate(zip(word, other_word, strict=True)) if letter != b]
    is_exchange = differing_indices[1:] == [differing_indices[0] + 1] if differing_indices else False
    return len(differing_indices) == 1 or (is_exchange and sorted(word) == sorted(other_word))
