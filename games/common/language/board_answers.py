"""Answers questions about a pentomino board: the evaluator of the mentions of `board_reading.py`.

It knows one board completely. "No" is said only of a question of which every word was understood.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from games.common.language.board_reading import (
    CLEAR,
    CONFUSABLE,
    MANY,
    NEAR,
    VAGUE,
    Mention,
    piece_features,
    read_board_text,
    words_for,
)
from games.common.language.claims import Answer, Truth, Verdict
from games.common.language.grid_answers import UNSURE, number_word, split_questions
from games.common.language.wording import capitalise, join_list
from games.common.pentomino import Board, Piece, orientation, orientations

HOLDS_WEIGHT = 0.02
WEAK = 0.9
"""The most that numbers at a place and of shapes that are mixed up weigh: people draw these limits elsewhere."""
DOUBTFUL = 0.3
"""The most that a mention weighs whose sentence was not all understood."""


class BoardEvaluator:
    """Judges mentions and answers questions about one board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    # ------------------------------------------------------------------ judging
    def judge(self, mention: Mention, is_strict: bool = False) -> Verdict:
        """Return whether a mention is so here, and how much that says about the partner's board being the same."""
        misfit = self.misfit(mention, is_strict)
        if misfit < NEAR:
            return Verdict(Truth.YES, HOLDS_WEIGHT, f"“{mention}” fits")
        is_vague = bool(mention.places) and (mention.is_bare_number or not mention.high)
        is_vague |= mention.is_bare_number and any(mention.shape in shapes for shapes in CONFUSABLE if mention.shape)
        weight = min(misfit, WEAK) if is_vague and not (is_strict or mention.is_answer) else misfit
        weight = weight if mention.is_sure else min(weight, DOUBTFUL)
        return Verdict(Truth.NO, -weight, f"“{mention}” does not fit")

    def misfit(self, mention: Mention, is_strict: bool = False) -> float:
        """Return how much a mention is not so here."""
        best = min((mention.misfit(piece, self.board, is_strict) for piece in self.board.pieces), default=CLEAR)
        surely, possibly = (len(mention.among(self.board, strict)) for strict in (True, is_strict))
        if mention.negated or not mention.high:
            return CLEAR if surely else 0.0
        if mention.is_bare_number and (surely > mention.high or possibly < mention.low):
            is_plain = not (mention.shape or mention.places or mention.features or mention.other)
            return CLEAR if is_plain else max(VAGUE, min(CLEAR, best))
        return min(CLEAR, best) if not mention.is_anything else 0.0

    # ------------------------------------------------------------------ answering
    def answer(self, question: str) -> Answer:
        """Return the answer to a question, or to each of several."""
        answers = [self._answer(part) for part in split_questions(question)] or [Answer(UNSURE, Truth.UNKNOWN)]
        texts = dict.fromkeys(capitalise(answer.text) for answer in answers)
        return Answer(" ".join(f"{text}." for text in texts), answers[0].truth)

    def _answer(self, question: str) -> Answer:
        reading = read_board_text(question)
        words = frozenset(question.lower().replace(",", " ").replace("'s", " is").split())
        heard = dict.fromkeys(reading.mentions)
        mentions = [mention for mention in heard if not mention.is_anything or mention.is_bare_number]
        if "than" in words and words & {"more", "fewer"} and len(mentions) == 2:
            return self._compare("more" in words, mentions)
        if unread := sorted(words & words_for("unanswered")):
            return self._yes_or_no(words, mentions, unread)
        if {"how", "many"} <= words or "number" in words:
            return Answer(self._how_many(words, mentions))
        if words & words_for("open"):
            return Answer(join_list([self._describe(mention, words) for mention in mentions or [Mention()]]))
        return self._yes_or_no(words, mentions, reading.unread)

    def _compare(self, is_more: bool, mentions: Sequence[Mention]) -> Answer:
        """Answer "are there more crosses than bars"."""
        first, second = (len(mention.among(self.board)) for mention in mentions)
        is_so = Truth.YES if first != second and is_more == (first > second) else Truth.NO
        return Answer(_with_truth(is_so, join_list([self._count(mention) for mention in mentions])), is_so)

    def _how_many(self, words: Set[str], mentions: Sequence[Mention]) -> str:
        """Answer "how many …"."""
        if words & words_for("colour"):
            colours = list(dict.fromkeys(piece.colour for piece in self.board.pieces))
            return f"{number_word(len(colours))} colours: {join_list(colours)}"
        return join_list([self._count(_any_number(mention)) for mention in mentions or [Mention()]])

    def _count(self, mention: Mention) -> str:
        pieces = mention.among(self.board, is_strict=not mention.has_head)
        if not pieces:
            return self._none(mention)
        names = self._with_places(pieces) if mention.has_head else join_list([f"a {piece.name}" for piece in pieces])
        return f"I have {_count_words(len(pieces), mention)}{self._place_words(mention)}: {names}"

    def _describe(self, mention: Mention, words: Set[str]) -> str:
        """Answer what, which, where and how: the pieces that are meant, where they are, and how they lie if asked."""
        asks_way = words & words_for("way") or ("how" in words and mention.features)
        wide = replace(_any_number(mention), features=() if asks_way else mention.features)
        pieces = wide.among(self.board, is_strict=not mention.has_head)
        if not pieces:
            return self._none(wide) if mention.has_head else f"there is nothing{self._place_words(mention)}"
        if asks_way:
            return "; ".join(map(_orientation_words, pieces))
        if not mention.has_head and (mention.places or mention.other):
            names = join_list([f"a {piece.name}" for piece in pieces])
            return f"there {'are' if pieces[1:] else 'is'} {names}{self._place_words(mention)}"
        if mention.has_head and words & {"what", "which", "tell"} and not words & words_for("colour"):
            return join_list([f"a {piece.name} {place_name(piece)}, {_orientation_words(piece)}" for piece in pieces])
        return join_list(list(map(_place, pieces))) if "where" in words else self._with_places(pieces)

    # ------------------------------------------------------------------ yes or no
    def _yes_or_no(self, words: Set[str], mentions: Sequence[Mention], unread: Sequence[str]) -> Answer:
        """Answer with yes or no, and with what is there; "not sure" where a word was not understood."""
        if unread or not mentions:
            about = f" by {join_list([f'“{word}”' for word in unread[:3]])}" if unread else ""
            facts = "; ".join(self._facts(mention) for mention in mentions[:2] or [Mention()])
            return Answer(f"{UNSURE}{about}, but {facts}", Truth.UNKNOWN)
        check = self._check_all if words & {"every", "each", "all", "both"} else self._check
        answers = [check(mention) for mention in mentions[:4]]
        truths = {truth for truth, _ in answers}
        if len(truths) > 1 and "or" not in words:
            parts = sorted((_with_truth(*answer) for answer in answers), key=lambda part: not part.startswith("no"))
            return Answer(". ".join(map(capitalise, parts)), Truth.NO if Truth.NO in truths else Truth.UNKNOWN)
        truth = Truth.YES if Truth.YES in truths else answers[0][0]
        agreeing = dict.fromkeys(text for stated, text in answers if stated is truth)
        return Answer(_with_truth(truth, join_list(list(agreeing))), truth)

    def _check_all(self, mention: Mention) -> tuple[Truth, str]:
        """Return whether all pieces, or all of a shape, are as a mention says."""
        if mention.is_bare_number or not (mention.colours or mention.places or mention.features):
            return self._check(mention)
        pieces = Mention(shape=mention.shape, loose=mention.loose).among(self.board)
        is_so = bool(pieces) and all(mention.misfit(piece, self.board) < NEAR for piece in pieces)
        return Truth.YES if is_so != mention.negated else Truth.NO, self._with_places(pieces) or self._none(mention)

    def _check(self, mention: Mention) -> tuple[Truth, str]:
        """Return whether a mention is so, and what is."""
        is_strict = not mention.has_head
        misfits = {piece: mention.misfit(piece, self.board, is_strict) for piece in self.board.pieces}
        best = min(self.board.pieces, key=lambda piece: misfits[piece])
        if mention.is_bare_number or not mention.high:
            number = len(mention.among(self.board, is_strict))
            is_so = (mention.low <= number <= mention.high) != mention.negated
            return Truth.YES if is_so else Truth.NO, self._count(_any_number(mention))
        is_other = bool(mention.shape) and best.shape not in (mention.shape, *mention.loose)
        truth = Truth.NO
        if misfits[best] < 0.5:
            truth = Truth.YES if all(part in _parts(best) for part, _ in mention.features) else Truth.UNKNOWN
        elif misfits[best] < 2 * NEAR and not is_other:
            truth = Truth.UNKNOWN
        opposite = {Truth.YES: Truth.NO, Truth.NO: Truth.YES}
        return opposite.get(truth, truth) if mention.negated else truth, self._facts(mention)

    def _facts(self, mention: Mention) -> str:
        """Return what is so of the pieces that a question is about, or what comes nearest."""
        head = replace(mention, places=(), features=(), relation="", other=None)
        pieces = mention.among(self.board, is_strict=not mention.has_head) or head.among(self.board)
        if not mention.has_head and (mention.places or mention.other):
            return self._describe(mention, frozenset())
        if not pieces or (mention.other and not mention.other.among(self.board)):
            return self._none(mention)
        say = _orientation_words if mention.features else _place
        return join_list([say(piece) for piece in pieces[:3]])

    # ------------------------------------------------------------------ words
    def _with_places(self, pieces: Sequence[Piece]) -> str:
        return join_list([f"a {piece.name} {place_name(piece)}" for piece in pieces])

    def _none(self, mention: Mention) -> str:
        """Say that there is no such piece, and what comes nearest."""
        nothing = f"I have {_count_words(0, mention).removesuffix('s')}{self._place_words(mention)}"
        for looser in (Mention(mention.colours, mention.shape), Mention(shape=mention.shape), Mention(mention.colours)):
            is_useful = looser.has_head and looser != mention and not mention.without
            if pieces := looser.among(self.board)[:3] if is_useful else []:
                return f"{nothing}; {join_list(list(map(_place, pieces)))}"
        return nothing

    def _place_words(self, mention: Mention) -> str:
        """Return where a mention says that pieces are: " at the top", " next to the blue T"."""
        others = mention.other.among(self.board) if mention.other else []
        if others:
            return f" {'next to' if mention.relation == 'near' else mention.relation} the {others[0].name}"
        return f" {place_words(mention.places)}" if mention.places else ""


