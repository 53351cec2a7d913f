"""Reads English sentences as claims and questions: a chunker over tokens, in linear time.

`read_text` splits a text into sentences, each into chunks (noun phrases, adjectives, places, relations, verbs), and
folds the chunks from left to right into claims or a question. It knows words, not things: whether a claim is so is for
an evaluator to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import pairwise, product

from games.common.language.claims import (
    MANY,
    NONE,
    SOME,
    Claim,
    Count,
    Link,
    Phrase,
    Question,
    QuestionKind,
    Reading,
    are_opposite,
)
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.tokens import CACHE_SIZE, Token, tokenize

ATTRIBUTE_TABLES = ("colours", "sizes", "materials", "states", "shapes", "patterns")
MAX_LINKS, MAX_DEPTH = 6, 3
"""How many relations of a phrase are read, and how deeply nested."""
NO_PHRASE = Phrase()
ONE_THING = Count(1, 1)
BOTH = Phrase(count=Count(2, 2), definite=True)
TOPIC_KINDS = ("phrase", "adjective", "place", "relation", "verb", "other", "speaker")
"""Chunks of what a question names before it asks."""
READING_CACHE_SIZE = 256
TARGET_RELATIONS = ("above", "below", "behind", "in front of", "next to", "left of", "right of", "between")
"""Relations at the end of a question that ask for what something is related to."""
INVERSE_RELATIONS = {"next to": "next to", "behind": "in front of", "left of": "right of"}
INVERSE_RELATIONS |= {inverse: relation for relation, inverse in INVERSE_RELATIONS.items()}
"""Relations that hold of two things in reverse order; not "above", as what hangs may be above all that is in a room."""
IT_PHRASE, ANYTHING_PHRASE = Phrase(pronoun=True, definite=True), Phrase(pronoun=True)


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


NO_CHUNK = Chunk("")
RELATED = (["relation", "phrase"], ["relation", "place"])
LIT_CHUNK = Chunk("adjective", phrase=Phrase(modifiers=("lit",)), text="on")


@cache
def words_of(group: str) -> frozenset[str]:
    """Return the words of a list in the table "grammar"."""
    return LEXICON.grammar_words(group)


@lru_cache(CACHE_SIZE)
def attribute_of(word: str) -> str | None:
    """Return the canonical attribute that a word means (scarlet -> red, shiny -> metal), None if it is none."""
    return next((name for table in ATTRIBUTE_TABLES if (name := LEXICON.categories(table).get(word))), None)


def find_attribute_table(word: str) -> str:
    """Return the table of an attribute: "colours", "materials", …; "" for words of none."""
    return next((name for name in ATTRIBUTE_TABLES if word in LEXICON.categories(name)), "")


def is_colour(word: str) -> bool:
    """Return whether a word is a colour without a shade."""
    return word in LEXICON.categories("colours")


@cache
def _list_function_words() -> dict[str, str]:
    """Return words and marks that are always of one kind, wherever they stand."""
    return {word: kind for kind, words in LEXICON.get_table("function_words").items() for word in words}


@cache
def _list_relations() -> dict[str, list[tuple[list[str], str]]]:
    """Return the relations by their first word, the longest first."""
    relations_by_word: dict[str, list[tuple[list[str], str]]] = {}
    for words, relation in sorted(LEXICON.categories("relations").items(), key=lambda pair: -pair[0].count(" ")):
        relations_by_word.setdefault(words.split(" ")[0], []).append((words.split(" "), relation))
    return relations_by_word


@cache
def _list_closed_words() -> frozenset[str]:
    """Return words that no noun phrase contains: pronouns, forms of "be", prepositions, …"""
    groups = "determiners pronouns speakers be have auxiliaries negators question_words intensifiers".split()
    return frozenset(("and", "or", "but")).union(*map(words_of, groups), LEXICON.categories("relations"))


# ---------------------------------------------------------------------- reading a text
@lru_cache(READING_CACHE_SIZE)  # a partner reads all messages of a game anew for each decision
def read_text(text: str, vocabulary: Vocabulary, *, only_questions: bool = False) -> Reading:
    """Return the claims and questions of a text; `only_questions`: whether all of it asks, even without marks."""
    claims: list[Claim] = []
    questions: list[Question] = []
    subject = NO_PHRASE
    for sentence in split_sentences(vocabulary.join_names(tokenize(text))):
        chunks = list(Chunker(sentence).list_chunks())
        asking_chunks = chunks[chunks[0].kind == "and" :]
        if is_tag(asking_chunks):  # "… Is that right?", "and?"
            continue
        topic_chunks, question_part = split_topic(asking_chunks)
        if not (only_questions or topic_chunks or is_question(sentence, chunks)):
            words = " ".join(token.raw for token in sentence)
            statement_claims = read_claims(chunks)
            claims += [replace(claim, text=claim.text or words) for claim in statement_claims]
            if len(statement_claims) == 1 and chunks[0].kind == "speaker":  # "I have a cat. Do you have one?"
                subject = statement_claims[0].subject
            continue
        subject = next((claim.subject for claim in read_claims(topic_chunks)), subject)
        for question_chunks in split_questions(question_part):
            question = read_with_topic(question_chunks, topic_chunks, subject)
            if len(open_part := drop_offer(question_chunks)) < len(question_chunks):
                question = replace(question, open_question=read_with_topic(open_part, topic_chunks, subject))
            questions.append(question)
            topic_chunks = ()
            subject = next((claim.subject for claim in questions[-1].claims if claim.subject.head), subject)
    return Reading(tuple(claims), tuple(questions))


def read_with_topic(chunks: Sequence[Chunk], topic_chunks: Sequence[Chunk], subject: Phrase) -> Question:
    """Return the question that chunks ask, about what was named before."""
    question = resolve_subject(read_question(chunks), subject, is_topic=bool(topic_chunks))
    question_words = {word for chunk in chunks for word in chunk.text.lower().split()}
    is_superlative = not words_of("superlatives").isdisjoint(question_words)
    unparsed_words = find_unread_words([*topic_chunks, *chunks], question)
    if question.kind == "number" and not question.claims:  # "how many?"
        question = replace(question, claims=(Claim(Phrase("thing", is_plural=True)),))
    return replace(question, unparsed_words=unparsed_words, is_superlative=is_superlative)


def split_sentences(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each sentence, with its question mark."""
    sentence: list[Token] = []
    for token in (*tokens, Token(".", ".", 0, 0)):
        if token.text == "?" or not token.ends_sentence:
            sentence.append(token)
        if token.ends_sentence:
            if any(other_token.is_word for other_token in sentence):
                yield sentence
            sentence = []


def is_question(sentence: Sequence[Token], chunks: Sequence[Chunk]) -> bool:
    """Return whether a sentence asks something: it ends in a question mark or begins as a question does."""
    first_kind = next((chunk.kind for chunk in chunks if chunk.kind not in ("comma", "and", "other")), "")
    is_inverted = first_kind in ("question", "be", "auxiliary") or is_aspect_of(chunks)
    return sentence[-1].text == "?" or sentence[0].text in words_of("requests") or is_inverted


def split_topic(chunks: Sequence[Chunk]) -> tuple[Sequence[Chunk], Sequence[Chunk]]:
    """Return what a question names first, and the rest: "the crate on the shelf" and "what colour is it"."""
    kinds = [chunk.kind for chunk in chunks]
    end = next((index for index, kind in enumerate(kinds) if kind not in TOPIC_KINDS), len(kinds))
    first_kind = next((kind for kind in kinds if kind != "other"), "")  # "So the front door, is it open?"
    is_marked = kinds[end : end + 1] in (["comma"], ["colon"])
    is_after_be = kinds[end : end + 2] == ["be", "question"] or kinds[end : end + 3] == ["be", "relation", "question"]
    start = end + (is_marked or is_after_be)
    is_asked = is_after_be or kinds[start : start + 1] in (["question"], ["be"], ["auxiliary"])
    is_anything = is_marked and [chunk.phrase for chunk in chunks[start : start + 1]] == [ANYTHING_PHRASE]
    is_asked = is_asked or is_anything or is_aspect(chunks[start:])
    is_at_end = len(chunks) == start + 1 and chunks[start].word not in ("how", "where")  # "the bench is made of what"
    is_split = start > end or (kinds[end : end + 1] == ["question"] and not is_at_end)
    is_topic = is_asked and is_split and first_kind in ("phrase", "adjective")
    return (chunks[:end], chunks[start:]) if is_topic else ((), chunks)


def is_aspect(chunks: Sequence[Chunk]) -> bool:
    """Return whether chunks only name an aspect: "colour", "which shape"."""
    return len(chunks) == 1 and chunks[0].phrase.is_bare and is_aspect_name(chunks[0].phrase.head)


