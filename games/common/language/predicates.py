"""What is said or asked of one thing, as data: "does it live in packs?" is `do {live, pack}`.

`read_question` and `read_statement` turn a sentence about "it" into terms that must all hold, each with its readings in
the order in which they should be tried. Pronouns, articles, auxiliary verbs and words such as "usually" are left out.
All takes linear time.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

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


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    data: dict[str, dict[str, list[str]]] = tomllib.loads(
        (Path(__file__).parent / "predicates.toml").read_text(encoding="utf-8")
    )
    return data


def _words(name: str, table: str = "words") -> frozenset[str]:
    return frozenset(_table()[table][name])


def _canonical(table: str, prefix: str = "") -> dict[str, str]:
    """Return the word that stands for each word of a table."""
    return {word: prefix + name for name, words in _table()[table].items() for word in words}


BE, HAVE, MODAL, POSSIBLE = map(_words, ("be", "have", "modal", "possible"))
QUESTION_WORDS, SUBJECTS, PEOPLE, GENERIC = map(_words, ("question_words", "subjects", "people", "generic"))
DETERMINERS, CLASSIFIERS, RELATIVE, TAGS = map(_words, ("determiners", "classifiers", "relative", "tags"))
PLACE_PREPOSITIONS, PLACE_VERBS, LIVING_VERBS = map(_words, ("place_prepositions", "place_verbs", "living_verbs"))
ASPECTS, MADE_FROM, WEAK, SOFT = map(_words, ("aspects", "made_from", "weak", "soft"))
POSSESSION, SEEMING, PARTICIPLES, ADJECTIVES = map(_words, ("possession", "seeming", "participles", "adjectives"))
SUBORDINATE, COVERED, MARKED_VERBS = map(_words, ("subordinate", "covered", "marked_verbs"))
MARKERS = _canonical("markers", "@")
NEARNESS, SYNONYMS, IRREGULAR = map(_canonical, ("nearness", "synonyms", "irregular"))
PREPOSITIONS = frozenset(MARKERS) | _words("prepositions")
SKIPPED = DETERMINERS | SUBJECTS | PREPOSITIONS | BE | MODAL | _words("adverbs")
VERBS = BE | HAVE | MODAL
NEGATIONS = frozenset("no not never none neither nor without".split())
NAMES_OF_IT = GENERIC - {"one"} | _words("names_of_it")
PLACE_ADVERBS = frozenset("outdoors outside indoors inside underground underwater home".split())
NOTHING_SAID = frozenset(("something", "anything", "thing", "item", "object"))
JOINED = {("man", "made"): "manmade", ("human", "made"): "manmade", ("grown", "up"): "grownup"}
WITHOUT_MEANING = tuple(tuple(phrase.split()) for phrase in sorted(_words("without_meaning"), reverse=True))


# ---------------------------------------------------------------------- words
@dataclass(frozen=True)
class _Words:
    """The words of a sentence in lower case, without punctuation; a comma before a word is remembered."""

    texts: tuple[str, ...]
    commas: frozenset[int] = field(default=frozenset())


def lemma_of(word: str) -> str:
    """Return the lemma of a word, and one word for words that mean the same."""
    lemma = base(word)
    return SYNONYMS.get(word) or SYNONYMS.get(lemma, lemma)


def base(word: str) -> str:
    """Return the lemma of a word: "sit" for "sitting"."""
    lemma = IRREGULAR.get(word) or LEXICON.lemma(word)
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        is_doubled = lemma == word != stem and len(stem) > 3 and stem[-1] == stem[-2]
        if is_doubled and "v" in LEXICON.parts(stem[:-1]):
            return stem[:-1]
    return lemma


def content(words: Sequence[str], *, keep: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the lemmas of the words that say something, each once."""
    lemmas = []
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        is_filler = (word in CLASSIFIERS and following == "of") or (word == "pretty" and following)
        is_liking = word == "like" and following in ("it", "them", "")
        if word in keep or is_liking or not (word in SKIPPED or is_filler):
            lemmas.append(lemma_of(word.removesuffix("'s")))
    return tuple(dict.fromkeys(lemmas))


