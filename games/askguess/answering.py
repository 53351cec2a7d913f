"""How the scripted answerer of Ask-Guess answers: by what it knows of its word. Where it knows nothing it says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

from games.askguess.listening import (
    MAX_LENGTH,
    find_attribute,
    is_guess_of,
    judge_comparison,
    judge_size_fit,
    simplify_text,
)
from games.askguess.replies import GAMEOVER_WORD, NO_WORD, YES_WORD
from games.askguess.vocabulary import (
    SIMILAR_WORDS,
    Attribute,
    Word,
    read_attributes,
    read_facts,
    read_table,
    read_words,
)
from games.common.language.asking_back import asks_back
from games.common.language.facts import Degree, Judgement
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.predicates import PredicateTerm, Sentence, read_question
from games.common.language.tokens import NUMBER_WORDS
from games.common.words import find_mention, list_word_forms

VERDICT_PHRASES = {Degree.YES: "Yes.", Degree.RATHER: "More or less.", Degree.HARDLY: "Hardly.", Degree.NO: "No."}
POSSIBILITY_PHRASES = {**VERDICT_PHRASES, Degree.RATHER: "It can be.", Degree.HARDLY: "It can be, but rarely."}
UNSURE_ANSWER = "I am not sure."
NOT_UNDERSTOOD_ANSWER = "I did not understand the question."
ASK_ME_ANSWER = "Ask me something about my word, such as what it is used for."
MIN_SPECIFIC_KIND_DEPTH = 7
"""How deep in WordNet a noun stands at least for it to name one kind of thing ("hammer"), not a role ("tool")."""
COUNT_BY_WORD = {"single": 1, "several": 1, **NUMBER_WORDS}
_LETTER_QUESTION = re.compile(
    r"\b(?:(start|begin|end)(?:s|ing|ning)?|first|letter|contains?) (?!and |vitamin )(?:\w+ ){0,4}?([b-z])\b"
)
_COUNT_QUESTION = re.compile(
    rf"(?:\b(more|fewer|less) than )?\b(\d{{1,3}}|{'|'.join(COUNT_BY_WORD)}) (letter|character|word)s?\b"
)


class Answerer:
    """What the holder of a word says; `is_terse` where only yes, no and gameover may be said."""

    def __init__(self, word: str, is_terse: bool) -> None:
        self.word_name, self.is_terse = word, is_terse
        self.similar_word = read_words().get(SIMILAR_WORDS.get(word, ""))
        self.word = read_words().get(word) or Word(word, list_word_forms(word))
        if self.similar_word:  # its name stands in the tables of what is true
            self.word = replace(self.similar_word, forms=list_word_forms(word), other_names=())

    def describe_word(self) -> str:
        """Return up to three statements that together are true of as few words as possible."""
        words, statements = set(read_words()), list[str]()
        facts = self.list_true_attributes(Degree.YES)
        while facts and len(statements) < 3 and len(words) > 1:
            best = min(facts, key=lambda attribute: sum(attribute.truth_of(word) is not Degree.NO for word in words))
            words = {word for word in words if best.truth_of(word) is not Degree.NO}
            statements.append(best.statement)
            facts.remove(best)
        return " ".join(statements) or "It is something that many people know."

    def list_true_attributes(self, degree: Degree, topic: str | None = None) -> list[Attribute]:
        """Return the attributes that are so far true of the word and whose statements do not say it."""
        topic_attributes = (attribute for attribute in read_attributes().values() if topic in (None, attribute.topic))
        true_attributes = (attribute for attribute in topic_attributes if attribute.truth_of(self.word.name) is degree)
        return [attribute for attribute in true_attributes if self.may_say(attribute.statement)]

    def may_say(self, sentence_text: str) -> bool:
        """Whether a text does not say the word."""
        return find_mention(sentence_text, self.word.forms) is None

    def answer_question(self, question: str) -> str:
        """Return the answer to a question."""
        question = re.sub(
            r"[a-z]{5,}", lambda match: _load_spellings().correct_word(match[0]), question[:MAX_LENGTH].lower()
        )
        if is_guess_of(question, self.word.forms):
            return GAMEOVER_WORD if self.is_terse else "Gameover!"
        if is_guess_of(question, self.word.other_names):
            return YES_WORD if self.is_terse else "Yes, but I know it by another name."
        if self.word.name not in read_words():
            return self.phrase_verdict(Judgement())
        return (
            self.answer_guess(question)
            or self.answer_spelling(simplify_text(question))
            or self.answer_meaning(question)
        )

    def phrase_verdict(self, judgement: Judgement, *, is_possible: bool = False) -> str:
        """Return a verdict in words; where only yes or no may be said, the better guess."""
        degree = judgement.degree
        if self.is_terse:
            return YES_WORD if degree and degree.is_yes else NO_WORD
        if degree:
            return (POSSIBILITY_PHRASES if is_possible else VERDICT_PHRASES)[degree]
        unknown_text = " ".join(word for word in judgement.unknown if word not in ("more", "2"))
        return (
            f"I am not sure about “{unknown_text}”." if unknown_text and self.may_say(unknown_text) else UNSURE_ANSWER
        )

    # ------------------------------------------------------------------ what is asked
    def answer_meaning(self, question: str) -> str:
        """Answer a question about what the word means."""
        if attribute := find_attribute(question):
            return self.phrase_verdict(Judgement(attribute.truth_of(self.word.name)))
        if degree := judge_comparison(question, self.word.name):
            return self.phrase_verdict(Judgement(degree))
        if asks_back(question) and not self.is_terse:
            return ASK_ME_ANSWER
        sentence, question_words = read_question(question), simplify_text(question).split()
        if sentence.question_word:
            return self.answer_open_question(question_words)
        if not sentence.words:
            return NO_WORD if self.is_terse else NOT_UNDERSTOOD_ANSWER
        if len(sentence.options) > 1 and not self.is_terse:
            return self.answer_choice(sentence, simplify_text(question))
        judgement = self.judge_sentence(sentence)
        size_fit_degree = None if judgement.degree else judge_size_fit(question, self.word.size)
        if size_fit_degree and (not size_fit_degree.is_yes or {"can", "could", "fit", "fits"} & set(question_words)):
            judgement = Judgement(size_fit_degree)
        if judgement.degree is Degree.RATHER and "always" in question_words:
            judgement = Judgement(Degree.HARDLY)
        return self.phrase_verdict(judgement, is_possible=sentence.is_possible)

    def judge_sentence(self, sentence: Sentence) -> Judgement:
        """Return how far a sentence is true of the word: by the facts, else by what kinds of things there are."""
        judgement = read_facts().judge_sentence(sentence, self.word.name)
        if judgement.degree or len(sentence.options) != 1:
            return judgement
        kind_judgement = Judgement.of_all([Judgement(self.judge_kind(term)) for term in sentence.options[0]])
        return kind_judgement if kind_judgement.degree else judgement

    def judge_kind(self, term: PredicateTerm) -> Degree | None:
        """Return whether the word is of a kind that is no fact of the table ("is it a hammer?"), None if unsure."""
        first_reading = term.readings[0]
        if fact_degree := read_facts().judge_term(term, self.word.name).degree:
            return fact_degree
        if (
            first_reading.kind not in ("be", "have")
            or len(first_reading.words) not in (1, 2)
            or first_reading.complement
            or term.negated
        ):
            return None
        noun = first_reading.words[-1]
        hypernym_chains = LEXICON.hypernyms(" ".join(first_reading.words)) or (
            LEXICON.hypernyms(noun) if first_reading.kind == "be" else []
        )
        if not hypernym_chains or LEXICON.word_classes(noun)[:1] != "n":
            return None
        return self.is_of_kind(hypernym_chains) if first_reading.kind == "be" else self.has_part(hypernym_chains)

    def is_of_kind(self, hypernym_chains: Sequence[Sequence[str]]) -> Degree | None:
        """Return whether the word is one of the things whose kinds are given, sense by sense."""
        if any(hypernym_chain[0] in self.kind_names for hypernym_chain in hypernym_chains):
            return Degree.YES
        if not self.kind_names or any(self.kind_names[0] in hypernym_chain for hypernym_chain in hypernym_chains):
            return None
        matching_domains = {
            domain for hypernym_chain in hypernym_chains for domain in read_kinds().domains if domain in hypernym_chain
        }
        is_specific = min(map(len, hypernym_chains)) >= MIN_SPECIFIC_KIND_DEPTH and "person" not in matching_domains
        return Degree.NO if matching_domains and (is_specific or matching_domains.isdisjoint(self.kind_names)) else None

    def has_part(self, hypernym_chains: Sequence[Sequence[str]]) -> Degree | None:
        """Return no for what cannot be: lifeless things have no body parts, living ones no devices."""
        if all("instrumentality" in hypernym_chain for hypernym_chain in hypernym_chains):
            return Degree.NO if {"animal", "plant", "fungus"} & set(self.kind_names) else None
        is_organ = all("body part" in hypernym_chain for hypernym_chain in hypernym_chains)
        return Degree.NO if is_organ and not {"animal", "person"} & set(self.kind_names) else None

    @property
    def kind_names(self) -> Sequence[str]:
        """The names of the kinds of things that the word is one of, the nearest first; empty if that is not known."""
        word_sense = read_kinds().senses.get(self.word.name)
        return next(
            (
                hypernym_chain
                for hypernym_chain in LEXICON.hypernyms(self.word.name)
                if word_sense in (None, *hypernym_chain)
            ),
            [],
        )

    def answer_choice(self, sentence: Sentence, question: str) -> str:
        """Answer "is it green or yellow?" with what is true of it."""
        judgements = [read_facts().judge_option(option, self.word.name) for option in sentence.options]
        option_readings = [option[-1].readings[0] for option in sentence.options]
        names = [
            " ".join(word for word in option_reading.words if word[0] != "@") for option_reading in option_readings
        ]
        true_names = [
            name
            for name, judgement in zip(names, judgements, strict=True)
            if judgement.degree and judgement.degree.is_yes
        ]
        if not true_names:
            is_known = all(judgement.degree for judgement in judgements)
            return "Neither." if is_known else self.phrase_verdict(Judgement(unknown=judgements[-1].unknown))
        answer = f"Yes, {' and '.join(true_names)}."
        if option_readings[0].kind == "be":
            articles = (
                next((word for word in ("a ", "an ") if f" {word}{name}" in question), "") for name in true_names
            )
            phrase = " and ".join(article + name for article, name in zip(articles, true_names, strict=True))
            answer = f"It is {phrase}." if phrase.startswith(("a ", "an ")) else f"Yes, it is {phrase}."
        return answer if len(true_names) < len(names) and self.may_say(answer) else "Yes."

    def answer_guess(self, question: str) -> str | None:
        """Say no to a guess of another word, None to other questions."""
        if self.similar_word and is_guess_of(
            question, (*self.similar_word.forms, *self.similar_word.other_names), needs_article=True
        ):
            return self.phrase_verdict(Judgement(Degree.NO))
        other_words = [word for word in read_words().values() if word.name != self.word.name]
        other_forms = [word_form for word in other_words for word_form in (*word.forms, *word.other_names)]
        has_later_word = not set(read_kinds().later).isdisjoint(simplify_text(question).split())
        if has_later_word or not is_guess_of(question, other_forms, needs_article=True):
            return None
        return self.phrase_verdict(
            Judgement(read_facts().judge_sentence(read_question(question), self.word.name).degree or Degree.NO)
        )

    def answer_spelling(self, question_text: str) -> str | None:
        """Answer a question about how the word is written, None for other questions."""
        letters, is_correct = self.word_name.replace(" ", ""), None
        if letter_match := _LETTER_QUESTION.search(question_text):
            is_last, is_inside = letter_match[1] == "end", not (letter_match[1] or letter_match[0].startswith("first"))
            is_correct = letter_match[2] in (letters if is_inside else letters[-1] if is_last else letters[0])
        elif count := _COUNT_QUESTION.search(question_text):
            number = COUNT_BY_WORD[count[2]] if count[2] in COUNT_BY_WORD else int(count[2])
            length = len(self.word_name.split()) if count[3] == "word" else len(letters)
            is_greater, is_less = (count[1] == "more" or count[2] == "several", count[1] in ("fewer", "less"))
            is_correct = length > number if is_greater else length < number if is_less else length == number
        elif re.match(r"how many (?:\w+ ){0,3}?(?:letters|characters)\b", question_text) and not self.is_terse:
            return f"It has {len(letters)} letters."
        return None if is_correct is None else self.phrase_verdict(Judgement(Degree.YES if is_correct else Degree.NO))

    def answer_open_question(self, question_words: Sequence[str]) -> str:
        """Answer an open question ("what colour is it?") with what is true, two statements at most."""
        topics = read_table("words", "topics").items()
        topic = next((topic for topic, topic_words in topics if not set(question_words).isdisjoint(topic_words)), None)
        if topic is None or self.is_terse:
            return NO_WORD if self.is_terse else NOT_UNDERSTOOD_ANSWER
        if topic == "size":
            return f"About {_format_length(self.word.size)}."
        true_statements = [attribute.statement for attribute in self.list_true_attributes(Degree.YES, topic)]
        partial_statements = [attribute.statement for attribute in self.list_true_attributes(Degree.RATHER, topic)]
        hedged_statements = [f"More or less: {statement[0].lower()}{statement[1:]}" for statement in partial_statements]
        return " ".join(true_statements[-2:] or hedged_statements[-2:]) or UNSURE_ANSWER


def read_kinds() -> SimpleNamespace:
    """Return the kinds of things in WordNet that matter: `domains`, `later` and `senses`."""
    return SimpleNamespace(**read_table("words", "kinds"))


@cache
def _load_spellings() -> Vocabulary:
    return Vocabulary(word for word in read_facts().words if LEXICON.is_word(word))


def _format_length(metres: float) -> str:
    """Return a length in the unit that people use for it."""
    if metres >= 1000:
        return "a kilometre, or many"
    return f"{metres:g} metres" if metres >= 1 else f"{100 * metres:g} centimetres"
