"""Reads English sentences as claims and questions: a chunker over tokens, in linear time.

`read_text` splits a text into sentences, each into chunks (noun phrases, adjectives, places, relations, verbs), and
folds the chunks from left to right into claims or a question. It knows words, not things: whether a claim is so is for
an evaluator to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import product

from games.common.language.claims import MANY, NONE, SOME, Claim, Count, Link, Phrase, Question, Reading, are_opposite
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.tokens import MANY_WORDS, Token, tokenize

ATTRIBUTES = ("colours", "sizes", "materials", "states", "shapes", "patterns")
MOST_LINKS, DEEPEST = 6, 3
"""How many relations of a phrase are read, and how deeply nested."""
NO_PHRASE = Phrase()
ONE = Count(1, 1)
TOPIC_KINDS = ("phrase", "adjective", "place", "relation", "verb", "other", "speaker")
"""Chunks of what a question names before it asks."""
IT, ANYTHING = Phrase(pronoun=True, definite=True), Phrase(pronoun=True)


@dataclass(frozen=True)
class Chunk:
    """A part of a sentence.

    `kind` is phrase, adjective, place, relation, be, have, see, verb, not, and, or, but, comma, colon, question,
    there, speaker, auxiliary or other; `word` is canonical. Phrases, adjectives and places have a `phrase`.
    """

    kind: str
    word: str = ""
    phrase: Phrase = NO_PHRASE
    text: str = ""


@cache
def words_of(group: str) -> frozenset[str]:
    """Return the words of a list in the table "grammar"."""
    return LEXICON.grammar_words(group)


@lru_cache(MANY_WORDS)
def attribute_of(word: str) -> str | None:
    """Return the canonical attribute that a word means (scarlet -> red, shiny -> metal), None if it is none."""
    return next((name for table in ATTRIBUTES if (name := LEXICON.categories(table).get(word))), None)


def attribute_table(word: str) -> str:
    """Return the table of an attribute: "colours", "materials", …; "" for words of none."""
    return next((name for name in ATTRIBUTES if word in LEXICON.categories(name)), "")


def is_colour(word: str) -> bool:
    """Return whether a word is a colour without a shade."""
    return word in LEXICON.categories("colours")


@cache
def _function_words() -> dict[str, str]:
    """Return words and marks that are always of one kind, wherever they stand."""
    return {word: kind for kind, words in LEXICON.table("function_words").items() for word in words}


@cache
def _relations() -> dict[str, list[tuple[list[str], str]]]:
    """Return the relations by their first word, the longest first."""
    starts: dict[str, list[tuple[list[str], str]]] = {}
    for words, relation in sorted(LEXICON.categories("relations").items(), key=lambda pair: -pair[0].count(" ")):
        starts.setdefault(words.split(" ")[0], []).append((words.split(" "), relation))
    return starts


@cache
def _closed_words() -> frozenset[str]:
    """Return words that no noun phrase contains: pronouns, forms of "be", prepositions, …"""
    groups = "determiners pronouns speakers be have auxiliaries negators question_words intensifiers".split()
    return frozenset(("and", "or", "but")).union(*map(words_of, groups), LEXICON.categories("relations"))


# ---------------------------------------------------------------------- reading a text
def read_text(text: str, vocabulary: Vocabulary, *, only_questions: bool = False) -> Reading:
    """Return the claims and questions of a text; `only_questions`: whether all of it asks, even without marks."""
    claims: list[Claim] = []
    questions: list[Question] = []
    subject = NO_PHRASE
    for sentence in sentences(vocabulary.read(tokenize(text))):
        chunks = list(Chunker(sentence).chunks())
        topic, rest = split_topic(chunks)
        if not (only_questions or topic or is_question(sentence, chunks)):
            words = " ".join(token.raw for token in sentence)
            claims += [replace(claim, text=claim.text or words) for claim in read_claims(chunks)]
            continue
        subject = next((claim.subject for claim in read_claims(topic)), subject)
        for part in split_questions(rest):
            questions.append(refer(read_question(part), subject))
            subject = next((claim.subject for claim in questions[-1].claims if claim.subject.head), subject)
    return Reading(tuple(claims), tuple(questions))


def sentences(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each sentence, with its question mark."""
    sentence: list[Token] = []
    for token in (*tokens, Token(".", ".", 0, 0)):
        if token.text == "?" or not token.ends_sentence:
            sentence.append(token)
        if token.ends_sentence:
            if any(part.is_word for part in sentence):
                yield sentence
            sentence = []


def is_question(sentence: Sequence[Token], chunks: Sequence[Chunk]) -> bool:
    """Return whether a sentence asks something: it ends in a question mark or begins as a question does."""
    first = next((chunk.kind for chunk in chunks if chunk.kind not in ("comma", "and", "other")), "")
    is_inverted = first in ("question", "be", "auxiliary") or is_aspect_of(chunks)
    return sentence[-1].text == "?" or sentence[0].text in words_of("requests") or is_inverted


