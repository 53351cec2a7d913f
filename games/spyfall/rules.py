"""The rulebook of SpyFall: describe in turn, vote in turn, until the spy is out or too few are left.

The protocol follows the GameEval paper, §3: nobody is told who the spy is; a tie is voted on once more, then decided by
lot. The settings `tie="first"` and `spy_wins_at=3` are what the authors' public code does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from engine.core.briefing import Briefings
from engine.core.content import RelayedMessage, SeatOverview, SeatStatus, TextExhibit
from engine.core.events import Decided, Json, Outcome
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.prompts import Prompts
from engine.core.replies import JsonObject, Text, json_object, one_of
from engine.core.table import Ask, Asking, Random, Table, setting_off_by_default
from engine.core.table import Settings as BaseSettings
from games.common.reasoning import make_thought_format
from games.common.words import find_mention, join_names
from games.spyfall import instances
from games.spyfall.instances import WORD_TITLE, Instance, Word
from games.spyfall.log_views import SpyAssignment, Statement, VoteResult

if TYPE_CHECKING:
    from engine.core.debriefing import Debriefing, Panel
    from engine.core.gameeval import GameEvalResult
    from engine.core.log import Log

SEAT_NAMES = ("Nancy", "Tom", "Cindy", "Jack", "Rose", "Edward")
SPY_SIDE, VILLAGER_SIDE = "spy", "villagers"
EXPERIMENTS = tuple(Experiment(name, title) for name, title in instances.EXPERIMENTS.items())


class Settings(BaseSettings):
    """How votes are cast, what a tie means, when the spy wins, and whether models must reason before they speak."""

    secret_votes: bool = Field(False, title="Everyone votes at the same time")
    tie: Literal["vote again", "first"] = Field("vote again", title="If there is a tie")
    spy_wins_at: Literal[2, 3] = Field(2, title="The spy wins when this many players are left")
    reasoning: bool = setting_off_by_default("Models are told to reason before they speak")


class SpyFall(Game):
    """Six players, five with the same word: who is the spy?"""

    name = "spyfall"
    title = "SpyFall"
    blurb = "Six players describe a word. One of them has a different word, and nobody knows who."
    tagline = "Six players, one word, and a spy who has another."
    rules = (
        "Five of you have the same word. The sixth player, the spy, has a related word. Nobody knows who the spy "
        "is, so it may be you.",
        "In every round, each player describes their own word in turn. Then each player votes for the player they "
        "think is the spy, and says why. The player with the most votes is out. If there is a tie, everyone votes "
        "again between those players.",
        "If the spy is voted out, the others win. If only two players are left and one of them is the spy, the spy "
        "wins.",
        "Never say your own word, in any form, not even in the plural: the game then ends for everyone, without a "
        "winner.",
    )
    briefings = Briefings(Path(__file__).parent)
    minutes = 4
    version = 1
    seats = SEAT_NAMES
    adversarial = True
    sides = (SPY_SIDE, VILLAGER_SIDE)
    open_turns = True
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = (Variant("words", "Words", EXPERIMENTS),)

    def load(self, data: Json) -> Instance:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def draw_sides(self, instance: Any, rng: Random) -> Mapping[str, Sequence[str]]:
        """Draw the spy."""
        spy_name = rng.choice(SEAT_NAMES)
        return {SPY_SIDE: [spy_name], VILLAGER_SIDE: [player for player in SEAT_NAMES if player != spy_name]}

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Describe and vote, round by round."""
        return (yield from SpyMatch(table, instance, self.draw_sides(instance, table.random)).play())

    def score(self, log: Log) -> Json:
        from games.spyfall.scores import score

        return score(log).as_json()

    def summarise(self, scores: Sequence[Json | None]) -> Json:
        from games.spyfall.scores import summarise

        return summarise(scores)

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.spyfall.debrief import debrief
        from games.spyfall.scores import Scores

        return debrief(log, Scores.from_json(scores))

    def board(self, log: Log) -> list[Panel]:
        from games.spyfall.board import make_board_panels

        return make_board_panels(log)

    def make_gameeval_result(self, log: Log) -> GameEvalResult | None:
        from games.spyfall.gameeval import make_gameeval_result

        return make_gameeval_result(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        return {
            "scripted": ScriptedPlayer.from_module(
                "games.spyfall.scripted", "says what it knows of its word, votes for whose words fit it least"
            ),
        }

    def instance_maker(self) -> InstanceMaker:
        return instances


@dataclass
class Ballot:
    """One vote of all: who voted for whom, in the order in which they were asked."""

    votes: dict[str, str]

    @property
    def leaders(self) -> list[str]:
        """The names with the most votes, in the order in which they were first named."""
        vote_counts = Counter(self.votes.values())
        return [player for player, vote_count in vote_counts.items() if vote_count == max(vote_counts.values())]


@dataclass
class SpyMatch:
    """One episode: who is still in, and what the players are told."""

    table: Table
    instance: Instance
    sides: Mapping[str, Sequence[str]]
    living_names: list[str] = field(default_factory=list)
    name_order: list[str] = field(default_factory=list)

    def play(self) -> Asking[Outcome]:
        """Play rounds until one side has won."""
        [spy_name] = self.sides[SPY_SIDE]
        self.name_order = self.table.random.sample(SEAT_NAMES, len(SEAT_NAMES))
        self.living_names = list(self.name_order)
        self.table.record_note("deal", SpyAssignment(spy_name, self.name_order).as_json())
        for speaker in self.name_order:
            self.table.tell(
                speaker,
                [self.fill_prompt("welcome", name=speaker, left=self.spy_win_player_count), self.fill_prompt("rounds")],
            )
            self.table.tell(speaker, TextExhibit(self.get_word(speaker).word, WORD_TITLE))
        word_values = {"word": self.instance.spy.word, "common": self.instance.common.word}
        round_number = 0
        while len(self.living_names) > self.spy_win_player_count:
            round_number += 1
            self.announce_overview("order", round=round_number, order=", ".join(self.living_names))
            yield from self.collect_descriptions("describe" if round_number == 1 else "specific")
            voted_out_name = yield from self.hold_vote(round_number)
            self.living_names.remove(voted_out_name)
            if voted_out_name == spy_name:
                self.announce_overview("out_spy", name=voted_out_name, **word_values)
                return self.make_outcome(VILLAGER_SIDE)
            self.table.tell(SEAT_NAMES, self.fill_prompt("out", name=voted_out_name))
            if len(self.living_names) > self.spy_win_player_count:
                self.announce_overview("more", names=join_names(self.living_names))
        self.announce_overview("spy_stays", names=join_names(self.living_names), spy=spy_name, **word_values)
        return self.make_outcome(SPY_SIDE)

    @property
    def spy_win_player_count(self) -> int:
        """How many players are left when the spy wins."""
        player_count: int = self.table.settings.spy_wins_at
        return player_count

    def make_outcome(self, winner: str) -> Outcome:
        """Return the outcome of a match that a side has won."""
        return Decided(winner, {side: list(seats) for side, seats in self.sides.items()})

    def get_word(self, player: str) -> Word:
        """Return a player's word."""
        return self.instance.spy if player in self.sides[SPY_SIDE] else self.instance.common

    def fill_prompt(self, prompt_key: str, **placeholder_values: object) -> str:
        """Return a text of the GameMaster."""
        return str(self.table.prompts(prompt_key, **placeholder_values))

    def announce_overview(self, prompt_key: str, **placeholder_values: object) -> None:
        """Tell everybody a text with who is in and who is out."""
        seats = tuple(SeatStatus(player, "in" if player in self.living_names else "out") for player in self.name_order)
        self.table.tell(SEAT_NAMES, SeatOverview(self.fill_prompt(prompt_key, **placeholder_values), seats))

    def list_other_names(self, player: str) -> list[str]:
        """Return everybody but one, players who are out among them: they hear what is said."""
        return [other_name for other_name in self.name_order if other_name != player]

    def collect_descriptions(self, prompt_key: str) -> Asking[None]:
        """Let everybody still in describe in turn; the others hear it at once."""
        for player in self.living_names:
            reply_value = yield from self.table.ask(
                player, self.fill_prompt(prompt_key), self.make_description_format(), allow=self.forbid_word(player)
            )
            self.table.tell(
                self.list_other_names(player), RelayedMessage(player, Statement.from_json(reply_value).speech, player)
            )

    def hold_vote(self, round_number: int) -> Asking[str]:
        """Return who is voted out of a round."""
        first_ballot = yield from self.hold_ballot("vote", self.living_names)
        second_ballot, leaders, was_decided_by_lot = None, first_ballot.leaders, False
        if len(leaders) > 1 and self.table.settings.tie == "vote again":
            tied_names = [player for player in self.living_names if player in leaders]
            self.table.tell(SEAT_NAMES, self.fill_prompt("tie", names=join_names(tied_names)))
            second_ballot = yield from self.hold_ballot("vote_again", tied_names)
            leaders = second_ballot.leaders
            if len(leaders) > 1:
                tied_names = [player for player in self.living_names if player in leaders]
                self.table.tell(SEAT_NAMES, self.fill_prompt("lots", names=join_names(tied_names)))
                leaders, was_decided_by_lot = [self.table.random.choice(tied_names)], True
        voted_out_name = leaders[0]
        revotes = second_ballot.votes if second_ballot else None
        vote_result = VoteResult(
            round_number,
            first_ballot.votes,
            revotes,
            was_decided_by_lot,
            voted_out_name,
            voted_out_name in self.sides[SPY_SIDE],
        )
        self.table.record_note("out", vote_result.as_json())
        return voted_out_name

    def hold_ballot(self, prompt_key: str, candidates: Sequence[str]) -> Asking[Ballot]:
        """Let everybody still in vote for one of the candidates: in turn and aloud, or at once and read out."""
        is_secret = self.table.settings.secret_votes
        vote_requests = [self.make_vote_ask(voter, prompt_key, candidates) for voter in self.living_names]
        reply_values: list[dict[str, str]] = []
        if is_secret:
            reply_values = yield from self.table.together(vote_requests)
        votes: dict[str, str] = {}
        for voter_number, vote_ask in enumerate(vote_requests):
            if not is_secret:
                reply_values.append(
                    (yield from self.table.ask(vote_ask.seat, vote_ask.content, vote_ask.reply, allow=vote_ask.allow))
                )
            statement = Statement.from_json(reply_values[voter_number])
            votes[vote_ask.seat] = str(statement.vote)
            vote_message = RelayedMessage(
                f"{vote_ask.seat} votes for {statement.vote}", statement.speech, vote_ask.seat
            )
            self.table.tell(self.list_other_names(vote_ask.seat), vote_message)
        return Ballot(votes)

    def make_thought_format(self, prompt_key: str) -> Text:
        """Return the format of a private thought: with the setting `reasoning`, `prompt_key` asks to reason there."""
        instruction = self.fill_prompt(prompt_key) if self.table.settings.reasoning else None
        return make_thought_format(self.fill_prompt("reasoning_label"), instruction)

    def make_description_format(self) -> JsonObject:
        """Return the format of a description."""
        return json_object(
            title="Describe your word",
            submit=self.fill_prompt("describe_submit"),
            thought=self.make_thought_format("reasoning_describe"),
            speak=Text(label="Your description", lines=2, hint=self.fill_prompt("describe_hint")),
        )

    def make_vote_ask(self, voter: str, base_key: str, candidates: Sequence[str]) -> Ask[dict[str, str]]:
        """Return the ask for one vote; `base_key` names the text for a vote in turn among several candidates."""
        allowed_names = [other_name for other_name in candidates if other_name != voter]
        prompt_key = base_key + ("_one" if len(allowed_names) == 1 else "")
        prompt_key += "_secret" if self.table.settings.secret_votes else ""
        reply = json_object(
            title=self.fill_prompt("vote_title"),
            submit="Vote",
            thought=self.make_thought_format("reasoning_vote"),
            speak=Text(label=self.fill_prompt("why_label"), lines=2, hint="Never say your own word."),
            name=one_of(
                *allowed_names,
                full_stop=False,
                label="Who is the spy?",
                barred=tuple(other_name for other_name in SEAT_NAMES if other_name not in allowed_names),
            ),
        )
        return Ask(
            voter, self.fill_prompt(prompt_key, names=join_names(allowed_names)), reply, allow=self.forbid_word(voter)
        )

    def forbid_word(self, player: str) -> Callable[[dict[str, str]], str | None]:
        """Return the check that a player does not say its own word."""
        word_forms = self.get_word(player).forms

        def find_speech_fault(reply_value: dict[str, str]) -> str | None:
            mention = find_mention(Statement.from_json(reply_value).speech, word_forms)
            return f'"speak" must not say your own word ("{mention}").' if mention else None

        return find_speech_fault


GAME = SpyFall()
