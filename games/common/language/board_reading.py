"""Reads what people say about a pentomino board: mentions of pieces with colour, shape, place, lie and number.

A sentence is cut into segments, one for each kind of piece that it mentions; words such as "left of" and "except" join
them. A mention fits a piece as far as nothing speaks against it: `Mention.misfit` is 0 for a piece that is just so and
grows with each attribute that differs. A board is described completely, so that a number of pieces is right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise, takewhile

from games.common.language.board_phrases import (
    CONFUSABLE_SHAPES,
    END,
    PARTS,
    PLAIN_CLAUSE,
    join_phrases,
    read_words,
    words_for,
)
from games.common.language.board_places import (
    CLEAR,
    NEAR,
    VAGUE_MISFIT,
    measure_gap,
    measure_place_misfit,
    measure_relation_misfit,
)
from games.common.language.doubt import is_plain, sentences
from games.common.language.terms import OPPOSITE_SIDES, Term, bounds_of
from games.common.pentomino import Board, Piece, describe_orientation, list_orientations

LETTER_THRESHOLD = 5
"""Who names so many pieces by letters, and places by "centre", names them exactly, as the scripted partner does."""
MANY_PIECES = 99


# ---------------------------------------------------------------------- mentions
@dataclass(frozen=True)
class Mention:
    """Pieces as a text speaks of them: what is said of them, and how many there are. Empty fields say nothing."""

    colour: str = ""
    shape: str = ""
    places: tuple[str, ...] = ()
    """Where: "top", "middle", "left-half", "top-edge" (see `board_places.py`)."""
    features: tuple[str, ...] = ()
    """How it lies: a part and its direction, as in "stem left" and "stance upright"."""
    relation: str = ""
    anchor: Mention | None = None
    without: tuple[Mention, ...] = ()
    minimum: int = 1
    maximum: int = MANY_PIECES
    is_negated: bool = False
    is_sure: bool = True
    """Whether all of its clause was understood; else it may have been meant otherwise."""
    sentence_number: int = field(default=0, compare=False)
    """Where in its text it stands."""

    @property
    def is_number(self) -> bool:
        """Whether it says how many there are."""
        return self.maximum > 0 and (self.minimum, self.maximum) != (1, MANY_PIECES)

    @property
    def has_head(self) -> bool:
        """Whether it says which pieces are meant by colour or shape."""
        return bool(self.colour or self.shape)

    @property
    def is_denied(self) -> bool:
        """Whether it says that no piece is so."""
        return self.is_negated or not self.maximum

    @property
    def is_anything(self) -> bool:
        """Whether it says nothing but a number."""
        return not (self.has_head or self.places or self.features or self.anchor or self.without)

    def __str__(self) -> str:
        """Return in words what was understood: "no black T at the left"."""
        count_text = "no" if not self.maximum else str(self.minimum) if self.is_number else ""
        noun_text = self.shape or ("piece" if self.minimum == 1 else "pieces")
        place_words = ("at the", *(place.replace("-", " ") for place in self.places)) if self.places else ()
        related = (self.relation, str(self.anchor)) if self.anchor else ()
        return " ".join(filter(None, (count_text, self.colour, noun_text, *self.features, *place_words, *related)))

    def misfit(self, piece: Piece, board: Board, is_strict: bool = False) -> float:
        """Return how much of it is not so of a piece: 0 where all is."""
        if any(other.misfit(piece, board, is_strict) < NEAR for other in self.without):
            return CLEAR
        return (
            CLEAR * (self.colour not in ("", piece.colour))
            + self._measure_shape_misfit(piece, is_strict)
            + measure_place_misfit(piece, self.places, is_strict, self.is_denied)
            + CLEAR * sum(is_contradicted(feature, piece, is_strict and not self.shape) for feature in self.features)
            + self._measure_end_misfit(piece, board, is_strict)
            + self._measure_anchor_misfit(piece, board)
        )

    def _measure_shape_misfit(self, piece: Piece, is_strict: bool) -> float:
        """Return how far a piece is from the shape that is named: less if people mix the two up."""
        is_vague = not is_strict and piece.shape in CONFUSABLE_SHAPES.get(self.shape, "")
        return 0.0 if self.shape in ("", piece.shape) else VAGUE_MISFIT if is_vague else CLEAR

    def _measure_end_misfit(self, piece: Piece, board: Board, is_strict: bool) -> float:
        """Return whether other pieces reach farther to a side: than "the lowest", or "the two lowest"."""
        limits = {end: measure_gap(piece, end) - (not is_strict) for end in self.places if end.endswith("-end")}
        farther = [sum(measure_gap(other, end) < limit for other in board.pieces) for end, limit in limits.items()]
        return CLEAR * (max(farther, default=0) >= max(1, self.minimum))

    def _measure_anchor_misfit(self, piece: Piece, board: Board) -> float:
        """Return how far a piece is from standing so to another that fits the anchor, or nearly does."""
        if not self.anchor:
            return 0.0
        misfits = [(self.anchor.misfit(other, board), other) for other in board.pieces if other != piece]
        relation_misfits = (
            max(misfit * (misfit >= NEAR), measure_relation_misfit(piece, self.relation, other))
            for misfit, other in misfits
        )
        return min(CLEAR, *relation_misfits)

    def find_pieces(self, board: Board, is_strict: bool = False) -> list[Piece]:
        """Return the pieces of a board that fit."""
        return [piece for piece in board.pieces if self.misfit(piece, board, is_strict) < NEAR]


@lru_cache(maxsize=512)
def describe_lie(piece: Piece) -> dict[str, str]:
    """Return by part how a piece lies: what its orientation in words says, read as people's words are."""
    terms = join_phrases(read_words(describe_orientation(piece.shape, piece.turn, piece.mirrored)))
    directions = dict(term.sense.split(" ", 1) for term in terms if term.kind == "feature")
    if (0, True) in list_orientations(piece.shape):
        directions["mirrored"] = "mirrored" if piece.mirrored else "plain"
    is_upright = "upright" in directions.values()
    for piece_part, rule in PARTS.get(piece.shape, {}).items():
        manner, _, other_part = rule.partition(" ")
        direction = _find_direction(manner, directions.get(other_part, ""), is_upright)
        directions[piece_part] = f"{directions[piece_part]} {direction}" if manner == "also" else direction
    return {piece_part: direction for piece_part, direction in directions.items() if direction}


