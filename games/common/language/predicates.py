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

LONGEST = 600
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
    def key(self) -> tuple[str, frozenset[str]]:
        """What makes predicates the same: the order of the words does not matter."""
        return self.kind, frozenset(self.words)


@dataclass(frozen=True)
class Term:
    """One of the statements in a sentence: its readings, and whether it is denied."""

    readings: tuple[Predicate, ...]
    negated: bool = False


@dataclass(frozen=True)
class Sentence:
    """A question or statement about a thing: `options` of which one must hold, each with terms that must all hold."""

    options: tuple[tuple[Term, ...], ...] = ()
    possible: bool = False
    """Whether it only asks what may be: "could it be red?"."""
    open_word: str = ""
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


def _by_word(table: str) -> dict[str, str]:
    return {word: name for name, words in getattr(_TABLES, table).items() for word in words}


MARKERS, NEARNESS, SYNONYMS, IRREGULAR = map(_by_word, ("markers", "nearness", "synonyms", "irregular"))
PREPOSITIONS = frozenset(MARKERS) | CLASSES.prepositions
VERBS = BE | HAVE | MODAL
SKIPPED = DETERMINERS | SUBJECTS | PREPOSITIONS | BE | MODAL | CLASSES.adverbs
LEADING_ADVERBS = SKIPPED - VERBS - PREPOSITIONS - DETERMINERS - SUBJECTS - {"there"}
REWRITTEN = sorted(((tuple(phrase.split()), new) for phrase, new in _TABLES.rewritten.items()), reverse=True)


# ---------------------------------------------------------------------- words
def lemma_of(word: str) -> str:
    """Return the lemma of a word, and one word for words that mean the same."""
    lemma = base(word)
    return SYNONYMS.get(word) or SYNONYMS.get(lemma, lemma)


@lru_cache(maxsize=4096)
def base(word: str) -> str:
    """Return the lemma of a word: "sit" for "sitting"."""
    lemma: str = IRREGULAR.get(word) or LEXICON.lemma(word)
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        is_doubled = lemma == word != stem and len(stem) > 3 and stem[-1] == stem[-2]
        if is_doubled and "v" in LEXICON.parts(stem[:-1]):
            return stem[:-1]
    return lemma


def content(words: Sequence[str], *, keep: frozenset[str] = frozenset()) -> Words:
    """Return the lemmas of the words that say something, each once."""
    lemmas = []
    for word, following in zip(words, (*words[1:], ""), strict=False):
        is_filler = (word in CLASSES.classifiers and following == "of") or (word == "pretty" and following)
        is_liking = word == "like" and following in ("it", "them", "")
        if word in keep or is_liking or not (word in SKIPPED or is_filler):
            lemmas.append(lemma_of(word.removesuffix("'s")))
    return tuple(dict.fromkeys(lemmas))


def _text(token: Token) -> str:
    return str(token.number) if token.number is not None and token.text != "one" else token.text


def _sentences(text: str) -> list[Words]:
    """Return the words and commas of each sentence."""
    sentences: list[list[str]] = [[]]
    for token in tokenize(text[:LONGEST]):
        if token.ends_sentence:
            sentences.append([])
        elif token.is_word or (token.text == "," and sentences[-1]):
            sentences[-1].append(_text(token))
    return [tuple(words) for words in sentences if words]


def _rewrite(words: Words) -> Words:
    """Return words without commas and phrases that say nothing ("in the world"), and with some written otherwise."""
    words, written, at = tuple(word for word in words if word != ","), list[str](), 0
    while at < len(words):
        rows = (row for row in REWRITTEN if words[at : at + len(row[0])] == row[0])
        phrase, new = next(rows, (words[at : at + 1], words[at]))
        written += new.split() if new or written else phrase
        at += len(phrase)
    return tuple(written)


# ---------------------------------------------------------------------- sentences
@lru_cache(maxsize=4096)
def read_question(text: str) -> Sentence:
    """Return what the last question of a text asks about a thing; a text that is no question is read as a statement."""
    sentences = [_without_tag(words) for words in _sentences(text)]
    for words in reversed(sentences):
        words = tuple(word for word in words if word != ",")
        if (start := _start(words)) is not None:
            return _read(_main_clause(_rewrite(words[start:])))
    return _read_fragment(sentences[-1]) if sentences else Sentence()


def read_statement(text: str) -> list[Sentence]:
    """Return what the clauses of a text state about a thing."""
    return [statement for clause in clauses_of(text) if (statement := _read_fragment(clause)).options]


