"""The scripted partner's sense for a pentomino board: it describes it, asks for what was not said, and weighs answers.

It knows its own board only. What people say is read by `games/common/language/board_reading.py` and judged by
`board_answers.py`; a decision sums the evidence of all that was said of pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from games.common.language.board_answers import BoardEvaluator, place_name
from games.common.language.board_reading import MANY, NEAR, Mention, read_board_text, words_of
from games.common.language.claims import Evidence
from games.common.language.grid_answers import number_word
from games.common.language.wording import join_list
from games.common.pentomino import Piece, board_of
from games.matchit.talkers.utterances import Utterance, Weighing, sum_up

DOUBT = "Are you sure that you have"
CHECK = 0.1
"""What a question may still tell when all was said."""
AT_ONCE = 3
"""Pieces in one question."""
YES, NO = ("yes", "yeah", "yep"), ("no", "nope")
OPEN_WORDS = frozenset(("what", "which", "where", "how"))
UNSURE_WORDS = frozenset(("idea", "sure", "know", "understand", "tell"))
BANDS = ("at the top", "at the bottom", "on the left", "on the right", "in the centre")


class BoardTalker(Weighing):
    """The scripted partner's sense for a pentomino board."""

    evaluator: BoardEvaluator

    def __init__(self, description: Mapping[str, Any], rng: Random) -> None:
        self.board = board_of(description)
        self.evaluator = BoardEvaluator(self.board)
        self.rng = rng

    def describe(self) -> str:
        """Say how many pieces there are, and where each of them is."""
        pieces = [f"a {piece.name} {place_name(piece)}" for piece in self.board.pieces]
        first = self.rng.choice(("I see", "My board has"))
        return f"{first} {number_word(len(pieces))} pieces: {join_list(pieces)}."

    def weigh(self, history: Sequence[Utterance]) -> Evidence:
        """Return the evidence for "same" in what the partner said, with reasons."""
        mentions, is_strict = mentions_heard(history)
        return sum_up(self.evaluator.judge(mention, is_strict) for mention in mentions)

    def ask(self, history: Sequence[Utterance]) -> str:
        """Ask for what was not said: which pieces there are, where they are, and how they lie."""
        mentions, is_strict = mentions_heard(history)
        own_questions = {entry.text for entry in history if entry.kind == "question" and entry.speaker == "me"}
        options = [option for option in self._questions(mentions, is_strict) if option[1] not in own_questions]
        best = max((gain for gain, _ in options), default=0.0)
        good = [text for gain, text in options if gain >= best]
        return self.rng.choice(good) if good else "Is there anything special about your board?"

    def _questions(self, mentions: Sequence[Mention], is_strict: bool) -> Iterator[tuple[float, str]]:
        """Yield questions with how much each may tell."""
        specific = [mention for mention in mentions if mention.high and mention.colours and mention.shape]
        about = {p: [m for m in specific if self._is_about(m, p, is_strict)] for p in self.board.pieces}
        heard = {mention for group in about.values() for mention in group}
        yield from _doubts([mention for mention in specific if mention not in heard], mentions)
        count = max((m.low for m in mentions if m.is_bare_number and m.is_anything), default=len(self.board.pieces))
        is_incomplete = len({(mention.colours, mention.shape) for mention in specific}) < count
        yield from self._wide_questions([piece for piece in about if not about[piece]], is_incomplete)
        yield from _narrow_questions(about)

    def _wide_questions(self, unnamed: Sequence[Piece], is_incomplete: bool) -> Iterator[tuple[float, str]]:
        """Yield questions about all pieces in a part of the board; a check where as many were named as there are."""
        for band in BANDS:
            place = read_board_text(f"a piece {band}").mentions[0]
            number = sum(place.misfit(piece, self.board, True) < NEAR for piece in unnamed)
            yield 2.0 * number if is_incomplete else CHECK, f"Which pieces are {band}?"
        yield 1.5 if is_incomplete else CHECK, "Which other pieces do you have?"

    def _is_about(self, mention: Mention, piece: Piece, is_strict: bool) -> bool:
        head = Mention(mention.colours, mention.shape, mention.loose)
        return head.misfit(piece, self.board, is_strict) < NEAR