def _find_direction(manner: str, direction: str, is_upright: bool) -> str:
    """Return the direction of a part from that of another one: such as "opposite" it."""
    vertical, _, horizontal = direction.partition(" ")
    opposites = {side: OPPOSITE_SIDES.get(side, "") for side in (vertical, horizontal)}
    directions = {
        "opposite": f"{opposites[vertical]} {opposites[horizontal]}".strip(),
        "behind": opposites[vertical if is_upright else horizontal],
        "across": f"{vertical} {opposites[horizontal]}" if is_upright else f"{opposites[vertical]} {horizontal}",
        "standing": vertical if is_upright else "",
        "no": "nowhere",
        "slope": "rising" if direction in ("top left", "bottom right") else "falling",
    }
    return directions.get(manner, direction)


def is_contradicted(feature: str, piece: Piece, is_strict: bool = False) -> bool:
    """Return whether a piece does not lie as a feature says; what does not apply to its shape counts if strict."""
    piece_part, _, direction_text = feature.partition(" ")
    direction = describe_lie(piece).get(piece_part, "")
    direction_sets = [set(words.split()) for words in direction_text.split("/")]
    is_so = direction != "nowhere" and any(words <= set(direction.split()) for words in direction_sets)
    return not is_so if direction else is_strict


# ---------------------------------------------------------------------- reading
@dataclass(frozen=True)
class BoardReading:
    """The mentions of a text, and the words that were not understood."""

    mentions: tuple[Mention, ...]
    unparsed_words: tuple[str, ...] = ()
    is_exact: bool = False


@lru_cache(maxsize=512)
def read_board_text(text: str) -> BoardReading:
    """Return what a text says of a board."""
    words = read_words(text)
    terms = join_phrases(words)
    letter_count = sum(term.kind == "shape" and term.text == term.sense for term in words)
    mentions: list[Mention] = []
    for sentence_number, (sentence, is_hedged) in enumerate(sentences(terms, lambda term: term.sense == "hedge")):
        sentence_mentions = [
            replace(mention, is_sure=mention.is_sure and not is_hedged, sentence_number=sentence_number)
            for statement in _split_statements(sentence)
            for mention in _read_statement(statement)
        ]
        mentions = _take_up(mentions, sentence, sentence_mentions)
    is_exact = letter_count >= LETTER_THRESHOLD and any(term.text == "centre" for term in words)
    unparsed_words = tuple(term.text for term in terms if term.kind in ("unread", "touch"))
    return BoardReading(tuple(mentions), unparsed_words, is_exact)