def split_topic(chunks: Sequence[Chunk]) -> tuple[Sequence[Chunk], Sequence[Chunk]]:
    """Return what a question names first, and the rest: "the crate on the shelf" and "what colour is it"."""
    kinds = [chunk.kind for chunk in chunks]
    end = next((at for at, kind in enumerate(kinds) if kind not in TOPIC_KINDS), len(kinds))
    start = end + (kinds[end : end + 1] in (["comma"], ["colon"]) or kinds[end : end + 2] == ["be", "question"])
    is_asked = kinds[start : start + 1] in (["question"], ["be"], ["auxiliary"]) or is_aspect(chunks[start:])
    is_split = start > end or kinds[end : end + 1] == ["question"]
    is_topic = is_asked and is_split and kinds[0] in ("phrase", "adjective")
    return (chunks[:end], chunks[start:]) if is_topic else ((), chunks)


def is_aspect(chunks: Sequence[Chunk]) -> bool:
    """Return whether chunks only name an aspect: "colour", "which shape"."""
    return len(chunks) == 1 and chunks[0].phrase.is_bare and chunks[0].phrase.head in LEXICON.categories("aspects")


def refer(question: Question, subject: Phrase) -> Question:
    """Return a question in which "it", or nothing at all, is what was named before: "…, and what colour is it"."""
    subject = replace(subject, definite=True)
    if not subject.head or (not question.claims and question.kind not in ("kind", "number", "place")):
        return question
    claims = [
        replace(claim, subject=subject) if claim.subject.pronoun and claim.subject.is_bare else claim
        for claim in question.claims or (Claim(subject),)
    ]
    return replace(question, claims=tuple(claims))


def split_questions(chunks: Sequence[Chunk]) -> list[Sequence[Chunk]]:
    """Return the parts of "is there a cat and is there a dog", without tags: "…, isn't it", "…, right", "… or what"."""
    if len(chunks) > 2 and chunks[-2].kind == "or" and chunks[-1].text.lower() in words_of("tails"):
        chunks = chunks[:-2]
    kinds = [chunk.kind for chunk in chunks]
    openers = ("be", "auxiliary", "question")
    starts = [
        at + 1
        for at in range(1, len(kinds) - 1)
        if kinds[at] in ("and", "comma", "or") and kinds[at + 1] in openers and kinds[0] not in ("place", "relation")
    ]
    parts = [chunks[start:end] for start, end in zip([0, *starts], [*starts, len(chunks)], strict=True)]
    if kinds[-2:-1] == ["comma"] and chunks[-1].text.lower() in words_of("tags"):
        parts[-1] = parts[-1][:-2]
    return parts[:1] + [part for part in parts[1:] if any(map(has_content, part))]


def has_content(chunk: Chunk) -> bool:
    """Return whether a chunk asks something by itself: not "isn't it", "is there"."""
    return chunk.kind == "question" or chunk.phrase not in (NO_PHRASE, IT)


