"""The scripted players of Ask-Guess, by a table of what is true of the 100 words (`attributes.toml`).

The answerer answers what it understands of a question, in English; the questioner halves what is left and makes what it
can of answers in anybody's words. Each reads its own conversation only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

from engine.core.game import ScriptedPlayer
from engine.core.player import Player, Reply
from engine.core.views import SeatView
from games.askguess.instances import WORD_TITLE
from games.askguess.listening import VALUES, attribute_of, folded, guesses, own, size_asked, statements, truth_said
from games.askguess.replies import DESCRIPTION, GAMEOVER, NO, VERDICT, YES
from games.askguess.vocabulary import Attribute, Truth, Word, attributes, words
from games.common.words import find_mention, forms

SAYINGS = {Truth.YES: "Yes.", Truth.RATHER: "More or less.", Truth.HARDLY: "Hardly.", Truth.NO: "No."}
UNKNOWN = "I cannot tell."
TOPICS = {
    "colour": r"\bcolou?r\b",
    "legs": r"\blegs?\b",
    "size": r"\b(?:size|big|large|tall|long|small|heavy|weigh)\b",
    "material": r"\bmade (?:of|from|out)\b|\bmaterial\b",
    "food": r"\b(?:eats?|feeds?)\b",
    "home": r"\b(?:where|lives?|found|find|habitat)\b",
    "kind": r"\b(?:kind|type|sort|category|class|group|family)\b",
    "use": r"\b(?:use[ds]?|purpose|do|does|for|function)\b",
    "body": r"\b(?:looks?|shape|appearance|features?|have|has|special)\b",
}
_OPEN = re.compile(r"^(?:and |so |but |well |then )*(?:what|where|which|how|who|when|why|describe|tell|give)\b")


# Answering


class Answers:
    """What the holder of a word says; `terse` where only yes, no and gameover may be said."""

    def __init__(self, word: str, terse: bool) -> None:
        self.word = words().get(word) or Word(word, forms(word), (), 1.0)
        self.known = word in words()
        self.terse = terse

    def describe(self) -> str:
        """Return up to three statements that together are true of as few words as possible."""
        left = set(words())
        said: list[str] = []
        mine = [
            one
            for one in attributes().values()
            if one.truth_of(self.word.name) is Truth.YES and self.sayable(one.statement)
        ]
        while mine and len(said) < 3 and len(left) > 1:
            best = min(mine, key=lambda one: sum(one.truth_of(word) is not Truth.NO for word in left))
            left = {word for word in left if best.truth_of(word) is not Truth.NO}
            said.append(best.statement)
            mine.remove(best)
        return " ".join(said) or "It is something that many people know."

    def sayable(self, text: str) -> bool:
        """Whether a text does not say the word."""
        return find_mention(text, self.word.forms) is None

    def answer(self, question: str) -> str:
        """Return the answer to a question."""
        if guesses(question, self.word.forms):
            return GAMEOVER if self.terse else "Gameover!"
        if named := self.other_name(question):
            return named
        for said in (self.other_word(question), self.letters(question), self.choice(question)):
            if said is not None:
                return said
        if not self.known:
            return self.say(None)
        exact = own(question)
        if exact is None and (sized := size_asked(question, self.word.size)):
            return self.say(sized)
        if exact is None and _OPEN.search(folded(question)):
            return self.tell(question)
        found = exact or attribute_of(question)
        return self.say(found.truth_of(self.word.name) if found else None)

    def say(self, truth: Truth | None) -> str:
        """Return a verdict in words; where only yes or no may be said, the better guess: no for what is not known."""
        if self.terse:
            return YES if truth and truth.leans else NO
        return SAYINGS[truth] if truth else UNKNOWN

    def other_name(self, question: str) -> str | None:
        """Say yes to another name of the word: only the word itself ends the game."""
        if not guesses(question, self.word.other_names):
            return None
        return YES if self.terse else "Yes, but I know it by another name."

    def other_word(self, question: str) -> str | None:
        """Say no to a guess of another word."""
        for other in words().values():
            if other.name != self.word.name and guesses(question, (*other.forms, *other.other_names), article=True):
                return self.say(Truth.NO)
        return None

    def letters(self, question: str) -> str | None:
        """Answer questions about how the word is written."""
        text, letters = folded(question), self.word.name.replace(" ", "")
        if found := re.search(r"\b(?:start|begin)s?(?:ning)? with (?:an? |the )?(?:letter )?([a-z])\b", text):
            return self.say(Truth.YES if letters[0] == found[1] else Truth.NO)
        if found := re.search(r"\bends? (?:with|in|on) (?:an? |the )?(?:letter )?([a-z])\b", text):
            return self.say(Truth.YES if letters[-1] == found[1] else Truth.NO)
        if found := re.search(r"\b(?:letter ([b-z])|(?:contain|have|has) (?:an? |the )?(?:letter )?([b-z]))\b", text):
            return self.say(Truth.YES if (found[1] or found[2]) in letters else Truth.NO)
        if found := re.search(r"\b(more|fewer|less) than (\w+) letters\b", text):
            count = _number(found[2])
            right = len(letters) > count if found[1] == "more" else len(letters) < count
            return self.say(None if count < 0 else Truth.YES if right else Truth.NO)
        if found := re.search(r"\b(1|one|a single|2|two|3|three|more than (?:1|one)|several) words?\b", text):
            count, asked = len(self.word.name.split()), found[1]
            right = count > 1 if asked.startswith(("more", "several")) else count == max(1, _number(asked))
            return self.say(Truth.YES if right else Truth.NO)
        if re.search(r"\bhow many (?:letters|characters)\b", text) and not self.terse:
            return f"It has {len(letters)} letters."
        if found := re.search(r"\b(\w+) (?:letters|characters)\b", text):
            count = _number(found[1])
            return None if count < 0 else self.say(Truth.YES if len(letters) == count else Truth.NO)
        return None

    def choice(self, question: str) -> str | None:
        """Answer "is it an animal or a plant?", where both are understood and are different things."""
        parts = re.split(r"\bor\b", folded(question))
        found = [attribute_of(part) for part in parts]
        if len(parts) < 2 or own(question):
            return None
        asked = [one for one in found if one]
        if len({one.name for one in asked}) < 2:
            return None
        true = [one for one in asked if one.truth_of(self.word.name).leans]
        if self.terse:
            return YES if true else NO
        said = " ".join(one.statement for one in true if self.sayable(one.statement))
        return said or "Neither."

    def tell(self, question: str) -> str:
        """Answer an open question ("what colour is it?") with what is true, two statements at most."""
        if self.terse:
            return NO
        text = folded(question)
        for topic, pattern in TOPICS.items():
            if re.search(pattern, text):
                if topic == "size":
                    return f"About {_length(self.word.size)}."
                about = [one for one in attributes().values() if one.topic == topic and self.sayable(one.statement)]
                true = [one.statement for one in about if one.truth_of(self.word.name) is Truth.YES]
                rather = [_hedged(one.statement) for one in about if one.truth_of(self.word.name) is Truth.RATHER]
                return " ".join(true[-2:] or rather[-2:]) or UNKNOWN
        return UNKNOWN


def _length(metres: float) -> str:
    """Return a length in the unit that people use for it."""
    if metres >= 1000:
        return "a kilometre, or many"
    return f"{metres:g} metres" if metres >= 1 else f"{100 * metres:g} centimetres"


def _hedged(says: str) -> str:
    return f"More or less: {says[0].lower()}{says[1:]}"


_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def _number(text: str) -> int:
    """Return a number in digits or words, -1 for anything else."""
    if text.isdecimal() and len(text) < 4:
        return int(text)
    return _COUNTS.index(text) if text in _COUNTS else -1


# Asking


ASKS_FOR_THE_END = 2
"""So often a guess that was confirmed is named again, before the confirmation counts as a mistake."""


class Hunt:
    """What is left of the 100 words after what was said, and the next question."""

    def __init__(self) -> None:
        self.wrong = dict.fromkeys(words(), 0.0)
        """How much of what was said does not fit a word."""
        self.asked: set[str] = set()
        self.guessed: list[str] = []
        self.again: str | None = None
        """A guess that was confirmed without gameover."""

    def describe(self, text: str) -> None:
        """Take in a description, or what an answer says beside yes and no: less sure than an answer."""
        for attribute, truth in statements(text):
            self.weigh(attribute, truth, 0.6)

    def hear(self, question: str, answer: str) -> None:
        """Take in the answer to a question of one's own."""
        truth = truth_said(answer)
        guess = next((word for word in words().values() if folded(question).endswith(f"is it {naming(word)}")), None)
        self.again = None
        if guess:
            self.guessed.append(guess.name)
            if truth is not None and truth.leans and self.guessed.count(guess.name) <= ASKS_FOR_THE_END:
                self.again = guess.name
            else:  # also where it was confirmed again and again without an end: that "yes" was a mistake
                self.wrong[guess.name] += 1 if truth is None else 100
            return
        if attribute := attribute_of(question):
            self.asked.add(attribute.name)
            if truth is not None:
                self.weigh(attribute, truth, 1.0)
        _, _, rest = answer.partition(",")
        self.describe(rest)

    def weigh(self, attribute: Attribute, truth: Truth, weight: float) -> None:
        """Count against every word how far it is from what was said; next to it counts nothing."""
        for word in self.wrong:
            apart = abs(VALUES[attribute.truth_of(word)] - VALUES[truth])
            self.wrong[word] += weight * max(0.0, apart - 0.25) / 0.75

    @property
    def left(self) -> list[str]:
        """Return the words that fit best."""
        least = min(self.wrong.values())
        return [word for word, wrong in self.wrong.items() if wrong < least + 0.3]

    def question(self, rng: Random) -> str:
        """Return the next question: the one that halves what is left best, or a guess when few are left."""
        left = self.left
        if self.again:
            return f"Then please end the game: is it {naming(words()[self.again])}?"
        if len(left) <= 2:
            return f"Is it {naming(words()[left[0]])}?"
        best = halving(tuple(left), frozenset(self.asked))
        return attributes()[rng.choice(best)].question if best else f"Is it {naming(words()[rng.choice(left)])}?"


