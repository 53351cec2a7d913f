"""What is said or asked of one thing, as data: "does it live in packs?" is `do {live, pack}`.

`read_question` and `read_statement` turn a sentence about "it" into terms that must all hold, each with its readings in
the order in which they should be tried. Pronouns, articles, auxiliary verbs and words such as "usually" are left out.
Phrases are read by the rules of `predicates.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

from games.common.language.lexicon import LEXICON
from games.common.language.tokens import Token, tokenize

MAX_LENGTH = 600
"""Characters of a text that are read."""


@dataclass(frozen=True)
class Predicate:
    """A statement about a thing, by kind and the lemmas of its words.

    The kinds: be (what it is or is like), have, do (what it does), use (what people do with it), by (what others do
    with it), at (where it is), of (what it is made of).
    """

    kind: str
    words: tuple[str, ...]
    complement: frozenset[str] = field(default=frozenset(), compare=False)
    """The words that stand after a preposition: cat in "afraid of cats"."""

    @property
    def identity(self) -> tuple[str, frozenset[str]]:
        """What makes predicates the same: the order of the words does not matter."""
        return self.kind, frozenset(self.words)


@dataclass(frozen=True)
class PredicateTerm:
    """One of the statements in a sentence: its readings, and whether it is denied."""

    readings: tuple[Predicate, ...]
    negated: bool = False


@dataclass(frozen=True)
class Sentence:
    """A question or statement about a thing: `options` of which one must hold, each with terms that must all hold."""

    options: tuple[tuple[PredicateTerm, ...], ...] = ()
    is_possible: bool = False
    """Whether it only asks what may be: "could it be red?"."""
    question_word: str = ""
    """The question word of a question that yes and no do not answer: what, where, how, …"""

    @property
    def words(self) -> list[str]:
        """All its words, in order."""
        terms = (term for option in self.options for term in option)
        return list(dict.fromkeys(word for term in terms for word in term.readings[0].words))


Words = tuple[str, ...]
_TABLES = SimpleNamespace(**tomllib.loads(Path(__file__).with_name("predicates.toml").read_text(encoding="utf-8")))
CLASSES = SimpleNamespace(**{name: frozenset(words) for name, words in _TABLES.words.items()})
"""Words by class, such as `CLASSES.people`."""
BE, HAVE, MODAL, SUBJECTS, DETERMINERS = CLASSES.be, CLASSES.have, CLASSES.modal, CLASSES.subjects, CLASSES.determiners


def _invert_table(table_name: str) -> dict[str, str]:
    return {word: class_name for class_name, words in getattr(_TABLES, table_name).items() for word in words}


MARKERS, NEARNESS, SYNONYMS, IRREGULAR_LEMMAS = map(_invert_table, ("markers", "nearness", "synonyms", "irregular"))
PREPOSITIONS = frozenset(MARKERS) | CLASSES.prepositions
VERBS = BE | HAVE | MODAL
SKIPPED = DETERMINERS | SUBJECTS | PREPOSITIONS | BE | MODAL | CLASSES.adverbs
LEADING_ADVERBS = SKIPPED - VERBS - PREPOSITIONS - DETERMINERS - SUBJECTS - {"there"}
REWRITTEN_PHRASES = sorted(((tuple(phrase.split()), new) for phrase, new in _TABLES.rewritten.items()), reverse=True)


# ---------------------------------------------------------------------- words
def find_lemma(word: str) -> str:
    """Return the lemma of a word, and one word for words that mean the same."""
    lemma = find_base(word)
    return SYNONYMS.get(word) or SYNONYMS.get(lemma, lemma)


@lru_cache(maxsize=4096)
def find_base(word: str) -> str:
    """Return the lemma of a word: "sit" for "sitting"."""
    lemma: str = IRREGULAR_LEMMAS.get(word) or LEXICON.lemma(word)
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        is_doubled = lemma == word != stem and len(stem) > 3 and stem[-1] == stem[-2]
        if is_doubled and "v" in LEXICON.word_classes(stem[:-1]):
            return stem[:-1]
    return lemma


def content(words: Sequence[str], *, kept_words: frozenset[str] = frozenset()) -> Words:
    """Return the lemmas of the words that say something, each once."""
    lemmas = []
    for word, next_word in zip(words, (*words[1:], ""), strict=False):
        is_filler = (word in CLASSES.classifiers and next_word == "of") or (word == "pretty" and next_word)
        is_liking = word == "like" and next_word in ("it", "them", "")
        if word in kept_words or is_liking or not (word in SKIPPED or is_filler):
            lemmas.append(find_lemma(word.removesuffix("'s")))
    return tuple(dict.fromkeys(lemmas))


def _write_token(token: Token) -> str:
    return str(token.number) if token.number is not None and token.text != "one" else token.text


def _split_sentences(text: str) -> list[Words]:
    """Return the words and commas of each sentence."""
    sentences: list[list[str]] = [[]]
    for token in tokenize(text[:MAX_LENGTH]):
        if token.ends_sentence:
            sentences.append([])
        elif token.is_word or (token.text == "," and sentences[-1]):
            sentences[-1].append(_write_token(token))
    return [tuple(words) for words in sentences if words]


def _rewrite_phrases(words: Words) -> Words:
    """Return words without commas and phrases that say nothing ("in the world"), and with some written otherwise."""
    words, written_words, index = tuple(word for word in words if word != ","), list[str](), 0
    while index < len(words):
        matching_rows = (row for row in REWRITTEN_PHRASES if words[index : index + len(row[0])] == row[0])
        phrase, replacement = next(matching_rows, (words[index : index + 1], words[index]))
        written_words += replacement.split() if replacement or written_words else phrase
        index += len(phrase)
    return tuple(written_words)


# ---------------------------------------------------------------------- sentences
@lru_cache(maxsize=4096)
def read_question(text: str) -> Sentence:
    """Return what the last question of a text asks about a thing; a text that is no question is read as a statement."""
    sentences = [words[: find_tag(words)] for words in _split_sentences(text)]
    for words in reversed(sentences):
        words = tuple(word for word in words if word != ",")
        if (start_index := _find_start(words)) is not None:
            return _read_words(_cut_to_main_clause(_rewrite_phrases(words[start_index:])))
    return _read_fragment(sentences[-1]) if sentences else Sentence()


def read_statement(text: str) -> list[Sentence]:
    """Return what the clauses of a text state about a thing."""
    return [statement for clause in split_clauses(text) if (statement := _read_fragment(clause)).options]


def split_clauses(text: str) -> Iterator[Words]:
    """Yield the words of each clause of a text, divided at commas and where "and" begins with a verb or "it"."""
    for words in _split_sentences(text):
        clause_start = 0
        for index in range(1, len(words)):
            joins = words[index] in ("and", "but", "which", "who") and index + 1 < len(words)
            if words[index] == "," or (
                joins and (words[index] == "but" or words[index + 1] in CLASSES.clause_subjects | VERBS)
            ):
                yield from [words[clause_start:index]] if clause_start < index else []
                clause_start = index + 1
        yield from [words[clause_start:]] if clause_start < len(words) else []


def find_tag(words: Words) -> int:
    """Return where ", right?", ", isn't it?", "or not?" or "right?" begins that only asks to confirm a sentence."""
    comma_index = max((index for index, word in enumerate(words) if word == ","), default=len(words))
    tag_words = words[comma_index + 1 :]
    is_question = 0 < len(tag_words) <= 3 and tag_words[0] in VERBS and tag_words[-1] in SUBJECTS
    if is_question or (0 < len(tag_words) <= 2 and tag_words[0] in CLASSES.tags):
        return comma_index
    is_side = set(words[:1]) & VERBS or set(words[-2:-1]) & (SKIPPED | CLASSES.before_side)
    is_tail = words[-2:-1] == ("or",) and words[-1] in CLASSES.tails
    return len(words) - (2 if is_tail else words[-1:] == ("right",) and len(words) > 1 and not is_side)


def _find_start(words: Words) -> int | None:
    """Return where a question begins: at a verb that stands before its subject, or at a question word."""
    for index, (before, word) in enumerate(zip(("", *words), words[:12], strict=False)):
        if word in CLASSES.question_words:
            return index
        if word in VERBS and index + 1 < len(words) and before not in SUBJECTS | CLASSES.people | CLASSES.before_verbs:
            return index
    return None


def _cut_to_main_clause(words: Words) -> Words:
    """Return the words before a clause that says when, if they ask something by themselves."""
    end_index = next((i for i, word in enumerate(words) if word in CLASSES.subordinate and i > 2), len(words))
    return words[:end_index] if set(content(words[:end_index])) - {"use", "get", "see", "person"} else words


def _read_words(words: Words) -> Sentence:
    if words[1:2] == ("about",):  # how about, what about
        nouns = content(words[2:])
        return Sentence(((_make_term(*(Predicate(kind, nouns) for kind in ("have", "be", "do"))),),))
    if words[0] in CLASSES.question_words - {"which"}:
        return Sentence(question_word=words[0])
    is_possible = (words[0] in CLASSES.possible and "be" in words) or words[0] in ("could", "may", "might")
    return Sentence(tuple(filter(None, _read_options(words))), is_possible)


def _read_options(words: Words) -> Iterator[tuple[PredicateTerm, ...]]:
    """Yield the terms of each side of an "or"; what stands before it is shared."""
    first_words, *other_sides = _split_words(words, "or")
    yield _read_terms(first_words)
    for side in other_sides:
        yield _read_terms(side if side[0] in VERBS and len(side) > 2 else _replace_last(first_words, side))


def _split_words(words: Words, separator: str) -> Iterator[Words]:
    """Yield the parts of some words between separators."""
    separator_indices = [-1, *(index for index, word in enumerate(words) if word == separator), len(words)]
    return (words[start_index + 1 : end] for start_index, end in pairwise(separator_indices) if start_index + 1 < end)


def _replace_last(first_words: Words, last_words: Words) -> Words:
    """Return a question whose last content words are replaced by others."""
    last_index = next((index for index in range(len(first_words) - 1, 0, -1) if first_words[index] not in SKIPPED), 1)
    return (*first_words[:last_index], *last_words)


def _read_terms(words: Words) -> tuple[PredicateTerm, ...]:
    """Return what a question without "or" asks; where "and" joins two things, also whether it is one of each."""
    first, other_words = words[0], words[1:]
    terms = tuple(_read_question_terms(first, other_words[1:] if other_words[:1] == ("not",) else other_words))
    if "and" in other_words[1:-1] and len(terms) == 1:
        index = words.index("and", 2)
        halves = (*_read_terms(words[:index]), *_read_terms(_replace_last(words[:index], words[index + 1 :])))
        if all(half_term.readings for half_term in halves) and content(words[index + 1 :]):
            return tuple(
                PredicateTerm((terms[0].readings[0], *half_term.readings), half_term.negated) for half_term in halves
            )
    return terms


def _read_question_terms(first: str, other_words: Words) -> Iterator[PredicateTerm]:
    if length := _count_subject(other_words):
        yield from _apply_rules("statement", (first, *_drop_adverbs(other_words[length:])))
    else:
        yield from _apply_rules("question", other_words)


def _count_subject(words: Words) -> int:
    """Return how many words at the start name the thing itself: "it", "the animal"; 0 for another subject."""
    first, second, third = (*words, "", "", "")[:3]
    if first in ("the", "your", "my", "this", "that") and second in CLASSES.names_of_it:
        return 2
    is_group = second == "of" and third in SUBJECTS  # some of them
    return 3 if is_group else int(first in SUBJECTS - {"one"})


def _read_fragment(words: Words) -> Sentence:
    """Return what a statement or a piece of one says: "it has a mane", "lives in Africa", "an animal?"."""
    words = _drop_adverbs(_rewrite_phrases(words))
    is_negated = not CLASSES.negations.isdisjoint(words)
    words = tuple(word for word in words if word not in ("not", "never"))
    terms = [term for term in _read_fragment_terms(words) if term.readings[0].words] if words else []
    return Sentence(
        (tuple(PredicateTerm(term.readings, term.negated != is_negated) for term in terms),) if terms else ()
    )


def _read_fragment_terms(words: Words) -> Iterator[PredicateTerm]:
    is_verb = words[0].endswith("s") and LEXICON.word_classes(find_base(words[0]))[:1] == "v"
    if length := _count_subject(words):
        yield from _apply_rules("statement", words[length:])
    elif words[0] in CLASSES.people:
        yield from _read_use(words)
    elif words[0] in ("there", "with"):
        yield from _read_have(words)
    elif len(words) > 1 and (words[0] in VERBS or is_verb):
        yield from _apply_rules("statement", words)
    else:
        terms = list(_read_noun_phrase(words))
        is_clause = len(terms) == 1 and words[0] not in DETERMINERS  # "birds eat it"
        yield from [_make_term(*terms[0].readings, Predicate("by", content(words)))] if is_clause else terms


# ---------------------------------------------------------------------- phrases
def read_phrase(phrase: str) -> Predicate:
    """Return the predicate of a phrase of a table: its kind, then its words. Raises ValueError for another kind."""
    kind, *words = (_write_token(token) for token in tokenize(phrase) if token.is_word)
    if kind not in ("be", "have", "do", "use", "by", "at", "of"):
        raise ValueError(f"{phrase!r} begins with no kind of statement")
    if kind not in ("use", "by"):
        return Predicate(
            kind, content(words, kept_words=CLASSES.kept if kind == "at" else frozenset(words[:1] * (kind == "do")))
        )
    lemmas = content(words)
    has_agent = len(lemmas) > 1 and "person" in lemmas[:2] and (lemmas[0] == "person" or lemmas[0].isdigit())
    if kind == "use" and has_agent:
        words = [word for word in words if find_lemma(word) != "person"]
    return read_action(find_lemma(words[0]), tuple(words), is_by_people=kind == "use")


def _drop_adverbs(words: Words) -> Words:
    index = 0
    while index < len(words) - 1 and words[index] in LEADING_ADVERBS:
        index += 1
    return words[index:]


def _apply_rules(group_name: str, words: Words) -> Iterator[PredicateTerm]:
    """Yield what words say by the first rule of a group whose pattern they begin with.

    A rule has readings, or the name of the group ("> be") or function ("> use") that reads the words after the pattern;
    "= use" reads all words. PLACE, REST, and VERB stand for words of the phrase.
    """
    words = _drop_adverbs(words)
    for pattern, action in _TABLES.rules[group_name].items() if words else ():
        pattern_words = pattern.split()
        operator, _, reader_name = action.partition(" ")
        other_words = words[len(pattern_words) :] if operator == ">" else words
        if other_words and len(words) >= len(pattern_words) and all(map(_fits_element, words, pattern_words)):
            if operator not in (">", "="):
                readings = (_fill_reading(reading, words) for reading in action.split(", "))
                yield _make_term(*readings, is_negated=words[0] == "without")
            elif reader_name in PHRASE_READERS:
                yield from PHRASE_READERS[reader_name](other_words)
            else:
                yield from _apply_rules(reader_name, other_words)
            return


def _fits_element(word: str, pattern_word: str) -> bool:
    """Whether a word is one of the alternatives of a pattern: a word, or the name of a class in capitals."""
    return any(_is_in_class(word, name.lower()) if name.isupper() else word == name for name in pattern_word.split("|"))


def _is_in_class(word: str, class_name: str) -> bool:
    if class_name == "participle":
        is_regular = word.endswith("ed") and len(word) > 4 and word not in CLASSES.adjectives
        return word in getattr(CLASSES, class_name) or (is_regular and "v" in LEXICON.word_classes(find_base(word)))
    if class_name == "noun":
        return LEXICON.word_classes(find_lemma(word))[:1] == "n" and not word.endswith("s")
    return not getattr(CLASSES, class_name).isdisjoint((word, find_base(word)))


def _fill_reading(reading_text: str, words: Words) -> Predicate:
    kind, *slot_names = reading_text.split()
    predicate_words: list[str] = []
    for slot_name in slot_names:
        if slot_name == "REST":
            predicate_words += content(words[1:])
        elif slot_name == "PART":
            predicate_words += (word for word in content(words[1:]) if word not in CLASSES.part_verbs)
        elif slot_name == "PLACE":
            predicate_words += _read_place(words)
        else:
            predicate_words.append(find_lemma(words[0]) if slot_name == "VERB" else slot_name)
    return Predicate(kind, tuple(dict.fromkeys(predicate_words)))


def _read_place(words: Words) -> Words:
    """Return the words of a place, with its preposition where that is not in or at."""
    words = words if words[0] in CLASSES.place_prepositions else words[1:]
    if words and words[0] in NEARNESS:
        return (NEARNESS[words[0]], *content(words[1:]))
    return content(words) or content(words, kept_words=CLASSES.place_adverbs)


def _read_have(words: Words) -> Iterator[PredicateTerm]:
    end_index = next((i for i, word in enumerate(words) if word in ("that", "which") and i), len(words))
    yield _make_term(_make_predicate("have", words[:end_index]), is_negated="no" in words[:1])


def _make_predicate(kind: str, words: Words) -> Predicate:
    """Return a predicate of a noun phrase, with what stands after a preposition or in a clause of its own."""
    start_words = PREPOSITIONS | CLASSES.relative
    at = next((i for i, word in enumerate(words) if i and word in start_words and content(words[:i])), len(words))
    return Predicate(kind, content(words), frozenset(content(words[at:])))


def _read_use(words: Words) -> Iterator[PredicateTerm]:
    """Yield what is asked about others: "do you eat it", "do birds nest in it", "would I find it in a forest"."""
    is_by_people, rest = _split_agent(words)
    verb = next((find_base(word) for word in rest if word not in SKIPPED), "")
    readings = [reading for term in _apply_rules("people", rest) for reading in term.readings] if is_by_people else []
    if verb in CLASSES.place_verbs or (is_by_people and verb in ("use", "buy")):
        readings.append(Predicate("at", _find_place(rest)))
    yield _make_term(*readings, read_action(verb, rest, is_by_people))


def read_action(verb: str, words: Words, is_by_people: bool) -> Predicate:
    """Return what people or others do with the thing, with a marker where a preposition changes what the verb means."""
    spoken_words = tuple(word for word in content(words) if word != "able" and (word, verb) != ("person", "give"))
    marker = _find_marker(words)
    if "make" in spoken_words and marker:  # "is juice made from it", "can you make juice with it"
        return Predicate("use", ("make", *(word for word in spoken_words if word != "make"), "@from"))
    is_marked = (marker == "@under" or verb in CLASSES.marked_verbs) if is_by_people else marker == "@from"
    return Predicate("use" if is_by_people else "by", (*spoken_words, marker) if marker and is_marked else spoken_words)


def _split_agent(words: Words) -> tuple[bool, Words]:
    """Return whether people in general do what is asked about, and the words after them, or all words."""
    index = next((i for i, word in enumerate(words) if word not in CLASSES.quantifiers or word in CLASSES.people), 0)
    if words[index] in CLASSES.people:
        return True, words[index + 1 :]
    if (
        words[index + 1 : index + 2] and words[index + 1] in CLASSES.people and words[index] not in SKIPPED
    ):  # two people, French people
        return True, (words[index], *words[index + 2 :])
    return False, words


def _find_place(words: Words) -> Words:
    """Return the words of a place after a preposition that follows the thing: "find it in a forest" -> forest."""
    for index, word in enumerate(words):
        next_word = words[index + 1] if index + 1 < len(words) else "it"
        if word in CLASSES.place_adverbs or (
            word in CLASSES.place_prepositions and index and next_word not in SUBJECTS - DETERMINERS
        ):
            return _read_place(words[index:])
    return ()


def _find_marker(words: Words) -> str | None:
    """Return the marker of the preposition that stands before the thing or at the end."""
    word_pairs = zip(words, (*words[1:], "it"), strict=False)
    return next(
        (MARKERS[word] for word, next_word in word_pairs if word in MARKERS and next_word in SUBJECTS | {"of"}), None
    )


def _read_noun_phrase(words: Words) -> Iterator[PredicateTerm]:
    """Yield a noun phrase or adjective and what the clause after it says: "an animal that flies"."""
    starts, relative = CLASSES.clause_starts, CLASSES.relative
    places = (i for i, word in enumerate(words) if word in starts | relative and (i or word in relative - {"that"}))
    end = next(places, len(words)) if len(words) > 1 else 1
    clause, nouns = words[end:], tuple(word for word in content(words[:end]) if word not in ("something", "anything"))
    if clause and set(nouns) <= {"thing", "item", "object"}:
        nouns = ()
    whole_predicate = Predicate("be", (*nouns, *content(clause)), frozenset(content(clause)))
    if nouns and clause[:1] == ("to",) and not {"thing", "animal"} & set(nouns):  # "easy to carry"
        yield _make_term(whole_predicate, Predicate("use", content(clause)), Predicate("be", nouns))
    elif nouns and clause[:1] == ("for",) and LEXICON.word_classes(nouns[-1])[:1] == "a":  # "important for plants"
        yield _make_term(whole_predicate)
    else:
        complement = _make_predicate("be", words[:end]).complement
        yield from [_make_term(Predicate("be", nouns, complement))] if nouns else []
        yield from _apply_rules("clause", clause)


def _make_term(*readings: Predicate, is_negated: bool = False) -> PredicateTerm:
    worded_readings = tuple(reading for reading in readings if reading.words)
    return PredicateTerm(worded_readings or (Predicate(readings[0].kind, ()),), is_negated)


PHRASE_READERS = {"have phrase": _read_have, "noun phrase": _read_noun_phrase, "use": _read_use}
"""What the rules name besides groups."""
