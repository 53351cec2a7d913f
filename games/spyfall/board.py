"""What spectators and the debriefing see of SpyFall: who said what, and votes as arrows.

An arrows panel is {"nodes": [{"id", "label", "note", "state"}], "edges": [{"from", "to", "kind"}]}, drawn on a ring;
a sayings panel is a list of {"who", "text", "note", "state"}. The page draws both for any game.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from engine.core.debriefing import Panel
from engine.core.events import Json
from engine.core.log import Log
from games.spyfall import instances
from games.spyfall.log_views import Statement, VoteResult, deal_of


@dataclass
class Round:
    """What players said in one round, by their names: descriptions, votes and why, and a second ballot after a tie.

    `vote_result` is None until all have voted.
    """

    descriptions: dict[str, str] = field(default_factory=dict)
    votes: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    revotes: dict[str, str] = field(default_factory=dict)
    vote_result: VoteResult | None = None

    def add_statement(self, seat: str, statement: Statement) -> None:
        """Add a description or a vote."""
        if statement.vote is None:
            self.descriptions[seat] = statement.speech
        else:
            ballot = self.revotes if seat in self.votes else self.votes
            ballot[seat], self.reasons[seat] = statement.vote, statement.speech


def rounds_of(log: Log) -> list[Round]:
    """Return the rounds of an episode so far; there is always one."""
    rounds = [Round()]
    for accepted_reply in log.parsed():
        statement = Statement.from_json(accepted_reply.value)
        if statement.vote is None and rounds[-1].votes:
            rounds.append(Round())
        rounds[-1].add_statement(str(accepted_reply.seat), statement)
    for round, vote_result in zip(rounds, VoteResult.read(log), strict=False):
        round.vote_result = vote_result
    return rounds


def board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events: this round's words and votes."""
    if deal_of(log) is None:
        return []
    rounds = rounds_of(log)
    current_round, round_count = rounds[-1], len(rounds)
    voted_out = {round.vote_result.out for round in rounds if round.vote_result}
    title = f"Round {round_count}: votes" if current_round.votes else f"Round {round_count}"
    panels = votes_panels(log, current_round, voted_out, title)[-1:]
    if current_round.descriptions:
        panels.append(sayings_panel(current_round, voted_out, f"Round {round_count}: what was said"))
    return panels


def votes_panels(log: Log, round: Round, voted_out: Collection[str], title: str) -> list[Panel]:
    """Return the votes of a round as arrows between all six, each with its word: one panel for each ballot."""
    deal = deal_of(log)
    assert deal is not None, "votes follow the deal"
    instance = instances.load(log.start.instance)
    nodes = [
        {
            "id": player,
            "label": player,
            "note": f"spy: {instance.spy.word}" if player == deal.spy else instance.common.word,
            "state": ("out" if player in voted_out else "in") + (" marked" if player == deal.spy else ""),
        }
        for player in deal.order
    ]
    ballots = {title: round.votes}
    if round.revotes:
        round_title, ending = title.split(":", 1)
        ballots = {f"{round_title}, first ballot: a tie": round.votes}
        ballots[f"{round_title}, second ballot:{ending}"] = round.revotes
    return [{"title": player, "arrows": {"nodes": nodes, "edges": _arrows(votes)}} for player, votes in ballots.items()]


def _arrows(votes: dict[str, str]) -> list[Json]:
    return [{"from": voter, "to": target, "kind": "plain"} for voter, target in votes.items()]


def sayings_panel(round: Round, voted_out: Collection[str], title: str) -> Panel:
    """Return what everybody said in a round."""
    table_rows = [
        {
            "who": speaker,
            "text": description,
            "note": _describe_vote(round, speaker),
            "state": "out" if speaker in voted_out else "in",
        }
        for speaker, description in round.descriptions.items()
    ]
    return {"title": title, "sayings": table_rows}


def _describe_vote(round: Round, voter: str) -> str:
    if voter not in round.votes:
        return ""
    second_vote = f", then for {round.revotes[voter]}" if voter in round.revotes else ""
    return f"voted for {round.votes[voter]}{second_vote}: {round.reasons[voter]}"
