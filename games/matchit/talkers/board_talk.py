"""The scripted partner's sense for a pentomino board: it describes it, asks for what was not said, and weighs answers.

It knows its own board only. What people say is read by `games/common/language/board_reading.py` and judged by
`board_answers.py`; a decision sums the evidence of all that was said of pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from games.common.language.board_answers import BoardEvaluator, write_place
from games.common.language.board_reading import Mention, read_board_text
from games.common.language.claims import Evidence
from games.common.language.wording import join_list, spell_out_number
from games.common.pentomino import Piece, board_of
from games.matchit.talkers.utterances import Talker, Utterance, pair_with_questions, sum_evidence

CHECK_GAIN = 0.1
"""What a question may still tell when all was said."""
PIECES_PER_QUESTION = 3
"""Pieces in one question."""
YES_OPENINGS, NO_OPENINGS = (["yes"], ["yeah"], ["yep"]), (["no"], ["nope"], ["none"], ["nothing"])
OPEN_WORDS = ("What", "Which", "Where", "How")


class BoardTalker(Talker):
    """The scripted partner's sense for a pentomino board."""

    evaluator: BoardEvaluator
    last_question = "Is there anything special about your board?"

    def __init__(self, description: Mapping[str, Any], rng: Random) -> None:
        self.board = board_of(description)
        self.evaluator = BoardEvaluator(self.board)
        self.rng = rng

    def describe(self) -> str:
        """Say how many pieces there are, and where each of them is."""
        piece_phrases = [f"a {piece.name} {write_place(piece.place)}" for piece in self.board.pieces]
        opening = self.rng.choice(("I see", "My board has"))
        return f"{opening} {spell_out_number(len(piece_phrases))} pieces: {join_list(piece_phrases)}."

    def weigh(self, history: Sequence[Utterance]) -> Evidence:
        """Return the evidence for "same" in what the partner said, with reasons."""
        mentions, is_strict = collect_mentions(history)
        return sum_evidence(self.evaluator.judge(mention, is_strict) for mention in mentions)

    def propose_questions(self, history: Sequence[Utterance]) -> Iterator[tuple[float, str]]:
        """Yield questions about which pieces there are, where they are, and how they lie."""
        mentions, is_strict = collect_mentions(history)
        specific_mentions = [mention for mention in mentions if mention.maximum and mention.colour and mention.shape]
        head_by_mention = {mention: Mention(mention.colour, mention.shape) for mention in specific_mentions}
        placed_heads = {head for mention, head in head_by_mention.items() if mention.places}
        turned_heads = {head for mention, head in head_by_mention.items() if mention.features or head.shape == "X"}
        pieces_by_head = {head: head.find_pieces(self.board, is_strict) for head in head_by_mention.values()}
        yield from self._propose_wide_questions(mentions, pieces_by_head)
        for head, head_pieces in pieces_by_head.items():
            if not head_pieces:
                yield 9.0, f"Are you sure that you have a {head}?"
            if head not in placed_heads:
                yield (1.2, f"Where is your {head}?") if head_pieces else (10.0, f"Where exactly is your {head}?")
        yield from _propose_turn_questions(
            [str(head) for head, head_pieces in pieces_by_head.items() if head_pieces and head not in turned_heads]
        )

    def _propose_wide_questions(
        self, mentions: Sequence[Mention], pieces_by_head: Mapping[Mention, Sequence[Piece]]
    ) -> Iterator[tuple[float, str]]:
        """Yield questions about all pieces in a part of the board; a check where as many were named as there are."""
        unnamed = [piece for piece in self.board.pieces if not any(piece in group for group in pieces_by_head.values())]
        count = max((m.minimum for m in mentions if m.is_number and m.is_anything), default=len(self.board.pieces))
        is_complete = len(pieces_by_head) >= count
        for side in ("top", "bottom", "left", "right", "middle"):
            number = sum(piece in unnamed for piece in Mention(places=(side,)).find_pieces(self.board, is_strict=True))
            yield CHECK_GAIN if is_complete else 2.0 * number, f"Which pieces are {write_place(side)}?"
        yield CHECK_GAIN if is_complete else 1.5, "Which other pieces do you have?"


def _propose_turn_questions(piece_names: Sequence[str]) -> Iterator[tuple[float, str]]:
    """Yield questions about how pieces are turned, some at a time."""
    for start_index in range(0, len(piece_names), PIECES_PER_QUESTION):
        some = piece_names[start_index : start_index + PIECES_PER_QUESTION]
        yield (float(len(some)), f"Which way {'are' if some[1:] else 'is'} your {join_list(some)} turned?")


def collect_mentions(history: Sequence[Utterance]) -> tuple[list[Mention], bool]:
    """Return what the partner new_mentions of pieces, without what it took back, and whether it names them exactly."""
    mentions: list[Mention] = []
    is_strict = False
    for entry, question in pair_with_questions(history):
        reading = read_board_text(entry.text)
        is_strict |= reading.is_exact
        new_mentions = reading.mentions if entry.kind == "description" else tuple(_read_answer(entry.text, question))
        denied_heads = {(m.colour, m.shape) for m in new_mentions if not m.maximum}
        mentions = [m for m in mentions if not m.colour or (m.colour, m.shape) not in denied_heads] + [*new_mentions]
    return mentions, is_strict


def _read_answer(answer: str, question: str) -> Iterator[Mention]:
    """Yield what an answer says, with what it leaves out from the question."""
    topics = [replace(mention, is_sure=True) for mention in read_board_text(question).mentions]
    answer_words = answer.lower().replace(",", " ").replace(".", " ").split()
    if "?" in answer or not topics:
        return
    heard_mentions = read_board_text(answer).mentions
    topic = topics[0] if len(topics) == 1 else Mention()
    is_open_question = question.startswith(OPEN_WORDS)
    says_more = not all(mention.is_anything for mention in heard_mentions)
    is_denied = answer_words[:1] in NO_OPENINGS or (
        not says_more and any(mention.is_negated or not mention.maximum for mention in heard_mentions)
    )
    if is_denied and not (is_open_question and says_more):
        yield replace(topics[0], minimum=0, maximum=0)
    elif answer_words[:1] in YES_OPENINGS and not is_open_question:
        yield topics[0]
    for mention in heard_mentions:
        head = mention if mention.has_head else topic
        yield replace(mention, colour=head.colour, shape=head.shape, places=mention.places or topic.places)