def _read_statement(terms: Sequence[Term]) -> list[Mention]:
    """Return the mentions of a statement: surely those before its first clause that is not a plain one."""
    mentions = _join_segments(_split_segments(terms))
    ends = [0, *(end for end, term in enumerate(terms, start=1) if term.kind in CLAUSE_ENDS), len(terms)]
    spans = takewhile(lambda span: is_plain(terms[slice(*span)], PLAIN_CLAUSE, UNSAID_KINDS), pairwise(ends))
    plain_terms = terms[: max((end for _, end in spans), default=0)]
    if len(plain_terms) == len(terms):
        return mentions
    is_said = any(term.kind in ("place", "feature") or term.text in words_for("verb") for term in plain_terms)
    plain_mentions = _join_segments(_split_segments(plain_terms)) if is_said else []
    heads = [mention for mention in plain_mentions if mention.has_head or mention.is_number]
    return [*heads, *(replace(mention, is_sure=False) for mention in mentions if mention not in heads)]


def _take_up(mentions: Sequence[Mention], sentence: Sequence[Term], new_mentions: Sequence[Mention]) -> list[Mention]:
    """Return mentions with those of the next sentence, which may say more of the only piece before: "It has a bump"."""
    subject, more = next(iter(mentions[-1:]), Mention()), next(iter(new_mentions), Mention())
    heads = {(m.colour, m.shape) for m in mentions if m.sentence_number == subject.sentence_number}
    is_plain = not any(mention.is_denied or mention.is_number for mention in (subject, more))
    mentions_part = all(term.kind != "piece" for term in sentence) and any(
        feature.split()[0] not in ("stance", "turned") for feature in more.features
    )
    is_same = len(heads) == 1 and is_plain and subject.has_head and not (more.has_head or more.is_anything)
    if (subject.anchor and more.anchor) or not (is_same and (mentions_part or sentence[0].text in words_for("it"))):
        return [*mentions, *new_mentions]
    related = more if more.anchor else subject
    whole = replace(subject, relation=related.relation, anchor=related.anchor, is_sure=subject.is_sure and more.is_sure)
    added_mention = replace(more, places=() if more.features else more.places)  # "it is flat at the bottom"
    return [*mentions[:-1], *_extend_mention(whole, added_mention, END), *new_mentions[1:]]


CLAUSE_ENDS = {"comma", "colon", "stop"}
UNSAID_KINDS = CLAUSE_ENDS | {"filler"}
HEAD_KINDS = {"colour", "shape", "piece", "limit", "number"}
CONTENT_KINDS = HEAD_KINDS | {"place", "feature", "not"}
JOINT_KINDS = CLAUSE_ENDS | {"relation", "except", "predicate"}


def _split_statements(terms: Sequence[Term]) -> Iterator[list[Term]]:
    """Yield what a sentence says in clauses with verbs of their own: "a red T, and below it there is an L, and …"."""
    statement: list[Term] = []
    for index, term in enumerate(terms):
        is_joint = term.kind in ("comma", "stop") or term.text == "and"
        if is_joint and statement and statement[0].kind != "except" and _is_statement(terms[index + 1 :]):
            yield statement
            statement = []
        else:
            statement.append(term)
    yield statement


def _is_statement(terms: Sequence[Term]) -> bool:
    """Return whether a clause with a piece and a verb follows, which takes up nothing that was said before."""
    clause_terms = list(takewhile(lambda term: term.kind not in ("comma", "stop") and term.text != "and", terms))
    has_piece = any(term.kind in HEAD_KINDS and term.text not in words_for("part_or_shape") for term in clause_terms)
    words = [term.text for term in clause_terms]
    is_led = next((term.kind for term in clause_terms if term.kind in CONTENT_KINDS), "") == "place" and ":" in words
    has_verb = not words_for("verb").isdisjoint(words) or any(
        term.sense.startswith("slope") or term.sense.endswith("-edge")
        for term in clause_terms  # "goes up to the right" and "touches the top edge"
    )
    return has_piece and words[0] not in words_for("taking_up") and (has_verb or is_led)