def _any_number(mention: Mention) -> Mention:
    """Return a mention without its number or denial."""
    return replace(mention, low=1, high=MANY, is_bare_number=False, negated=False)


def _count_words(number: int, mention: Mention) -> str:
    """Return "two red pieces", "no other T"."""
    words = ["other"] * bool(mention.without) + [*mention.colours, mention.shape or "piece"]
    return f"{number_word(number)} {' '.join(words)}{'s' * (number != 1)}"


def _parts(piece: Piece) -> set[str]:
    """Return what can be said of the lie of a piece of this shape."""
    turned = {"turned"} if piece.shape in "TU" else set()
    mirrored = {"mirrored"} if (0, True) in orientations(piece.shape) else set()
    stance = {"stance"} if piece.shape == "T" or piece.height != piece.width else set()
    return {*piece_features(piece.shape, piece.turn, piece.mirrored), *turned, *stance, *mirrored}


def _orientation_words(piece: Piece) -> str:
    """Return how a piece lies: "the blue T is with its stem pointing left"."""
    words = orientation(piece.shape, piece.turn, piece.mirrored)
    return f"the {piece.name} is {words}" if words else f"the {piece.name} looks the same from all sides"


def _place(piece: Piece) -> str:
    return f"the {piece.name} is {place_name(piece)}"


def _with_truth(truth: Truth, facts: str) -> str:
    return f"I am not sure; {facts}" if truth is Truth.UNKNOWN else f"{truth.value}, {facts}"


def place_words(places: Sequence[str]) -> str:
    """Return "at the top left", "on the left", "in the middle"."""
    sides = [place for place in ("top", "bottom", "middle", "left", "right") if place in places]
    if sides == ["middle"]:
        return "in the middle"
    return f"{'on' if sides[:1] in (['left'], ['right']) else 'at'} the {' '.join(sides)}"


def place_name(piece: Piece) -> str:
    """Return where a piece is: "at the top left"."""
    return "in the centre" if piece.place == "centre" else f"at the {piece.place}"
