"""Answers questions about a pentomino board: the evaluator of the mentions of `board_reading.py`.

It knows one board completely. "No" is said only of a question of which every word was understood.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import replace
from functools import partial

from games.common.language.board_phrases import CONFUSABLE_SHAPES, words_for
from games.common.language.board_places import (
    ANY_PLACES,
    CLEAR,
    DIRECTIONS,
    MANNERS,
    NEAR,
    VAGUE_MISFIT,
    measure_gap,
    measure_place_misfit,
    measure_relation_misfit,
    split_place,
    split_relation,
)
from games.common.language.board_reading import (
    MANY_PIECES,
    BoardReading,
    Mention,
    describe_lie,
    inherit_head,
    read_board_text,
)
from games.common.language.claims import Answer, Truth, Verdict
from games.common.language.grid_answers import answer_each, answer_unsure
from games.common.language.terms import OPPOSITE_SIDES
from games.common.language.tokens import tokenize
from games.common.language.wording import capitalise, join_list, spell_out_number
from games.common.pentomino import Board, Piece, describe_orientation

SIDE_ORDER = ("top", "bottom", "middle", "left", "right")
HOLDS_WEIGHT = 0.02
DOUBTFUL_WEIGHT = 0.3
"""The most that a mention weighs whose sentence was not all understood."""


class BoardEvaluator:
    """Judges mentions and answers questions about one board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    # ------------------------------------------------------------------ judging
    def judge(self, mention: Mention, is_strict: bool = False) -> Verdict:
        """Return whether a mention is so here, and how much that says about the partner's board being the same.

        Numbers at a place and of shapes that are mixed up weigh little: people draw these limits elsewhere.
        """
        misfit = self.misfit(mention, is_strict)
        if misfit < NEAR:
            return Verdict(Truth.YES, HOLDS_WEIGHT, f"“{mention}” fits")
        is_vague = mention.is_number and (bool(mention.places) or mention.shape in CONFUSABLE_SHAPES)
        weight_limit = DOUBTFUL_WEIGHT if not mention.is_sure else VAGUE_MISFIT if is_vague else CLEAR
        return Verdict(Truth.NO, -min(misfit, weight_limit), f"“{mention}” does not fit")

    def misfit(self, mention: Mention, is_strict: bool = False) -> float:
        """Return how much a mention is not so here."""
        sure_count, possible_count = (len(mention.find_pieces(self.board, strict)) for strict in (True, is_strict))
        if mention.is_anything and not mention.is_number:
            return 0.0
        if not mention.maximum or (mention.is_negated and mention.is_number):
            return CLEAR * (max(1, mention.minimum) <= sure_count <= (mention.maximum or MANY_PIECES))
        if mention.is_negated:  # of "the red one is not at the top" some red one is not
            head_count = len(Mention(mention.colour, mention.shape).find_pieces(self.board))
            return CLEAR * (0 < head_count <= sure_count)
        best_misfit = min([CLEAR, *(mention.misfit(piece, self.board, is_strict) for piece in self.board.pieces)])
        if mention.is_number and (sure_count > mention.maximum or possible_count < mention.minimum):
            is_vague = mention.shape in CONFUSABLE_SHAPES or mention.places or mention.features or mention.anchor
            return max(VAGUE_MISFIT, best_misfit) if is_vague else CLEAR
        return best_misfit

    # ------------------------------------------------------------------ answering
    def answer(self, question: str) -> Answer:
        """Return the answer to a question, or to each of several."""
        return answer_each(question, partial(self._answer_question, topics=[]))

    def _answer_question(self, question: str, topics: list[Mention]) -> Answer:
        """Answer a question; "it" is of the topic of the question before it, which is added."""
        reading = read_board_text(question)
        words = frozenset(token.text.removesuffix("'s") for token in tokenize(question) if token.is_word)
        mentions = [m for m in dict.fromkeys(reading.mentions) if not m.is_anything or m.is_number]
        mentions = _resolve_pronouns(mentions, words, topics)
        unparsed_words = _list_unanswered(words, reading)
        if words_for("contact") & {*unparsed_words} and not any(mention.places for mention in mentions):
            return _make_answer(Truth.NO, "no piece touches another one")
        if answer := self._answer_repeated(words, reading) or self._answer_whether_alike(words, reading):
            return answer
        if words & words_for("open") and not unparsed_words:
            return Answer(self._answer_open_question(words, mentions or [Mention()]))
        unparsed_words = (
            unparsed_words or [*reading.unparsed_words] or sorted(words & words_for("pronoun")) * (not mentions)
        )
        if mentions and not unparsed_words:
            return self._answer_yes_or_no(words, mentions)
        facts = [self._describe(mention, _place) for mention in mentions[:2] or [Mention()]]
        return answer_unsure(unparsed_words, "; ".join(facts))

    def _answer_repeated(self, words: Set[str], reading: BoardReading) -> Answer | None:
        """Answer "which colours appear twice?" and "are all shapes different?" of the whole board."""
        aspects = _list_aspects(words)
        is_about_some = any(m.has_head or m.places or m.anchor for m in reading.mentions)
        is_about_all, is_opposite = bool(words & words_for("all")), "different" in words
        counts = {m.minimum for m in reading.mentions if m.is_number}
        is_about_some |= not words & words_for("repeated") and not counts
        is_once = bool(words & words_for("once")) or counts == {1}
        is_read = words_for("repeated").issuperset(reading.unparsed_words) and is_about_all == is_opposite
        if len(aspects) != 1 or is_about_some or not is_read or not counts <= {1, 2}:
            return None
        values = [getattr(piece, aspects[0]) for piece in self.board.pieces]
        repeated = [value for value in dict.fromkeys(values) if (values.count(value) > 1) != is_once]
        facts = f"{join_list(repeated) or f'no {aspects[0]} is there'} {'once' if is_once else 'twice'}"
        truth = Truth.YES if bool(repeated) != is_opposite else Truth.NO
        return Answer(facts) if words & words_for("open") else _make_answer(truth, facts)

    def _answer_whether_alike(self, words: Set[str], reading: BoardReading) -> Answer | None:
        """Answer "do the two red pieces have the same shape?" and "are both bars different colours?"."""
        aspects, comparison_words = _list_aspects(words), words & {"same", "different", "not"}
        heads = {replace(m, is_sure=True): None for m in reading.mentions if not m.is_anything}
        is_read = words_for("repeated").issuperset(reading.unparsed_words) and words.isdisjoint(words_for("open"))
        is_placed = any((m.places and len(heads) == 1) or m.features or m.anchor or m.is_denied for m in heads)
        if not (is_read and len(aspects) == len(comparison_words) == 1) or is_placed:
            return None
        pieces = self._find_all(heads)
        is_clear = len(pieces) > 1 and len(heads) in (1, len(pieces))
        if not is_clear or any(m.is_number and m.minimum != len(pieces) for m in reading.mentions):
            return None
        values = {getattr(piece, aspects[0]) for piece in pieces}
        truth = Truth.YES if len(values) == (1 if "same" in comparison_words else len(pieces)) else Truth.NO
        return _make_answer(truth, _say(_name_place, pieces))

    def _answer_open_question(self, words: Set[str], mentions: Sequence[Mention]) -> str:
        """Answer how many, what, which, where and how: which pieces are meant, where they are, or how they lie."""
        mentions = list(map(self._narrow, _turn_denials(mentions)))
        is_number = not words.isdisjoint(("many", "number"))
        if not mentions[0].has_head:  # "what is under the T, the bar?"
            mentions = [mention for mention in mentions if not mention.has_head]
        pieces = self._find_all(inherit_head(mentions[0], mention) for mention in mentions)
        if {"or"} < words & words_for("comparing") and len(pieces) == 2:
            return _say_directions(pieces[1], pieces[0])
        if is_number and words & words_for("colour") and not any(mention.has_head for mention in mentions):
            colours = list(dict.fromkeys(piece.colour for piece in self.board.pieces))
            return f"{spell_out_number(len(colours))} colours: {join_list(colours)}"
        if is_number:
            return join_list(list(map(self._describe_count, mentions)))
        if words & words_for("way") or ("how" in words and any(mention.features for mention in mentions)):
            return join_list([self._describe(replace(mention, features=()), _say_orientation) for mention in mentions])
        return join_list([*dict.fromkeys(self._describe(m, _choose_answer(words, m)) for m in mentions)])

    def _narrow(self, mention: Mention) -> Mention:
        """Return a mention as strict as some piece fits: under a piece before beside it, at an edge before near it."""
        edges = _edges_for(mention.places)
        manners = MANNERS if mention.relation in DIRECTIONS else ("",)
        options = [
            replace(mention, relation=f"{strictness} {mention.relation}".strip(), places=places)
            for strictness in manners
            for places in dict.fromkeys((edges, mention.places))
        ]
        options += [mention] if mention.has_head else []
        return next((option for option in options if self._find_pieces(option)), options[-1])

    def _describe_count(self, mention: Mention) -> str:
        """Return how many there are, and which."""
        pieces = self._find_pieces(mention)
        pieces_text = self._describe(mention, _name_place)
        return f"I have {_name_pieces(len(pieces), mention)}: {pieces_text}" if pieces else pieces_text

    def _find_pieces(self, mention: Mention) -> list[Piece]:
        """Return the pieces that a mention is about, however many it says there are."""
        strict_pieces = mention.find_pieces(self.board, is_strict=True)
        return strict_pieces or (mention.find_pieces(self.board) if mention.has_head else [])

    def _find_all(self, mentions: Iterable[Mention]) -> list[Piece]:
        """Return the pieces that some mentions are about."""
        return list(dict.fromkeys(piece for mention in mentions for piece in self._find_pieces(mention)))

    def _describe(self, mention: Mention, describe_piece: Callable[[Piece], str]) -> str:
        """Say something of the pieces that a mention is about, or that there are none and what comes nearest."""
        if pieces := self._find_pieces(mention):
            return _say(describe_piece, pieces)
        anchors = self._find_pieces(mention.anchor)[:1] if mention.anchor else []
        if mention.anchor and not anchors:
            return self._describe(mention.anchor, describe_piece)
        relation_texts = [f"{split_relation(mention.relation)[1]} the {other_piece.name}" for other_piece in anchors]
        place_text = " ".join([*_write_places(mention.places), *relation_texts])
        if not mention.has_head:
            return f"there is nothing {place_text}".rstrip()
        loosest = (Mention(mention.colour, mention.shape), Mention(shape=mention.shape), Mention(mention.colour))
        nearest = [looser.find_pieces(self.board)[:3] for looser in loosest if looser.has_head and not mention.without]
        nothing_text = f"I have {_name_pieces(0, mention)} {place_text}".rstrip()
        return "; ".join([nothing_text, *(_say(describe_piece, pieces) for pieces in [*filter(None, nearest)][:1])])

    # ------------------------------------------------------------------ yes or no
    def _answer_yes_or_no(self, words: Set[str], mentions: Sequence[Mention]) -> Answer:
        """Answer with yes or no, and with what is there: what is not so first; of alternatives what is so."""
        if words & {"than", "or"} and words & {"more", "fewer"} and len(mentions) == 2:
            return self._compare_numbers(words, mentions)
        if "or" in words and words.isdisjoint(("there", "have")):  # "is the red one a T or an F"
            mentions = [inherit_head(mentions[0], mention) for mention in mentions]
        heads = {Mention(mention.colour, mention.shape) for mention in mentions}
        if "or" in words and len(heads) == 1 and (mentions[0].has_head or mentions[0].is_number):
            return Answer(self._choose(heads.pop(), mentions))
        quantifiers = words & {"every", "each", "all", "both"}
        answers = dict.fromkeys(_make_answer(*self._check_mention(mention, quantifiers)) for mention in mentions[:4])
        is_alternative = "or" in words and any(answer.truth is Truth.YES for answer in answers)
        preferred = Truth.YES if is_alternative else Truth.NO
        ordered = sorted(answers, key=lambda answer: answer.truth is not preferred)[: 1 if is_alternative else None]
        if is_alternative and words.isdisjoint(words_for("existence")):  # not "is there a T or an L"
            return Answer(ordered[0].text.removeprefix("yes, "))
        return Answer(". ".join(capitalise(answer.text) for answer in ordered), ordered[0].truth)

    def _compare_numbers(self, words: Set[str], mentions: Sequence[Mention]) -> Answer:
        """Return whether there are more, or fewer, of the first pieces than of the second; how many, of a choice."""
        first, second = (len(self._find_pieces(mention)) for mention in mentions)
        is_true = first > second if "more" in words else first < second
        facts = join_list(list(map(self._describe_count, mentions)))
        return Answer(facts) if "or" in words else _make_answer(Truth.YES if is_true else Truth.NO, facts)

    def _choose(self, head: Mention, mentions: Sequence[Mention]) -> str:
        """Return what is so of a piece of which alternatives are asked: how many, where it is or how it lies."""
        if mentions[0].is_number:
            return self._describe_count(head)
        anchors = self._find_all(mention.anchor for mention in mentions if mention.anchor)
        if anchors:
            return self._describe(head, partial(_say_directions, anchors[0]))
        return self._describe(head, _choose_aspect(mentions))

    def _check_mention(self, mention: Mention, quantifiers: Set[str]) -> tuple[Truth, str]:
        """Return whether a mention is so, and what is."""
        if mention.is_number or not mention.maximum:
            truth, facts = self._check_number(mention)
        elif quantifiers and (mention.colour or mention.places or mention.features):
            truth, facts = self._check_all(mention, is_about_both="both" in quantifiers)
        else:
            truth, facts = self._check_best_piece(mention)
        opposite_truths = {Truth.YES: Truth.NO, Truth.NO: Truth.YES}
        return opposite_truths.get(truth, truth) if mention.is_negated else truth, facts

    def _check_all(self, mention: Mention, is_about_both: bool) -> tuple[Truth, str]:
        """Return whether all of some pieces are as a mention says; unknown where "all red ones" may mean other ones."""
        subjects = [Mention(shape=mention.shape)]
        if mention.colour and (mention.places or mention.features):
            subjects = [replace(mention, places=(), features=()), replace(mention, colour="")]
        groups = [self._find_pieces(subject) for subject in subjects[: 1 if is_about_both else None]]
        if len(groups[0]) < 1 + is_about_both or not groups[-1]:
            return self._check_best_piece(mention)
        is_strict = not mention.has_head
        worst = [max(mention.misfit(piece, self.board, is_strict) for piece in pieces) for pieces in groups]
        truth = Truth.NO if min(worst) >= NEAR else Truth.UNKNOWN if any(worst) else Truth.YES
        return truth, _say(_name_place, groups[0])

    def _check_number(self, mention: Mention) -> tuple[Truth, str]:
        """Return whether there are as many as a mention says. How large a corner is that is empty, nobody says."""
        has_corner = any(place.endswith("-corner") and place not in ANY_PLACES for place in mention.places)
        pieces_nearby = self._find_pieces(Mention(places=mention.places)) if has_corner else []
        is_true = mention.minimum <= len(self._find_pieces(mention)) <= mention.maximum
        if is_true and not mention.maximum and pieces_nearby:
            return Truth.UNKNOWN, _say(_place, pieces_nearby)
        return Truth.YES if is_true else Truth.NO, self._describe_count(mention)

    def _check_best_piece(self, mention: Mention) -> tuple[Truth, str]:
        """Return whether some piece is as a mention says, and what is so of the pieces that it is about.

        It is so for sure only of what touches the edge that is named, and of what is beside a piece altogether.
        """
        describe_piece = _choose_aspect([mention])
        is_strict = describe_piece is _say_edges or not mention.has_head
        strictest = replace(mention, places=_edges_for(mention.places))
        if mention.relation in DIRECTIONS and not mention.has_head:
            strictest = replace(strictest, relation=f"wholly {mention.relation}")
        best = min(self.board.pieces, key=lambda piece: strictest.misfit(piece, self.board, is_strict))
        if not strictest.misfit(best, self.board, is_strict):
            is_known = all(feature.split()[0] in describe_lie(best) for feature in mention.features)
            corners = [place for place in mention.places if place.endswith("-corner") and not mention.has_head]
            is_known &= not any(measure_gap(best, corner) for corner in corners)  # how large is an empty corner?
            return Truth.YES if is_known else Truth.UNKNOWN, self._describe(strictest, describe_piece)
        misfits = {piece: mention.misfit(piece, self.board, is_strict) for piece in self.board.pieces}
        best = min(self.board.pieces, key=lambda piece: misfits[piece])
        limit = NEAR if mention.anchor and not mention.has_head else 2 * NEAR
        is_false = misfits[best] >= limit or (mention.shape not in ("", best.shape) and not mention.features)
        return Truth.NO if is_false else Truth.UNKNOWN, self._describe(mention, describe_piece)