@lru_cache(maxsize=4096)
def halving(left: tuple[str, ...], asked: frozenset[str]) -> tuple[str, ...]:
    """Return the attributes not asked yet that halve the words best; none where all words agree in all."""
    worth = {one.name: _halves(one, left) for one in attributes().values() if one.name not in asked}
    best = max(worth.values(), default=0.0)
    return tuple(name for name, value in worth.items() if value >= best - 0.01) if best > 0 else ()


def _halves(attribute: Attribute, left: Sequence[str]) -> float:
    """Return how well an attribute halves words, 0.5 at best; those of which it is neither true nor false spoil it."""
    truths = [attribute.truth_of(word) for word in left]
    yes, no = truths.count(Truth.YES) / len(left), truths.count(Truth.NO) / len(left)
    plainly = 0.05 if attribute.topic in ("kind", "size") else 0.0  # what people ask first, where it halves as well
    return min(yes, no) - 0.2 * (1 - yes - no) + (plainly if min(yes, no) else 0.0)


def naming(word: Word) -> str:
    """Return a word with its article."""
    if word.name == "cattle":
        return "cattle"
    if word.name == "sea":
        return "the sea"
    return f"{'an' if word.name[0] in 'aeiou' else 'a'} {word.name}"


class Scripted(Player):
    """Asks or answers by the table."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        if self.seat == "questioner":
            return Reply(_hunt(view).question(view.random))
        holder = Answers(_word(view), view.ask.format == VERDICT)
        heard = [part["quote"] for part in _told(view) if part.get("label") == "Question"]
        return Reply(holder.answer(heard[-1]) if heard else holder.describe())


def _told(view: SeatView) -> Iterator[dict[str, str]]:
    for message in view.messages:
        if message.role == "user":
            yield from message.parts


def _word(view: SeatView) -> str:
    for part in _told(view):
        if part.get("title") == WORD_TITLE:
            return part["exhibit"]
    raise LookupError(f"seat {view.seat} was shown no word")


def _hunt(view: SeatView) -> Hunt:
    """Go through the conversation: the description, then each answer with the question before it."""
    hunt, question = Hunt(), ""
    for message in view.messages:
        if message.role == "assistant":
            question = message.text()
            continue
        for part in message.parts:
            if part.get("label") == "Description":
                hunt.describe(part["quote"])
            elif part.get("label") == "Answer":
                hunt.hear(question, part["quote"])
    return hunt


def fallback(view: SeatView) -> str | None:
    """Return a question from the table, or an answer that says nothing; a description reads nothing of others."""
    if view.seat == "questioner":
        questions = [attribute.question for attribute in attributes().values()]
        return questions[view.ask.own_number % len(questions)]
    if view.ask.format == DESCRIPTION:
        return None
    return NO if view.ask.format == VERDICT else UNKNOWN


PLAYERS: dict[str, ScriptedPlayer] = {
    "scripted": ScriptedPlayer("halves what is left; answers what it understands", Scripted, fallback),
}