def clauses_of(text: str) -> Iterator[Words]:
    """Yield the words of each clause of a text, divided at commas and where "and" begins with a verb or "it"."""
    for words in _sentences(text):
        begin = 0
        for at in range(1, len(words)):
            joins = words[at] in ("and", "but", "which", "who") and at + 1 < len(words)
            if words[at] == "," or (joins and (words[at] == "but" or words[at + 1] in CLASSES.clause_subjects | VERBS)):
                yield from [words[begin:at]] if begin < at else []
                begin = at + 1
        yield from [words[begin:]] if begin < len(words) else []


def _without_tag(words: Words) -> Words:
    """Return a sentence without ", right?" or ", isn't it?"."""
    last = max((at for at, word in enumerate(words) if word == ","), default=len(words))
    tag = words[last + 1 :]
    is_question = 0 < len(tag) <= 3 and tag[0] in VERBS and tag[-1] in SUBJECTS
    return words[:last] if is_question or (0 < len(tag) <= 2 and tag[0] in CLASSES.tags) else words


def _start(words: Words) -> int | None:
    """Return where a question begins: at a verb that stands before its subject, or at a question word."""
    for at, (before, word) in enumerate(zip(("", *words), words[:12], strict=False)):
        if word in CLASSES.question_words:
            return at
        if word in VERBS and at + 1 < len(words) and before not in SUBJECTS | CLASSES.people | CLASSES.before_verbs:
            return at
    return None


def _main_clause(words: Words) -> Words:
    """Return the words before a clause that says when, if they ask something by themselves."""
    at = next((n for n, word in enumerate(words) if word in CLASSES.subordinate and n > 2), len(words))
    return words[:at] if set(content(words[:at])) - {"use", "get", "see", "person"} else words


def _read(words: Words) -> Sentence:
    if words[1:2] == ("about",):  # how about, what about
        nouns = content(words[2:])
        return Sentence(((_term(*(Predicate(kind, nouns) for kind in ("have", "be", "do"))),),))
    if words[0] in CLASSES.question_words - {"which"}:
        return Sentence(open_word=words[0])
    possible = (words[0] in CLASSES.possible and "be" in words) or words[0] in ("could", "may", "might")
    return Sentence(tuple(filter(None, _options(words))), possible)


def _options(words: Words) -> Iterator[tuple[Term, ...]]:
    """Yield the terms of each side of an "or"; what stands before it is shared."""
    left, *others = _split(words, "or")
    yield _terms(left)
    for side in others:
        yield _terms(side if side[0] in VERBS and len(side) > 2 else _replace_last(left, side))


def _split(words: Words, separator: str) -> Iterator[Words]:
    """Yield the parts of some words between separators."""
    places = [-1, *(at for at, word in enumerate(words) if word == separator), len(words)]
    return (words[begin + 1 : end] for begin, end in pairwise(places) if begin + 1 < end)


def _replace_last(left: Words, side: Words) -> Words:
    """Return a question whose last content words are replaced by others."""
    last = next((at for at in range(len(left) - 1, 0, -1) if left[at] not in SKIPPED), 1)
    return (*left[:last], *side)


def _terms(words: Words) -> tuple[Term, ...]:
    """Return what a question without "or" asks; where "and" joins two things, also whether it is one of each."""
    first, rest = words[0], words[1:]
    terms = tuple(_question_terms(first, rest[1:] if rest[:1] == ("not",) else rest))
    if "and" in rest[1:-1] and len(terms) == 1:
        at = words.index("and", 2)
        halves = (*_terms(words[:at]), *_terms(_replace_last(words[:at], words[at + 1 :])))
        if all(half.readings for half in halves) and content(words[at + 1 :]):
            return tuple(Term((terms[0].readings[0], *half.readings), half.negated) for half in halves)
    return terms


def _question_terms(first: str, rest: Words) -> Iterator[Term]:
    if length := _subject_length(rest):
        yield from _by_rule("statement", (first, *_without_adverbs(rest[length:])))
    else:
        yield from _by_rule("question", rest)


def _subject_length(words: Words) -> int:
    """Return how many words at the start name the thing itself: "it", "the animal"; 0 for another subject."""
    first, second, third = (*words, "", "", "")[:3]
    if first in ("the", "your", "my", "this", "that") and second in CLASSES.names_of_it:
        return 2
    is_group = second == "of" and third in SUBJECTS  # some of them
    return 3 if is_group else int(first in SUBJECTS - {"one"})


def _read_fragment(words: Words) -> Sentence:
    """Return what a statement or a piece of one says: "it has a mane", "lives in Africa", "an animal?"."""
    words = _without_adverbs(_rewrite(words))
    negated = not CLASSES.negations.isdisjoint(words)
    words = tuple(word for word in words if word not in ("not", "never"))
    terms = [term for term in _fragment_terms(words) if term.readings[0].words] if words else []
    return Sentence((tuple(Term(term.readings, term.negated != negated) for term in terms),) if terms else ())