# ---------------------------------------------------------------------- chunks
class Chunker:
    """Splits the tokens of a sentence into chunks."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = [token for token in tokens if token.text != "?"]
        self.at = 0

    def word(self, ahead: int = 0) -> str:
        """Return the word at the present place or some places ahead, "" outside the sentence."""
        at = self.at + ahead
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def is_noun(self, ahead: int = 0) -> bool:
        """Return whether a word can be the head of a noun phrase."""
        word = self.word(ahead)
        if not word or not word[0].isalnum() or word in _closed_words():
            return False
        parts = LEXICON.parts(LEXICON.lemma(word))
        return " " in word or "n" in parts or not parts

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks of the sentence."""
        while self.at < len(self.tokens):
            start = self.at
            readers = (self._place, self._relation, self._function_word, PhraseReader(self).read)
            chunk = next((chunk for read in readers if (chunk := read())), Chunk("other", self.word()))
            self.at = max(self.at, start + 1)
            yield replace(chunk, text=" ".join(token.raw for token in self.tokens[start : self.at]))

    def _place(self) -> Chunk | None:
        """Read "on the left", "in the top right corner of the room" where no noun follows that it belongs to."""
        if self.relation_at()[1] == "next to":  # "left and right of"
            return None
        start = 1 if self.word() == "right" and self.word(1) in words_of("after_directly") else 0
        while self.word(start) in words_of("before_place"):
            start += 1
        nouns = LEXICON.categories("places")
        end = start
        while self.word(end) in nouns or (end > start and self.word(end) in words_of("side_nouns")):
            end += 1
        places = dict.fromkeys(nouns[self.word(at)] for at in range(start, end) if self.word(at) in nouns)
        if not places or (start == 0 and self.word() in words_of("vertical")) or self._is_modifier(start, end):
            return None
        end += self._frame_length(end)
        if self.word(end) == "of" and "middle" not in places:
            return None
        is_relative = not words_of("relative").isdisjoint(map(self.word, range(-1, start)))
        self.at += end
        return Chunk("place", phrase=Phrase(places=() if is_relative else tuple(places)))

    def _frame_length(self, end: int) -> int:
        """Return the number of words in "of the picture", "in the room" or "of centre" after a place."""
        is_in_frame = self.word(end + 2) in (*words_of("frame_nouns"), "room")
        is_off_centre = self.word(end) == "of" and LEXICON.categories("places").get(self.word(end + 1)) == "middle"
        return 2 * is_off_centre or 3 * (is_in_frame and self.word(end) in ("of", "in"))

    def _is_modifier(self, start: int, end: int) -> bool:
        """Return whether words for a place belong to the noun after them: "the left chair", not "on left chairs"."""
        may_belong = start == 0 or self.word(start - 1) in ("the", "my", "its")
        is_before_noun = self.is_noun(end) or attribute_of(self.word(end)) or self.word(end) in ("one", "ones")
        return may_belong and bool(is_before_noun)

    def _relation(self) -> Chunk | None:
        length, relation = self.relation_at()
        self.at += length
        place = {"above": "top", "below": "bottom"}.get(relation)
        if place and self.word() in words_of("be"):  # "below are shoes"
            return Chunk("place", phrase=Phrase(places=(place,)))
        return Chunk("relation", relation) if length else None

    def relation_at(self) -> tuple[int, str]:
        """Return the number of words of the relation at the present place and what it means, 0 if there is none."""
        for parts, relation in _relations().get(self.word(), ()):
            if [self.word(ahead) for ahead in range(len(parts))] == parts:
                return (0, "") if len(parts) == 1 and self._is_particle() else (len(parts), relation)
        return 0, ""

    def _is_particle(self) -> bool:
        """Return whether the present word only adds to a verb or place: "hanging down", "up on the wall"."""
        before, following = self.word(-1), self.word(1)
        follows_verb = LEXICON.lemma(before) in words_of("posture") and before not in words_of("posture")
        is_alone = follows_verb and not (self.is_noun(1) or following in words_of("determiners"))
        return self.word() in words_of("particles") and (is_alone or following in words_of("after_particle"))

    def _function_word(self) -> Chunk | None:
        word = self.word()
        kind = self._function_kind(word)
        self.at += 0 if not kind else 2 if word == "how" and self.word(1) in ("many", "much") else 1
        return Chunk(kind, word) if kind else None

    def _function_kind(self, word: str) -> str:
        if word in words_of("relatives") and self.at and not self.is_noun(1):
            return "but" if word == "where" else "other" if self.is_noun(-1) else ""
        if word in words_of("question_words") and not (word in ("which", "who") and self.at > 1):
            return "question"
        if self._is_particle():
            return "other"
        if word in words_of("see") and (
            self.at == 0 or self.word(-1) in words_of("before_see") | words_of("intensifiers")
        ):
            return "see"
        return _function_words().get(word) or ("verb" if self.is_verb() else "")

    def is_verb(self) -> bool:
        """Return whether the present word says how or where something is: "a coat hanging on", "the lamp stands"."""
        word, before = self.word(), self.word(-1)
        if before in words_of("question_words") and LEXICON.lemma(word) in LEXICON.categories("aspects"):
            return False
        follows_noun = self.at > 0 and self.is_noun(-1)
        if word in words_of("seen") or (follows_noun and word in words_of("standing")):
            return True
        lemma, verbs = LEXICON.lemma(word), words_of("posture") | words_of("actions")
        is_after_modifier = before in words_of("determiners") or attribute_of(before)
        if lemma not in verbs or attribute_of(word) or is_after_modifier or self.word(1) == "of":
            return False
        if follows_noun or before in words_of("indefinite") | words_of("persons"):  # "does anything hang"
            return word != lemma or not self.is_noun(1)
        is_modifier = self.is_noun(1) and word.endswith(("ing", "ed"))
        return not is_modifier and (word != lemma or self.at == 0)