def _split_segments(terms: Sequence[Term]) -> Iterator[tuple[Term, list[Term]]]:
    """Yield the words about each kind of piece after what joins them to those before; it has the text before it."""
    joint, segment, kinds = END, list[Term](), set[str]()
    for term_before, term, term_after in zip([END, *terms], terms, [*terms[1:], END], strict=False):
        is_joint = term.kind in JOINT_KINDS or (term.text == "and" and not kinds.isdisjoint(("place", "feature")))
        if is_joint or _begins_segment(term_before, term, term_after, segment, kinds):
            is_lead = kinds == {"place"} and term.kind in ("colour", "shape") and joint.kind in ("comma", "known")
            yield Term("lead") if is_lead else joint, segment  # "…, and at the bottom a red F"
            joint = replace(term, text=term_before.text) if is_joint else joint if joint.kind == "except" else END
            segment, kinds = [], set()
        if term.kind in CONTENT_KINDS:
            segment.append(term)
            kinds.add(term.kind)
    yield joint, segment


def _begins_segment(term_before: Term, term: Term, term_after: Term, segment: Sequence[Term], kinds: Set[str]) -> bool:
    """Return whether a word says something of another piece than those before."""
    if term.kind in ("number", "limit"):
        return not kinds <= {"limit"}
    if term.kind == "not":
        return not kinds.isdisjoint(("place", "feature"))
    if term.kind not in HEAD_KINDS or kinds == {"place"}:
        return term.kind in HEAD_KINDS
    if term.kind == "shape":
        return "shape" in kinds and segment[-1].sense != term.sense
    is_new_piece = term_before.text in ("and", "a", "an", "the", "with") or term_after.kind in ("shape", "piece")
    return term.kind == "colour" and ("colour" in kinds or ("shape" in kinds and is_new_piece))


def _join_segments(segments: Iterable[tuple[Term, list[Term]]]) -> list[Mention]:
    """Return the mentions of a sentence."""
    mentions: list[Mention] = []
    lead, group_mention, list_starts = Mention(), Mention(), set[int]()
    filled_segments = [(joint_term, segment) for joint_term, segment in segments if segment]
    for index, (joint_term, segment) in enumerate(filled_segments, start=1):
        mention, previous = _make_mention(segment), mentions[-1] if mentions else lead
        group_mention = previous if joint_term.kind == "colon" else group_mention
        match _find_role(joint_term, {term.kind for term in segment}, bool(mentions), bool(lead.places)):
            case "relation":
                mentions[-1:] = _relate(mentions[-1:], mention, joint_term, is_lie_last=segment[-1].kind == "feature")
            case "start" if mentions and index == len(filled_segments) and previous.places == lead.places:
                mentions[-1] = replace(previous, places=mention.places)  # "at the left a T and an L, at the bottom"
            case "start":
                lead = replace(lead, places=mention.places)
            case "addition" if mentions:
                mentions[-1:] = _extend_mention(previous, mention, joint_term)
            case "addition":
                lead = _extend_mention(lead, mention, joint_term)[-1]
            case "piece":
                lead = Mention() if joint_term.sense == "apart" else lead  # "top left a T, and below it an L"
                list_starts |= {len(mentions)} if joint_term.kind == "comma" else set()
                mentions.append(_complete_mention(mention, lead, previous if mention.is_negated else group_mention))
    return _share_groups(mentions, list_starts) or [lead] * (not lead.is_anything)


def _relate(subjects: Sequence[Mention], anchor: Mention, joint: Term, *, is_lie_last: bool) -> list[Mention]:
    """Return the mention before with what it is below or beside; after a comma this may be said of another piece.

    A lie that is said last may be that of either: "the U next to the cross opens down".
    """
    subject = subjects[0] if subjects and joint.text != "," else Mention()
    if is_lie_last:
        subject, anchor = replace(subject, is_sure=False), replace(anchor, features=anchor.features[:-1])
    related = replace(subject, relation=joint.sense, anchor=anchor)
    if joint.text == "," or subject.anchor:  # "below the X and left of the bar"
        return [*subjects, replace(related, places=(), features=(), without=())]
    return [related]


