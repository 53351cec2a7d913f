"""Answers questions about a pentomino board: the evaluator of the mentions of `board_reading.py`.

It knows one board completely. "No" is said only of a question of which every word was understood.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    relation_misfit,
)
from games.common.language.claims import Answer, Truth, Verdict
from games.common.language.grid_answers import UNSURE, number_word, split_questions
from games.common.language.wording import capitalise, join_list
from games.common.pentomino import COLOURS, SIZE, Board, Piece, orientation, orientations

HOLDS_WEIGHT = 0.02
WEAK = 0.9
"""The most that numbers at a place and of shapes that are mixed up weigh: people draw these limits elsewhere."""
DOUBTFUL = 0.3
"""The most that a mention weighs whose sentence was not all understood."""
ANYTHING = Mention()


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
        words = set(question.lower().replace(",", " ").replace("'s", " is").split())
        heard = dict.fromkeys(reading.mentions)
        mentions = [mention for mention in heard if not mention.is_anything or mention.is_bare_number]
        for read in (
            self._general,
            self._compare,
            self._how_many,
            self._answer_where,
            self._way,
            self._colours,
            self._pieces,
        ):
            if text := read(words, mentions):
                return Answer(text)
        return self._yes_or_no(words, mentions, reading.unread)

    def _general(self, words: set[str], mentions: Sequence[Mention]) -> str:
        """Answer questions about the whole board."""
        if words & {"mine", "yours"} and "same" in words:
            return f"I cannot tell yet, I only see my own board; {self.offer()}"
        if words & {"special", "else"} and not mentions:
            return f"nothing more than this: {self.whole(self.board.pieces[-1])}"
        if "big" in words and "how" in words:
            return f"my board is {SIZE} by {SIZE} cells and has {self._count_words(len(self.board.pieces))}"
        if words & {"touch", "touching"}:
            return self._edge() if words & {"edge", "border", "side"} else "no, none of my pieces touch each other"
        if "same" in words and words & {"colour", "color"}:
            return self._same_colour(mentions)
        if not mentions and words & {"list", "describe", "all", "everything", "pieces", "what"} and "how" not in words:
            is_request = words & {"list", "describe", "everything", "which", "what", "tell"} and not words & {
                "colours",
                "colour",
                "colors",
            }
            return f"I have {self._with_places(self.board.pieces)}" if is_request else ""
        return ""

    def _compare(self, words: set[str], mentions: Sequence[Mention]) -> str:
        """Answer "are there more crosses than bars"."""
        if "than" not in words or not words & {"more", "fewer"} or len(mentions) != 2:
            return ""
        if any(mention.is_bare_number for mention in mentions):
            return ""
        first, second = (len(mention.among(self.board)) for mention in mentions)
        is_so = first > second if "more" in words else first < second
        return f"{'yes' if is_so else 'no'}, {join_list([self._count(mention) for mention in mentions])}"

    def _same_colour(self, mentions: Sequence[Mention]) -> str:
        pieces = [p for mention in mentions for p in mention.among(self.board)] or list(self.board.pieces)
        colours = [piece.colour for piece in pieces]
        is_all = bool(mentions) and any(mention.has_head for mention in mentions)
        same = len(set(colours)) == 1 if is_all else len(set(colours)) < len(colours)
        return f"{'yes' if same else 'no'}, {self._with_places(pieces) if is_all else self._colour_list()}"

    def _edge(self) -> str:
        pieces = [p for p in self.board.pieces if any({0, SIZE - 1} & set(cell) for cell in p.cells)]
        names = join_list([f"the {piece.name}" for piece in pieces]) or "no piece"
        return f"{names} {'reach' if pieces[1:] else 'reaches'} the edge"

    def _how_many(self, words: set[str], mentions: Sequence[Mention]) -> str:
        """Answer "how many …"."""
        if not {"how", "many"} <= words and not words & {"number"}:
            return ""
        if words & {"colours", "colors"}:
            return f"{number_word(len({piece.colour for piece in self.board.pieces}))} colours: {self._colour_list()}"
        parts = [self._count(replace(mention, low=1, high=MANY, is_bare_number=False)) for mention in mentions]
        return join_list(parts) or f"there are {self._count_words(len(self.board.pieces))}"

    def _count(self, mention: Mention) -> str:
        pieces = mention.among(self.board, is_strict=not mention.has_head)
        if not pieces:
            return self._none(mention)
        names = self._with_places(pieces) if mention.has_head else join_list([self.name(piece) for piece in pieces])
        return f"I have {self._count_words(len(pieces), mention)}{self._place_of(mention)}: {names}"

    def _answer_where(self, words: set[str], mentions: Sequence[Mention]) -> str:
        """Answer "where is the blue T"."""
        if "where" not in words:
            return ""
        return join_list(
            [self._each(mention, lambda piece: f"the {piece.name} is {place_name(piece)}") for mention in mentions]
        )

    def _way(self, words: set[str], mentions: Sequence[Mention]) -> str:
        """Answer "which way does the T point", "how is the U turned"."""
        if not words & {"way", "direction", "turned", "oriented", "orientation", "orientated"} and not (
            "how" in words and any(mention.features for mention in mentions)
        ):
            return ""
        plain = [replace(mention, features=()) for mention in mentions]
        return "; ".join(self._each(mention, self.lie, "; ") for mention in plain)

    def _colours(self, words: set[str], mentions: Sequence[Mention]) -> str:
        """Answer "what colour is the cross", "what colours do you have"."""
        if not words & {"colour", "color", "colours", "colors", "coloured"} or not words & {"what", "which", "list"}:
            return ""
        if not mentions:
            return f"I have {self._colour_list()}"
        return join_list([self._each(mention, self._name_with_place) for mention in mentions])

    def _pieces(self, words: set[str], mentions: Sequence[Mention]) -> str:
        """Answer "what is in the top left", "what shape is the red one", "which piece is below the T"."""
        if not words & {"what", "which", "tell", "list"}:
            return ""
        if words & {"closest", "nearest"}:
            places = next((mention.places for mention in mentions if mention.places), ())
            piece = min(self.board.pieces, key=lambda piece: _distance(piece, places))
            return f"that is {self._name_with_place(piece)}"
        if "between" in words and len(mentions) > 1:
            return self._describe_between(mentions)
        return join_list([self._listing(mention) for mention in mentions])

    def _listing(self, mention: Mention) -> str:
        pieces = replace(mention, low=1, high=MANY, negated=False, is_bare_number=False).among(
            self.board, is_strict=not mention.has_head
        )
        if mention.has_head and not mention.other:
            return self._each(
                mention,
                lambda piece: (
                    f"{self._name_with_place(piece)}, {self.lie(piece)}"
                    if piece.shape != "X"
                    else self._name_with_place(piece)
                ),
            )
        where = self._relation_words(mention) or self._place_of(mention)
        if not pieces:
            return f"there is nothing{where}"
        return f"there {'are' if pieces[1:] else 'is'} {join_list([self.name(piece) for piece in pieces])}{where}"

    def _describe_between(self, mentions: Sequence[Mention]) -> str:
        ends = [piece for mention in mentions[-2:] for piece in mention.among(self.board)[:1]]
        if len(ends) < 2:
            return join_list([self._none(mention) for mention in mentions[-2:] if not mention.among(self.board)])
        spans = [sorted(pair) for pair in zip(ends[0].middle, ends[1].middle, strict=True)]
        inside = [
            piece
            for piece in self.board.pieces
            if piece not in ends
            and all(low - 1 <= x <= high + 1 for x, (low, high) in zip(piece.middle, spans, strict=True))
        ]
        return f"between them there is {join_list([self.name(piece) for piece in inside]) or 'nothing'}"

    # ------------------------------------------------------------------ yes or no
    def _yes_or_no(self, words: set[str], mentions: Sequence[Mention], unread: Sequence[str]) -> Answer:
        """Answer with yes or no, and with what is there; "not sure" where a word was not understood."""
        if unread or not mentions:
            about = f" by {join_list([f'“{word}”' for word in unread[:3]])}" if unread else ""
            facts = "; ".join(self._facts(mention) for mention in mentions[:2]) or self.offer()
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
        pieces = mention.among(self.board, is_strict)
        misfits = {piece: mention.misfit(piece, self.board, is_strict) for piece in self.board.pieces}
        best = min(self.board.pieces, key=lambda piece: misfits[piece])
        if mention.is_bare_number or not mention.high:
            is_so = (mention.low <= len(pieces) <= mention.high) != mention.negated
            plain = replace(mention, low=1, high=MANY, is_bare_number=False, negated=False)
            return Truth.YES if is_so else Truth.NO, self._count(plain)
        if misfits[best] < 0.5:
            unclear = any(part not in self._parts(best) for part, _ in mention.features)
            truth = Truth.UNKNOWN if unclear else Truth.NO if mention.negated else Truth.YES
            return truth, self._facts(mention)
        is_other = bool(mention.shape) and best.shape not in (mention.shape, *mention.loose)
        if misfits[best] < 2 * NEAR and not is_other:
            return Truth.UNKNOWN, self._facts(mention)
        return Truth.YES if mention.negated else Truth.NO, self._facts(mention)

    def _parts(self, piece: Piece) -> set[str]:
        turned = {"turned"} if piece.shape in "TU" else set()
        mirrored = {"mirrored"} if (0, True) in orientations(piece.shape) else set()
        stance = {"stance"} if piece.shape == "T" or piece.height != piece.width else set()
        return {*piece_features(piece.shape, piece.turn, piece.mirrored), *turned, *stance, *mirrored}

    def _facts(self, mention: Mention) -> str:
        """Return what is so of the pieces that a question is about, or what comes nearest."""
        pieces = mention.among(self.board, is_strict=not mention.has_head)
        head = replace(mention, places=(), features=(), relation="", other=None)
        if not mention.has_head:
            return self._listing(mention) if not pieces or mention.other else self._with_places(pieces)
        if not head.among(self.board):
            return self._none(head)
        about = (pieces or head.among(self.board))[:3]
        if ("mirrored", "mirrored") in mention.features:
            return join_list([_mirror_words(piece) for piece in about])
        if mention.features:
            return join_list([self.lie(piece) for piece in about])
        if mention.other and mention.other.among(self.board):
            return join_list([self._relation_fact(piece, mention) for piece in about])
        if mention.other:
            return self._none(mention.other)
        return join_list([f"the {piece.name} is {place_name(piece)}" for piece in about])

    def _relation_fact(self, piece: Piece, mention: Mention) -> str:
        assert mention.other
        others = [other for other in mention.other.among(self.board) if other != piece]
        if any(relation_misfit(piece, mention.relation, other) == 0 for other in others):
            return f"the {piece.name} is {mention.relation} the {others[0].name}"
        places = join_list([f"the {other.name} {place_name(other)}" for other in others])
        return f"the {piece.name} is {place_name(piece)} and {places or 'nothing else'}"

    # ------------------------------------------------------------------ words
    def _each(self, mention: Mention, say: object, joint: str = "") -> str:
        """Say something of each piece that is meant, or that there is none."""
        assert callable(say)
        pieces = replace(mention, low=1, high=MANY, is_bare_number=False).among(
            self.board, is_strict=not mention.has_head
        )
        parts = [str(say(piece)) for piece in pieces]
        return (joint.join(parts) if joint else join_list(parts)) or self._none(mention)

    def name(self, piece: Piece) -> str:
        """Return "a blue T"."""
        return f"a {piece.name}"

    def _name_with_place(self, piece: Piece) -> str:
        return f"a {piece.name} {place_name(piece)}"

    def lie(self, piece: Piece) -> str:
        """Return how a piece lies: "the blue T is with its stem pointing left"."""
        words = orientation(piece.shape, piece.turn, piece.mirrored)
        return f"the {piece.name} is {words}" if words else f"the {piece.name} looks the same from all sides"

    def whole(self, piece: Piece) -> str:
        """Return all about a piece."""
        return f"the {piece.name} is {place_name(piece)} {orientation(piece.shape, piece.turn, piece.mirrored)}".strip()

    def offer(self) -> str:
        """Return something about the board that a person would notice."""
        return self.whole(self.board.pieces[0])

    def _with_places(self, pieces: Sequence[Piece]) -> str:
        return join_list([self._name_with_place(piece) for piece in pieces])

    def _count_words(self, number: int, mention: Mention = ANYTHING) -> str:
        shape = mention.shape or "piece"
        colour = "other " * bool(mention.without) + "".join(f"{colour} " for colour in mention.colours)
        return f"{number_word(number)} {colour}{shape}{'s' * (number != 1)}"

    def _none(self, mention: Mention) -> str:
        """Say that there is no such piece, and what comes nearest."""
        relation = self._relation_words(mention)
        nothing = f"I have {self._count_words(0, mention).removesuffix('s')}{self._place_of(mention)}{relation}"
        options = (
            replace(mention, places=(), features=(), other=None),
            Mention(shape=mention.shape),
            Mention(mention.colours),
        )
        for looser in options:
            is_useful = looser.has_head and looser != mention and not mention.without
            pieces = looser.among(self.board) if is_useful else []
            if pieces:
                return f"{nothing}; {join_list([f'the {piece.name} is {place_name(piece)}' for piece in pieces[:3]])}"
        return nothing

    def _place_of(self, mention: Mention) -> str:
        return f" {place_words(mention.places)}" if mention.places else ""

    def _relation_words(self, mention: Mention) -> str:
        if not mention.other:
            return ""
        pieces = mention.other.among(self.board)
        way = "next to" if mention.relation == "near" else mention.relation
        return f" {way} the {pieces[0].name}" if pieces else ""

    def _colour_list(self) -> str:
        counts = {colour: sum(piece.colour == colour for piece in self.board.pieces) for colour in COLOURS}
        return join_list([f"{number_word(n)} {colour} piece{'s' * (n > 1)}" for colour, n in counts.items() if n])


def _with_truth(truth: Truth, facts: str) -> str:
    return f"I am not sure; {facts}" if truth is Truth.UNKNOWN else f"{truth.value}, {facts}"


def _mirror_words(piece: Piece) -> str:
    """Return whether a piece is mirrored, in words."""
    if (0, True) not in orientations(piece.shape):
        return f"the {piece.name} looks the same mirrored"
    return f"the {piece.name} is {'' if piece.mirrored else 'not '}mirrored"


def _distance(piece: Piece, places: Sequence[str]) -> float:
    targets = {"top": (0, 0), "bottom": (0, SIZE), "left": (1, 0), "right": (1, SIZE)}
    return sum(abs(piece.middle[axis] - end) for axis, end in (targets.get(place, (0, SIZE / 2)) for place in places))


def place_words(places: Sequence[str]) -> str:
    """Return "at the top left", "on the left", "in the middle"."""
    sides = [place for place in ("top", "bottom", "middle", "left", "right") if place in places]
    if sides == ["middle"]:
        return "in the middle"
    return f"{'on' if sides[:1] in (['left'], ['right']) else 'at'} the {' '.join(sides)}"


def place_name(piece: Piece) -> str:
    """Return where a piece is: "at the top left"."""
    return "in the centre" if piece.place == "centre" else f"at the {piece.place}"