def _list_unanswered(words: Set[str], reading: BoardReading) -> list[str]:
    """Return the words that are known, but not in questions; "touch" is answered of edges."""
    unparsed_words = words_for("not_asked") | (words_for("contact") if words_for("edge").isdisjoint(words) else set())
    return sorted(words & words_for("unanswered")) or [
        word for word in reading.unparsed_words if word in unparsed_words
    ]


def _list_aspects(words: Set[str]) -> list[str]:
    """Return what a question asks of pieces: "colour", "shape" or both."""
    return [aspect for aspect in ("colour", "shape") if words & words_for(aspect)]


def _turn_denials(mentions: Sequence[Mention]) -> Sequence[Mention]:
    """Return "those that are not at an edge" as all of them without those that are."""
    denied = [mention for mention in mentions if mention.is_denied and not mention.is_anything]
    subjects = [Mention(m.colour, m.shape) if m.places or m.features or m.anchor else Mention() for m in denied[:1]]
    without = tuple(replace(mention, minimum=1, maximum=MANY_PIECES, is_negated=False) for mention in denied)
    return [replace(m, without=m.without + without) for m in mentions if m not in denied] or [
        replace(subject, without=without) for subject in subjects
    ]


def _resolve_pronouns(mentions: list[Mention], words: Set[str], topics: list[Mention]) -> list[Mention]:
    """Return the mentions of a question with what "it" stands for, none if that is unknown; they become topics."""
    has_pronoun = bool(words & words_for("pronoun")) and not any(mention.has_head for mention in mentions)
    if topics and (has_pronoun or len(words) == 1):  # "…, and which?"
        mentions = [inherit_head(topics[-1], mention) for mention in mentions] or topics[-1:]
    elif has_pronoun and any(mention.features for mention in mentions):
        mentions = []
    topics += [mention for mention in mentions if not mention.is_anything][:1]
    return mentions


