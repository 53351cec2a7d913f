"""The scores of MatchIt, computed from events alone.

`main_score` and `player_score` follow games/matchit of the multimodal games paper (§4.2). The measures of length and of
question novelty are our own: the paper reports that weak models ask for what has already been said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from engine.core.events import Ending, Kind
from engine.core.language import STOP_WORDS, list_words
from engine.core.log import Log
from engine.core.scores import GameScores
from engine.formats.clembench.patterns import find_inner_declaration
from games.matchit import instances


@dataclass(frozen=True)
class SeatScores:
    """The number and the length of a seat's descriptions, questions and answers.

    `question_novelty` is the share (0..1, None without questions) of its questions with at least one content word that
    neither seat has used before. Words are case-folded and stop words ignored.
    """

    descriptions: int
    description_words: int
    description_characters: int
    questions: int
    question_words: int
    question_characters: int
    answers: int
    answer_words: int
    answer_characters: int
    question_novelty: float | None


@dataclass(frozen=True)
class Scores(GameScores):
    """`main_score` is 100 if both seats decided correctly, otherwise 0; `player_score` is 100, 50 or 0.

    Both are None unless the episode was played to its end. `decisions` and `correct` are None for a seat without one.
    """

    player_score: float | None
    truth: str
    decisions: dict[str, str | None]
    correct: dict[str, bool | None]
    seats: dict[str, SeatScores]

    @property
    def correct_decisions(self) -> int:
        """The number of correct decisions."""
        return sum(map(bool, self.correct.values()))


class AcceptedReply(NamedTuple):
    """An accepted reply. `kind` is "description", "question", "answer" or "decision"; `text` is without the tag."""

    seat: str
    kind: str
    text: str


def read_accepted_replies(log: Log) -> Iterator[AcceptedReply]:
    """Yield the accepted replies of an episode in order."""
    declarations, get_ask_and_value = log.formats, itemgetter("ask", "value")
    for event in log:  # not by views of the events, which take twice as long, and a run scores every episode
        if event.kind is not Kind.PARSED:
            continue
        seat, (request_number, reply_value) = str(event.seat), get_ask_and_value(event.data)
        if isinstance(reply_value, dict):
            yield AcceptedReply(seat, reply_value["picked"], reply_value["value"])
        else:
            declaration = declarations[request_number]
            keeps_tag = declaration.get("whole")  # an imported format keeps the tag in the value
            reply_text = reply_value.partition(":")[2].strip() if keeps_tag else reply_value
            yield AcceptedReply(seat, find_inner_declaration(declaration)["tag"].lower(), reply_text)


def score(log: Log) -> Scores:
    """Return the game's own scores of an episode with an outcome."""
    replies = list(read_accepted_replies(log))
    expected_decision = instances.find_expected_decision(log.start.instance)
    decisions = {reply.seat: reply.text for reply in replies if reply.kind == "decision"}
    correct_flags = {
        seat: decisions[seat].startswith(f"{expected_decision} ") if seat in decisions else None for seat in "AB"
    }
    is_played = log.outcome is not None and log.outcome.kind in (Ending.SUCCESS, Ending.LOSE)
    correct_seat_count = sum(map(bool, correct_flags.values()))
    texts: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for reply in replies:
        texts[reply.seat, reply.kind].append(reply.text)
    novel_questions = _find_novel_questions(replies)
    return Scores(
        main_score=(100.0 if correct_seat_count == 2 else 0.0) if is_played else None,
        player_score=50.0 * correct_seat_count if is_played else None,
        truth=expected_decision,
        decisions={seat: decisions.get(seat) for seat in "AB"},
        correct=correct_flags,
        seats={seat: _score_seat(seat, texts, novel_questions[seat]) for seat in "AB"},
    )


def _score_seat(seat: str, texts: Mapping[tuple[str, str], Sequence[str]], novelty_flags: Sequence[bool]) -> SeatScores:
    def count_replies(reply_kind: str) -> tuple[int, int, int]:
        """Return the number of a seat's replies of a kind, their words and their characters."""
        reply_texts = texts.get((seat, reply_kind), ())
        return len(reply_texts), len(" ".join(reply_texts).split()), sum(map(len, reply_texts))

    return SeatScores(
        *count_replies("description"),
        *count_replies("question"),
        *count_replies("answer"),
        sum(novelty_flags) / len(novelty_flags) if novelty_flags else None,
    )


def _find_novel_questions(replies: Sequence[AcceptedReply]) -> dict[str, list[bool]]:
    """Return for each seat whether its questions have a content word that nobody has used before."""
    used_words = set(STOP_WORDS)
    flags_by_seat: dict[str, list[bool]] = {"A": [], "B": []}
    for reply in replies:
        if reply.kind == "decision":
            continue
        reply_words = list_words(reply.text)
        if reply.kind == "question":
            flags_by_seat[reply.seat].append(not used_words.issuperset(reply_words))
        used_words.update(reply_words)
    return flags_by_seat