def _sentences(text: str) -> list[_Words]:
    sentences: list[_Words] = []
    words: list[str] = []
    commas: set[int] = set()

    def end() -> None:
        if words:
            sentences.append(_Words(tuple(words), frozenset(commas)))
            words.clear()
            commas.clear()

    for token in tokenize(text[:LONGEST]):
        if token.is_word:
            words.append(_text(token))
        elif token.ends_sentence:
            end()
        elif token.text == ",":
            commas.add(len(words))
    end()
    return sentences


def _text(token: Token) -> str:
    return str(token.number) if token.number is not None and token.text != "one" else token.text


def _simplify(words: list[str]) -> tuple[str, ...]:
    """Return words with some joined ("man made") and without phrases that say nothing ("in the world")."""
    simple: list[str] = []
    at = 0
    while at < len(words):
        empty = next((phrase for phrase in WITHOUT_MEANING if tuple(words[at : at + len(phrase)]) == phrase), ())
        joined = JOINED.get(tuple(words[at : at + 2]))  # type: ignore[arg-type]
        if joined:
            simple.append(joined)
            at += 2
        elif empty and at:
            at += len(empty)
        else:
            simple.append(words[at])
            at += 1
    return tuple(simple)


def texts_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as the readers see them: small letters, numbers in digits."""
    return tuple(_text(token) for token in tokenize(text) if token.is_word)


# ---------------------------------------------------------------------- questions
@lru_cache(maxsize=4096)
def read_question(text: str) -> Sentence:
    """Return what the last question of a text asks about a thing; a text that is no question is read as a statement."""
    sentences = _sentences(text)
    for sentence in map(_without_tag, reversed(sentences)):
        start = _start(sentence)
        if start is not None:
            return _read(sentence, start)
    if not sentences:
        return Sentence()
    return _read_fragment(_without_tag(sentences[-1]).texts)


def _without_tag(sentence: _Words) -> _Words:
    """Return a sentence without ", right?" or ", isn't it?"."""
    last = max((at for at in sentence.commas if at < len(sentence.texts)), default=0)
    tag = sentence.texts[last:]
    is_tag = (len(tag) <= 2 and tag[0] in TAGS) or (len(tag) <= 3 and tag[0] in VERBS and tag[-1] in SUBJECTS)
    return _Words(sentence.texts[:last], sentence.commas - {last}) if last and is_tag else sentence


def read_statement(text: str) -> list[Sentence]:
    """Return what the clauses of a text state about a thing."""
    statements = [_read_fragment(clause) for sentence in _sentences(text) for clause in _clauses(sentence)]
    return [statement for statement in statements if statement.options]


def clauses_of(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each clause of a text."""
    for sentence in _sentences(text):
        yield from _clauses(sentence)


def _clauses(sentence: _Words) -> Iterator[tuple[str, ...]]:
    """Yield the clauses of a sentence: it is divided at commas, and where "and" or "but" begins with a verb or "it"."""
    begin = 0
    words = sentence.texts
    for at in range(1, len(words)):
        joins = words[at] in ("and", "but", "which", "who") and at + 1 < len(words)
        starts = joins and (words[at + 1] in SUBJECTS | VERBS | {"you", "people", "we"} or words[at] == "but")
        if at in sentence.commas or starts:
            yield words[begin:at]
            begin = at + 1 if joins else at
    yield words[begin:]


def _start(sentence: _Words) -> int | None:
    """Return where a question begins: at a verb that stands before its subject, or at a question word."""
    words = sentence.texts
    for at, word in enumerate(words[:12]):
        if word in QUESTION_WORDS:
            return at
        if word in VERBS and at + 1 < len(words):
            before = words[at - 1] if at else ""
            if before not in SUBJECTS | PEOPLE | {"there", "which", "that", "who"}:
                return at
    return None