def _doubts(strange: Sequence[Mention], mentions: Sequence[Mention]) -> Iterator[tuple[float, str]]:
    """Yield questions about pieces that the partner named and that are not here."""
    for mention in strange:
        name = f"{mention.colours[0]} {mention.shape}"
        yield 9.0, f"{DOUBT} a {name}?"
        if not any(m.places for m in mentions if (m.colours, m.shape) == (mention.colours, mention.shape)):
            yield 10.0, f"Where exactly is your {name}?"


def _narrow_questions(about: Mapping[Piece, Sequence[Mention]]) -> Iterator[tuple[float, str]]:
    """Yield questions about where the pieces that were named are, and how they are turned, some at a time."""
    for piece, mentions in about.items():
        if mentions and not any(mention.places for mention in mentions):
            yield 1.2, f"Where is your {piece.name}?"
    plain = [p for p, mentions in about.items() if mentions and not any(mention.features for mention in mentions)]
    turned = [piece for piece in plain if piece.shape != "X"]
    for start in range(0, len(turned), AT_ONCE):
        some = turned[start : start + AT_ONCE]
        names = join_list([piece.name for piece in some])
        yield float(len(some)), f"Which way {'are' if some[1:] else 'is'} your {names} turned?"


def mentions_heard(history: Sequence[Utterance]) -> tuple[list[Mention], bool]:
    """Return what the partner said of pieces, without what it took back, and whether it names them exactly."""
    mentions: list[Mention] = []
    is_strict = False
    question = ""
    for entry in history:
        if entry.speaker == "me":
            question = entry.text if entry.kind == "question" else question
        elif entry.kind != "question":
            reading = read_board_text(entry.text)
            is_strict |= reading.is_exact
            heard = list(reading.mentions) if entry.kind == "description" else list(_answers(entry.text, question))
            denied = [m for m in heard if not m.high and m.colours and m.shape] if question.startswith(DOUBT) else []
            heads = {(mention.colours, mention.shape) for mention in denied}
            mentions = [*(m for m in mentions if (m.colours, m.shape) not in heads), *heard]
    return mentions, is_strict


def _answers(answer: str, question: str) -> Iterator[Mention]:
    """Yield what an answer says, with what it leaves out from the question."""
    mentions_asked = [replace(mention, is_sure=True) for mention in read_board_text(question).mentions]
    words = answer.lower().replace(",", " ").replace(".", " ").split()
    is_open = bool(OPEN_WORDS & set(question.lower().split()[:2]))
    if "?" in answer or not mentions_asked or UNSURE_WORDS & set(words):
        return
    first, heard = words[0] if words else "", read_board_text(answer).mentions
    says_more = any(mention.has_head or mention.places or mention.features for mention in heard)
    is_denied = first in NO or (not says_more and any(word.kind == "not" for word in words_of(answer)))
    if is_denied and not (is_open and says_more):
        yield replace(mentions_asked[0], low=0, high=0, is_answer=True)
    elif not is_open and first in YES:
        yield replace(mentions_asked[0])
    yield from (merged for mention in heard for merged in _complete(mention, mentions_asked))


def _complete(mention: Mention, mentions_asked: Sequence[Mention]) -> Iterator[Mention]:
    """Yield a mention of an answer with the piece or the place that only the question names."""
    head = mentions_asked[0] if len(mentions_asked) == 1 else Mention()
    if mention.has_head or not (head.has_head or head.places):
        places = mention.places or (head.places if not head.has_head and mention.high else ())
        yield replace(mention, places=places)
    elif mention.low <= 1:
        merged = replace(head, low=mention.low, high=mention.high if not mention.low else MANY)
        yield replace(merged, places=mention.places or head.places, features=mention.features)
