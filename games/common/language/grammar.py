"""Reads English sentences as claims and questions: a chunker over tokens, in linear time.

`read_text` splits a text into sentences, each into chunks (noun phrases, places, relations, verbs), and folds the
chunks from left to right into claims or a question. It knows words, not things: whether a claim is so is for an
evaluator to say. What it cannot place is returned as unread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from games.common.language.claims import MANY, NONE, SOME, Claim, Count, Link, Phrase, Question, QuestionKind, Reading
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.tokens import Token, tokenize

ChunkKind = Literal[
    "phrase",
    "adjective",
    "place",
    "relation",
    "be",
    "have",
    "see",
    "verb",
    "not",
    "and",
    "or",
    "but",
    "comma",
    "colon",
    "question",
    "there",
    "speaker",
    "auxiliary",
    "other",
]
ATTRIBUTES = ("colours", "sizes", "materials", "states", "shapes", "patterns")
CLOSED = frozenset(("and", "or", "but", "with"))
PERSONS = frozenset("anybody anyone somebody someone nobody".split())
RELATIVES = frozenset(("that", "which", "who"))
IT = frozenset(("it", "they", "them", "these", "those"))
MOST_LINKS, DEEPEST = 6, 3
"""How many relations of a phrase are read, and how deeply nested."""
REQUESTS = frozenset(("describe", "list"))
BEFORE_SEE = frozenset("you i we can could to not".split())
BEFORE_PLACE = frozenset("on in at to along near towards the my its very right".split())
COMPARISONS = frozenset("at more less fewer over exactly only just about around".split())
MANY_OF = ("several", "many", "lots", "plenty")
COUNTS = {
    **dict.fromkeys(("no", "without", "zero", "neither"), NONE),
    **dict.fromkeys(("many", "lots", "plenty"), Count(3, MANY, is_stated=True)),
    **dict.fromkeys(("both", "couple"), Count(2, 2, is_stated=True)),
    "several": Count(2, MANY, is_stated=True),
    "single": Count(1, 1, is_stated=True),
}
ASPECTS = frozenset("colour shade kind type sort shape material size pattern".split())
WRITING = frozenset("say read spell write".split())
POSTURES = frozenset("sit stand lie hang lean rest".split())
FRAMES = frozenset("picture image photo photograph scene view".split())
SEEN = frozenset("seen viewed shown pictured taken photographed".split())
AGREED = frozenset("yes yeah yep yup no nope ok okay well hi hello so and also then".split())


EMPTY = Phrase()


@dataclass(frozen=True)
class Chunk:
    """A part of a sentence. `word` is canonical; a noun phrase has its `phrase`, a place its `places`."""

    kind: ChunkKind
    word: str = ""
    phrase: Phrase = EMPTY
    places: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    text: str = ""


@cache
def _function_words() -> dict[str, ChunkKind]:
    """Return words that are always of one kind, wherever they stand."""
    kinds: dict[str, ChunkKind] = {}
    for kind, words in (
        ("have", words_of("have")),
        ("be", words_of("be")),
        ("auxiliary", words_of("auxiliaries") - {"please", "let"}),
        ("speaker", words_of("speakers")),
        ("not", ("not", "never")),
        ("but", ("but", "while", "whereas")),
        ("or", ("or",)),
        ("and", ("and", "plus")),
        ("there", ("there",)),
    ):
        kinds |= dict.fromkeys(words, kind)  # type: ignore[arg-type]
    return kinds


@cache
def words_of(group: str) -> frozenset[str]:
    """Return the words of a list in the table "grammar"."""
    return LEXICON.grammar_words(group)


@cache
def attribute_of(word: str) -> str | None:
    """Return the canonical attribute that a word means (scarlet -> red, shiny -> metal), None if it is none."""
    for table in ATTRIBUTES:
        canonical = LEXICON.categories(table).get(word)
        if canonical:
            return canonical
    return None


@cache
def _relations() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Return the relations by their first word, the longest first."""
    starts: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for words, relation in LEXICON.categories("relations").items():
        parts = tuple(words.split(" "))
        starts.setdefault(parts[0], []).append((parts, relation))
    for options in starts.values():
        options.sort(key=lambda option: -len(option[0]))
    return starts


@cache
def _closed_words() -> frozenset[str]:
    """Return words that no noun phrase contains: pronouns, forms of "be", prepositions, …"""
    groups = "determiners pronouns speakers be have auxiliaries negators question_words intensifiers".split()
    return CLOSED.union(
        *map(words_of, groups), (words for words in LEXICON.categories("relations") if " " not in words)
    )


# ---------------------------------------------------------------------- reading a text
def read_text(text: str, vocabulary: Vocabulary) -> Reading:
    """Return the claims and questions of a text."""
    claims: list[Claim] = []
    questions: list[Question] = []
    unread: list[str] = []
    for sentence in sentences(vocabulary.read(tokenize(text))):
        chunks = list(Chunker(sentence).chunks())
        words = " ".join(token.raw for token in sentence)
        if is_question(sentence, chunks):
            questions += [replace(read_question(part), text=words) for part in split_questions(chunks)]
            continue
        statement = Statement()
        statement.read(chunks)
        claims += [replace(claim, text=claim.text or words) for claim in statement.claims or statement.lead_claims()]
        unread += statement.unread
    return Reading(tuple(claims), tuple(questions), tuple(unread))