class PhraseReader:
    """Reads one noun phrase at the place of a chunker: determiners, number, modifiers, head."""

    def __init__(self, chunker: Chunker) -> None:
        self.chunker = chunker
        self.count = SOME
        self.definite = self.determined = self.is_of_all = False
        self.words: list[Token] = []
        self.places: list[str] = []

    @property
    def token(self) -> Token | None:
        """The present word, None at the end of the sentence."""
        return self.chunker.tokens[self.chunker.at] if self.chunker.at < len(self.chunker.tokens) else None

    def read(self) -> Chunk | None:
        """Return the chunk of a noun phrase or a run of adjectives, None if neither begins here."""
        start = self.chunker.at
        for read in (self._quantifier, self._part):
            while length := read(self.token) if self.token else 0:
                self.chunker.at += length
        if not self.words and self.count == SOME and not self.places:
            return self._pronoun(start)
        return self._finish()

    def _quantifier(self, token: Token) -> int:
        """Read a determiner, number or quantifier and return how many words it takes, 0 if there is none."""
        word, following = token.text, self.chunker.word(1)
        for length, comparison in ((2, f"{word} {following}"), (1, word)):
            if changes := LEXICON.table("comparisons").get(comparison):
                return self._comparison(length, [int(change) for change in changes])
        is_of_some = following == "of" and self.chunker.word(2) in words_of("definite") | words_of("referents")
        if is_of_some and (token.number or word in words_of("shares")):  # "one of the hooks", "none of them"
            self.count = Count(token.number or 1) if word not in words_of("nothing") else NONE
            return 3
        if token.number is not None and (word != "one" or self._is_followed()):
            self.count = Count(token.number, token.number)
            return 1
        return self._determiner(word, 2 if following == "of" else 1)

    def _determiner(self, word: str, length: int) -> int:
        """Read a word such as "several", "the" or "other"; return the length if it is one."""
        if word == "both" and self.chunker.word(1) in words_of("determiners"):
            return 1  # "both a cube and a ring"
        if (limits := LEXICON.table("counts").get(word)) and (word != "couple" or length == 2):
            self.count = Count(*map(int, limits))
        elif word in words_of("determiners"):
            self.determined = True
            self.is_of_all = self.is_of_all or word in ("each", "every")
            if word in ("other", "another") and self.count.low > 0:
                self.count = replace(self.count, high=MANY)  # "two other plants" are not all
        else:
            return int(word in ("very", "quite", "rather", "really"))
        self.definite = self.definite or word in words_of("definite")
        return length

    def _is_followed(self) -> bool:
        """Return whether a noun or attribute is the next word."""
        return self.chunker.is_noun(1) or attribute_of(self.chunker.word(1)) is not None

    def _comparison(self, length: int, changes: Sequence[int]) -> int:
        """Read the number after "at least", "only" and the like, and return the number of words."""
        tokens = self.chunker.tokens[self.chunker.at + length :]
        if not tokens or tokens[0].number is None:
            return int(changes == [0, 0])
        low, high = (tokens[0].number + change for change in changes)
        self.count = Count(max(0, low), min(high, MANY))
        return length + 1

    def _part(self, token: Token) -> int:
        """Take a word into the phrase if it can belong to it: return 1, else 0."""
        word = token.text
        if self._is_outside(word):
            return 0
        if token.number is not None and word != "one":
            self.count = self.count if self.words else Count(token.number, token.number)
            return int(not self.words)
        if word in words_of("intensifiers"):
            return int(self._is_followed())
        if word in LEXICON.categories("places") and word not in words_of("vertical"):
            return self._place_modifier(word)
        if word == "and":  # "a red and white parasol"
            return int(bool(self.words) and is_colour(self.words[-1].text) and is_colour(self.chunker.word(1)))
        if token.ordinal is not None:
            if self.determined and not self.definite:
                self.count = Count(token.ordinal)  # "a second car": there are two
            return 1
        if not token.is_word or word in _closed_words() or (self.words and self._ends_before(token)):
            return 0
        self.words.append(token)
        return 1

    def _is_outside(self, word: str) -> bool:
        """Return whether a word starts what follows the phrase: "on top of", "that", "up"."""
        is_particle = word in words_of("particles") and bool(self.words)
        return self.chunker.relation_at()[0] > 1 or word in words_of("relatives") or is_particle

    def _place_modifier(self, word: str) -> int:
        """Take "left" in "the left chair" as a place of the phrase."""
        is_modifier = word != "very" and (not self.words or self._noun_follows())
        self.places += [LEXICON.categories("places")[word]] if is_modifier else []
        return int(is_modifier)

    def _ends_before(self, token: Token) -> bool:
        """Return whether the phrase ends before a word: writing, its verb, or an attribute after its noun."""
        word, before = token.text, self.words[-1].text
        parts = LEXICON.parts(LEXICON.lemma(before))
        is_usually_noun = parts[:1] in ("n", "") or ("n" in parts and self.definite and len(self.words) == 1)  # "sink"
        is_noun = is_usually_noun and not attribute_of(before) and before not in LEXICON.categories("shades")
        if (token.raw.isupper() and len(token.raw) > 1) or self.chunker.is_verb():  # "the sign BAR"
            return True
        is_attribute = attribute_of(word) is not None
        is_after = is_attribute or word.endswith("ed")  # "the pumpkins carved"
        return is_noun and is_after and (is_colour(word) or not self._noun_follows())

    def _noun_follows(self) -> bool:
        return self.chunker.is_noun(1) and attribute_of(self.chunker.word(1)) is None

    def _pronoun(self, start: int) -> Chunk | None:
        """Read "it", "nobody", or "this" and "both" alone; "someone left a bag" need not be in the picture."""
        word = self.chunker.word()
        count = NONE if word in words_of("nothing") else SOME
        if word in words_of("pronouns"):
            self.chunker.at += 1
            if word in words_of("persons") and self.chunker.word() in words_of("deeds"):
                return Chunk("but")
            is_person = word in words_of("persons")
            return Chunk(
                "phrase", word, Phrase("person" * is_person, (), count, False, word in words_of("it"), not is_person)
            )
        return Chunk("phrase", phrase=Phrase(pronoun=True)) if self.chunker.at > start else None

    def _finish(self) -> Chunk:
        is_pronoun = self.chunker.word() in ("one", "ones") and self.count.high != 1  # "one black one red"
        self.chunker.at += is_pronoun
        last = self.words[-1] if self.words and not is_pronoun else None
        if last and _is_adjective(last) and not self._is_noun_use(last):
            last = None
        modifiers = tuple(dict.fromkeys(_modifiers(self.words[:-1] if last else self.words)))
        if not (last or self.determined or is_pronoun or self.count != SOME or self.places):
            return Chunk("adjective", phrase=Phrase(modifiers=modifiers))
        head = "" if not last else last.text if " " in last.text else LEXICON.lemma(last.text)
        is_plural, places = self.is_of_all or (last is not None and last.plural), tuple(dict.fromkeys(self.places))
        return Chunk("phrase", phrase=Phrase(head, modifiers, self.count, is_plural, self.definite, is_pronoun, places))

    def _is_noun_use(self, token: Token) -> bool:
        """Return whether an attribute word ends the phrase as its noun: "an iron", "the glass", "tiles"."""
        is_phrase = token.plural or self.determined or self.count != SOME or len(self.words) > 1
        word = LEXICON.lemma(token.text) if token.plural else token.text  # "none of them lit" is no light
        return is_phrase and word in words_of("attribute_nouns")