def _fragment_terms(words: Words) -> Iterator[Term]:
    is_verb = words[0].endswith("s") and LEXICON.parts(base(words[0]))[:1] == "v"
    if length := _subject_length(words):
        yield from _by_rule("statement", words[length:])
    elif words[0] in CLASSES.people:
        yield from _use(words)
    elif words[0] in ("there", "with"):
        yield from _have(words)
    elif len(words) > 1 and (words[0] in VERBS or is_verb):
        yield from _by_rule("statement", words)
    else:
        terms = list(_noun_phrase(words))
        is_clause = len(terms) == 1 and words[0] not in DETERMINERS  # "birds eat it"
        yield from [_term(*terms[0].readings, Predicate("by", content(words)))] if is_clause else terms


# ---------------------------------------------------------------------- phrases
def read_phrase(phrase: str) -> Predicate:
    """Return the predicate of a phrase of a table: its kind, then its words. Raises ValueError for another kind."""
    kind, *words = (_text(token) for token in tokenize(phrase) if token.is_word)
    if kind not in ("be", "have", "do", "use", "by", "at", "of"):
        raise ValueError(f"{phrase!r} begins with no kind of statement")
    if kind not in ("use", "by"):
        return Predicate(
            kind, content(words, keep=CLASSES.kept if kind == "at" else frozenset(words[:1] * (kind == "do")))
        )
    lemmas = content(words)
    has_agent = len(lemmas) > 1 and "person" in lemmas[:2] and (lemmas[0] == "person" or lemmas[0].isdigit())
    if kind == "use" and has_agent:
        words = [word for word in words if lemma_of(word) != "person"]
    return done_to_it(lemma_of(words[0]), tuple(words), by_people=kind == "use")


def _without_adverbs(words: Words) -> Words:
    at = 0
    while at < len(words) - 1 and words[at] in LEADING_ADVERBS:
        at += 1
    return words[at:]


def _by_rule(group: str, words: Words) -> Iterator[Term]:
    """Yield what words say by the first rule of a group whose pattern they begin with.

    A rule has readings, or the name of the group ("> be") or function ("> use") that reads the words after the pattern;
    "= use" reads all words. PLACE, REST, and VERB stand for words of the phrase.
    """
    words = _without_adverbs(words)
    for pattern, action in _TABLES.rules[group].items() if words else ():
        elements = pattern.split()
        sign, _, target = action.partition(" ")
        rest = words[len(elements) :] if sign == ">" else words
        if rest and len(words) >= len(elements) and all(map(_fits, words, elements)):
            if sign not in (">", "="):
                readings = (_fill_in(reading, words) for reading in action.split(", "))
                yield _term(*readings, negated=words[0] == "without")
            elif target in _READERS:
                yield from _READERS[target](rest)
            else:
                yield from _by_rule(target, rest)
            return


def _fits(word: str, element: str) -> bool:
    """Whether a word is one of the alternatives of a pattern: a word, or the name of a class in capitals."""
    return any(_is_in(word, name.lower()) if name.isupper() else word == name for name in element.split("|"))


def _is_in(word: str, name: str) -> bool:
    if name == "participle":
        is_regular = word.endswith("ed") and len(word) > 4 and word not in CLASSES.adjectives
        return word in getattr(CLASSES, name) or (is_regular and "v" in LEXICON.parts(base(word)))
    if name == "noun":
        return LEXICON.parts(lemma_of(word))[:1] == "n" and not word.endswith("s")
    return not getattr(CLASSES, name).isdisjoint((word, base(word)))


def _fill_in(reading: str, words: Words) -> Predicate:
    kind, *names = reading.split()
    filled: list[str] = []
    for name in names:
        if name == "REST":
            filled += content(words[1:])
        elif name == "PART":
            filled += (word for word in content(words[1:]) if word not in CLASSES.part_verbs)
        elif name == "PLACE":
            filled += _place(words)
        else:
            filled.append(lemma_of(words[0]) if name == "VERB" else name)
    return Predicate(kind, tuple(dict.fromkeys(filled)))


def _place(words: Words) -> Words:
    """Return the words of a place, with its preposition where that is not in or at."""
    words = words if words[0] in CLASSES.place_prepositions else words[1:]
    if words and words[0] in NEARNESS:
        return (NEARNESS[words[0]], *content(words[1:]))
    return content(words) or content(words, keep=CLASSES.place_adverbs)