def is_aspect_name(word: str) -> bool:
    """Return whether a word names an aspect: colour, shape, number."""
    return word in LEXICON.categories("aspects")


def resolve_subject(question: Question, subject: Phrase, *, is_topic: bool = False) -> Question:
    """Return a question in which "it", or nothing at all, is what was named before: "…, and what colour is it".

    `is_topic`: whether it was named for this question, as what has the thing that is asked for: "stools: seat colour".
    """
    subject = replace(subject, definite=True)
    has_place = question.asked_noun in words_of("side_nouns")
    if not subject.head or not (question.claims or has_place or question.kind in ("kind", "number", "place")):
        return question
    claims = question.claims or (Claim(subject),)
    if is_topic and len(claims) == 1 and claims[0].subject.is_bare and claims[0].subject.head not in ("", subject.head):
        claims = (replace(claims[0], subject=claims[0].subject.merge(Phrase(links=(Link("of", subject),)))),)
    return replace(question, claims=tuple(_replace_subject(claim, subject) for claim in claims))


def _replace_subject(claim: Claim, subject: Phrase) -> Claim:
    """Return a claim about "it", "the yellow ones" or "anything in it" as one about what was named before."""
    phrase = claim.subject
    if phrase.pronoun and phrase.is_bare:
        return replace(claim, subject=subject)
    links = tuple(replace(link, phrase=subject) if link.phrase == IT_PHRASE else link for link in phrase.links)
    is_of_them = not phrase.head and (is_number(phrase) or (phrase.pronoun and bool(phrase.modifiers)))
    head = subject.head if is_of_them else phrase.head
    return replace(claim, subject=replace(phrase, head=head, links=links, pronoun=phrase.pronoun and not is_of_them))


def split_questions(chunks: Sequence[Chunk]) -> list[Sequence[Chunk]]:
    """Return the parts of "is there a cat and is there a dog", without tags: "…, isn't it", "…, right", "… or what"."""
    if len(chunks) > 2 and chunks[-2].kind == "or" and chunks[-1].text.lower() in words_of("tails"):
        chunks = chunks[:-2]
    kinds = [chunk.kind for chunk in chunks]
    joints = [i for i in range(1, len(kinds) - 1) if kinds[i] in ("and", "comma", "or")]
    joints = [i for i in joints if _opens_question(kinds[i + 1 :]) and kinds[0] not in ("place", "relation")]
    # not "the ropes are red and what"
    starts = [i + 1 for i in joints if i + 2 < len(kinds) or chunks[i + 1].word != "what"]
    parts = [chunks[start_index:end] for start_index, end in zip([0, *starts], [*starts, len(chunks)], strict=True)]
    parts = [part for whole_part in parts for part in _split_numbers(whole_part)]
    parts[-1] = parts[-1][: len(parts[-1]) - _count_tag(chunks)]
    return parts[:1] + [question_part for question_part in parts[1:] if not is_tag(question_part)]


def _count_tag(chunks: Sequence[Chunk]) -> int:
    """Return how many chunks at the end are a tag: ", please", "right"."""
    kinds, last_word = [chunk.kind for chunk in chunks], chunks[-1].text.lower()
    if kinds[-2:-1] == ["comma"] and last_word in words_of("tags"):
        return 2
    return int(last_word == "right" and "be" not in kinds and kinds[-2:-1] in (["phrase"], ["adjective"]))


def _opens_question(kinds: Sequence[str]) -> bool:
    """Return whether chunks of some kinds begin a question: "is there", "on which side"."""
    return kinds[0] in ("be", "auxiliary", "question") or kinds[:2] == ["relation", "question"]


def is_tag(chunks: Sequence[Chunk]) -> bool:
    """Return whether chunks ask nothing by themselves: "isn't it", "is that right", "is there"; "is it right" may."""
    words = {word for chunk in chunks for word in chunk.text.lower().split()}
    tag_words = frozenset().union(*map(words_of, ("tags", "be", "auxiliaries", "speakers", "tag_words")))
    return words <= (tag_words if "right" in words else tag_words | words_of("it"))


def _split_numbers(chunks: Sequence[Chunk]) -> list[Sequence[Chunk]]:
    """Return "how many cubes are there" and "how many rings are there" for "how many cubes versus rings are there"."""
    is_joined = len(chunks) > 3 and (chunks[2].kind == "and" or chunks[2].word == "to")
    is_number = is_joined and chunks[0].word == "how" and chunks[1].kind == chunks[3].kind == "phrase"
    is_number = is_number and bool(chunks[3].phrase.head) and not chunks[3].phrase.definite
    return [[chunks[0], chunk, *chunks[4:]] for chunk in (chunks[1], chunks[3])] if is_number else [chunks]