def _edges_for(places: Sequence[str]) -> tuple[str, ...]:
    """Return places with the edges themselves for what is at or near them."""
    return tuple(place if place == "middle-rim" else place.replace("-rim", "-edge") for place in places)


def _name_pieces(number: int, mention: Mention) -> str:
    """Return "two red pieces", "no other T"."""
    adjective = "other" if mention.without else "such" if mention.features and not number else ""
    words = (spell_out_number(number), adjective, mention.colour, mention.shape or "piece")
    return " ".join(filter(None, words)) + "s" * (number > 1)


def _say(describe_piece: Callable[[Piece], str], pieces: Sequence[Piece]) -> str:
    return join_list(list(map(describe_piece, pieces)))


def _choose_aspect(mentions: Sequence[Mention]) -> Callable[[Piece], str]:
    """Return what says of a piece what mentions are about: how it lies, what it touches, or where it is."""
    if any(mention.features for mention in mentions):
        return _say_orientation
    is_about_edges = any(split_place(place)[1] == "edge" for mention in mentions for place in mention.places)
    return _say_edges if is_about_edges else _place


def _choose_answer(words: Set[str], mention: Mention) -> Callable[[Piece], str]:
    """Return what says which edges a piece touches, which it is, where it is, or also where a part of it is."""
    if words & words_for("contact") and words & words_for("edge") and not mention.places:
        return _say_edges
    is_about_part = bool(words & words_for("turning")) or not all(" " in feature for feature in mention.features)
    return partial(_place, says_lie=is_about_part) if is_about_part or "where" in words else _name_place


