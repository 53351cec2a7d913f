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
from games.spyfall.log_views import Statement, VoteResult, find_spy_assignment


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


def list_rounds(log: Log) -> list[Round]:
    """Return the rounds of an episode so far; there is always one."""
    rounds = [Round()]
    for accepted_reply in log.parsed_events():
        statement = Statement.from_json(accepted_reply.value)
        if statement.vote is None and rounds[-1].votes:
            rounds.append(Round())
        rounds[-1].add_statement(str(accepted_reply.seat), statement)
    for round, vote_result in zip(rounds, VoteResult.read(log), strict=False):
        round.vote_result = vote_result
    return rounds


def make_board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events: this round's words and votes."""
    if find_spy_assignment(log) is None:
        return []
    rounds = list_rounds(log)
    current_round, round_count = rounds[-1], len(rounds)
    voted_out_names = {round.vote_result.out for round in rounds if round.vote_result}
    panel_title = f"Round {round_count}: votes" if current_round.votes else f"Round {round_count}"
    panels = make_vote_panels(log, current_round, voted_out_names, panel_title)[-1:]
    if current_round.descriptions:
        panels.append(make_statements_panel(current_round, voted_out_names, f"Round {round_count}: what was said"))
    return panels


def make_vote_panels(log: Log, round: Round, voted_out_names: Collection[str], panel_title: str) -> list[Panel]:
    """Return the votes of a round as arrows between all six, each with its word: one panel for each ballot."""
    spy_assignment = find_spy_assignment(log)
    assert spy_assignment is not None, "votes follow the deal"
    instance = instances.load(log.start.instance)
    nodes = [
        {
            "id": player,
            "label": player,
            "note": f"spy: {instance.spy.word}" if player == spy_assignment.spy else instance.common.word,
            "state": ("out" if player in voted_out_names else "in")
            + (" marked" if player == spy_assignment.spy else ""),
        }
        for player in spy_assignment.order
    ]
    ballots = {panel_title: round.votes}
    if round.revotes:
        round_title, title_remainder = panel_title.split(":", 1)
        ballots = {f"{round_title}, first ballot: a tie": round.votes}
        ballots[f"{round_title}, second ballot:{title_remainder}"] = round.revotes
    return [
        {"title": player, "arrows": {"nodes": nodes, "edges": _make_arrows(votes)}} for player, votes in ballots.items()
    ]


def _make_arrows(votes: dict[str, str]) -> list[Json]:
    return [{"from": voter, "to": target_name, "kind": "plain"} for voter, target_name in votes.items()]


def make_statements_panel(round: Round, voted_out_names: Collection[str], panel_title: str) -> Panel:
    """Return what everybody said in a round."""
    table_rows = [
        {
            "who": speaker,
            "text": description,
            "note": _describe_vote(round, speaker),
            "state": "out" if speaker in voted_out_names else "in",
        }
        for speaker, description in round.descriptions.items()
    ]
    return {"title": panel_title, "sayings": table_rows}


def _describe_vote(round: Round, voter: str) -> str:
    if voter not in round.votes:
        return ""
    second_vote = f", then for {round.revotes[voter]}" if voter in round.revotes else ""
    return f"voted for {round.votes[voter]}{second_vote}: {round.reasons[voter]}"