def _is_adjective(token: Token) -> bool:
    """Return whether a word is an attribute, or an adjective or participle that is no noun."""
    parts = LEXICON.parts(LEXICON.lemma(token.text))
    is_participle = token.text.endswith("ed") and " " not in token.text and "n" not in LEXICON.parts(token.text)
    return attribute_of(token.text) is not None or is_participle or (bool(parts) and "n" not in parts)


def _modifiers(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield the canonical words of modifiers; a shade joins the colour after it: "dark red"."""
    shade = ""
    for token in tokens:
        if token.text in LEXICON.categories("shades") and not is_colour(token.text):
            shade = LEXICON.categories("shades")[token.text]
            continue
        attribute = attribute_of(token.text) or LEXICON.lemma(token.text)
        yield f"{shade} {attribute}" if shade and is_colour(token.text) else attribute
        shade = ""
    if shade:
        yield shade


# ---------------------------------------------------------------------- statements
def read_claims(chunks: Sequence[Chunk]) -> tuple[Claim, ...]:
    """Return the claims of the chunks of a statement."""
    statement = Statement()
    statement.read(merge_adjectives(without_aspects(chunks)))
    if not statement.claims and not statement.lead.is_bare:  # "what is on the left"
        return (Claim(statement.lead),)
    return tuple(map(partial(_among_others, statement.claims), statement.claims))


def _among_others(claims: Sequence[Claim], claim: Claim) -> Claim:
    """Return a claim whose "one cube" may be one of several, where others are named: "one cube and a second one"."""
    subject = claim.subject
    others = {other.subject for other in claims if other.subject.count.high and not other.subject.definite} - {subject}
    is_one = (subject.head, subject.modifiers) in {(other.head, other.modifiers) for other in others}
    return replace(claim, subject=subject.uncounted) if is_one and subject.count == ONE else claim


def without_aspects(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks without "the colour of", and with "left or right of the sofa" as "left of the sofa or …"."""
    merged: list[Chunk] = []
    skipped = -1
    for at, chunk in enumerate(chunks):
        before, following = merged[-1].kind if merged else "", [part.kind for part in chunks[at + 1 : at + 4]]
        if is_aspect_of(chunks[at:]) and chunk.phrase.head != "number" and before != "adjective":
            skipped = at + 1
        elif following == ["or", "relation", "phrase"] and chunk.kind in ("place", "relation"):
            word = chunk.word or f"{' '.join(chunk.phrase.places)} of"
            merged += [Chunk("relation", word, text=chunk.text), chunks[at + 3]]
        elif at != skipped:
            merged.append(chunk)
    return merged


def is_aspect_of(chunks: Sequence[Chunk]) -> bool:
    """Return whether chunks begin with "the colour of" or "the number of"."""
    return len(chunks) > 1 and chunks[0].phrase.head in LEXICON.categories("aspects") and chunks[1].word == "of"


def merge_adjectives(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return chunks with "red, white and yellow cushions" as one phrase, and "a red and a blue vase" as two vases."""
    merged: list[Chunk] = []
    for chunk in chunks:
        while _is_adjective_of(merged, chunk):
            modifiers = dict.fromkeys((*merged[-2].phrase.modifiers, *chunk.phrase.modifiers))
            text = f"{merged[-2].text} and {chunk.text}"
            chunk = replace(chunk, phrase=replace(chunk.phrase, modifiers=tuple(modifiers)), text=text)
            del merged[-2:]
        at = len(merged) - 2
        while chunk.phrase.head and merged and merged[-1].kind in ("and", "or") and at >= 0:
            phrase = merged[at].phrase
            if merged[at].kind != "phrase" or phrase.head or phrase.pronoun or not phrase.modifiers:
                break
            merged[at] = replace(merged[at], phrase=replace(phrase, head=chunk.phrase.head))
            at -= 2
        merged.append(chunk)
    return merged


def _is_adjective_of(before: Sequence[Chunk], chunk: Chunk) -> bool:
    """Return whether an adjective and an "and" or a comma stand before a phrase without a determiner or number."""
    phrase, kinds = chunk.phrase, [part.kind for part in before[-3:]]
    follows = kinds[-2:] in (["adjective", "and"], ["adjective", "comma"]) and kinds[:-2] != ["be"]
    is_open = not (phrase.definite or phrase.pronoun or phrase.count.is_stated)
    has_determiner = chunk.text.split(" ")[0] in words_of("determiners")
    return chunk.kind == "phrase" and follows and is_open and bool(phrase.modifiers) and not has_determiner


def starts_clause(chunks: Sequence[Chunk]) -> bool:
    """Return whether a subject and its verb follow: "and the lamp is red"."""
    inner = ("relation", "place", "phrase", "verb")
    end = next((chunk for chunk in chunks if chunk.kind not in inner or says(chunk)), None)
    return end is not None and chunks[0].kind == "phrase" and (end.kind in ("be", "have") or says(end))


def says(chunk: Chunk) -> bool:
    """Return whether a chunk is a verb of writing: "a sign says BAR"."""
    return chunk.kind in ("verb", "other", "phrase") and LEXICON.lemma(chunk.text.lower()) in words_of("writing")


class Statement:
    """Folds the chunks of a sentence into claims."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self.lead = Phrase()
        """Where all is that follows: "on the floor brown shoes, yellow boots"."""
        self._mode = "list"
        """What follows: "list" what there is, "be" how the subject is, "have" what it has."""
        self._is_open = False
        """Whether what follows may belong to the last claim."""
        self._relation = ""
        self._negated = False
        self._noun = ""
        self._joined = ""
        """The kind of "and", "or" or mark since the last thing that was read."""
        self._moves = False
        """Whether a place is a direction: "stairs going up to the right"."""

    def read(self, chunks: Sequence[Chunk]) -> None:
        """Read all chunks of a sentence."""
        for at, chunk in enumerate(chunks):
            following = [part.kind for part in chunks[at + 1 : at + 3]]
            before = chunks[at - 1] if at else None
            if chunk.kind in ("and", "comma") and starts_clause(chunks[at + 1 :]):
                self._end_clause()
                self._joined = chunk.kind
                continue
            if chunk.kind == "phrase" and (says(chunk) or (before and says(before))):
                continue  # "a sign says BAR": no bar
            if chunk.kind == "and" and self._is_between() and following[:1] == ["phrase"]:
                chunk = Chunk("relation", "between")
            if self._leads(chunk, before, following):
                self._end_clause()
                self._is_open = False
            if handler := getattr(self, f"_read_{chunk.kind}", None):
                handler(chunk)
            else:
                self._read_joint(chunk.kind)
        if self._relation == "on" and self._mode == "be":  # "is the lamp on"
            self._read_adjective(Chunk("adjective", phrase=Phrase(modifiers=("lit",)), text="on"))

    def _is_between(self) -> bool:
        """Return whether the first side of "between a and b" was read."""
        links = (self._last.predicate or self._last.subject).links if self._last else ()
        return bool(links) and links[-1].relation == "between" and not links[-1].phrase.plural

    def _leads(self, chunk: Chunk, before: Chunk | None, following: Sequence[str]) -> bool:
        """Return whether a place or relation after a comma belongs to what follows: "…, on the left a sofa"."""
        if not self.claims or before is None or before.kind not in ("comma", "and", "but"):
            return False
        after = following if chunk.kind == "relation" and following[:1] == ["phrase"] else ["", *following]
        return chunk.kind in ("place", "relation") and after[1:2] in (["phrase"], ["there"])

    @property
    def _last(self) -> Claim | None:
        """The claim that what follows may belong to."""
        return self.claims[-1] if self.claims and self._is_open else None

    def _add(self, subject: Phrase, predicate: Phrase | None, text: str) -> None:
        """Add a claim; a "not" before it is used up."""
        is_alternative = self._joined == "or" and bool(self.claims)
        if predicate is None and (self._negated or (is_alternative and self.claims[-1].subject.negated)):
            subject = replace(subject, count=NONE)
        is_denied = predicate is not None and self._negated
        self.claims.append(Claim(subject, predicate, is_denied, is_alternative, text))
        self._is_open, self._negated, self._joined = True, False, ""

    def _extend(self, addition: Phrase, text: str) -> None:
        """Add what is said of the last thing: to its predicate after "is", else to its phrase."""
        last = self._last
        if last is None:
            self.lead = self.lead.plus(addition)
        elif last.subject.negated and not last.predicate:  # "no present is red" denies red presents
            self.claims[-1] = replace(last, subject=extend(last.subject, addition))
        elif self._negated or (self._mode == "be" and (self._joined or not last.predicate or addition.modifiers)):
            self._add(last.subject, addition, f"not {text}" if self._negated else text)
        elif last.predicate:
            self.claims[-1] = replace(last, predicate=extend(last.predicate, addition))
        else:
            self.claims[-1] = replace(last, subject=extend(last.subject, addition))
        self._joined = ""

    def _with_noun(self, phrase: Phrase) -> Phrase:
        """Return a phrase with the noun that "a blue one" stands for. The noun of a phrase is kept for later ones."""
        is_open = phrase.count.high == MANY or phrase.pronoun != phrase.negated  # "two of them", "a second one"
        is_of_others = phrase.count.is_stated and (phrase.modifiers or is_open)
        if not phrase.head and (is_of_others or (phrase.modifiers and phrase.pronoun)):
            phrase = replace(phrase, head=self._noun, pronoun=phrase.pronoun and not self._noun)
        if self._relation in ("", "with", "of"):  # of "three plants on a ledge, a green one" it is a plant
            self._noun = phrase.head or self._noun
        return phrase

    def _read_phrase(self, chunk: Chunk) -> None:
        phrase, last = self._with_noun(chunk.phrase), self._last
        if self._relation:
            relation, self._relation = self._relation, ""
            if phrase.head not in words_of("pictures") or relation not in ("in", "on", "at", "from"):
                self._extend(Phrase(links=(Link(relation, phrase),)), chunk.text)
        elif phrase.pronoun and phrase.definite and phrase.is_bare and self.claims:  # "it" is the last subject
            self._mode, self._is_open = "be", True
        elif last and self._mode == "be":
            if phrase.negated and phrase.modifiers:  # "is neither red nor green"
                phrase, self._negated = phrase.uncounted, True
            is_aspect = phrase.head in LEXICON.categories("aspects") and phrase.modifiers  # "it is a light colour"
            self._add(last.subject, replace(phrase, head="") if is_aspect else phrase, chunk.text)
        elif last and self._mode == "have":
            self._add(last.subject, Phrase(links=(Link("with", phrase),)), chunk.text)
        else:
            self._add(phrase.plus(self.lead), None, chunk.text)

    def _read_adjective(self, chunk: Chunk) -> None:
        last = self._last
        if last is None or (self._mode == "list" and self._joined in ("comma", "colon", "and")):
            head = self._noun if self._joined == "colon" else last.subject.head if last else ""
            self._add(replace(chunk.phrase, head=head), None, chunk.text)
        elif chunk.phrase.modifiers == ("absent",) and self._mode == "be":
            self.claims[-1] = replace(last, subject=replace(last.subject, count=NONE, definite=False))
        else:
            self._extend(chunk.phrase, chunk.text)

    def _read_place(self, chunk: Chunk) -> None:
        self._relation = ""
        if self._moves:
            return
        is_elsewhere = any(are_opposite(*pair) for pair in product(chunk.phrase.places, self.lead.places))
        if self._last and is_elsewhere:  # "at the back a cube, a cone at the front"
            places = tuple(place for place in self._last.subject.places if place not in self.lead.places)
            self.claims[-1] = replace(self._last, subject=replace(self._last.subject, places=places))
            self.lead = Phrase()
        self._extend(chunk.phrase, chunk.text)

    def _read_relation(self, chunk: Chunk) -> None:
        if chunk.word == "without":
            self._end_clause()
            self._negated = True
        elif chunk.word != "with" or self._mode != "list" or self._joined not in ("comma", "colon"):
            self._relation = chunk.word  # not in "a kitchen, with a stove": that belongs to the picture

    def _read_be(self, chunk: Chunk) -> None:
        self._mode = "be" if self._last else self._mode

    def _read_have(self, chunk: Chunk) -> None:
        if self._last and self._last.subject.head in words_of("frame_nouns"):
            del self.claims[-1]
        elif self._last:
            self._mode = "have"

    def _read_verb(self, chunk: Chunk) -> None:
        self._moves = LEXICON.lemma(chunk.word) in words_of("motion")

    def _read_joint(self, kind: str) -> None:
        """Read a conjunction, a mark, "there", "not", or a word for the speaker."""
        is_in_predicate = kind in ("and", "or") and self._mode == "be" and (kind == "or" or self._joined != "comma")
        is_end = kind in ("but", "comma", "and", "or", "there", "speaker") and not is_in_predicate
        if is_end:
            is_new = kind == "but" or (kind == "there" and self._joined in ("comma", "and"))
            self._end_clause(keeps_lead=not is_new)
        self._is_open = self._is_open and kind not in ("there", "speaker")
        self._negated = self._negated or kind == "not"
        self._joined = kind if kind in ("and", "or", "comma", "colon") else self._joined

    def _end_clause(self, *, keeps_lead: bool = False) -> None:
        self._mode, self._relation, self._moves = "list", "", False
        self.lead = self.lead if keeps_lead else Phrase()


def extend(phrase: Phrase, addition: Phrase, depth: int = 0) -> Phrase:
    """Return a phrase with what is said of it, or of what it is with: "a room with a lamp on a table"."""
    last = phrase.links[-1] if phrase.links else None
    relation = addition.links[0].relation if addition.links else "on"
    is_of_last = last and not addition.modifiers and (relation == "of" or last.relation in ("with", "of"))
    if last and is_of_last and relation not in ("with", "without") and depth < DEEPEST:
        nested = replace(last, phrase=extend(last.phrase, addition, depth + 1))
        return replace(phrase, links=(*phrase.links[:-1], nested))
    return phrase if len(phrase.links) >= MOST_LINKS else phrase.plus(addition)


# ---------------------------------------------------------------------- questions
def read_question(chunks: Sequence[Chunk]) -> Question:
    """Return the question that the chunks of a sentence ask."""
    kinds = [chunk.kind for chunk in chunks]
    first = chunks[0].text.lower().split(" ")[0]
    if first in words_of("requests"):
        claims = read_claims([chunk for chunk in chunks[1:] if chunk.kind != "speaker"])
        return Question("number" if first == "count" else "what", claims)
    if "question" in kinds:
        at = kinds.index("question")
        rest = [chunk for chunk in chunks[at + 1 :] if chunk.kind not in ("auxiliary", "speaker")]
        return _open_question(chunks[at].word, rest, [chunk for chunk in chunks[:at] if chunk.kind == "relation"])
    return _polar_question(chunks)


def _polar_question(chunks: Sequence[Chunk]) -> Question:
    """Read "is there …", "do you see …", "is the lamp red", "any flowers"."""
    rest = _without_opener(chunks)
    if is_aspect(rest):  # "the hat on the bench, colour?"
        return _open_question("what", rest)
    if any(LEXICON.lemma(chunk.word or chunk.text) in ("say", "spell") for chunk in rest):  # "does it say BABY"
        return Question("text")
    if is_aspect_of(rest) and not any(chunk.kind in ("be", "have") for chunk in rest):  # "the number of chairs"
        return _open_question("what", rest)
    claims = read_claims(list(map(_second, rest)))
    if aspect := _aspect_question(claims):  # "rug colour"
        return aspect
    is_choice = any(chunk.kind == "or" for chunk in rest)
    is_counted = any(claim.whole.count.is_stated for claim in claims)  # "are two lamps hanging"
    action = next((verb for verb in _verbs(rest) if is_counted or verb in words_of("actions")), "")
    return Question("unknown" if not claims else "choice" if is_choice else "polar", claims, action=action)


def _aspect_question(claims: Sequence[Claim]) -> Question | None:
    """Return the question that only names an aspect of a thing, None if a question is another one."""
    phrase = claims[0].whole if len(claims) == 1 else NO_PHRASE
    is_aspect = LEXICON.categories("aspects").get(phrase.head, "") in ATTRIBUTES and phrase.modifiers[-1:]
    if not is_aspect or attribute_of(phrase.modifiers[-1]):
        return None
    named_thing = replace(phrase, head=phrase.modifiers[-1], modifiers=phrase.modifiers[:-1], definite=True)
    return Question("kind", (Claim(named_thing),), phrase.head)


def _without_opener(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks after "is there" and "do you see", and those of "is the lamp red" as "the lamp is red"."""
    openers = ("other", "comma", "and", "auxiliary", "speaker", "see", "there")
    start = next((at for at, chunk in enumerate(chunks) if chunk.kind not in openers), len(chunks))
    rest = list(chunks[start:])
    kinds = [chunk.kind for chunk in rest]
    if kinds[:1] == ["be"]:
        rest = rest[2:] if kinds[1:2] == ["not"] else rest[1:]
        is_subject = len(rest) > 1 and rest[0].kind == "phrase" and rest[0].phrase != ANYTHING
        if kinds[1:2] != ["there"] and is_subject:  # not "is anything on the table"
            rest.insert(_end_of_subject(rest), Chunk("be", "is"))
    rest = [chunk for chunk in rest if chunk.kind not in ("auxiliary", "there", "speaker")]
    return _with_verb(rest) if len(rest) == len(chunks) else rest


def _with_verb(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return "the towels on the wall are orange" for "towels on the wall orange", else the same chunks."""
    kinds = [chunk.kind for chunk in chunks]
    at = next((at for at in range(1, len(kinds)) if kinds[at] == "adjective" and kinds[at - 1] not in ("and", "or")), 0)
    is_open = kinds[:1] == ["phrase"] and not {"be", "have", "not", "and"} & {*kinds[:at]}
    if not (at and is_open and all(kind in ("adjective", "or") for kind in kinds[at:])):
        return list(chunks)
    subject = [chunk for chunk in chunks[:at] if chunk.kind not in ("comma", "colon")]
    definite = replace(subject[0], phrase=replace(subject[0].phrase, definite=True))
    return [definite, *subject[1:], Chunk("be", "is"), *chunks[at:]]


def _second(chunk: Chunk) -> Chunk:
    """Return a chunk in which "another lamp" is a second one."""
    is_second = chunk.text.lower().startswith("another ") and chunk.phrase.is_bare
    return replace(chunk, phrase=replace(chunk.phrase, count=Count(2))) if is_second else chunk


def _verbs(chunks: Iterable[Chunk]) -> Iterator[str]:
    return (LEXICON.lemma(chunk.word) for chunk in chunks if chunk.kind == "verb")


def _end_of_subject(chunks: Sequence[Chunk]) -> int:
    """Return where the subject of "is the lid of the piano open" ends."""
    at = 1
    while at + 1 < len(chunks) and chunks[at].word == "of" and chunks[at + 1].kind == "phrase":
        at += 2
    after = at
    while after < len(chunks) and chunks[after].kind in ("relation", "place"):
        after += 1 + (chunks[after].kind == "relation")
    return after if after < len(chunks) and chunks[after].kind in ("adjective", "verb", "phrase") else at


def _open_question(word: str, chunks: Sequence[Chunk], relations: Sequence[Chunk] = ()) -> Question:
    """Read "how many …", "what colour …", "where …", "what is on …"; `relations` stand before it: "on what …"."""
    plain: Sequence[Chunk] = [chunk for chunk in chunks if chunk.kind not in ("be", "there", "see")]
    posture = next(_verbs(chunks), "")
    asks_for = plain[0].phrase.head if plain else ""
    aspect = LEXICON.categories("aspects").get(asks_for, "")
    if is_aspect_of(plain):
        word, plain = aspect if aspect in ("how", "where") else word, plain[1:]  # "what is the number of chairs"
    if word in ("where", "how"):
        return Question("place" if word == "where" else "number", read_claims(_after_of(plain)), action=posture)
    if plain and plain[-1].word == "made of":
        return Question("kind", read_claims(plain[:-1]), "material")
    if aspect not in ("", "how", "where"):
        return Question("kind", read_claims(_after_of(plain) if plain[0].word == "of" else plain[1:]), asks_for)
    if any(chunk.word in ("else", "more") for chunk in chunks) and not relations:
        return Question("more")
    if any(map(says, chunks)):
        return Question("text", read_claims(plain))
    plain = _after_of(plain)  # "which of the cubes is red"
    asks_for = plain[0].phrase.head if plain and chunks[0].kind != "be" else ""  # not "what is on the table"
    return Question("what", read_claims([*relations, *plain[bool(asks_for) :]]), asks_for, posture)


def _after_of(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Return the chunks without "of" at the start."""
    return chunks[1:] if chunks and chunks[0].word == "of" else chunks
