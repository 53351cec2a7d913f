"""How the scripted answerer of Ask-Guess answers: by what it knows of its word. Where it knows nothing it says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

from games.askguess.listening import LONGEST, attribute_of, guesses, judge_comparison, judge_fit, plain_words
from games.askguess.replies import GAMEOVER, NO, YES
from games.askguess.vocabulary import PRACTICE_LIKE, Attribute, Word, attributes, facts, read_table, words
from games.common.language.facts import Degree, Judgement
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.predicates import Sentence, Term, read_question
from games.common.language.tokens import NUMBER_WORDS
from games.common.words import find_mention, forms

SAYINGS = {Degree.YES: "Yes.", Degree.RATHER: "More or less.", Degree.HARDLY: "Hardly.", Degree.NO: "No."}
POSSIBLE = {**SAYINGS, Degree.RATHER: "It can be.", Degree.HARDLY: "It can be, but rarely."}
UNKNOWN = "I am not sure."
NOT_UNDERSTOOD = "I did not understand the question."
SAME_KIND_DEPTH = 7
"""How deep in WordNet a noun stands at least for it to name one kind of thing ("hammer"), not a role ("tool")."""
COUNTS = {"single": 1, "several": 1, **NUMBER_WORDS}
_LETTER = re.compile(
    r"\b(?:(start|begin|end)(?:s|ing|ning)?|first|letter|contains?) (?!and |vitamin )(?:\w+ ){0,4}?([b-z])\b"
)
_COUNT = re.compile(rf"(?:\b(more|fewer|less) than )?\b(\d{{1,3}}|{'|'.join(COUNTS)}) (letter|character|word)s?\b")


class Answers:
    """What the holder of a word says; `terse` where only yes, no and gameover may be said."""

    def __init__(self, word: str, terse: bool) -> None:
        self.name, self.terse = word, terse
        self.like = words().get(PRACTICE_LIKE.get(word, ""))
        self.word = words().get(word) or Word(word, forms(word))
        if self.like:  # its name stands in the tables of what is true
            self.word = replace(self.like, forms=forms(word), other_names=())

    def describe(self) -> str:
        """Return up to three statements that together are true of as few words as possible."""
        left, statements = set(words()), list[str]()
        true = self.true_attributes(Degree.YES)
        while true and len(statements) < 3 and len(left) > 1:
            best = min(true, key=lambda attribute: sum(attribute.truth_of(word) is not Degree.NO for word in left))
            left = {word for word in left if best.truth_of(word) is not Degree.NO}
            statements.append(best.statement)
            true.remove(best)
        return " ".join(statements) or "It is something that many people know."

    def true_attributes(self, truth: Degree, topic: str | None = None) -> list[Attribute]:
        """Return the attributes that are so far true of the word and whose statements do not say it."""
        about = (attribute for attribute in attributes().values() if topic in (None, attribute.topic))
        true = (attribute for attribute in about if attribute.truth_of(self.word.name) is truth)
        return [attribute for attribute in true if self.may_say(attribute.statement)]

    def may_say(self, text: str) -> bool:
        """Whether a text does not say the word."""
        return find_mention(text, self.word.forms) is None

    def answer(self, question: str) -> str:
        """Return the answer to a question."""
        question = re.sub(r"[a-z]{5,}", lambda match: _spelling().correct(match[0]), question[:LONGEST].lower())
        if guesses(question, self.word.forms):
            return GAMEOVER if self.terse else "Gameover!"
        if guesses(question, self.word.other_names):
            return YES if self.terse else "Yes, but I know it by another name."
        if self.word.name not in words():
            return self.say(Judgement())
        return self.other_word(question) or self.spelling(plain_words(question)) or self.judge(question)

    def say(self, judgement: Judgement, *, possible: bool = False) -> str:
        """Return a verdict in words; where only yes or no may be said, the better guess."""
        truth = judgement.truth
        if self.terse:
            return YES if truth and truth.leans else NO
        if truth:
            return (POSSIBLE if possible else SAYINGS)[truth]
        unknown = " ".join(word for word in judgement.unknown if word not in ("more", "2"))
        return f"I am not sure about “{unknown}”." if unknown and self.may_say(unknown) else UNKNOWN

    # ------------------------------------------------------------------ what is asked
    def judge(self, question: str) -> str:
        """Answer a question about what the word means."""
        if attribute := attribute_of(question):
            return self.say(Judgement(attribute.truth_of(self.word.name)))
        if truth := judge_comparison(question, self.word.name):
            return self.say(Judgement(truth))
        sentence, text = read_question(question), plain_words(question).split()
        if sentence.open_word:
            return self.tell(text)
        if not sentence.words:
            return NO if self.terse else NOT_UNDERSTOOD
        if len(sentence.options) > 1 and not self.terse:
            return self.choose(sentence, plain_words(question))
        judgement = self.truth_of(sentence)
        fit = None if judgement.truth else judge_fit(question, self.word.size)
        if fit and (not fit.leans or {"can", "could", "fit", "fits"} & set(text)):
            judgement = Judgement(fit)
        if judgement.truth is Degree.RATHER and "always" in text:
            judgement = Judgement(Degree.HARDLY)
        return self.say(judgement, possible=sentence.possible)

    def truth_of(self, sentence: Sentence) -> Judgement:
        """Return how far a sentence is true of the word: by the facts, else by what kinds of things there are."""
        judgement = facts().judge_sentence(sentence, self.word.name)
        if judgement.truth or len(sentence.options) != 1:
            return judgement
        by_kind = Judgement.of_all([Judgement(self.kind_truth(term)) for term in sentence.options[0]])
        return by_kind if by_kind.truth else judgement

    def kind_truth(self, term: Term) -> Degree | None:
        """Return whether the word is of a kind that is no fact of the table ("is it a hammer?"), None if unsure."""
        reading = term.readings[0]
        if truth := facts().judge_term(term, self.word.name).truth:
            return truth
        if reading.kind not in ("be", "have") or len(reading.words) not in (1, 2) or reading.complement or term.negated:
            return None
        noun = reading.words[-1]
        chains = LEXICON.hypernyms(" ".join(reading.words)) or (LEXICON.hypernyms(noun) if reading.kind == "be" else [])
        if not chains or LEXICON.parts(noun)[:1] != "n":
            return None
        return self.is_of_kind(chains) if reading.kind == "be" else self.has_part(chains)

    def is_of_kind(self, chains: Sequence[Sequence[str]]) -> Degree | None:
        """Return whether the word is one of the things whose kinds are given, sense by sense."""
        if any(chain[0] in self.kinds for chain in chains):
            return Degree.YES
        if not self.kinds or any(self.kinds[0] in chain for chain in chains):
            return None
        domains = {domain for chain in chains for domain in read_kinds().domains if domain in chain}
        is_specific = min(map(len, chains)) >= SAME_KIND_DEPTH and "person" not in domains
        return Degree.NO if domains and (is_specific or domains.isdisjoint(self.kinds)) else None

    def has_part(self, chains: Sequence[Sequence[str]]) -> Degree | None:
        """Return no for what cannot be: lifeless things have no body parts, living ones no devices."""
        if all("instrumentality" in chain for chain in chains):
            return Degree.NO if {"animal", "plant", "fungus"} & set(self.kinds) else None
        is_organ = all("body part" in chain for chain in chains)
        return Degree.NO if is_organ and not {"animal", "person"} & set(self.kinds) else None

    @property
    def kinds(self) -> Sequence[str]:
        """The names of the kinds of things that the word is one of, the nearest first; empty if that is not known."""
        sense = read_kinds().senses.get(self.word.name)
        return next((chain for chain in LEXICON.hypernyms(self.word.name) if sense in (None, *chain)), [])

    def choose(self, sentence: Sentence, question: str) -> str:
        """Answer "is it green or yellow?" with what is true of it."""
        judgements = [facts().judge_option(option, self.word.name) for option in sentence.options]
        readings = [option[-1].readings[0] for option in sentence.options]
        names = [" ".join(word for word in reading.words if word[0] != "@") for reading in readings]
        true = [name for name, judged in zip(names, judgements, strict=True) if judged.truth and judged.truth.leans]
        if not true:
            is_known = all(judged.truth for judged in judgements)
            return "Neither." if is_known else self.say(Judgement(unknown=judgements[-1].unknown))
        answer = f"Yes, {' and '.join(true)}."
        if readings[0].kind == "be":
            articles = (next((word for word in ("a ", "an ") if f" {word}{name}" in question), "") for name in true)
            phrase = " and ".join(article + name for article, name in zip(articles, true, strict=True))
            answer = f"It is {phrase}." if phrase.startswith(("a ", "an ")) else f"Yes, it is {phrase}."
        return answer if len(true) < len(names) and self.may_say(answer) else "Yes."

    def other_word(self, question: str) -> str | None:
        """Say no to a guess of another word, None to other questions."""
        if self.like and guesses(question, (*self.like.forms, *self.like.other_names), article=True):
            return self.say(Judgement(Degree.NO))
        others = [word for word in words().values() if word.name != self.word.name]
        forms = [form for word in others for form in (*word.forms, *word.other_names)]
        is_later = not set(read_kinds().later).isdisjoint(plain_words(question).split())
        if is_later or not guesses(question, forms, article=True):
            return None
        return self.say(Judgement(facts().judge_sentence(read_question(question), self.word.name).truth or Degree.NO))

    def spelling(self, text: str) -> str | None:
        """Answer a question about how the word is written, None for other questions."""
        letters, right = self.name.replace(" ", ""), None
        if letter := _LETTER.search(text):
            is_last, is_inside = letter[1] == "end", not (letter[1] or letter[0].startswith("first"))
            right = letter[2] in (letters if is_inside else letters[-1] if is_last else letters[0])
        elif count := _COUNT.search(text):
            number = COUNTS[count[2]] if count[2] in COUNTS else int(count[2])
            own = len(self.name.split()) if count[3] == "word" else len(letters)
            is_more, is_less = count[1] == "more" or count[2] == "several", count[1] in ("fewer", "less")
            right = own > number if is_more else own < number if is_less else own == number
        elif re.match(r"how many (?:\w+ ){0,3}?(?:letters|characters)\b", text) and not self.terse:
            return f"It has {len(letters)} letters."
        return None if right is None else self.say(Judgement(Degree.YES if right else Degree.NO))

    def tell(self, text: Sequence[str]) -> str:
        """Answer an open question ("what colour is it?") with what is true, two statements at most."""
        topics = read_table("words", "topics").items()
        topic = next((topic for topic, topic_words in topics if not set(text).isdisjoint(topic_words)), None)
        if topic is None or self.terse:
            return NO if self.terse else NOT_UNDERSTOOD
        if topic == "size":
            return f"About {_length(self.word.size)}."
        true = [attribute.statement for attribute in self.true_attributes(Degree.YES, topic)]
        rather = [attribute.statement for attribute in self.true_attributes(Degree.RATHER, topic)]
        hedged = [f"More or less: {statement[0].lower()}{statement[1:]}" for statement in rather]
        return " ".join(true[-2:] or hedged[-2:]) or UNKNOWN


def read_kinds() -> SimpleNamespace:
    """Return the kinds of things in WordNet that matter: `domains`, `later` and `senses`."""
    return SimpleNamespace(**read_table("words", "kinds"))


@cache
def _spelling() -> Vocabulary:
    return Vocabulary(word for word in facts().words if LEXICON.is_word(word))


def _length(metres: float) -> str:
    """Return a length in the unit that people use for it."""
    if metres >= 1000:
        return "a kilometre, or many"
    return f"{metres:g} metres" if metres >= 1 else f"{100 * metres:g} centimetres"