def _read(sentence: _Words, start: int) -> Sentence:
    words = _main_clause(_simplify(list(sentence.texts[start:])))
    if words[0] in ("how", "what") and words[1:2] == ("about",):
        nouns = content(words[2:])
        return Sentence(((_term(*(Predicate(kind, nouns) for kind in ("have", "be", "do"))),),))
    if words[0] in QUESTION_WORDS and words[0] != "which":
        return Sentence(open_word=words[0])
    options = tuple(_options(words))
    return Sentence(options, possible=(words[0] in POSSIBLE and "be" in words) or words[0] in ("could", "may", "might"))


def _main_clause(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words before a clause that says when, if they ask something by themselves."""
    at = next((n for n, word in enumerate(words) if word in SUBORDINATE and n > 2), len(words))
    return words[:at] if set(content(words[:at])) - {"use", "get", "see", "person"} else words


def _options(words: tuple[str, ...]) -> Iterator[tuple[Term, ...]]:
    """Yield the terms of each side of an "or"; what stands before it is shared."""
    if "or" not in words[1:-1]:
        yield _terms(words)
        return
    at = words.index("or", 1)
    left, right = words[:at], words[at + 1 :]
    if right[0] in VERBS and len(right) > 2:
        yield _terms(left)
        yield from _options(right)
        return
    yield _terms(left)
    for side in _split(right, "or"):
        yield _replace_last(left, side)


def _split(words: tuple[str, ...], separator: str) -> Iterator[tuple[str, ...]]:
    begin = 0
    for at in [*(n for n, word in enumerate(words) if word == separator), len(words)]:
        if begin < at:
            yield words[begin:at]
        begin = at + 1


def _replace_last(left: tuple[str, ...], side: tuple[str, ...]) -> tuple[Term, ...]:
    """Return the terms of a question whose last content words are replaced by others."""
    last = next((at for at in range(len(left) - 1, -1, -1) if left[at] not in SKIPPED), 0)
    return _terms((*left[: max(1, last)], *side))


def _terms(words: tuple[str, ...]) -> tuple[Term, ...]:
    """Return what a question without "or" asks; where "and" joins two things, also whether it is one of each."""
    first, rest = words[0], words[1:]
    rest = rest[1:] if rest[:1] == ("not",) else rest
    terms = list(_question_terms(first, rest))
    if "and" in rest[1:-1] and len(terms) == 1:
        at = words.index("and", 2)
        halves = (*_terms(words[:at]), *_replace_last(words[:at], words[at + 1 :]))
        whole = terms[0].readings
        if all(half.readings for half in halves) and content(words[at + 1 :]):
            return tuple(Term((whole[0], *half.readings), half.negated) for half in halves)
    return tuple(terms)


def _question_terms(first: str, rest: tuple[str, ...]) -> Iterator[Term]:
    if not rest:
        return
    if rest[0] == "there":
        yield from _be(rest[2:]) if rest[1:2] == ("one",) else [_term(_with_complement("have", rest))]
    elif rest[0] in ("its", "their") and len(rest) > 2:
        yield from _about_part(rest)
    elif length := _subject_length(rest):
        yield from _about_it(first, rest[length:])
    else:
        yield _use(rest)


def _about_part(words: tuple[str, ...]) -> Iterator[Term]:
    """Yield what a question asks whose subject is a part of the thing: "is its tail long?"."""
    if base(words[1]) in ASPECTS:
        yield from _be(words[2:])
    else:
        part = content(words)
        plain = tuple(word for word in part if word not in ("make", "look", "feel", "cover", "use"))
        yield _term(Predicate("have", part), Predicate("have", plain), Predicate("use", part))


def _subject_length(words: tuple[str, ...]) -> int:
    """Return how many words at the start name the thing itself: "it", "the animal"; 0 for another subject."""
    pointing, following = words[0], words[1] if len(words) > 1 else ""
    if pointing in ("the", "your", "my", "this", "that") and following in NAMES_OF_IT:
        return 2
    if following == "of" and words[2:3] and words[2] in SUBJECTS:  # some of them
        return 3
    return 1 if pointing in SUBJECTS - {"one"} else 0


def _about_it(first: str, after: tuple[str, ...]) -> Iterator[Term]:
    """Yield what a question asks whose subject is the thing, given its first verb and what follows the subject."""
    after = _without_adverbs(after)
    if not after:
        return
    if first in BE:
        yield from _be(after)
    elif first in HAVE:
        if after[0] in BE or _is_participle(after[0]):
            yield from _be(after[1:] if after[0] in BE else after)
        else:
            yield from _have(after)
    else:
        yield from _verb(after)


def _without_adverbs(words: tuple[str, ...]) -> tuple[str, ...]:
    at = 0
    keep = (
        BE | MODAL | HAVE | PREPOSITIONS | DETERMINERS | SUBJECTS | {"kind", "type", "sort", "piece", "made", "there"}
    )
    while at < len(words) - 1 and words[at] in SKIPPED - keep:
        at += 1
    return words[at:]


def _verb(words: tuple[str, ...]) -> Iterator[Term]:
    """Yield what is said of a thing that does something."""
    words = _without_adverbs(words)
    verb, rest = base(words[0]), words[1:]
    if words[0] in BE:
        yield from _be(rest)
    elif words[0] in POSSESSION or verb in POSSESSION or words[:2] == ("come", "with"):
        yield from _have(rest[1:] if words[0] == "come" else rest)
    else:
        yield _term(*_done(verb, rest))


def _done(verb: str, rest: tuple[str, ...]) -> Iterator[Predicate]:
    """Yield the readings of a verb whose subject is the thing: what it does, where it is, what it is like."""
    words = content(rest)
    yield Predicate("do", (verb, *(word for word in words if word != verb)))
    if verb in SEEMING:
        yield Predicate("be", words)
    if verb in LIVING_VERBS and words:
        yield Predicate("at", _place(rest)) if rest[0] in NEARNESS else _with_complement("at", rest)
    if verb == "belong":
        yield Predicate("be", tuple(word for word in words if word not in ("family", "group")))


def _have(words: tuple[str, ...]) -> Iterator[Term]:
    if words and words[0] == "got":
        words = words[1:]
    if words and words[0] == "to" and len(words) > 1:  # "does it have to be …"
        yield from _verb(words[1:])
        return
    at = next((n for n, word in enumerate(words) if word in ("that", "which") and n), len(words))
    yield _term(_with_complement("have", words[:at]), negated="no" in words[:1])


def _with_complement(kind: str, words: tuple[str, ...]) -> Predicate:
    """Return a predicate of a noun phrase, with what stands after a preposition or in a clause of its own."""
    starts = PREPOSITIONS | RELATIVE
    at = next((n for n, word in enumerate(words) if n and word in starts and content(words[:n])), len(words))
    return Predicate(kind, content(words), frozenset(content(words[at:])))


def _use(words: tuple[str, ...]) -> Term:
    """Return what is asked about others: "do you eat it", "do birds nest in it", "would I find it in a forest"."""
    by_people, rest = _agent(words)
    rest = _with_need(rest)
    verb = next((base(word) for word in rest if word not in SKIPPED), "")
    readings = list(_used_by_people(verb, rest)) if by_people else []
    if verb in PLACE_VERBS or (by_people and verb in ("use", "buy")):
        readings.append(Predicate("at", _place_after_it(rest)))
    words = tuple(word for word in content(rest) if word != "able" and (word, verb) != ("person", "give"))
    marker = _marker(rest)
    if "make" in words and marker:  # "is juice made from it", "can you make juice with it"
        ingredients = (word for word in words if word != "make")
        readings.append(Predicate("use", ("make", *ingredients, "@from")))
    else:
        is_marked = (marker == ("@under",) or verb in MARKED_VERBS) if by_people else marker == ("@from",)
        marked = marker if is_marked else ()
        readings.append(Predicate("use" if by_people else "by", (*words, *marked)))
    return _term(*readings)


def _agent(words: tuple[str, ...]) -> tuple[bool, tuple[str, ...]]:
    """Return whether people in general do what is asked about, and the words after them, or all words."""
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first in PEOPLE:
        return True, words[1:]
    if first in ("lots", "plenty") and second == "of":
        return _agent(("many", *words[2:]))
    if second in PEOPLE | {"average"} and first in DETERMINERS | {"most", "many", "some", "all"}:
        return True, words[2:]
    if second in PEOPLE and first not in SKIPPED:  # two people, French people
        return True, (first, *words[2:])
    return False, words


def _used_by_people(verb: str, words: tuple[str, ...]) -> Iterator[Predicate]:
    """Yield what people's use of a thing says by itself: "use it to cut grass", "call it a pet", "keep it as a pet"."""
    purpose = next((at for at, word in enumerate(words) if word in ("to", "for") and content(words[at:])), None)
    if verb == "use" and purpose is not None:
        yield Predicate("use", ("use", *content(words[purpose:])))
        yield Predicate("use", content(words[purpose:]))
    if verb in ("call", "describe", "consider", "say") and not SUBJECTS.isdisjoint(words[1:3]):
        yield Predicate("be", tuple(word for word in content(words) if word != verb))
    if verb in ("have", "keep", "own") and "as" in words:
        yield Predicate("be", content(words[words.index("as") :]))


def _with_need(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words with "have to" and "must" written as "need"."""
    if len(words) > 2 and words[0] in ("have", "has") and words[1] == "to":
        return ("need", *words[2:])
    return words


def _place_after_it(words: Sequence[str]) -> tuple[str, ...]:
    """Return the content words after a preposition that follows the thing: "find it in a forest" -> forest."""
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else "it"
        if word in PLACE_PREPOSITIONS and at and following not in SUBJECTS - DETERMINERS:
            return _place(words[at:])
        if word in PLACE_ADVERBS:
            return content(words[at:], keep=PLACE_ADVERBS)
    return ()


def _place(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a place, with its preposition where that is not in or at."""
    near = NEARNESS.get(words[0])
    return (near, *content(words[1:])) if near else content(words[1:])


def _marker(words: Sequence[str]) -> tuple[str, ...]:
    """Return the marker of the preposition that stands before the thing or at the end."""
    for at, word in enumerate(words):
        if word in MARKERS and (at + 1 == len(words) or words[at + 1] in SUBJECTS | {"of"}):
            return (MARKERS[word],)
    return ()


def _is_participle(word: str) -> bool:
    if word in PARTICIPLES:
        return True
    lemma = base(word)
    return word.endswith("ed") and len(word) > 4 and word not in ADJECTIVES and "v" in LEXICON.parts(lemma)


def _be(words: tuple[str, ...]) -> Iterator[Term]:
    """Yield what is said of a thing after "is": kinds and properties, places, materials, uses."""
    words = _without_adverbs(words)
    if not words:
        return
    read = _AFTER_BE.get(words[0]) if len(words) > 1 else None
    if read:
        yield from read(words)
    elif _is_participle(words[0]):
        yield from _passive(words)
    elif words[0] in PLACE_PREPOSITIONS and len(words) > 1:
        yield _term(Predicate("at", _place(words)))
    else:
        yield from _noun_phrase(words)


def _read_known(words: tuple[str, ...]) -> Iterator[Term]:
    rest = content(words[1:])
    yield _term(*(Predicate(kind, rest) for kind in ("do", "have", "be")))


def _read_found(words: tuple[str, ...]) -> Iterator[Term]:
    place = _place(words[1:]) if words[1] in NEARNESS else content(words[1:], keep=PLACE_ADVERBS)
    yield _term(Predicate("at", place), Predicate("use", (base(words[0]), *place)))


def _read_able(words: tuple[str, ...]) -> Iterator[Term]:
    yield from _verb(words[2:] or ("be",))


def _read_made(words: tuple[str, ...]) -> Iterator[Term]:
    if words[1] in MADE_FROM:
        yield _term(Predicate("of", content(words[1:])))
    elif words[1] in ("in", "at"):
        yield _term(Predicate("use", ("make", *content(words[1:]))))
    elif words[1] in ("for", "to"):
        yield _term(Predicate("use", content(words[2:])))
    else:
        rest = tuple(word for word in content(words[1:]) if word not in ("person", "man"))
        yield _term(Predicate("use", ("make", *rest)))


def _read_used(words: tuple[str, ...]) -> Iterator[Term]:
    preposition = next((word for word in words[1:] if word in ("for", "to", "by", "in", "on", "at", "as", "with")), "")
    rest = content(words[words.index(preposition) + 1 :]) if preposition else content(words[1:])
    if (preposition in ("for", "to") and words[0] != "good") or (preposition == "to" and words[0] == "good"):
        yield _term(Predicate("use", ("use", *rest)), Predicate("use", rest), Predicate("do", rest))
    elif words[:2] == ("good", "at"):
        yield from _verb(words[2:] or words)
    elif preposition == "as":
        yield _term(Predicate("be", rest), Predicate("use", ("use", *rest)))
    elif preposition in ("in", "on", "at"):
        yield _term(Predicate("at", rest), Predicate("use", ("use", *rest)))
    elif preposition == "by":
        people = set(rest) <= {"person", "most"}
        yield _term(Predicate("use", ("use",)) if people else Predicate("by", ("use", *rest)))
    else:
        lemma = "use" if words[0] == "used" else base(words[0])
        yield _term(Predicate("use" if lemma == "use" else "be", (lemma, *rest)))


def _passive(words: tuple[str, ...]) -> Iterator[Term]:
    verb, rest = base(words[0]), content(words[1:])
    rest = tuple(word for word in rest if word not in ("person", "man", verb))
    by = (
        "by" in words
        and bool(content(words[words.index("by") + 1 :]))
        and "person" not in content(words[words.index("by") :])
    )
    use = Predicate("by" if by else "use", (verb, *rest))
    readings = [use, Predicate("be", content(words)), Predicate("be", (verb, *rest))]
    yield _term(*([Predicate("have", rest)] if words[0] in COVERED else []), *readings)


_AFTER_BE: dict[str, Callable[[tuple[str, ...]], Iterator[Term]]] = {
    **dict.fromkeys(HAVE, lambda words: _have(words[1:])),
    **dict.fromkeys(("made", "composed", "constructed"), _read_made),
    "built": lambda words: (_read_made if words[1] in MADE_FROM else _passive)(words),
    **dict.fromkeys(("used", "needed", "good", "meant"), _read_used),
    "useful": lambda words: (_read_used if words[1] == "for" else _noun_phrase)(words),
    **dict.fromkeys("found kept seen located sold stored placed situated encountered native".split(), _read_found),
    **dict.fromkeys(("able", "allowed", "supposed", "likely"), _read_able),
    "known": _read_known,
    "of": lambda words: iter([_term(Predicate("of", content(words[1:])))]),
    "for": lambda words: iter([_term(Predicate("use", content(words[1:])))]),
    "like": lambda words: iter([_term(Predicate("be", ("like", *content(words[1:]))))]),
}
"""How what follows "is" is read, by its first word."""
_CLAUSE_STARTS = RELATIVE | frozenset("with without in on at from used made found kept to for near under".split())


def _noun_phrase(words: tuple[str, ...]) -> Iterator[Term]:
    """Yield a noun phrase or adjective and what the clause after it says: "an animal that flies"."""
    starts = (n for n, word in enumerate(words) if word in _CLAUSE_STARTS and (n or word in RELATIVE - {"that"}))
    end = next(starts, len(words)) if len(words) > 1 else 1
    phrase, clause = words[:end], words[end:]
    noun_words = tuple(word for word in content(phrase) if word not in ("something", "anything"))
    if clause and set(noun_words) <= NOTHING_SAID:
        noun_words = ()
    after = content(clause)
    complement = _with_complement("be", phrase).complement
    if noun_words and clause[:1] in (("to",), ("for",)) and set(after) <= {"person", "child", "adult"}:
        yield _term(Predicate("be", noun_words))
    elif noun_words and clause[:1] == ("to",) and not {"thing", "animal"} & set(noun_words):  # "easy to carry"
        whole = Predicate("be", (*noun_words, *after), frozenset(after))
        yield _term(whole, Predicate("use", after), Predicate("be", noun_words))
    elif noun_words and clause[:1] == ("for",) and LEXICON.parts(noun_words[-1])[:1] == "a":  # "important for plants"
        yield _term(Predicate("be", (*noun_words, *after), frozenset(after)))
    else:
        yield from [_term(Predicate("be", noun_words, complement))] if noun_words else []
        yield from _clause(clause)


def _clause(words: tuple[str, ...]) -> Iterator[Term]:
    """Yield what a clause after a noun says of it."""
    first, rest = words[0] if words else "", words[1:]
    if not rest:
        return
    if first in ("that", "which", "who", "where"):
        yield from _relative(rest)
    elif first in PEOPLE:
        yield _use(words)
    elif first in ("used", "made", "found", "kept"):
        yield from _be(words)
    else:
        kind = {"with": "have", "without": "have", "to": "use", "for": "use"}.get(first, "at")
        yield _term(Predicate(kind, content(rest)), negated=first == "without")


def _relative(words: tuple[str, ...]) -> Iterator[Term]:
    """Yield what a clause after "that" says."""
    first, rest = words[0], words[1:]
    if first in PEOPLE | DETERMINERS:
        yield _use(words)
    elif first in BE:
        yield from _be(rest[1:] if rest[:1] == ("not",) else rest)
    elif first in MODAL:
        yield from _relative(rest) if rest else ()
    elif first in HAVE:
        yield from _have(rest)
    elif rest and LEXICON.parts(lemma_of(first)).startswith("n") and not first.endswith("s"):
        yield _use(words)
    else:
        yield from _verb(words)


def _term(*readings: Predicate, negated: bool = False) -> Term:
    worded_readings = tuple(reading for reading in readings if reading.words)
    return Term(worded_readings or (Predicate(readings[0].kind, ()),), negated)


# ---------------------------------------------------------------------- statements and fragments
def _read_fragment(words: tuple[str, ...]) -> Sentence:
    """Return what a statement or a piece of one says: "it has a mane", "lives in Africa", "an animal?"."""
    words = _without_adverbs(_simplify(list(words)))
    negated = not NEGATIONS.isdisjoint(words)
    words = tuple(word for word in words if word not in ("not", "never"))
    terms = (Term(term.readings, term.negated != negated) for term in _fragment_terms(words) if term.readings[0].words)
    stated = tuple(terms)
    return Sentence((stated,)) if stated else Sentence()


def _fragment_terms(words: tuple[str, ...]) -> Iterator[Term]:
    length = _subject_length(words) if words else 0
    if len(words) > length > 0:
        yield from _statement_about_it(words[length:])
    elif words and words[0] in PEOPLE:
        yield _use(words)
    elif words and words[0] in ("there", "with"):
        yield _term(Predicate("have", content(words)))
    elif len(words) > 1 and (words[0] in VERBS or _is_verb(words[0])):
        yield from _statement_about_it(words)
    elif words:
        terms = list(_noun_phrase(words))
        is_clause = len(terms) == 1 and words[0] not in DETERMINERS  # "birds eat it"
        yield from [_term(*terms[0].readings, Predicate("by", content(words)))] if is_clause else terms


def _is_verb(word: str) -> bool:
    return word.endswith("s") and LEXICON.parts(base(word)).startswith("v")


def _statement_about_it(words: tuple[str, ...]) -> Iterator[Term]:
    words = _without_adverbs(words)
    first, rest = words[0], words[1:]
    if first in MODAL and rest:
        yield from _verb(rest)
    elif first in BE and rest:
        yield from _be(rest)
    elif first in HAVE and rest:
        yield from _about_it("has", rest)
    else:
        yield from _verb(words)
