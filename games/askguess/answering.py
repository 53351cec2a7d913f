"""How the scripted answerer of Ask-Guess answers: by what it knows of its word. Where it knows nothing it says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from games.askguess.listening import LONGEST, attribute_of, guesses, judge_comparison, judge_fit, plain_words
from games.askguess.replies import GAMEOVER, NO, YES
from games.askguess.vocabulary import PRACTICE_LIKE, Word, attributes, facts, words
from games.common.language.facts import Degree, Judgement
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.predicates import Sentence, Term, read_question
from games.common.words import find_mention, forms

SAYINGS = {Degree.YES: "Yes.", Degree.RATHER: "More or less.", Degree.HARDLY: "Hardly.", Degree.NO: "No."}
POSSIBLE = {**SAYINGS, Degree.RATHER: "It can be.", Degree.HARDLY: "It can be, but rarely."}
UNKNOWN = "I am not sure."
NOT_UNDERSTOOD = "I did not understand the question."
TOPICS = {
    "colour": "colour color colours",
    "legs": "leg legs",
    "size": "size big large tall long small heavy weigh",
    "material": "made material consist",
    "food": "eat eats feed feeds diet",
    "home": "where live lives found find habitat",
    "kind": "kind type sort category class group family",
    "use": "use used uses purpose do does for function",
    "body": "look looks shape appearance feature features have has special describe",
}
SAME_KIND_DEPTH = 7
"""How deep in WordNet a noun stands at least for it to name one kind of thing ("hammer"), not a role ("tool")."""
DOMAINS = (
    "animal",
    "plant",
    "person",
    "artifact",
    "food",
    "natural object",
    "geological formation",
    "body part",
    "substance",
)
SENSES = {"ray": "fish", "seal": "mammal", "mouse": "mammal", "plain": "land", "orange": "fruit", "tank": "vehicle"}
"""What kind of thing is meant by words with several senses."""
LATER = frozenset("once formerly before later originally become eventually will grow than name related".split())
"""Words of questions about what a thing was or will be."""


class Answers:
    """What the holder of a word says; `terse` where only yes, no and gameover may be said."""

    def __init__(self, word: str, terse: bool) -> None:
        self.name = word
        self.like = words().get(PRACTICE_LIKE.get(word, ""))
        self.word = words().get(word) or Word(word, forms(word), (), 1.0)
        if self.like:  # its name stands in the tables of what is true
            self.word = replace(self.like, forms=forms(word), other_names=())
        self.is_known = self.word.name in words()
        self.terse = terse

    def describe(self) -> str:
        """Return up to three statements that together are true of as few words as possible."""
        left = set(words())
        statements: list[str] = []
        true = [attribute for attribute in attributes().values() if attribute.truth_of(self.word.name) is Degree.YES]
        true = [attribute for attribute in true if self.may_say(attribute.statement)]
        while true and len(statements) < 3 and len(left) > 1:
            best = min(true, key=lambda attribute: sum(attribute.truth_of(word) is not Degree.NO for word in left))
            left = {word for word in left if best.truth_of(word) is not Degree.NO}
            statements.append(best.statement)
            true.remove(best)
        return " ".join(statements) or "It is something that many people know."

    def may_say(self, text: str) -> bool:
        """Whether a text does not say the word."""
        return find_mention(text, self.word.forms) is None

    def answer(self, question: str) -> str:
        """Return the answer to a question."""
        question = re.sub(r"[a-z]{5,}", lambda match: _spelling().correct(match[0]), question[:LONGEST].lower())
        if guesses(question, self.word.forms):
            return GAMEOVER if self.terse else "Gameover!"
        readers: tuple[Callable[[str], str | None], ...] = (self.other_name, self.other_word, self.spelling)
        for read in readers if self.is_known else readers[:1]:
            if answer := read(question):
                return answer
        return self.judge(question) if self.is_known else self.say(Judgement())

    def say(self, judgement: Judgement, *, possible: bool = False) -> str:
        """Return a verdict in words; where only yes or no may be said, the better guess."""
        truth = judgement.truth
        if self.terse:
            return YES if truth and truth.leans else NO
        if truth:
            return (POSSIBLE if possible else SAYINGS)[truth]
        unknown = " ".join(word for word in judgement.unknown if word not in ("more", "2"))
        answer = f"I am not sure about “{unknown}”." if unknown else UNKNOWN
        return answer if self.may_say(answer) else UNKNOWN

    # ------------------------------------------------------------------ what is asked
    def judge(self, question: str) -> str:
        """Answer a question about what the word means."""
        if attribute := attribute_of(question):
            return self.say(Judgement(attribute.truth_of(self.word.name)))
        if truth := judge_comparison(question, self.word.name):
            return self.say(Judgement(truth))
        sentence = read_question(question)
        if sentence.open_word:
            return self.tell(question)
        if not any(term.readings[0].words for option in sentence.options for term in option):
            return NO if self.terse else NOT_UNDERSTOOD
        if len(sentence.options) > 1 and not self.terse:
            return self.choose(sentence, plain_words(question))
        judgement = self.truth_of(sentence)
        fit = None if judgement.truth else judge_fit(question, self.word.size)
        text = set(plain_words(question).split())
        if fit and (not fit.leans or text & {"can", "could", "fit", "fits"}):
            judgement = Judgement(fit)
        if judgement.truth is Degree.RATHER and "always" in text:
            judgement = Judgement(Degree.HARDLY)
        return self.say(judgement, possible=sentence.possible)

    def truth_of(self, sentence: Sentence) -> Judgement:
        """Return how far a sentence is true of the word: by the facts, else by what kinds of things there are."""
        judgement = facts().judge_sentence(sentence, self.word.name)
        if judgement.truth or len(sentence.options) != 1:
            return judgement
        truths = [self.kind_truth(term) for term in sentence.options[0]]
        if Degree.NO in truths or (truths and all(truths)):
            return Judgement(Degree.NO if Degree.NO in truths else Degree.YES)
        return judgement

    def kind_truth(self, term: Term) -> Degree | None:
        """Return whether the word is of a kind that is no fact of the table ("is it a hammer?"), None if unsure."""
        reading = term.readings[0]
        if judged := facts().judge_term(term, self.word.name).truth:
            return judged
        if reading.kind not in ("be", "have") or len(reading.words) > 2 or reading.complement or term.negated:
            return None
        noun = " ".join(reading.words)
        chains = LEXICON.hypernyms(noun) or (LEXICON.hypernyms(reading.words[-1]) if reading.kind == "be" else [])
        if not chains or LEXICON.parts(reading.words[-1])[:1] != "n":
            return None
        return self.is_of_kind(chains) if reading.kind == "be" else self.has_part(chains)

    def is_of_kind(self, chains: Sequence[Sequence[str]]) -> Degree | None:
        """Return whether the word is one of the things whose kinds are given, sense by sense."""
        own_chain = self.kinds
        if any(chain[0] in own_chain for chain in chains):
            return Degree.YES
        if not own_chain or any(own_chain[0] in chain for chain in chains):
            return None
        domains = {domain for chain in chains for domain in DOMAINS if domain in chain}
        own_domains = {domain for domain in DOMAINS if domain in own_chain}
        if domains and domains.isdisjoint(own_domains):
            return Degree.NO
        return Degree.NO if domains and min(map(len, chains)) >= SAME_KIND_DEPTH and "person" not in domains else None

    def has_part(self, chains: Sequence[Sequence[str]]) -> Degree | None:
        """Return no for what cannot be: lifeless things have no body parts, living ones no devices."""
        is_alive = bool({"animal", "plant", "fungus"} & set(self.kinds))
        if all("instrumentality" in chain for chain in chains):
            return Degree.NO if is_alive else None
        if all("body part" in chain for chain in chains):
            return None if {"animal", "person"} & set(self.kinds) else Degree.NO
        return None

    @property
    def kinds(self) -> Sequence[str]:
        """The names of the kinds of things that the word is one of, the nearest first; empty if that is not known."""
        chains = LEXICON.hypernyms(self.word.name)
        kind = SENSES.get(self.word.name)
        return next((chain for chain in chains if kind is None or kind in chain), [])

    def choose(self, sentence: Sentence, question: str) -> str:
        """Answer "is it green or yellow?" with what is true of it."""
        judgements = [facts().judge_option(option, self.word.name) for option in sentence.options]
        last_terms = [option[-1].readings[0] for option in sentence.options]
        names = [" ".join(word for word in reading.words if word[0] != "@") for reading in last_terms]
        true = [name for name, judged in zip(names, judgements, strict=True) if judged.truth and judged.truth.leans]
        if not true:
            is_known = all(judged.truth for judged in judgements)
            return "Neither." if is_known else self.say(Judgement(unknown=judgements[-1].unknown))
        if len(true) == len(names):
            return "Yes."
        answer = f"Yes, {' and '.join(true)}."
        if last_terms[0].kind == "be":
            articles = (next((word for word in ("a", "an") if f" {word} {name}" in question), "") for name in true)
            phrase = " and ".join(f"{article} {name}".strip() for article, name in zip(articles, true, strict=True))
            answer = f"It is {phrase}." if phrase.startswith(("a ", "an ")) else f"Yes, it is {phrase}."
        return answer if self.may_say(answer) else "Yes."

    # ------------------------------------------------------------------ names and spelling
    def other_name(self, question: str) -> str | None:
        """Say yes to another name of the word: only the word itself ends the game."""
        if not guesses(question, self.word.other_names):
            return None
        return YES if self.terse else "Yes, but I know it by another name."

    def other_word(self, question: str) -> str | None:
        """Say no to a guess of another word."""
        if self.like and guesses(question, (*self.like.forms, *self.like.other_names), article=True):
            return self.say(Judgement(Degree.NO))
        others = (word for word in words().values() if word.name != self.word.name)
        if not any(guesses(question, (*other.forms, *other.other_names), article=True) for other in others):
            return None
        truth = facts().judge_sentence(read_question(question), self.word.name).truth
        return None if set(plain_words(question).split()) & LATER else self.say(Judgement(truth or Degree.NO))

    def spelling(self, question: str) -> str | None:
        """Answer a question about how the word is written, None for other questions."""
        text, letters = plain_words(question).split(), self.name.replace(" ", "")
        right = starts_or_ends(text, letters)
        if right is None:
            right = counts_letters(text, len(letters), len(self.name.split()))
        if right is not None:
            return self.say(Judgement(Degree.YES if right else Degree.NO))
        if text[:2] == ["how", "many"] and {"letters", "characters"} & set(text) and not self.terse:
            return f"It has {len(letters)} letters."
        return None

    # ------------------------------------------------------------------ open questions
    def tell(self, question: str) -> str:
        """Answer an open question ("what colour is it?") with what is true, two statements at most."""
        if self.terse:
            return NO
        text = set(plain_words(question).split())
        topic = next((topic for topic, topic_words in TOPICS.items() if text & set(topic_words.split())), None)
        if topic is None:
            return NOT_UNDERSTOOD
        if topic == "size":
            return f"About {_length(self.word.size)}."
        about = [attribute for attribute in attributes().values() if attribute.topic == topic]
        about = [attribute for attribute in about if self.may_say(attribute.statement)]
        true = [attribute.statement for attribute in about if attribute.truth_of(self.word.name) is Degree.YES]
        rather = [attribute.statement for attribute in about if attribute.truth_of(self.word.name) is Degree.RATHER]
        hedged = [f"More or less: {statement[0].lower()}{statement[1:]}" for statement in rather[-2:]]
        return " ".join(true[-2:] or hedged) or UNKNOWN


@cache
def _spelling() -> Vocabulary:
    return Vocabulary(word for word in facts().words if LEXICON.is_word(word))


def starts_or_ends(text: Sequence[str], letters: str) -> bool | None:
    """Return the answer to "does it start with an L?" and the like, None for other questions."""
    for at, word in enumerate(text):
        letter = next((word for word in text[at + 1 : at + 6] if len(word) == 1 and word != "a"), "")
        if word in ("start", "starts", "begin", "begins", "starting", "beginning", "first") and letter:
            return letters.startswith(letter)
        if word in ("end", "ends", "ending") and letter:
            return letters.endswith(letter)
        if word in ("letter", "contain", "contains") and letter and text[at + 1 : at + 2] not in (["and"], ["vitamin"]):
            return letter in letters
    return None


def counts_letters(text: Sequence[str], letters: int, word_count: int) -> bool | None:
    """Return the answer to "has it five letters?" and "is it one word?", None for other questions."""
    for unit, count in (({"letters", "characters"}, letters), ({"word", "words"}, word_count)):
        at = next((n for n, word in enumerate(text) if word in unit), 0)
        number = 2 if at and text[at - 1] == "several" else _number(text[at - 1]) if at else -1
        if number < 0:
            continue
        before = text[max(0, at - 3) : at - 1]
        if before == ["more", "than"] or text[at - 1] == "several":
            return count > number if text[at - 1] != "several" else count > 1
        return count < number if before in (["fewer", "than"], ["less", "than"]) else count == number
    return None


_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def _number(text: str) -> int:
    """Return a number in digits or words, -1 for anything else."""
    if text.isascii() and text.isdecimal() and len(text) < 4:
        return int(text)
    return _COUNTS.index(text) if text in _COUNTS else 1 if text == "single" else -1


def _length(metres: float) -> str:
    """Return a length in the unit that people use for it."""
    if metres >= 1000:
        return "a kilometre, or many"
    return f"{metres:g} metres" if metres >= 1 else f"{100 * metres:g} centimetres"