def _share_groups(mentions: Sequence[Mention], list_starts: Set[int]) -> list[Mention]:
    """Return mentions in which the pieces of a list are of the number before it: "two reds, a T and an L".

    They are not where one says again what was said of the group.
    """
    for start in list_starts - {0}:
        group, members = mentions[start - 1], mentions[start:]
        is_whole = 1 < group.minimum == group.maximum == sum(member.minimum for member in members)
        names = [name for name in ("colour", "shape", "places") if getattr(group, name)]
        if is_whole and not any(getattr(member, name) for member in members for name in names):
            return [*mentions[:start], *(inherit_head(group, member) for member in members)]
    return list(mentions)


def inherit_head(group: Mention, mention: Mention) -> Mention:
    """Return a mention with the colour and shape of its group where it has none."""
    return replace(mention, colour=mention.colour or group.colour, shape=mention.shape or group.shape)


def _find_role(joint: Term, kinds: Set[str], follows_mention: bool, follows_place: bool) -> str:
    """Return what a segment is: the other side of a relation, a place for all, an addition, a piece, or nothing."""
    is_relation = joint.kind == "relation"
    if joint.kind == "lead" or (kinds == {"place"} and (not follows_mention or (follows_place and not is_relation))):
        return "start"
    if is_relation and kinds != {"place"}:
        return "relation"
    if joint.kind in ("except", "predicate") or (follows_mention and kinds.isdisjoint(HEAD_KINDS)):
        return "addition"
    return "piece" if kinds != {"number"} or follows_place else ""


def _extend_mention(mention: Mention, added_mention: Mention, joint_term: Term) -> list[Mention]:
    """Return a mention with what is left out, or with a place or lie that follows a comma; apart if it is denied."""
    if joint_term.kind == "except":
        return [replace(mention, without=(*mention.without, replace(added_mention, minimum=1, maximum=MANY_PIECES)))]
    is_place = added_mention.places and not added_mention.features
    if added_mention.is_negated:  # "at the top, not at the very top", but not "its stem points left, not right"
        return [mention, replace(mention, places=added_mention.places, is_negated=True)] if is_place else [mention]
    if mention.is_negated and joint_term.kind == "comma":  # "… isn't at the top, it's in the lower half"
        return [mention, inherit_head(mention, added_mention)]
    extended = inherit_head(added_mention, replace(mention, places=(*mention.places, *added_mention.places)))
    has_side = any(" " in feature and feature.split()[0] in words_for("sided") for feature in mention.features)
    if is_place and has_side and OPPOSITE_SIDES.keys() >= {*added_mention.places}:
        return [mention, replace(extended, is_sure=False)]  # "its corner at the left, at the top" of it or of the board
    return [_add_features(extended, added_mention.features)]


def _complete_mention(mention: Mention, start_mention: Mention, group_mention: Mention) -> Mention:
    """Return a mention with what precedes it for several: the piece of a list, a place, what is left out.

    A denial is of what precedes it: "a red T, not an L".
    """
    group = group_mention if mention.is_negated or mention.minimum < group_mention.minimum else Mention()
    places = mention.places or start_mention.places or group.places
    return replace(inherit_head(group, mention), places=places, without=start_mention.without)


def _make_mention(segment: Sequence[Term]) -> Mention:
    """Return what the words of a segment say."""
    senses = {term.kind: term.sense for term in segment}
    digits, limit_words = senses.get("number", "1" if "limit" in senses else ""), set(senses.get("limit", "").split())
    minimum, maximum = bounds_of(int(digits), limit_words, MANY_PIECES) if digits else (1, MANY_PIECES)
    mention = Mention(
        colour=senses.get("colour", ""),
        shape=senses.get("shape", ""),
        places=tuple(side for term in segment if term.kind == "place" for side in term.sense.split()),
        features=tuple(term.sense for term in segment if term.kind == "feature"),
        minimum=minimum,
        maximum=maximum,
        is_negated="not" in senses,
    )
    return _add_features(mention, ())


def _add_features(mention: Mention, features: tuple[str, ...]) -> Mention:
    """Return a mention with more of how it lies; a stick with a bump is a Y, and one with a foot is something else."""
    features = (*mention.features, *features)
    parts = {feature.split()[0] for feature in features} & {"bump", "foot", "hook", "tail", "arm", "stem"}
    shape = mention.shape if mention.shape != "I" or not parts else "Y" if "bump" in parts else ""
    return replace(mention, features=features, shape=shape)