def sentences(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each sentence, with its question mark."""
    sentence: list[Token] = []
    for token in tokens:
        if token.text == "?":
            sentence.append(token)
        if not token.ends_sentence:
            sentence.append(token)
        elif any(part.is_word for part in sentence):
            yield sentence
            sentence = []
    if any(part.is_word for part in sentence):
        yield sentence


def is_question(sentence: Sequence[Token], chunks: Sequence[Chunk]) -> bool:
    """Return whether a sentence asks something: it ends in a question mark or begins as a question does."""
    if sentence[-1].text == "?":
        return True
    first = [chunk.kind for chunk in chunks if chunk.kind not in ("comma", "and", "other")][:1]
    if sentence[0].text in REQUESTS:
        return True
    return first in (["question"], ["be"], ["auxiliary"])


def split_questions(chunks: Sequence[Chunk]) -> list[Sequence[Chunk]]:
    """Return the parts of "is there a cat and is there a dog"."""
    starts = [
        at + 1
        for at, chunk in enumerate(chunks[:-1])
        if at and chunk.kind in ("and", "comma", "or") and chunks[at + 1].kind in ("be", "auxiliary", "question")
    ]
    parts = [chunks[start:end] for start, end in zip([0, *starts], [*starts, len(chunks)], strict=True)]
    return [part for part in parts if part]


# ---------------------------------------------------------------------- chunks
class Chunker:
    """Splits the tokens of a sentence into chunks."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = [token for token in tokens if token.text != "?"]
        self.at = 0

    def word(self, ahead: int = 0) -> str:
        """Return the word at the present place or some places ahead, "" after the end."""
        at = self.at + ahead
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks of the sentence."""
        while self.at < len(self.tokens):
            start = self.at
            chunk = self._chunk()
            if self.at == start:
                self.at += 1
            if chunk:
                text = " ".join(token.raw for token in self.tokens[start : self.at])
                yield replace(chunk, text=text)

    def _chunk(self) -> Chunk | None:
        word = self.word()
        for reader in (self._mark, self._place, self._relation, self._function_word, self._phrase):
            chunk = reader(word)
            if chunk:
                return chunk
        return Chunk("other", word)

    def _mark(self, word: str) -> Chunk | None:
        kinds: dict[str, ChunkKind] = {",": "comma", "(": "comma", ")": "comma", ":": "colon", "&": "and", "/": "or"}
        if word in kinds:
            self.at += 1
            return Chunk(kinds[word])
        return None

    # -- places
    def _place(self, word: str) -> Chunk | None:
        """Read "on the left", "in the top right corner", "lower left" where no noun follows that it belongs to."""
        ahead = 0
        while self.word(ahead) in BEFORE_PLACE:
            if self.word(ahead) == "right" and not self._is_right_adverb(ahead):
                break
            ahead += 1
        places: list[str] = []
        nouns = LEXICON.categories("places")
        prefix = ahead
        while True:
            text = self.word(ahead)
            if text in nouns and not (text in ("above", "up", "down") and not places and prefix == 0):
                places.append(nouns[text])
            elif not (places and text in words_of("side_nouns")) and not (
                places and text in ("-", "hand", "and") and self._continues_place(ahead)
            ):
                break
            elif text in ("corner", "edge"):
                places.append(text)
            ahead += 1
        if not places or self._belongs_to_noun(ahead, prefix):
            return None
        ahead += self._frame_length(ahead)
        if self.word(ahead) == "of" and "middle" not in places:
            return None
        return self._skip_to(ahead, places)

    def _skip_to(self, ahead: int, places: list[str]) -> Chunk:
        self.at += ahead
        return Chunk("place", places=tuple(dict.fromkeys(places)))

    def _is_right_adverb(self, ahead: int) -> bool:
        """Return whether "right" means "directly": "right at the top"."""
        return ahead == 0 and self.word(1) in ("on", "in", "at", "next", "above", "below", "behind")

    def _continues_place(self, ahead: int) -> bool:
        return self.word(ahead) in ("-", "hand")

    def _belongs_to_noun(self, ahead: int, prefix: int) -> bool:
        """Return whether a noun follows the place words, as in "the left chair" or "the top shelf"."""
        token = self.word(ahead)
        if not token or not token[0].isalnum():
            return False
        if prefix and self.word(prefix - 1) not in ("the", "my", "its"):
            return False
        return self._is_noun(ahead) or attribute_of(token) is not None or token in ("one", "ones")

    def _frame_length(self, ahead: int) -> int:
        """Return the number of words of "of the picture" at a place."""
        if self.word(ahead) in ("of", "in"):
            end = ahead + 1
            while self.word(end) in ("the", "my", "your", "this"):
                end += 1
            if self.word(end) in words_of("frame_nouns") or self.word(end) == "room":
                return end + 1 - ahead
        return 0

    # -- relations and function words
    def _relation(self, word: str) -> Chunk | None:
        parts, relation = self.relation_at()
        self.at += len(parts)
        return Chunk("relation", relation) if parts else None

    def relation_at(self) -> tuple[tuple[str, ...], str]:
        """Return the words of the relation at the present place and what it means, () and "" if there is none."""
        for parts, relation in _relations().get(self.word(), ()):
            if tuple(self.word(n) for n in range(len(parts))) == parts:
                return parts, relation
        return (), ""

    def _function_word(self, word: str) -> Chunk | None:
        kind = self._function_kind(word)
        if kind:
            self.at += 2 if word == "how" and self.word(1) in ("many", "much") else 1
            return Chunk(kind, word)
        return None

    def _function_kind(self, word: str) -> ChunkKind | None:
        if word == "where" and self.at > 0:
            return "but"
        if word in RELATIVES and self.at and self._noun_before() and not self._is_noun(1):
            return "other"
        if word in words_of("question_words") and not (word in ("which", "who") and self.at > 1):
            return "question"
        if word in words_of("see") and (self.at == 0 or self.word(-1) in (*BEFORE_SEE, *words_of("intensifiers"))):
            return "see"
        return _function_words().get(word) or self._verb_kind(word)

    def _verb_kind(self, word: str) -> ChunkKind | None:
        lemma = LEXICON.lemma(word)
        if word in SEEN or (_is_posture(word) and self.at and self._noun_before()):
            return "verb"
        if lemma not in words_of("posture") or attribute_of(word):
            return None
        before = self.word(-1)
        if before in words_of("determiners") or attribute_of(before):
            return None
        is_modifier = self._is_noun(1) and word.endswith(("ing", "ed"))
        if is_modifier and not (self.at and self._noun_before()):
            return None
        if "v" in LEXICON.parts(lemma) and (word != lemma or self._noun_before() or self.at == 0):
            return "verb"
        return None

    def _noun_before(self) -> bool:
        return self.at > 0 and self._is_noun(-1)

    def _is_noun(self, ahead: int) -> bool:
        """Return whether a word can be the head of a noun phrase."""
        word = self.word(ahead)
        if not word or not word[0].isalnum() or word in _closed_words():
            return False
        if " " in word:
            return True
        parts = LEXICON.parts(LEXICON.lemma(word))
        return "n" in parts or not parts

    # -- noun phrases
    def _phrase(self, word: str) -> Chunk | None:
        """Read a noun phrase, or a run of adjectives where no noun follows."""
        reader = PhraseReader(self)
        return reader.read()


class PhraseReader:
    """Reads one noun phrase at the place of a chunker: determiners, number, modifiers, head."""

    def __init__(self, chunker: Chunker) -> None:
        self.chunker = chunker
        self.count = SOME
        self.definite = self.determined = False
        self.words: list[Token] = []
        self.places: list[str] = []

    def read(self) -> Chunk | None:
        """Return the chunk, None if no noun phrase begins here."""
        start = self.chunker.at
        self._determiners()
        while self.chunker.at < len(self.chunker.tokens) and self._takes(self.chunker.tokens[self.chunker.at]):
            self.chunker.at += 1
        if not self.words and self.count == SOME and not self.places:
            return self._pronoun(start)
        return self._finish()

    def _determiners(self) -> None:
        chunker = self.chunker
        while chunker.at < len(chunker.tokens):
            token = chunker.tokens[chunker.at]
            length = self._quantifier(token)
            if length == 0:
                break
            chunker.at += length

    def _quantifier(self, token: Token) -> int:
        """Read a determiner, number or quantifier and return how many words it takes, 0 if there is none."""
        word, following = token.text, self.chunker.word(1)
        if token.number and following == "of" and self.chunker.word(2) in words_of("definite"):
            self.count = Count(token.number, MANY, is_stated=True)  # "one of the hooks"
            return 2
        if word in ("some", "any") and following == "of":
            self.count = Count(1, MANY, is_stated=True)
            return 2
        if word in COMPARISONS:
            return self._read_comparison(word, following)
        count = self._count_of(token, following)
        if count:
            self.count = count
            self.definite = self.definite or word == "both"
            return 2 if following == "of" and word in (*MANY_OF, "couple") else 1
        if word in words_of("determiners"):
            self.determined = True
            if word in ("other", "another") and self.count.is_stated and self.count.high:
                self.count = Count(self.count.low, MANY, is_stated=True)  # "two other plants" are not all
            self.definite = self.definite or word in words_of("definite")
            return 2 if word in ("all", "each") and following == "of" else 1
        return int(word in ("very", "quite", "rather", "really"))

    def _count_of(self, token: Token, following: str) -> Count | None:
        """Return what a number or quantifier counts, None for other words."""
        word = token.text
        if word == "one":
            return Count(1, 1, is_stated=True) if self._one_counts() else None
        if token.number is not None:
            return Count(token.number, token.number, is_stated=True)
        if word == "not":
            return NONE if following in ("any", "a", "an") else None
        return COUNTS.get(word) if word != "couple" or following == "of" else None

    def _one_counts(self) -> bool:
        """Return whether "one" is a number here: "one ring", "one of them", not "the red one"."""
        return (
            self.chunker._is_noun(1) or attribute_of(self.chunker.word(1)) is not None or self.chunker.word(1) == "of"
        )

    def _read_comparison(self, word: str, following: str) -> int:
        """Read "at least three", "more than two", "only five"."""
        pair = f"{word} {following}"
        words = {"at least": (2, 0), "at most": (2, 1), "more than": (2, 2), "less than": (2, 3), "fewer than": (2, 3)}
        skip, mode = words.get(pair, (1, 4 if word in ("exactly", "only", "just") else 5))
        tokens, at = self.chunker.tokens, self.chunker.at
        number = tokens[at + skip].number if at + skip < len(tokens) else None
        if number is None:
            return 1 if word in ("only", "just", "exactly") else 0
        low, high = (
            (number, MANY),
            (0, number),
            (number + 1, MANY),
            (0, number - 1),
            (number, number),
            (max(1, number - 1), number + 1),
        )[mode]
        self.count = Count(low, high, is_stated=True)
        return skip + 1

    def _takes(self, token: Token) -> bool:
        """Take a word into the phrase if it can belong to it."""
        word = token.text
        if len(self.chunker.relation_at()[0]) > 1:
            return False
        if token.ordinal is not None:
            return True
        if token.number is not None and word != "one":
            if self.words:
                return False
            self.count = Count(token.number, token.number, is_stated=True)
            return True
        if word in words_of("intensifiers") or word == "-":
            return not self._at_end()
        places = LEXICON.categories("places")
        if word in places and word not in ("up", "down", "above"):
            takes_place = word != "very" and (not self.words or self._noun_follows())
            self.places += [places[word]] if takes_place else []
            return takes_place
        if word == "and":
            return self._joins_attributes()
        if not token.is_word or word in _closed_words() or (self.words and self._ends_before(token)):
            return False
        self.words.append(token)
        return True

    def _ends_before(self, token: Token) -> bool:
        """Return whether the phrase ends before a word: its verb, writing, or an attribute after its noun."""
        word = token.text
        is_writing = token.raw.isupper() and len(token.raw) > 1  # "the sign BAR"
        if is_writing or self._is_clause_verb(word) or self._is_participle(word):
            return True
        is_after_noun = attribute_of(word) is not None and self._is_complete()
        return is_after_noun and (word in LEXICON.categories("colours") or not self._noun_follows())

    def _joins_attributes(self) -> bool:
        """Return whether "and" stands between two colours: "a red and white parasol"."""
        is_before = bool(self.words) and self.words[-1].text in LEXICON.categories("colours")
        return is_before and self.chunker.word(1) in LEXICON.categories("colours")

    def _is_participle(self, word: str) -> bool:
        """Return whether a word after a noun says what was done to it: "the pumpkins carved"."""
        return self._is_complete() and word.endswith("ed") and not self._noun_follows() and attribute_of(word) is None

    def _is_complete(self) -> bool:
        """Return whether what was read already ends in a noun."""
        word = self.words[-1].text
        parts = LEXICON.parts(LEXICON.lemma(word))
        is_attribute = attribute_of(word) is not None or word in LEXICON.categories("shades")
        return not is_attribute and (parts[:1] == "n" or not parts)

    def _noun_follows(self) -> bool:
        return self.chunker._is_noun(1) and attribute_of(self.chunker.word(1)) is None

    def _at_end(self) -> bool:
        return not (self.chunker._is_noun(1) or attribute_of(self.chunker.word(1)))

    def _is_clause_verb(self, word: str) -> bool:
        """Return whether a word after a noun is its verb: "a coat hanging on", "the lamp stands"."""
        lemma = LEXICON.lemma(word)
        last = LEXICON.parts(LEXICON.lemma(self.words[-1].text))
        if word in SEEN:
            return True
        if _is_posture(word):
            return True
        if lemma not in words_of("posture") or attribute_of(word) or not ("n" in last or not last):
            return False
        return word != lemma or not self._noun_follows()

    def _pronoun(self, start: int) -> Chunk | None:
        word = self.chunker.word()
        if word in words_of("pronouns"):
            self.chunker.at += 1
            negative = word in ("nothing", "nobody", "none")
            if word in PERSONS and self.chunker.word() in words_of("deeds"):
                self.chunker.at += 1
                return Chunk("but")  # "someone left a bag here" need not be in the picture
            if word in PERSONS:
                return Chunk("phrase", phrase=Phrase("person", count=NONE if negative else SOME, raw=word))
            return Chunk(
                "phrase", phrase=Phrase(pronoun=True, count=NONE if negative else SOME, definite=True, raw=word)
            )
        if self.chunker.at > start:  # "this", "that", "both"
            return Chunk(
                "phrase", phrase=Phrase(pronoun=True, definite=True, count=self.count, raw=self.chunker.word(-1))
            )
        return None

    def _finish(self) -> Chunk:
        pronoun = self.chunker.word() in ("one", "ones") and self.count.high != 1  # "one black one red"
        if pronoun:
            self.chunker.at += 1
        last = self.words[-1] if self.words else None
        if last and (pronoun or (_is_adjective(last) and not self._is_noun_use(last))):
            last = None
        modifiers = tuple(dict.fromkeys(_modifiers(self.words[:-1] if last else self.words)))
        if last is None and not (self.determined or pronoun or self.count != SOME or self.places):
            return Chunk("adjective", attributes=modifiers)
        head = LEXICON.lemma(last.text) if last and " " not in last.text else last.text if last else ""
        phrase = Phrase(
            head,
            modifiers,
            self.count,
            last is not None and last.plural,
            self.definite,
            pronoun,
            tuple(dict.fromkeys(self.places)),
            raw=last.raw if last else "",
        )
        return Chunk("phrase", phrase=phrase)

    def _is_noun_use(self, token: Token) -> bool:
        """Return whether an attribute word ends the phrase as its noun: "an iron", "the glass", "tiles"."""
        if LEXICON.lemma(token.text) not in words_of("attribute_nouns"):
            return False
        return token.plural or self.determined or self.count != SOME or len(self.words) > 1


def _is_posture(word: str) -> bool:
    """Return whether a word after a noun says how it stands: "a person sitting", though "sitting" is a noun, too."""
    stem = word.removesuffix("ing")
    return stem != word and LEXICON.lemma(word) == word and not {stem, stem[:-1], f"{stem}e"}.isdisjoint(POSTURES)


def _is_adjective(token: Token) -> bool:
    """Return whether a word is an attribute, or an adjective or participle that is no noun."""
    parts = LEXICON.parts(LEXICON.lemma(token.text))
    is_participle = token.text.endswith("ed") and " " not in token.text and "n" not in LEXICON.parts(token.text)
    return attribute_of(token.text) is not None or is_participle or (bool(parts) and "n" not in parts)


def _modifiers(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield the canonical words of modifiers; a shade joins the colour after it: "dark red"."""
    shades = LEXICON.categories("shades")
    shade = ""
    for token in tokens:
        word = token.text
        attribute = attribute_of(word)
        is_colour = word in LEXICON.categories("colours")
        if word in shades and not is_colour:
            shade = shades[word]
            continue
        if shade and not is_colour:
            yield attribute_of(shade) or shade
        yield f"{shade} {attribute}" if shade and is_colour else attribute or LEXICON.lemma(word)
        shade = ""
    if shade:
        yield shade


# ---------------------------------------------------------------------- statements
def merge_adjectives(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return chunks with "red, white and yellow cushions" as one phrase."""
    merged: list[Chunk] = []
    for chunk in chunks:
        while chunk.kind == "phrase" and (joined := _joined_phrase(merged, chunk)):
            del merged[-2:]
            chunk = joined
        _share_head(merged, chunk)
        merged.append(chunk)
    return merged


def _joined_phrase(before: Sequence[Chunk], chunk: Chunk) -> Chunk | None:
    """Return a phrase with the adjectives that stand before it and an "and" or a comma, None if there are none."""
    phrase = chunk.phrase
    kinds = [part.kind for part in before[-3:]]
    follows_adjective = kinds[-2:] in (["adjective", "and"], ["adjective", "comma"]) and kinds[:-2] != ["be"]
    is_open = not (phrase.definite or phrase.pronoun or phrase.count.is_stated)
    has_determiner = chunk.text.split(" ")[0] in words_of("determiners")
    if not (follows_adjective and is_open and phrase.modifiers) or has_determiner:
        return None
    modifiers = tuple(dict.fromkeys((*before[-2].attributes, *phrase.modifiers)))
    return replace(chunk, phrase=replace(phrase, modifiers=modifiers), text=f"{before[-2].text} and {chunk.text}")


def _share_head(before: list[Chunk], chunk: Chunk) -> None:
    """Complete "a green, a white and a blue present": the first phrases get the head of the last."""
    if chunk.kind != "phrase" or not chunk.phrase.head or [part.kind for part in before[-1:]] not in (["and"], ["or"]):
        return
    for at in range(len(before) - 2, -1, -2):
        phrase = before[at].phrase
        if before[at].kind != "phrase" or phrase.head or phrase.pronoun or not phrase.modifiers:
            break
        before[at] = replace(before[at], phrase=replace(phrase, head=chunk.phrase.head))


def starts_clause(chunks: Sequence[Chunk]) -> bool:
    """Return whether a subject and its verb follow: "and the lamp is red"."""
    if not chunks or chunks[0].kind != "phrase":
        return False
    for chunk in chunks[1:]:
        if chunk.kind in ("be", "have") or (chunk.kind == "verb" and LEXICON.lemma(chunk.word) in WRITING):
            return True
        if chunk.kind not in ("relation", "place", "phrase", "verb"):
            return False
    return False


class Statement:
    """Folds the chunks of a sentence into claims."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self.unread: list[str] = []
        self._subject: int | None = None
        """The claim that what follows belongs to."""
        self._last: int | None = None
        self._mode: Literal["list", "be", "have"] = "list"
        self._relation: Chunk | None = None
        self._lead: tuple[Link, ...] = ()
        """A relation that the sentence begins with: "on the floor brown shoes, yellow boots"."""
        self._lead_places: tuple[str, ...] = ()
        self._negated = False
        self._is_option = False
        self._listed = ""
        """What a colon lists: bean bags in "a library with three bean bags: orange, purple and red"."""
        self._moves = False
        """Whether a place is a direction: "stairs going up to the right"."""
        self._noun = ""
        self._previous: ChunkKind = "comma"
        self._following: ChunkKind = "comma"

    def read(self, chunks: Sequence[Chunk]) -> None:
        """Read all chunks of a sentence."""
        chunks = merge_adjectives(chunks)
        for at, chunk in enumerate(chunks):
            if chunk.kind in ("and", "comma") and starts_clause(chunks[at + 1 :]):
                self._end_clause()
                self._previous = chunk.kind
                continue
            if chunk.kind == "phrase" and at and LEXICON.lemma(chunks[at - 1].text.lower()) in WRITING:
                self._previous = chunk.kind  # "a sign says BAR": no bar
                continue
            if self._leads(chunks, at):
                self._end_clause()
                self._last = None
            self._following = chunks[at + 1].kind if at + 1 < len(chunks) else "comma"
            handler = getattr(self, f"_read_{chunk.kind}", None)
            if handler:
                handler(chunk)
            elif chunk.kind == "other" and chunk.word not in AGREED and chunk.word not in words_of("intensifiers"):
                self.unread.append(chunk.text)
            self._previous = chunk.kind
        if self._relation and self._relation.word == "on" and self._mode == "be":  # "is the lamp on"
            self._read_adjective(Chunk("adjective", attributes=("lit",), text="on"))

    def lead_claims(self) -> tuple[Claim, ...]:
        """Return a claim of a place or relation alone, as in "what is on the left"."""
        phrase = Phrase(places=self._lead_places, links=self._lead)
        return () if phrase.is_bare else (Claim("exists", phrase),)

    def _add(self, claim: Claim) -> None:
        is_alternative = self._previous == "or" and bool(self.claims)
        self.claims.append(replace(claim, is_alternative=is_alternative))
        self._last = len(self.claims) - 1

    def _read_phrase(self, chunk: Chunk) -> None:
        self._listed = ""
        phrase = self._resolve(chunk.phrase)
        if phrase.negated and phrase.pronoun and not phrase.head and self._following not in ("relation", "place"):
            return  # "nothing but a vase"
        if self._continues(phrase):
            return
        if self._relation:
            self._attach(Link(self._relation.word, phrase, self._relation.attributes == ("not",)))
        elif self._mode == "be" and self._subject is not None:
            subject = self.claims[self._subject].subject
            self._add(Claim("is", subject, object=phrase, negated=self._take_negation(), text=chunk.text))
        elif self._mode == "have" and self._subject is not None:
            subject = self.claims[self._subject].subject
            self._add(Claim("has", subject, object=phrase, negated=self._take_negation(), text=chunk.text))
        else:
            denies_both = self._previous == "or" and self.claims and self.claims[-1].subject.negated
            if self._take_negation() or denies_both:
                phrase = replace(phrase, count=NONE)
            phrase = replace(phrase, links=self._lead, places=phrase.places + self._lead_places)
            self._add(Claim("exists", phrase, text=chunk.text))
            self._subject = self._last
        self._relation = None

    def _continues(self, phrase: Phrase) -> bool:
        """Take "it" as the last subject, and the second of "between a and b" as a link; return whether it was so."""
        exists = [number for number, claim in enumerate(self.claims) if claim.kind == "exists"]
        if not exists or self._relation:
            return False
        if phrase.raw in IT and phrase.is_bare:
            self._mode, self._subject, self._last = "be", exists[-1], exists[-1]
            return True
        last = self.claims[-1]
        link = (last.links or last.subject.links or (None,))[-1]
        if self._last is None or self._previous != "and" or not link or link.relation != "between":
            return False
        if not link.phrase.plural:
            self._attach(Link("between", phrase))
        return not link.phrase.plural

    def _head(self) -> str:
        """Return the noun that an adjective alone belongs to: the subject of the last claim, or what a list is of."""
        return self._listed or (self.claims[self._last].subject.head if self._last is not None else "")

    def _resolve(self, phrase: Phrase) -> Phrase:
        """Return "a blue one" as "a blue cushion" after "two cushions"."""
        if phrase.head:
            self._noun = phrase.head
        elif phrase.modifiers and self._noun and (phrase.pronoun or phrase.count.is_stated):
            return replace(phrase, head=self._noun, pronoun=False)
        return phrase

    def _attach(self, link: Link) -> None:
        if link.phrase.head in FRAMES and link.relation in ("in", "on", "at", "from"):
            return
        if self._last is None:
            self._lead = (link,)
            return
        claim = self.claims[self._last]
        if self._is_option:
            self._is_option = False
            self._add(Claim("is", claim.subject, links=(link,)))
            return
        if claim.kind == "is" and claim.object is None:
            changed = replace(claim, links=(*claim.links, link))
        elif claim.kind in ("is", "has") and claim.object:
            changed = replace(claim, object=replace(claim.object, links=(*claim.object.links, link)))
        elif self._mode == "be":
            changed = claim
            self._add(Claim("is", claim.subject, links=(link,), negated=self._take_negation()))
            return
        else:
            subject = claim.subject
            if self._lead and subject.links == self._lead and link.relation == self._lead[0].relation:
                subject = replace(subject, links=())  # "on the wall a chart, mugs on the table"
            changed = replace(claim, subject=add_link(subject, link))
        self.claims[self._last] = changed

    def _extend_subject(self, *, modifiers: tuple[str, ...] = (), places: tuple[str, ...] = ()) -> None:
        """Add to what there is said to be none of: "no present is red" denies red presents."""
        assert self._last is not None
        claim = self.claims[self._last]
        phrase = claim.subject
        subject = replace(phrase, modifiers=(*phrase.modifiers, *modifiers), places=(*phrase.places, *places))
        self.claims[self._last] = replace(claim, subject=subject)

    def _leads(self, chunks: Sequence[Chunk], at: int) -> bool:
        """Return whether a place or relation after a comma belongs to what follows: "…, on the left a sofa"."""
        if not self.claims or self._previous not in ("comma", "and", "but"):
            return False
        length = {"place": 1, "relation": 2}.get(chunks[at].kind, 0)
        following = [chunk.kind for chunk in chunks[at + 1 : at + 1 + length]]
        return length > 0 and following in (["phrase"], ["phrase", "phrase"], ["there"], ["phrase", "there"])

    def _take_negation(self) -> bool:
        negated, self._negated = self._negated, False
        return negated

    def _read_adjective(self, chunk: Chunk) -> None:
        if self._last is None or (self._mode == "list" and self._previous in ("comma", "colon", "and")):
            self._add(Claim("exists", Phrase(self._head(), modifiers=chunk.attributes), text=chunk.text))
            self._subject = self._last
        elif chunk.attributes == ("absent",) and self._mode == "be":
            claim = self.claims[self._last]
            count = SOME if self._take_negation() else NONE
            self.claims[self._last] = replace(claim, subject=replace(claim.subject, count=count, definite=False))
        elif self.claims[self._last].subject.negated and self.claims[self._last].kind == "exists":
            self._extend_subject(modifiers=chunk.attributes)
        elif self._mode == "be" and self._subject is not None:
            subject = self.claims[self._subject].subject
            self._add(Claim("is", subject, attributes=chunk.attributes, negated=self._take_negation(), text=chunk.text))
        elif self._take_negation():  # "the ball is matte, not shiny"
            subject = self.claims[self._last].subject
            self._add(Claim("is", subject, attributes=chunk.attributes, negated=True, text=f"not {chunk.text}"))
        else:
            claim = self.claims[self._last]
            subject = replace(claim.subject, modifiers=(*claim.subject.modifiers, *chunk.attributes))
            self.claims[self._last] = replace(claim, subject=subject)

    def _read_place(self, chunk: Chunk) -> None:
        self._relation = None
        if self._moves:
            return
        if self._last is None:
            self._lead_places = chunk.places
            return
        claim = self.claims[self._last]
        if claim.subject.negated and claim.kind == "exists":
            self._extend_subject(places=chunk.places)
        elif self._is_option or (self._mode == "be" and claim.kind == "exists"):
            self._is_option = False
            self._add(Claim("is", claim.subject, places=chunk.places, negated=self._take_negation(), text=chunk.text))
        elif claim.kind == "exists":
            self.claims[self._last] = replace(claim, subject=add_places(claim.subject, chunk.places))
        else:
            self.claims[self._last] = replace(claim, places=(*claim.places, *chunk.places))

    def _read_relation(self, chunk: Chunk) -> None:
        if chunk.word == "without":
            self._negated, self._relation = True, None
            self._end_clause()
            return
        if chunk.word == "with" and self._previous in ("comma", "colon") and self._mode == "list":
            return  # what follows belongs to the picture
        attributes = ("not",) if self._negated and self._mode == "be" else ()
        self._relation = replace(chunk, attributes=attributes)

    def _read_be(self, chunk: Chunk) -> None:
        if self._last is not None and self._previous != "there":
            self._mode = "be"
            self._subject = self._last if self.claims[self._last].kind == "exists" else self._subject

    def _read_there(self, chunk: Chunk) -> None:
        self._end_clause(keep_lead=self._last is None or self._previous not in ("comma", "and"))

    def _read_speaker(self, chunk: Chunk) -> None:
        self._end_clause(keep_lead=True)

    def _read_have(self, chunk: Chunk) -> None:
        speaks_of_picture = self._subject is None or self.claims[self._subject].subject.head in words_of("frame_nouns")
        if speaks_of_picture and self._subject is not None:
            self.claims.pop(self._subject)
            self._subject = self._last = None
        elif self._subject is not None and self._previous != "speaker":
            self._mode = "have"

    def _read_verb(self, chunk: Chunk) -> None:
        self._moves = LEXICON.lemma(chunk.word) in words_of("motion")

    def _read_not(self, chunk: Chunk) -> None:
        self._negated = True

    def _read_colon(self, chunk: Chunk) -> None:
        links = self.claims[self._last].subject.links if self._last is not None else ()
        self._listed = next((link.phrase.head for link in reversed(links) if link.phrase.plural), "")

    def _read_or(self, chunk: Chunk) -> None:
        self._is_option = self._mode == "be"
        if not self._is_option:
            self._end_clause(keep_lead=True)

    def _read_but(self, chunk: Chunk) -> None:
        self._end_clause()

    def _read_comma(self, chunk: Chunk) -> None:
        self._end_clause(keep_lead=True)

    def _read_and(self, chunk: Chunk) -> None:
        if self._mode != "be" or self._previous == "comma":
            self._end_clause(keep_lead=True)

    def _end_clause(self, *, keep_lead: bool = False) -> None:
        self._mode, self._relation, self._moves = "list", None, False
        if not keep_lead:
            self._lead, self._lead_places = (), ()


def add_places(phrase: Phrase, places: tuple[str, ...]) -> Phrase:
    """Return a phrase with places added: to "a lamp" in "the picture with a lamp on the left"."""
    last = phrase.links[-1] if phrase.links else None
    if last and last.relation == "with":
        return replace(phrase, links=(*phrase.links[:-1], replace(last, phrase=add_places(last.phrase, places))))
    return replace(phrase, places=(*phrase.places, *places))


def add_link(phrase: Phrase, link: Link, depth: int = 0) -> Phrase:
    """Return a phrase with a link added: to "a lamp" in "a room with a lamp on a table", else to the phrase itself."""
    last = phrase.links[-1] if phrase.links else None
    belongs_to_last = link.relation == "of" or (
        last is not None and last.relation in ("with", "of") and link.relation not in ("with", "without")
    )
    if len(phrase.links) >= MOST_LINKS:
        return phrase
    if last and belongs_to_last and depth < DEEPEST:
        nested = replace(last, phrase=add_link(last.phrase, link, depth + 1))
        return replace(phrase, links=(*phrase.links[:-1], nested))
    return replace(phrase, links=(*phrase.links, link))


# ---------------------------------------------------------------------- questions
def read_question(chunks: Sequence[Chunk]) -> Question:
    """Return the question that the chunks of a sentence ask."""
    kinds = [chunk.kind for chunk in chunks]
    if chunks and chunks[0].text.lower().split(" ")[0] in REQUESTS:
        return Question("what", _claims([chunk for chunk in chunks[1:] if chunk.kind != "speaker"]))
    if "question" in kinds:
        at = kinds.index("question")
        return _open_question(chunks[at].word, chunks[at + 1 :], chunks[:at])
    return _polar_question(chunks)


def _claims(chunks: Sequence[Chunk]) -> tuple[Claim, ...]:
    statement = Statement()
    statement.read(chunks)
    return tuple(statement.claims) or statement.lead_claims()


def _polar_question(chunks: Sequence[Chunk]) -> Question:
    """Read "is there …", "do you see …", "is the lamp red", "any flowers"."""
    rest = list(chunks)
    while rest and rest[0].kind in ("other", "comma", "and", "auxiliary", "speaker", "see", "there"):
        rest.pop(0)
    starts_with_be = bool(rest) and rest[0].kind == "be"
    if starts_with_be:
        rest.pop(0)
        if rest and rest[0].kind == "not":
            rest.pop(0)
        if rest and rest[0].kind == "there":
            rest, starts_with_be = rest[1:], False
    if starts_with_be and len(rest) > 1 and rest[0].kind == "phrase":
        rest.insert(_end_of_subject(rest), Chunk("be", "is"))
    rest = [chunk for chunk in rest if chunk.kind not in ("auxiliary", "there", "speaker")]
    claims = _claims(rest)
    kind: QuestionKind = "unknown" if not claims else "choice" if _is_choice(rest) else "polar"
    return Question(kind, claims)


def _end_of_subject(chunks: Sequence[Chunk]) -> int:
    """Return where the subject of "is the lid of the piano open" ends."""
    at = 1
    while at + 1 < len(chunks) and chunks[at].word == "of" and chunks[at + 1].kind == "phrase":
        at += 2
    after = at
    while after < len(chunks) and chunks[after].kind in ("relation", "place"):
        after += 1 + (chunks[after].kind == "relation")
    return after if after < len(chunks) and chunks[after].kind in ("adjective", "verb", "phrase") else at


def _is_choice(chunks: Sequence[Chunk]) -> bool:
    return any(chunk.kind == "or" for chunk in chunks)


def _open_question(word: str, rest: Sequence[Chunk], before: Sequence[Chunk]) -> Question:
    """Read "how many …", "what colour …", "where …", "what is on …"."""
    chunks = [chunk for chunk in rest if chunk.kind not in ("auxiliary", "speaker")]
    if chunks and chunks[-1].word == "made of":
        return Question("kind", _claims(_without_be(chunks[:-1])), "material")
    if word == "where":
        return Question("place", _claims(_without_be(chunks)))
    if word == "how":
        return _how_question(chunks)
    plain = _without_be(chunks[:2]) + list(chunks[2:])
    aspect = plain[0].phrase.head if plain and plain[0].kind == "phrase" else ""
    if aspect in ASPECTS:
        kind: QuestionKind = "colour" if aspect in ("colour", "shade") else "kind"
        return Question(kind, _claims(_without_be(_skip_of(plain[1:]))), aspect)
    return _what_question(chunks, [chunk for chunk in before if chunk.kind == "relation"])


def _what_question(chunks: Sequence[Chunk], relations: Sequence[Chunk]) -> Question:
    """Read what follows "what" or "which"; `relations` stand before it: "on what …"."""
    if any(chunk.word in ("else", "more") for chunk in chunks) and not relations:
        return Question("more")
    if any(LEXICON.lemma(chunk.word) in WRITING for chunk in chunks if chunk.kind == "verb"):
        return Question("text", _claims(_without_be(chunks)))
    plain = chunks[1:] if chunks and chunks[0].word == "of" else chunks  # "which of the cubes is red"
    asks_for = plain[0].phrase.head if plain and plain[0].kind == "phrase" else ""
    after = plain[1:] if asks_for else chunks
    return Question("what", _claims([*relations, *_without_be(after)]), asks_for)


def _how_question(chunks: Sequence[Chunk]) -> Question:
    subject = [chunk for chunk in chunks if chunk.kind not in ("see", "there")]
    return Question("number", _claims(_without_be(subject)))


def _skip_of(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    remaining = list(chunks)
    while remaining and (remaining[0].kind == "be" or remaining[0].word == "of"):
        remaining.pop(0)
    return remaining


def _without_be(chunks: Sequence[Chunk]) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.kind not in ("be", "there", "see")]