def _name_place(piece: Piece) -> str:
    return f"a {piece.name} {write_place(piece.place)}"


def _place(piece: Piece, says_lie: bool = False) -> str:
    lie = f", {describe_orientation(piece.shape, piece.turn, piece.mirrored)}" if says_lie else ""
    return f"the {piece.name} is {write_place(piece.place)}{lie}"


def _say_directions(anchor: Piece, piece: Piece) -> str:
    """Return "the red T is above and left of the blue L"."""
    directions = [direction for direction in DIRECTIONS if not measure_relation_misfit(piece, direction, anchor)]
    return f"the {piece.name} is {join_list(directions) or 'level with'} the {anchor.name}"


def _say_edges(piece: Piece) -> str:
    edges = [f"the {side} edge" for side in OPPOSITE_SIDES if not measure_place_misfit(piece, [f"{side}-edge"])]
    return f"the {piece.name} touches {join_list(edges) or 'no edge'}"


def _say_orientation(piece: Piece) -> str:
    """Return how a piece lies: "the blue T has its stem pointing left", "the red Y is upright with its bump …"."""
    words = describe_orientation(piece.shape, piece.turn, piece.mirrored) or "the same from all sides"
    return f"the {piece.name} {words.replace('with', 'has', 1) if words.startswith('with') else f'is {words}'}"


def _make_answer(truth: Truth, facts: str) -> Answer:
    return Answer(f"I am not sure; {facts}" if truth is Truth.UNKNOWN else f"{truth.value}, {facts}", truth)


def _write_places(places: Collection[str]) -> list[str]:
    """Return "at the top left" for thirds and corners, "in the left half", "at the top edge", "in a corner"."""
    parts_by_sides = dict(map(split_place, places))
    thirds = {side for sides, part in parts_by_sides.items() if part in ("", "corner") for side in sides} - {"any"}
    texts = [write_place(" ".join(sorted(thirds, key=SIDE_ORDER.index)))] if thirds else []
    for sides, part in parts_by_sides.items():
        if thirds.isdisjoint(sides):
            preposition, noun = ("at", "edge") if part in ("rim", "edge") else ("at" if part == "end" else "in", part)
            texts.append(f"{preposition} the {' '.join(sides)} {noun}".replace("the any", "a" + "n" * (noun == "edge")))
    return texts


def write_place(place: str) -> str:
    """Return "at the top left", "on the left", "in the centre"."""
    preposition = {"left": "on", "right": "on", "middle": "in", "centre": "in"}.get(place, "at")
    return f"{preposition} the {place}"