def drop_offer(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Return an open question without answers that it offers: "what is in the crate, apples or pears"."""
    kinds = [chunk.kind for chunk in chunks]
    start = kinds.index("question") if "question" in kinds else len(kinds)
    end = next((i for i in range(start + 1, len(kinds)) if kinds[i] in ("comma", "colon")), len(kinds))
    is_complete = any(chunk.phrase.head for chunk in chunks[:end]) or "relation" in kinds[start:end]
    offered = {"phrase", "adjective", "comma", "or", "and", *(["place"] if "or" in kinds[end:] else [])}
    is_offer = all(chunk.word not in words_of("indefinite") for chunk in chunks[end:])  # not "something blue"
    return chunks[:end] if is_complete and is_offer and offered.issuperset(kinds[end:]) else chunks


@cache
def _list_empty_words() -> frozenset[str]:
    """Return words that a question need not contain to be read: "the thing in the picture, right?"."""
    return frozenset().union(*map(words_of, ("unspecific", "frame_nouns", "tags", "posture", "standing")))


def find_unread_words(chunks: Sequence[Chunk], question: Question) -> tuple[str, ...]:
    """Return the nouns and attributes of chunks that a question does not contain: eye in "eye colour of the cat"."""
    phrases = [phrase for claim in question.claims for phrase in (claim.subject, claim.predicate) if phrase]
    read_words = _list_empty_words().union({question.asked_noun}, *(p.words | p.all_places for p in phrases))
    content_chunks = [chunk for chunk in chunks if chunk.kind != "place" or question.kind != "place"]
    words = list(_list_content_words(content_chunks, has_verbs=not question.action))
    if question.kind == "kind":  # "rug shape: round, square"
        aspect = LEXICON.categories("aspects").get(question.asked_noun, "")
        words = [word for word in words if find_attribute_table(word) != aspect]
    unparsed_words = (word for word in words if read_words.isdisjoint((word, LEXICON.lemma(word))))
    return tuple(word for word in unparsed_words if not is_aspect_name(word))


def _list_content_words(chunks: Iterable[Chunk], *, has_verbs: bool) -> Iterator[str]:
    """Yield the nouns, attributes and, if asked for, verbs of chunks, and places of something else: "on its right"."""
    for chunk in chunks:
        if chunk.kind in ("phrase", "adjective"):
            yield from (chunk.phrase.head, *chunk.phrase.modifiers)
        if chunk.kind == "place":
            yield from (chunk.text,) if " its " in chunk.text else chunk.phrase.places
        if chunk.kind == "verb" and has_verbs and chunk.word not in words_of("seen"):
            yield chunk.word


# ---------------------------------------------------------------------- chunks
class Chunker:
    """Splits the tokens of a sentence into chunks."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = [token for token in tokens if token.text != "?"]
        self.index = 0

    def word(self, distance: int = 0) -> str:
        """Return the word at the present place or some places ahead, "" outside the sentence."""
        index = self.index + distance
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def is_noun(self, distance: int = 0) -> bool:
        """Return whether a word can be the head of a noun phrase."""
        word = self.word(distance)
        if not word or not word[0].isalnum() or word in _list_closed_words():
            return False
        word_classes = LEXICON.word_classes(LEXICON.lemma(word))
        return " " in word or "n" in word_classes or not word_classes

    def list_chunks(self) -> Iterator[Chunk]:
        """Yield the chunks of the sentence."""
        while self.index < len(self.tokens):
            start_index = self.index
            readers = (self._read_place, self._read_relation, self._read_function_word, PhraseReader(self).read_chunk)
            chunk = next((chunk for read_chunk in readers if (chunk := read_chunk())), Chunk("other", self.word()))
            self.index = max(self.index, start_index + 1)
            yield replace(chunk, text=" ".join(token.raw for token in self.tokens[start_index : self.index]))

    def _read_place(self) -> Chunk | None:
        """Read "on the left", "in the top right corner of the room" where no noun follows that it belongs to."""
        if self.find_relation()[1] == "next to":  # "left and right of"
            return None
        start = 1 if self.word() == "right" and self.word(1) in words_of("after_directly") else 0
        while self.word(start) in words_of("before_place"):
            start += 1
        nouns = LEXICON.categories("places")
        end = start
        while self.word(end) in nouns or (end > start and self.word(end) in words_of("side_nouns")):
            end += 1
        places = self._list_places(start, end)
        if not places or (start == 0 and self.word() in words_of("vertical")) or self._is_modifier(start, end):
            return None
        frame_length = self._count_frame(end)
        if self.find_relation()[1] == "nearest" and not frame_length:  # "closer to the door", not "to the camera"
            return None
        end += frame_length
        if self.word(end) == "than" or (self.word(end) == "of" and "middle" not in places):
            return None
        is_relative = not words_of("relative").isdisjoint(map(self.word, range(-1, start)))
        self.index += end
        return Chunk("place", places[0], Phrase(places=() if is_relative else tuple(places)))

    def _list_places(self, start: int, end: int) -> list[str]:
        """Return the places that words name, left for "furthest left"."""
        nouns = LEXICON.categories("places")
        place_words = [word for word in map(self.word, range(start, end)) if word in nouns]
        plain_words = [word for word in place_words if word not in words_of("superlatives")]
        places = list(dict.fromkeys(nouns[word] for word in plain_words or place_words))
        halves = ["half"] * ("half" in map(self.word, range(start, end)))
        return [*places, *halves] if places not in ([], ["far"]) else []

    def _count_frame(self, end: int) -> int:
        """Return the number of words in "of the picture", "in the room" or "of centre" after a place."""
        start = end + (self.word(end) == "away")
        is_led = self.word(start) in ("to", "from")
        if is_led or self.word(end - 1) in words_of("superlatives"):  # "nearest the camera", "furthest away from us"
            length = start + is_led + (self.word(start + is_led) == "the")
            is_of_viewer = self.word(length) in words_of("viewers")
            return length + 1 - end if is_of_viewer else 0 if is_led else start - end
        is_in_frame = self.word(end + 2) in (*words_of("pictures"), "room")
        is_off_centre = self.word(end) == "of" and LEXICON.categories("places").get(self.word(end + 1)) == "middle"
        return 2 * is_off_centre or 3 * (is_in_frame and self.word(end) in ("of", "in"))

    def _is_modifier(self, start_offset: int, end: int) -> bool:
        """Return whether words for a place belong to the noun after them: "the left chair", not "on left chairs"."""
        may_belong = start_offset == 0 or self.word(start_offset - 1) in ("the", "my", "its")
        is_attribute = attribute_of(self.word(end)) is not None
        is_before_noun = self.is_noun(end) or self.word(end) in ("one", "ones")
        if is_attribute:  # not in "is the door on the right open"
            is_before_noun = self.is_noun(end + 1) or self.word(end + 1) in ("one", "ones") or start_offset == 0
        return may_belong and is_before_noun

    def _read_relation(self) -> Chunk | None:
        length, relation = self.find_relation()
        self.index += length
        place = {"above": "top", "below": "bottom"}.get(relation)
        if place and self.word() in words_of("be"):  # "below are shoes"
            return Chunk("place", place, Phrase(places=(place,)))
        return Chunk("relation", relation) if length else None

    def find_relation(self) -> tuple[int, str]:
        """Return the number of words of the relation at the present place and what it means, 0 if there is none."""
        for relation_words, relation in _list_relations().get(self.word(), ()):
            if [self.word(offset) for offset in range(len(relation_words))] == relation_words:
                return (0, "") if len(relation_words) == 1 and self._is_particle() else (len(relation_words), relation)
        return 0, ""

    def _is_particle(self) -> bool:
        """Return whether the present word only adds to a verb or place: "hanging down", "up on the wall"."""
        word_before, next_word = self.word(-1), self.word(1)
        follows_verb = LEXICON.lemma(word_before) in words_of("posture") and word_before not in words_of("posture")
        is_alone = follows_verb and not (self.is_noun(1) or next_word in words_of("determiners"))
        return self.word() in words_of("particles") and (is_alone or next_word in words_of("after_particle"))

    def _read_function_word(self) -> Chunk | None:
        word = self.word()
        word_kind = self._find_function_kind(word)
        is_counting = word == "how" and self.word(1) in ("many", "much")
        chunk_word = "how much" if is_counting and self.word(1) == "much" else word
        self.index += 0 if not word_kind else 1 + is_counting
        return Chunk(word_kind, chunk_word) if word_kind else None

    def _find_function_kind(self, word: str) -> str:
        if word in words_of("relatives") and self.index and not self._is_before_noun() and not self._is_asking():
            return "but" if word == "where" else "other" if self.is_noun(-1) else ""
        is_relative = word in ("which", "who") and self.index > 1 and not self._is_asking()
        if word in words_of("question_words") and not is_relative:
            return "question"
        if self._is_particle() or (word in words_of("interjections") and self.index == 0):
            return "other"
        is_after_viewer = self.index == 0 or self.word(-1) in words_of("before_see") | words_of("intensifiers")
        if word in words_of("see") and is_after_viewer:
            return "see"
        return _list_function_words().get(word) or ("verb" if self.is_verb() else "")

    def _is_before_noun(self) -> bool:
        """Return whether a noun follows that is no verb: "that lamp", not "that hangs"."""
        next_word = self.word(1)
        lemma = LEXICON.lemma(next_word)
        is_verb = lemma != next_word and lemma in words_of("posture") | words_of("writing")
        return self.is_noun(1) and not (is_verb and self.is_noun(-1))

    def _is_asking(self) -> bool:
        """Return whether "which" asks, and begins no clause: "the sofa is which colour", "the cat, on which side"."""
        aspects = (*LEXICON.categories("aspects"), *words_of("side_nouns"))
        return self.word(-1) in ("and", *words_of("be")) or LEXICON.lemma(self.word(1)) in aspects

    def is_verb(self) -> bool:
        """Return whether the present word says how or where something is: "a coat hanging on", "the lamp stands"."""
        word, word_before = self.word(), self.word(-1)
        if LEXICON.lemma(word) in LEXICON.categories("aspects"):
            is_last = self.word(1) in ("", ",", ":", *words_of("auxiliaries"))
            if is_last or word_before == "same" or word_before in words_of("question_words"):
                return False
        follows_noun = self._follows_noun()
        if word in words_of("seen") or (follows_noun and word in words_of("standing")):
            return True
        lemma, verb_lemmas = LEXICON.lemma(word), words_of("posture") | words_of("actions")
        is_after_modifier = word_before in words_of("determiners") or attribute_of(word_before)
        if lemma not in verb_lemmas or attribute_of(word) or is_after_modifier or self.word(1) == "of":
            return False
        if follows_noun or word_before in words_of("indefinite") | words_of("persons"):  # "does anything hang"
            return word != lemma or not self.is_noun(1) or self.word(1) in LEXICON.categories("places")
        is_modifier = self.is_noun(1) and word.endswith(("ing", "ed"))
        return not is_modifier and (word != lemma or self.index == 0)

    def _follows_noun(self) -> bool:
        """Return whether a noun comes before, perhaps with a pronoun: "a sign that hangs"."""
        is_relative = self.index > 1 and self.word(-1) in words_of("relatives")
        return self.index > 0 and (self.is_noun(-1) or is_relative)


class PhraseReader:
    """Reads one noun phrase at the place of a chunker: determiners, number, modifiers, head."""

    def __init__(self, chunker: Chunker) -> None:
        self.chunker = chunker
        self.count = SOME
        self.definite = self.is_determined = self.is_of_all = self.is_share = False
        self.words: list[Token] = []
        self.places: list[str] = []

    @property
    def current_token(self) -> Token | None:
        """The present word, None at the end of the sentence."""
        return self.chunker.tokens[self.chunker.index] if self.chunker.index < len(self.chunker.tokens) else None

    def read_chunk(self) -> Chunk | None:
        """Return the chunk of a noun phrase or a run of adjectives, None if neither begins here."""
        start_index = self.chunker.index
        for read_words in (self._read_quantifier, self._read_part):
            while word_count := read_words(self.current_token) if self.current_token else 0:
                self.chunker.index += word_count
        if not self.words and self.count == SOME and not self.places:
            return self._read_pronoun(start_index)
        return self._finish_phrase()

    def _read_quantifier(self, token: Token) -> int:
        """Read a determiner, number or quantifier and return how many words it takes, 0 if there is none."""
        word, next_word = token.text, self.chunker.word(1)
        for word_count, comparison in ((2, f"{word} {next_word}"), (1, word)):
            if changes := LEXICON.get_table("comparisons").get(comparison):
                return self._read_comparison(word_count, [int(change) for change in changes])
        is_of_some = next_word == "of" and self.chunker.word(2) in words_of("definite") | words_of("referents")
        if is_of_some and (token.number or word in words_of("shares")):  # "one of the hooks", "none of them"
            self.count = Count(token.number or 1) if word not in words_of("nothing") else NONE
            self.is_share = True  # not three in "two of the three things"
            return 3
        if token.number is not None and (word != "one" or self._is_followed()) and not self._is_compound():
            self.count = self.count if self.is_share else Count(token.number, token.number)
            return 1
        return self._read_determiner(word, 2 if next_word == "of" else 1)

    def _read_determiner(self, word: str, word_count: int) -> int:
        """Read a word such as "several", "the" or "other"; return the length if it is one."""
        if word == "both" and self.chunker.word(1) in words_of("determiners"):
            return 1  # "both a cube and a ring"
        if (count_limits := LEXICON.get_table("counts").get(word)) and (word != "couple" or word_count == 2):
            self.count = Count(*map(int, count_limits))
        elif word in words_of("determiners"):
            self.is_determined = True
            self.is_of_all = self.is_of_all or word in ("each", "every")
            if word in ("other", "another") and self.count.low > 0:
                self.count = replace(self.count, high=MANY)  # "two other plants" are not all
            if word == "other" and self.definite and self.current_token:  # "the other chair"
                self.words.append(self.current_token)
        else:
            return int(word in ("very", "quite", "rather", "really"))
        self.definite = self.definite or word in words_of("definite")
        return word_count

    def _is_followed(self) -> bool:
        """Return whether a noun or attribute is the next word."""
        return self.chunker.is_noun(1) or attribute_of(self.chunker.word(1)) is not None

    def _read_comparison(self, word_count: int, changes: Sequence[int]) -> int:
        """Read the number after "at least", "only" and the like, and return the number of words."""
        next_tokens = self.chunker.tokens[self.chunker.index + word_count :]
        if not next_tokens or next_tokens[0].number is None:
            return int(changes == [0, 0])
        minimum, maximum = (next_tokens[0].number + change for change in changes)
        self.count = Count(max(0, minimum), min(maximum, MANY))
        return word_count + 1

    def _read_part(self, token: Token) -> int:
        """Take a word into the phrase if it can belong to it: return 1, else 0."""
        word = token.text
        if self._is_outside(word):
            return 0
        if token.number is not None and word != "one":
            if self._is_compound():
                return 2
            self.count = self.count if self.words else Count(token.number, token.number)
            return int(not self.words)
        if word in words_of("intensifiers"):
            return int(self._is_followed())
        if self._is_particle(word):
            return 1
        if word in LEXICON.categories("places") and word not in words_of("vertical"):
            return self._read_place_modifier(token)
        if word == "and":  # "a red and white parasol"
            return int(bool(self.words) and is_colour(self.words[-1].text) and is_colour(self.chunker.word(1)))
        if token.ordinal_number is not None:
            if self.is_determined and not self.definite:
                self.count = Count(token.ordinal_number)  # "a second car": there are two
            return 1
        if not token.is_word or word in _list_closed_words() or (self.words and self._ends_before(token)):
            return 0
        self.words.append(token)
        return 1

    def _is_outside(self, word: str) -> bool:
        """Return whether a word starts what follows the phrase: "on top of", "that", "up"."""
        is_particle = word in words_of("particles") and bool(self.words) and not self._is_particle(word)
        is_further = word == "further" and bool(self.words) and self._is_place_next()  # "further back"
        return self.chunker.find_relation()[0] > 1 or word in words_of("relatives") or is_particle or is_further

    def _is_particle(self, word: str) -> bool:
        """Return whether a word only adds to a state: "rolled up"."""
        is_after_state = bool(self.words) and find_attribute_table(self.words[-1].text) == "states"
        return is_after_state and word == "up"

    def _is_compound(self) -> bool:
        """Return whether a number belongs to the noun after it, and that to another one: "two-seater sofa"."""
        number_token, *nouns = self.chunker.tokens[self.chunker.index : self.chunker.index + 3]
        is_several, shades = (number_token.number or 0) > 1, LEXICON.categories("shades")
        is_look = any(token.plural or attribute_of(token.text) or token.text in shades for token in nouns)
        return is_several and not is_look and self.chunker.is_noun(1) and self.chunker.is_noun(2)

    def _read_place_modifier(self, token: Token) -> int:
        """Take "left" in "the left chair" as a place of the phrase, "top" in "the counter top" as its noun."""
        word = token.text
        if word in ("top", "background", "edges") and self.words and not self._is_place_next():
            self.words.append(token)
            return 1
        is_modifier = word != "very" and (not self.words or self._is_noun_next())
        self.places += [LEXICON.categories("places")[word]] if is_modifier else []
        return int(is_modifier)

    def _ends_before(self, token: Token) -> bool:
        """Return whether the phrase ends before a word: writing, its verb, or an attribute after its noun."""
        word, word_before = token.text, self.words[-1].text
        parts = LEXICON.word_classes(LEXICON.lemma(word_before))
        is_single = len(self.words) == 1 or not self._is_noun_next()
        is_usually_noun = parts[:1] in ("n", "") or ("n" in parts and self.definite and is_single)  # "sink"
        is_noun = is_usually_noun and not attribute_of(word_before) and word_before not in LEXICON.categories("shades")
        if (token.raw.isupper() and len(token.raw) > 1) or self.chunker.is_verb():  # "the sign BAR"
            return True
        if self._compares(word):
            return True
        is_shade = word in LEXICON.categories("shades") and is_colour(self.chunker.word(1))
        is_attribute = attribute_of(word) is not None or is_shade  # "the walls dark blue"
        is_after = is_attribute or word.endswith("ed")  # "the pumpkins carved"
        return is_noun and is_after and (is_colour(word) or not self._is_noun_next())

    def _compares(self, word: str) -> bool:
        """Return whether a word says what things are like: "are the red things cones", "are the cones equally big"."""
        last = self.words[-1]
        is_general = last.plural and LEXICON.lemma(last.text) in words_of("unspecific")
        return is_general or (word in words_of("comparing") and (last.plural or not self.chunker.is_noun(1)))

    def _is_place_next(self) -> bool:
        return self.chunker.word(1) in LEXICON.categories("places") or self.chunker.word(1) in words_of("side_nouns")

    def _is_noun_next(self) -> bool:
        return self.chunker.is_noun(1) and attribute_of(self.chunker.word(1)) is None

    def _read_pronoun(self, start_index: int) -> Chunk | None:
        """Read "it", "nobody", or "this" and "both" alone; "someone left a bag" need not be in the picture."""
        word = self.chunker.word()
        count = NONE if word in words_of("nothing") else SOME
        if word in words_of("pronouns"):
            self.chunker.index += 1
            has_helper = self.chunker.word() in words_of("have")  # "somebody has left two bags"
            if word in words_of("persons") and self.chunker.word(int(has_helper)) in words_of("deeds"):
                self.chunker.index += has_helper
                return Chunk("but")
            is_person = word in words_of("persons")
            if word == "everything":
                return Chunk("phrase", word, Phrase("thing", is_plural=True, definite=True))
            head, is_it = "person" * is_person, word in words_of("it")
            return Chunk("phrase", word, Phrase(head, count=count, definite=is_it, pronoun=not is_person))
        return Chunk("phrase", phrase=Phrase(pronoun=True)) if self.chunker.index > start_index else None

    def _finish_phrase(self) -> Chunk:
        is_pronoun = self.chunker.word() in ("one", "ones") and self.count.high != 1  # "one black one red"
        self.chunker.index += is_pronoun
        last = self.words[-1] if self.words and not is_pronoun else None
        if last and _is_adjective(last) and not self._is_noun_use(last):
            last = None
        modifiers = tuple(dict.fromkeys(_list_modifiers(self.words[:-1] if last else self.words)))
        if not (last or self.is_determined or is_pronoun or self.count != SOME or self.places):
            return Chunk("adjective", phrase=Phrase(modifiers=modifiers))
        head = "" if not last else last.text if " " in last.text else LEXICON.lemma(last.text)
        is_plural, places = self.is_of_all or (last is not None and last.plural), tuple(dict.fromkeys(self.places))
        if self._is_part_name() and not is_pronoun:  # "does it have a back"
            head, places = self.places[0], ()
        return Chunk("phrase", phrase=Phrase(head, modifiers, self.count, is_plural, self.definite, is_pronoun, places))

    def _is_part_name(self) -> bool:
        """Return whether a word for a place is the noun: "a back", "an edge"."""
        return bool(self.places) and self.is_determined and not (self.definite or self.words)

    def _is_noun_use(self, token: Token) -> bool:
        """Return whether an attribute word ends the phrase as its noun: "an iron", "the glass", "tiles"."""
        is_phrase = token.plural or self.is_determined or self.count != SOME or len(self.words) > 1
        word = LEXICON.lemma(token.text) if token.plural else token.text  # "none of them lit" is no light
        return is_phrase and word in words_of("attribute_nouns")


def _is_adjective(token: Token) -> bool:
    """Return whether a word is an attribute, or an adjective or participle that is no noun."""
    word_classes = LEXICON.word_classes(LEXICON.lemma(token.text))
    is_participle = token.text.endswith("ed") and " " not in token.text and "n" not in LEXICON.word_classes(token.text)
    is_shade = token.text in LEXICON.categories("shades") and token.text != "baby"  # no "baby blue"
    is_attribute = attribute_of(token.text) is not None or is_shade
    return is_attribute or is_participle or (bool(word_classes) and "n" not in word_classes)


def _list_modifiers(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield the canonical words of modifiers; a shade joins the colour after it: "dark red"."""
    shade_word = ""
    for token in tokens:
        if token.text in LEXICON.categories("shades") and not is_colour(token.text):
            shade_word = LEXICON.categories("shades")[token.text]
            continue
        attribute = attribute_of(token.text) or LEXICON.lemma(token.text)
        if shade_word and not is_colour(token.text):  # "dark wood"
            yield shade_word
        yield f"{shade_word} {attribute}" if shade_word and is_colour(token.text) else attribute
        shade_word = ""
    if shade_word:
        yield shade_word


# ---------------------------------------------------------------------- statements
def read_claims(chunks: Sequence[Chunk]) -> tuple[Claim, ...]:
    """Return the claims of the chunks of a statement."""
    statement = Statement()
    statement.read_chunks(_share_be(merge_adjectives(drop_aspects(chunks))))
    if not statement.claims and not statement.lead_phrase.is_bare:  # "what is on the left"
        return (Claim(statement.lead_phrase),)
    claims = _share_look(_refer_to_both(statement.claims))
    return tuple(map(partial(_relax_count, claims), claims))


def _refer_to_both(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims in which "both" means the two things before: "a cube and a ring, both shiny"."""
    new_claims: list[Claim] = []
    for claim in claims:
        pair = [other.subject for other in new_claims if other.subject.head and not other.predicate][-2:]
        look = claim.predicate or Phrase(modifiers=claim.subject.modifiers)
        is_both = claim.subject == BOTH or (claim.text.lower().startswith("both ") and not claim.predicate)
        is_of_pair = is_both and len(pair) == 2 and not any(subject.is_plural for subject in pair)
        subjects = [replace(subject, definite=True) for subject in pair if look.modifiers]
        new_claims += [replace(claim, subject=o, predicate=look) for o in subjects] if is_of_pair else [claim]
    return new_claims


def _share_look(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims in which a group lends its look to its parts: "three red things, a cube and two rings"."""
    new_claims, counts = list(claims), [MANY if claim.predicate else claim.subject.count.low for claim in claims]
    for start, claim in enumerate(claims):
        is_group = claim.subject.head in words_of("unspecific") and claim.subject.count.high == counts[start]
        ends = [end for end in range(start + 2, len(claims) + 1) if sum(counts[start + 1 : end]) == counts[start]]
        for index in range(start + 1, ends[0] if is_group and ends else start):
            new_claims[index] = _add_look(claims[index], claim.subject.modifiers)
    return new_claims


def _share_be(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return "the bed is on the left and the cat is on it" for "the bed is on the left and the cat on it"."""
    kinds, new_chunks = [chunk.kind for chunk in chunks], list[Chunk]()
    for index, chunk in enumerate(chunks):
        before, after = kinds[max(0, index - 2) : index], kinds[index + 1 : index + 2]
        may_be_subject = chunk.phrase.definite and chunk.phrase.head and "be" in kinds[:index]
        is_next = before in (["place", "and"], ["adjective", "and"])
        is_next = is_next and after in (["place"], ["relation"], ["adjective"])
        new_chunks += [chunk, Chunk("be", "is")] if may_be_subject and is_next else [chunk]
    return new_chunks


def _relax_count(claims: Sequence[Claim], claim: Claim) -> Claim:
    """Return a claim whose "one cube" may be one of several, where others are named: "one cube and a second one"."""
    subject = claim.subject
    others = {other.subject for other in claims if other.subject.count.high and not other.subject.definite} - {subject}
    is_repeated = (subject.head, subject.modifiers) in {(other.head, other.modifiers) for other in others}
    return replace(claim, subject=subject.uncounted) if is_repeated and subject.count == ONE_THING else claim


def drop_aspects(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks without "the colour of", and with "left or right of the sofa" as "left of the sofa or …"."""
    merged: list[Chunk] = []
    skipped_index = -1
    for index, chunk in enumerate(chunks):
        before, next_kinds = merged[-1].kind if merged else "", [part.kind for part in chunks[index + 1 : index + 4]]
        is_shared = chunk.phrase.head == "number" or "same" in chunk.phrase.modifiers  # "the same kind of thing"
        if is_aspect_of(chunks[index:]) and not is_shared and before != "adjective":
            skipped_index = index + 1
        elif next_kinds == ["or", "relation", "phrase"] and chunk.kind in ("place", "relation"):
            word = f"{chunk.word} of" if chunk.kind == "place" else chunk.word
            merged += [Chunk("relation", word, text=chunk.text), chunks[index + 3]]
        elif index != skipped_index:
            merged.append(chunk)
    return merged


def is_aspect_of(chunks: Sequence[Chunk]) -> bool:
    """Return whether chunks begin with "the colour of" or "the number of"."""
    return len(chunks) > 1 and chunks[0].phrase.head in LEXICON.categories("aspects") and chunks[1].word == "of"


def merge_adjectives(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return chunks with "red, white and yellow cushions" as one phrase, and "a red and a blue vase" as two vases."""
    merged_chunks: list[Chunk] = []
    for chunk in chunks:
        while _is_adjective_of(merged_chunks, chunk):
            modifiers = dict.fromkeys((*merged_chunks[-2].phrase.modifiers, *chunk.phrase.modifiers))
            text = f"{merged_chunks[-2].text} and {chunk.text}"
            chunk = replace(chunk, phrase=replace(chunk.phrase, modifiers=tuple(modifiers)), text=text)
            del merged_chunks[-2:]
        index = len(merged_chunks) - 2
        while chunk.phrase.head and merged_chunks and merged_chunks[-1].kind in ("and", "or") and index >= 0:
            phrase = merged_chunks[index].phrase
            if merged_chunks[index].kind != "phrase" or phrase.head or phrase.pronoun or not phrase.modifiers:
                break
            merged_chunks[index] = replace(merged_chunks[index], phrase=replace(phrase, head=chunk.phrase.head))
            index -= 2
        merged_chunks.append(chunk)
    return merged_chunks


def _is_adjective_of(chunks_before: Sequence[Chunk], chunk: Chunk) -> bool:
    """Return whether an adjective and an "and" or a comma stand before a phrase without a determiner or number."""
    phrase, kinds = chunk.phrase, [chunk_before.kind for chunk_before in chunks_before[-3:]]
    is_following = kinds[-2:] in (["adjective", "and"], ["adjective", "comma"]) and kinds[:-2] != ["be"]
    is_open = not (phrase.definite or phrase.pronoun or phrase.count.is_stated)
    has_determiner = chunk.text.split(" ")[0] in words_of("determiners")
    return chunk.kind == "phrase" and is_following and is_open and bool(phrase.modifiers) and not has_determiner


def starts_clause(chunks: Sequence[Chunk]) -> bool:
    """Return whether a subject and its verb follow: "and the lamp is red"."""
    inner_kinds = ("relation", "place", "phrase", "verb")
    end = next((chunk for chunk in chunks if chunk.kind not in inner_kinds or is_saying(chunk)), None)
    return end is not None and chunks[0].kind == "phrase" and (end.kind in ("be", "have") or is_saying(end))


def is_saying(chunk: Chunk) -> bool:
    """Return whether a chunk is a verb of writing: "a sign says BAR"."""
    return chunk.kind in ("verb", "other", "phrase") and LEXICON.lemma(chunk.text.lower()) in words_of("writing")


def is_number(phrase: Phrase) -> bool:
    """Return whether a phrase is a number alone."""
    return phrase.count.is_stated and not phrase.is_negated and phrase == Phrase(count=phrase.count)


class Statement:
    """Folds the chunks of a sentence into claims."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self.lead_phrase = Phrase()
        """Where all is that follows: "on the floor brown shoes, yellow boots"."""
        self._mode = "list"
        """What follows: "list" what there is, "be" how the subject is, "have" what it has."""
        self._is_open = False
        """Whether what follows may belong to the last claim."""
        self._relation = ""
        self._is_negated = False
        self._last_noun = ""
        self._joined = ""
        """The kind of "and", "or" or mark since the last thing that was read."""
        self._is_moving = False
        """Whether a place is a direction: "stairs going up to the right"."""

    def read_chunks(self, chunks: Sequence[Chunk]) -> None:
        """Read all chunks of a sentence."""
        pairs = pairwise([NO_CHUNK, *chunks])
        chunks = [chunk for before, chunk in pairs if (before.kind, chunk.kind) != ("and", "comma")]
        for index, chunk in enumerate(chunks):
            next_kinds = [next_chunk.kind for next_chunk in chunks[index + 1 : index + 3]]
            chunk_before = chunks[index - 1] if index else None
            if chunk.kind == "or":
                self._read_lit()
            if chunk.kind in ("and", "comma") and starts_clause(chunks[index + 1 :]):
                self._end_clause()
                self._joined = chunk.kind
                continue
            if chunk.kind == "phrase" and (is_saying(chunk) or (chunk_before and is_saying(chunk_before))):
                continue  # "a sign says BAR": no bar
            if self._count_last(chunk, next_kinds):
                continue
            if chunk.kind in ("and", "comma") and next_kinds[:1] == ["phrase"]:
                chunk = self._repeat_relation(chunk, chunks[index + 1].phrase)
            if self._is_leading(chunk, chunk_before, next_kinds):
                self._end_clause()
                self._is_open = False
            if read_chunk := getattr(self, f"_read_{chunk.kind}", None):
                read_chunk(chunk)
            else:
                self._read_joint(chunk.kind)
        self._read_lit()

    def _read_lit(self) -> None:
        """Read the end of "is the lamp on", and of "is the lamp on or off" before "or"."""
        if self._relation == "on" and self._mode == "be":
            self._relation = ""
            self._read_adjective(LIT_CHUNK)

    def _count_last(self, chunk: Chunk, next_kinds: Sequence[str]) -> bool:
        """Take up a number after a mark at the end, "cups on the table: 3", and return whether the chunk is one."""
        last = self._last_claim
        if next_kinds or not last or self._joined not in ("comma", "colon") or not is_number(chunk.phrase):
            return False
        self.claims[-1] = replace(last, subject=replace(last.subject, count=chunk.phrase.count))
        return True

    def _repeat_relation(self, joint: Chunk, phrase: Phrase) -> Chunk:
        """Return the relation that a phrase after a joint has, too: "between a and b", "apart from a and b"."""
        phrase_before = (last.predicate or last.subject) if (last := self._last_claim) else self.lead_phrase
        relation = phrase_before.links[-1].relation if phrase_before.links else ""
        is_side = joint.kind == "and" and relation == "between"
        is_side = is_side and (phrase.definite or not phrase_before.links[-1].phrase.is_plural)
        return Chunk("relation", relation) if is_side or relation == "apart from" else joint

    def _is_leading(self, chunk: Chunk, chunk_before: Chunk | None, next_kinds: Sequence[str]) -> bool:
        """Return whether a place or relation after a comma belongs to what follows: "…, on the left a sofa"."""
        if not self.claims or chunk_before is None or chunk_before.kind not in ("comma", "and", "but"):
            return False
        is_enclosed = chunk_before.kind == "and" and next_kinds == ["comma", "phrase"]
        if chunk.kind == "place" and (is_enclosed or next_kinds == ["be", "phrase"]):
            return True  # "a ball and, at the front, a cone", "…, right are a ring and a cone"
        kinds_after = next_kinds if chunk.kind == "relation" and next_kinds[:1] == ["phrase"] else ["", *next_kinds]
        return chunk.kind in ("place", "relation") and kinds_after[1:2] in (["phrase"], ["there"])

    @property
    def _last_claim(self) -> Claim | None:
        """The claim that what follows may belong to."""
        return self.claims[-1] if self.claims and self._is_open else None

    def _add_claim(self, subject: Phrase, predicate: Phrase | None, text: str) -> None:
        """Add a claim; a "not" before it is used up."""
        is_alternative = self._joined == "or" and bool(self.claims)
        if predicate is None and (self._is_negated or (is_alternative and self.claims[-1].subject.is_negated)):
            subject = replace(subject, count=NONE)
        is_denied = predicate is not None and self._is_negated
        self.claims.append(Claim(subject, predicate, is_denied, is_alternative, text))
        self._is_open, self._is_negated, self._joined = True, False, ""

    def _extend_claim(self, added_phrase: Phrase, text: str) -> None:
        """Add what is said of the last thing: to its predicate after "is", else to its phrase."""
        last = self._last_claim
        if last is None:
            self.lead_phrase = self.lead_phrase.merge(added_phrase)
        elif last.subject.is_negated and not last.predicate:  # "no present is red" denies red presents
            self.claims[-1] = replace(last, subject=extend_phrase(last.subject, added_phrase))
        elif self._is_negated or (
            self._mode == "be" and (self._joined or not last.predicate or added_phrase.modifiers)
        ):
            self._add_claim(last.subject, added_phrase, f"not {text}" if self._is_negated else text)
        elif last.predicate:
            self.claims[-1] = replace(last, predicate=extend_phrase(last.predicate, added_phrase))
        else:
            self.claims[-1] = replace(last, subject=extend_phrase(last.subject, added_phrase))
        self._joined = ""

    def _fill_noun(self, phrase: Phrase) -> Phrase:
        """Return a phrase with the noun that "a blue one" stands for. The noun of a phrase is kept for later ones."""
        is_open = phrase.count.high == MANY or phrase.pronoun != phrase.is_negated  # "two of them", "a second one"
        is_elliptical = phrase.count.is_stated and (phrase.modifiers or is_open)
        is_many = phrase.count.low >= 3 and phrase.count.high >= MANY  # "lots of green"
        is_elliptical = is_elliptical and (phrase.pronoun or not is_many)
        if not phrase.head and (is_elliptical or (phrase.modifiers and phrase.pronoun)):
            phrase = replace(phrase, head=self._last_noun, pronoun=phrase.pronoun and not self._last_noun)
        # of "three plants on a ledge, a green one" it is a plant; of "a bear with a bow, a white one" a bear
        is_named = self._relation in ("", "of", "apart from") or (self._relation == "with" and phrase.is_plural)
        if is_named and "same" not in phrase.modifiers:  # not a large colour in "the same colour as the large one"
            self._last_noun = phrase.head or self._last_noun
        return phrase

    def _read_phrase(self, chunk: Chunk) -> None:
        phrase, last_claim = self._fill_noun(chunk.phrase), self._last_claim
        if self._relation:
            relation, self._relation = self._relation, ""
            if phrase.head not in words_of("pictures") or relation not in ("in", "on", "at", "from"):
                self._extend_claim(Phrase(links=(Link(relation, phrase),)), chunk.text)
        elif phrase.pronoun and phrase.definite and phrase.is_bare and self.claims:  # "it" is the last subject
            self._mode, self._is_open = "be", True
        elif last_claim and self._mode == "be":
            if phrase.is_negated and phrase.modifiers:  # "is neither red nor green"
                phrase, self._is_negated = phrase.uncounted, True
            is_aspect = phrase.head in LEXICON.categories("aspects") and phrase.modifiers  # "it is a light colour"
            self._add_claim(last_claim.subject, replace(phrase, head="") if is_aspect else phrase, chunk.text)
        elif last_claim and self._mode == "have":
            self._add_claim(last_claim.subject, Phrase(links=(Link("with", phrase),)), chunk.text)
        else:
            self._add_claim(phrase.merge(self.lead_phrase), None, chunk.text)

    def _read_adjective(self, chunk: Chunk) -> None:
        last_claim = self._last_claim
        if self._relation == "like":  # "shines like glass"
            self._relation = ""
        elif self._relation.endswith("than"):  # "more red socks than green"
            self._read_phrase(replace(chunk, phrase=replace(chunk.phrase, pronoun=True)))
        elif last_claim is None or (self._mode == "list" and self._joined in ("comma", "colon", "and")):
            head = self._last_noun if self._joined == "colon" else last_claim.subject.head if last_claim else ""
            self._add_claim(replace(chunk.phrase, head=head), None, chunk.text)
        elif chunk.phrase.modifiers == ("absent",) and self._mode == "be":
            self.claims[-1] = replace(last_claim, subject=replace(last_claim.subject, count=NONE, definite=False))
        else:
            self._extend_claim(chunk.phrase, chunk.text)

    def _read_place(self, chunk: Chunk) -> None:
        self._relation = ""
        if self._is_moving:
            return
        is_elsewhere = any(are_opposite(*pair) for pair in product(chunk.phrase.places, self.lead_phrase.places))
        if self._last_claim and is_elsewhere:  # "at the back a cube, a cone at the front"
            places = tuple(place for place in self._last_claim.subject.places if place not in self.lead_phrase.places)
            self.claims[-1] = replace(self._last_claim, subject=replace(self._last_claim.subject, places=places))
            self.lead_phrase = Phrase()
        self._extend_claim(chunk.phrase, chunk.text)

    def _read_relation(self, chunk: Chunk) -> None:
        if chunk.word == "without":
            self._end_clause()
            self._is_negated = True
        elif chunk.word != "with" or self._mode != "list" or self._joined not in ("comma", "colon"):
            self._relation = chunk.word  # not in "a kitchen, with a stove": that belongs to the picture

    def _read_be(self, chunk: Chunk) -> None:
        self._mode = "be" if self._last_claim else self._mode

    def _read_have(self, chunk: Chunk) -> None:
        if self._last_claim and self._last_claim.subject.head in (*words_of("frame_nouns"), "room"):
            del self.claims[-1]
        elif self._last_claim:
            self._mode = "have"

    def _read_verb(self, chunk: Chunk) -> None:
        self._is_moving = LEXICON.lemma(chunk.word) in words_of("motion")

    def _read_joint(self, kind: str) -> None:
        """Read a conjunction, a mark, "there", "not", or a word for the speaker."""
        is_in_predicate = kind in ("and", "or") and self._mode == "be" and (kind == "or" or self._joined != "comma")
        is_end = kind in ("but", "comma", "and", "or", "there", "speaker") and not is_in_predicate
        if is_end:
            is_new = kind == "but" or (kind == "there" and self._joined in ("comma", "and"))
            self._end_clause(keeps_lead=not is_new)
        self._is_open = self._is_open and kind not in ("there", "speaker")
        self._is_negated = self._is_negated or kind == "not"
        self._joined = kind if kind in ("and", "or", "comma", "colon") else self._joined

    def _end_clause(self, *, keeps_lead: bool = False) -> None:
        self._mode, self._relation, self._is_moving = "list", "", False
        self.lead_phrase = self.lead_phrase if keeps_lead else Phrase()


def extend_phrase(phrase: Phrase, added_phrase: Phrase, depth: int = 0) -> Phrase:
    """Return a phrase with what is said of it, or of what it is with: "a room with a lamp on a table"."""
    last_link = phrase.links[-1] if phrase.links else None
    relation = added_phrase.links[0].relation if added_phrase.links else "on"
    is_of_last = last_link and not added_phrase.modifiers and (relation == "of" or last_link.relation in ("with", "of"))
    if last_link and is_of_last and relation not in ("with", "without") and depth < MAX_DEPTH:
        nested_link = replace(last_link, phrase=extend_phrase(last_link.phrase, added_phrase, depth + 1))
        return replace(phrase, links=(*phrase.links[:-1], nested_link))
    return phrase if len(phrase.links) >= MAX_LINKS else phrase.merge(added_phrase)


# ---------------------------------------------------------------------- questions
def read_question(chunks: Sequence[Chunk]) -> Question:
    """Return the question that the chunks of a sentence ask."""
    kinds = [chunk.kind for chunk in chunks]
    first_word = chunks[0].text.lower().split(" ")[0]
    if first_word in words_of("requests"):
        claims = read_claims(_drop_of([chunk for chunk in chunks[1:] if chunk.kind != "speaker"]))
        return Question("number" if first_word == "count" else "what", claims)
    if "question" in kinds:
        index = kinds.index("question")
        rest = [chunk for chunk in chunks[index + 1 :] if chunk.kind not in ("auxiliary", "speaker")]
        chunks_before = [chunk for chunk in chunks[:index] if chunk.kind not in ("comma", "other")]
        if chunks_before and not rest:
            return _read_question_at_end(chunks_before)
        relations = [chunk for chunk in chunks_before if chunk.kind == "relation"]
        if len(relations) < len(chunks_before) and chunks_before[0].kind in ("relation", "place"):
            rest, relations = [*rest, *chunks_before], []  # "behind the fence, what do you see"
        return _open_question(chunks[index].word, rest, relations)
    return _read_polar_question(chunks)


def _read_question_at_end(chunks: Sequence[Chunk]) -> Question:
    """Read what stands before a question word at the end: "the bench is made of (what)", "the cat sits on (what)"."""
    relation = chunks[-1].word if chunks[-1].kind == "relation" else ""
    claims = read_claims(chunks[:-1])
    if relation == "made of" or chunks[-1].text.lower() == "painted":
        return Question("kind", claims, "material" if relation else "colour")
    if relation == "of" or chunks[-1].kind == "have":  # "a map of what", "the tub contains what"
        return Question("what", tuple(Claim(Phrase(links=(Link("in", claim.whole),))) for claim in claims))
    if [chunk.kind for chunk in chunks[-2:]] == ["there", "be"]:  # "on the table there is what"
        return Question("what", claims)
    return Question("place" if relation in ("on", "in") else "unknown", claims)


def _read_polar_question(chunks: Sequence[Chunk]) -> Question:
    """Read "is there …", "do you see …", "is the lamp red", "any flowers"."""
    rest = _drop_opener(chunks)
    if is_aspect(rest):  # "the hat on the bench, colour?"
        return _open_question("what", rest)
    if any(LEXICON.lemma(chunk.word or chunk.text) in ("say", "spell") for chunk in rest):  # "does it say BABY"
        return Question("text")
    if is_aspect_of(rest) and not any(chunk.kind == "be" for chunk in rest):  # "the number of chairs"
        return _open_question("what", rest)
    if _asks_for_more(rest) and rest[0].phrase == ANYTHING_PHRASE:  # "anything else"
        return Question("more")
    is_choice = any(chunk.kind == "or" for chunk in rest)
    rest = _name_target(_add_be(rest)) if is_choice else rest
    is_beside = any(chunk.word == "apart from" for chunk in rest)  # "apart from the ring, is there another one"
    claims = read_claims(rest if is_beside else list(map(_count_another, rest)))
    if aspect_question := _read_aspect_question(claims):  # "rug colour"
        return aspect_question
    if is_choice and len(claims) == 1 and len(claims[0].whole.places) > 1:  # "windows left or right"
        return Question("place", (Claim(replace(claims[0].whole, places=())),))
    kind: QuestionKind = "unknown" if not claims else "choice" if is_choice else "polar"
    return Question(kind, claims, action=_find_action(chunks, claims))


def _add_be(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return "the towel is left of the mirror or …" for "the towel hangs left of the mirror or …"."""
    kinds = [chunk.kind for chunk in chunks]
    is_place = kinds[1:2] == ["verb"] or kinds[1:2] in (["relation"], ["place"])
    is_option = kinds[kinds.index("or") + 1 :][:1] in (["relation"], ["place"])
    is_placed = kinds[:1] == ["phrase"] and is_place and is_option and "be" not in kinds
    return [*chunks[:1], Chunk("be", "is"), *chunks[1 + (kinds[1] == "verb") :]] if is_placed else list(chunks)


def _name_target(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return "left of the mirror or right of the mirror" for "left of the mirror or right of it"."""
    new_chunks: list[Chunk] = []
    target = NO_PHRASE
    for chunk_before, chunk in pairwise([NO_CHUNK, *chunks]):
        is_target = chunk_before.kind == "relation" and chunk.kind == "phrase"
        if is_target and target.head and chunk.phrase == IT_PHRASE:
            chunk = replace(chunk, phrase=target)
        target = chunk.phrase if is_target else target
        new_chunks.append(chunk)
    return new_chunks


def _find_action(chunks: Sequence[Chunk], claims: Sequence[Claim]) -> str:
    """Return the verb of a question that asks more than where something is, "" if it does not."""
    is_looking = any(chunk.kind == "be" and LEXICON.lemma(chunk.text) == "look" for chunk in chunks)
    if is_looking and any(chunk.kind == "place" for chunk in chunks):  # "does the cat look to the left"
        return "look"
    is_counted = any(claim.whole.count.is_stated for claim in claims)  # "are two lamps hanging"
    is_placed = any(claim.whole.places or claim.whole.links for claim in claims)
    is_posture = len(claims) == 1 and claims[0].subject.definite and not is_placed  # "is the dog lying down"
    is_same = any(claim.predicate and claim.predicate.head for claim in claims)  # "is ivy growing up a post"
    is_any_asked = is_counted or is_posture or is_same
    strict_verbs = words_of("actions") | words_of("animal_postures")
    return next((verb for verb in _list_verbs(chunks) if is_any_asked or verb in strict_verbs), "")


def _read_aspect_question(claims: Sequence[Claim]) -> Question | None:
    """Return the question that only names an aspect of a thing, None if a question is another one."""
    is_one = bool(claims) and all(claim.subject.head == claims[0].subject.head for claim in claims)
    phrase = claims[0].whole if is_one else NO_PHRASE  # "rug shape: round, square"
    is_aspect = LEXICON.categories("aspects").get(phrase.head, "") in ATTRIBUTE_TABLES and phrase.modifiers[-1:]
    if not is_aspect or attribute_of(phrase.modifiers[-1]) or phrase.modifiers[-1] in words_of("aspect_words"):
        return None
    named_thing = replace(phrase, head=phrase.modifiers[-1], modifiers=phrase.modifiers[:-1], definite=True)
    return Question("kind", (Claim(named_thing),), phrase.head)


def _drop_opener(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks after "is there" and "do you see", and those of "is the lamp red" as "the lamp is red"."""
    opener_kinds = ("other", "comma", "and", "auxiliary", "speaker", "see", "there")
    start_index = next((index for index, chunk in enumerate(chunks) if chunk.kind not in opener_kinds), len(chunks))
    rest = list(chunks[start_index:])
    kinds = [chunk.kind for chunk in rest]
    if kinds[:1] == ["be"]:
        rest = rest[2:] if kinds[1:2] == ["not"] else rest[1:]
        has_subject = len(rest) > 1 and rest[0].kind == "phrase" and rest[0].phrase != ANYTHING_PHRASE
        if kinds[1:2] != ["there"] and has_subject:  # not "is anything on the table"
            rest.insert(_find_subject_end(rest), Chunk("be", "is"))
    rest = [chunk for chunk in rest if chunk.kind not in ("auxiliary", "there", "speaker")]
    return _add_verb(rest) if len(rest) == len(chunks) else rest


def _add_verb(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return "the towels on the wall are orange" for "towels on the wall orange", else the same chunks."""
    kinds = [chunk.kind for chunk in chunks]
    i = next((i for i in range(1, len(kinds)) if kinds[i] == "adjective" and kinds[i - 1] not in ("and", "or")), 0)
    is_open = kinds[:1] == ["phrase"] and chunks[0].phrase != ANYTHING_PHRASE
    is_open = is_open and {"be", "have", "not", "and"}.isdisjoint(kinds[:i])
    if not (i and is_open and all(kind in ("adjective", "or") for kind in kinds[i:])):
        return list(chunks)
    subject = [chunk for chunk in chunks[:i] if chunk.kind not in ("comma", "colon")]
    if not subject[0].text.lower().startswith("any "):
        subject[0] = replace(subject[0], phrase=replace(subject[0].phrase, definite=True))
    return [*subject, Chunk("be", "is"), *chunks[i:]]


def _count_another(chunk: Chunk) -> Chunk:
    """Return a chunk in which "another lamp" is a second one."""
    is_second = chunk.text.lower().startswith("another ") and chunk.phrase.is_bare
    return replace(chunk, phrase=replace(chunk.phrase, count=Count(2))) if is_second else chunk


def _list_verbs(chunks: Iterable[Chunk]) -> Iterator[str]:
    return (LEXICON.lemma(chunk.word) for chunk in chunks if chunk.kind == "verb")


def _find_subject_end(chunks: Sequence[Chunk]) -> int:
    """Return where the subject of "is the lid of the piano open" ends."""
    end_index = 1
    while end_index + 1 < len(chunks) and chunks[end_index].word == "of" and chunks[end_index + 1].kind == "phrase":
        end_index += 2
    after = end_index
    kinds = [chunk.kind for chunk in chunks]
    while kinds[after : after + 1] == ["place"] or kinds[after : after + 2] in RELATED:
        after += 1 + (kinds[after] == "relation")
    return after if after < len(chunks) and chunks[after].kind in ("adjective", "verb", "phrase") else end_index


def _open_question(word: str, chunks: Sequence[Chunk], relations: Sequence[Chunk] = ()) -> Question:
    """Read "how many …", "what colour …", "where …", "what is on …"; `relations` stand before it: "on what …"."""
    plain = _list_plain(chunks)
    word = _count_several(word, plain)
    posture = next(_list_verbs(chunks), "")
    asked_noun = plain[0].phrase.head if plain else ""
    aspect = LEXICON.categories("aspects").get(asked_noun, "")
    if is_aspect_of(plain) or (len(plain) == 1 and aspect in ("how", "where")):
        word, plain = aspect if aspect in ("how", "where") else word, plain[1:]  # "what is the number of chairs"
    if word == "how much" or (aspect in ("", "how", "where") and _ends_in_relation(plain, posture)):
        return _read_target_question(plain, posture)
    if word in ("where", "how"):
        return Question("place" if word == "where" else "number", read_claims(_drop_of(plain)), action=posture)
    if plain and plain[-1].word == "made of":
        return Question("kind", read_claims(plain[:-1]), "material")
    if aspect not in ("", "how", "where"):
        return _read_kind_question(asked_noun, plain)
    if _asks_for_more([*relations, *chunks]):
        return Question("more")
    if any(map(is_saying, chunks)):
        return Question("text", read_claims(plain))
    is_named = bool(chunks) and chunks[0].kind != "be"  # not "what is on the table"
    question = _read_which_question(_drop_of(plain), relations, posture, is_named=is_named)
    return replace(question, asked_noun="person") if word in ("who", "whose") else question


def _count_several(word: str, chunks: Sequence[Chunk]) -> str:
    """Return "how" for the "how much" of "how much objects", else the same question word."""
    return "how" if word == "how much" and any(chunk.phrase.is_plural for chunk in chunks[:1]) else word


def _list_plain(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Return chunks without verbs, and without "it" before its name: "where it is the cone"."""
    plain = name_directions([chunk for chunk in chunks if chunk.kind not in ("be", "there", "see")])
    is_doubled = [chunk.kind for chunk in plain[:2]] == ["phrase", "phrase"] and plain[0].phrase == IT_PHRASE
    return plain[is_doubled:]


def _ends_in_relation(chunks: Sequence[Chunk], posture: str) -> bool:
    last = chunks[-1] if chunks else NO_CHUNK
    placed = ("with", "full of", *(("on", "in") if posture else ()))
    is_placed = chunks[:1] and chunks[0].kind == "phrase" and last.word in placed
    return last.kind == "relation" and bool(is_placed or last.word in TARGET_RELATIONS)


def _read_target_question(chunks: Sequence[Chunk], posture: str) -> Question:
    """Read "what is the cat sitting on", "what is the crate filled with"; others, "how much is a tart", are unknown."""
    relation, claims = chunks[-1].word, read_claims(chunks[:-1])
    if posture and relation in ("on", "in"):
        return Question("place", claims, "support")
    relation = "in" if relation == "full of" else INVERSE_RELATIONS.get(relation, "")
    if relation:  # "what is the mug next to"
        return Question("what", tuple(Claim(Phrase(links=(Link(relation, claim.whole),))) for claim in claims))
    return Question("unknown", read_claims(chunks))


def _asks_for_more(chunks: Sequence[Chunk]) -> bool:
    """Return whether "what else" is asked of the whole picture, not "what else is on the table", "… is cyan"."""
    is_limited = any(chunk.kind in ("relation", "place", "adjective") for chunk in chunks)
    return not is_limited and any(chunk.word in ("else", "more") for chunk in chunks)


def _read_kind_question(asked_noun: str, chunks: Sequence[Chunk]) -> Question:
    """Read "what colour is the rug", "what is the rug colour"."""
    claims = read_claims(_drop_of(chunks) if chunks[0].word == "of" else chunks[1:])
    named_question = None if claims else _read_aspect_question((Claim(chunks[0].phrase),))
    return named_question or Question("kind", claims, asked_noun)


def name_directions(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks of a question with the place that "further left" names."""
    merged: list[Chunk] = []
    for chunk in chunks:
        if chunk.kind == "place" and merged and merged[-1].phrase == Phrase(modifiers=("further",)):
            merged[-1] = replace(chunk, phrase=Phrase(places=(chunk.word,)))
        else:
            merged.append(chunk)
    return merged


def _read_which_question(
    chunks: Sequence[Chunk], relations: Sequence[Chunk], posture: str, *, is_named: bool
) -> Question:
    """Read "which of the cubes is red" or "what is on the table"; `is_named`: whether the thing is named first."""
    noun_phrase = chunks[0].phrase if chunks and is_named else NO_PHRASE
    rest = list(chunks[bool(noun_phrase.head) :])
    if noun_phrase.head and rest and rest[0].kind == "have":  # "which plant has flowers"
        rest[0] = Chunk("relation", "with")
    claims = [_add_look(claim, noun_phrase.modifiers) for claim in read_claims([*relations, *rest])]
    is_far = any("distance" in chunk.text for chunk in rest)  # outside, not only at the back
    kind: QuestionKind = "unknown" if is_far else "what"
    return Question(kind, tuple(claims), noun_phrase.head, posture, noun_phrase.is_plural)


def _add_look(claim: Claim, modifiers: tuple[str, ...]) -> Claim:
    """Return "an orange metal one" for "metal" in "which orange cylinder is metal"."""
    return replace(claim, subject=replace(claim.subject, modifiers=(*modifiers, *claim.subject.modifiers)))


def _drop_of(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Return the chunks without "of" at the start."""
    return chunks[1:] if chunks and chunks[0].word == "of" else chunks