def _have(words: Words) -> Iterator[Term]:
    at = next((n for n, word in enumerate(words) if word in ("that", "which") and n), len(words))
    yield _term(_with_complement("have", words[:at]), negated="no" in words[:1])


def _with_complement(kind: str, words: Words) -> Predicate:
    """Return a predicate of a noun phrase, with what stands after a preposition or in a clause of its own."""
    starts = PREPOSITIONS | CLASSES.relative
    at = next((n for n, word in enumerate(words) if n and word in starts and content(words[:n])), len(words))
    return Predicate(kind, content(words), frozenset(content(words[at:])))


def _use(words: Words) -> Iterator[Term]:
    """Yield what is asked about others: "do you eat it", "do birds nest in it", "would I find it in a forest"."""
    by_people, rest = _agent(words)
    verb = next((base(word) for word in rest if word not in SKIPPED), "")
    readings = [reading for term in _by_rule("people", rest) for reading in term.readings] if by_people else []
    if verb in CLASSES.place_verbs or (by_people and verb in ("use", "buy")):
        readings.append(Predicate("at", _place_after_it(rest)))
    yield _term(*readings, done_to_it(verb, rest, by_people))


def done_to_it(verb: str, words: Words, by_people: bool) -> Predicate:
    """Return what people or others do with the thing, with a marker where a preposition changes what the verb means."""
    spoken = tuple(word for word in content(words) if word != "able" and (word, verb) != ("person", "give"))
    marker = _marker(words)
    if "make" in spoken and marker:  # "is juice made from it", "can you make juice with it"
        return Predicate("use", ("make", *(word for word in spoken if word != "make"), "@from"))
    is_marked = (marker == "@under" or verb in CLASSES.marked_verbs) if by_people else marker == "@from"
    return Predicate("use" if by_people else "by", (*spoken, marker) if marker and is_marked else spoken)


def _agent(words: Words) -> tuple[bool, Words]:
    """Return whether people in general do what is asked about, and the words after them, or all words."""
    at = next((n for n, word in enumerate(words) if word not in CLASSES.quantifiers or word in CLASSES.people), 0)
    if words[at] in CLASSES.people:
        return True, words[at + 1 :]
    if (
        words[at + 1 : at + 2] and words[at + 1] in CLASSES.people and words[at] not in SKIPPED
    ):  # two people, French people
        return True, (words[at], *words[at + 2 :])
    return False, words


def _place_after_it(words: Words) -> Words:
    """Return the words of a place after a preposition that follows the thing: "find it in a forest" -> forest."""
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else "it"
        if word in CLASSES.place_adverbs or (
            word in CLASSES.place_prepositions and at and following not in SUBJECTS - DETERMINERS
        ):
            return _place(words[at:])
    return ()


def _marker(words: Words) -> str | None:
    """Return the marker of the preposition that stands before the thing or at the end."""
    pairs = zip(words, (*words[1:], "it"), strict=False)
    return next(
        (MARKERS[word] for word, following in pairs if word in MARKERS and following in SUBJECTS | {"of"}), None
    )


def _noun_phrase(words: Words) -> Iterator[Term]:
    """Yield a noun phrase or adjective and what the clause after it says: "an animal that flies"."""
    starts, relative = CLASSES.clause_starts, CLASSES.relative
    places = (n for n, word in enumerate(words) if word in starts | relative and (n or word in relative - {"that"}))
    end = next(places, len(words)) if len(words) > 1 else 1
    clause, nouns = words[end:], tuple(word for word in content(words[:end]) if word not in ("something", "anything"))
    if clause and set(nouns) <= {"thing", "item", "object"}:
        nouns = ()
    whole = Predicate("be", (*nouns, *content(clause)), frozenset(content(clause)))
    if nouns and clause[:1] == ("to",) and not {"thing", "animal"} & set(nouns):  # "easy to carry"
        yield _term(whole, Predicate("use", content(clause)), Predicate("be", nouns))
    elif nouns and clause[:1] == ("for",) and LEXICON.parts(nouns[-1])[:1] == "a":  # "important for plants"
        yield _term(whole)
    else:
        complement = _with_complement("be", words[:end]).complement
        yield from [_term(Predicate("be", nouns, complement))] if nouns else []
        yield from _by_rule("clause", clause)


def _term(*readings: Predicate, negated: bool = False) -> Term:
    worded_readings = tuple(reading for reading in readings if reading.words)
    return Term(worded_readings or (Predicate(readings[0].kind, ()),), negated)


_READERS = {"have phrase": _have, "noun phrase": _noun_phrase, "use": _use}
"""What the rules name besides groups."""
