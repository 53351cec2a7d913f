"""The rulebook of SpyFall: describe in turn, vote in turn, until the spy is out or too few are left.

Protocol after the GameEval paper, §3: nobody is told who the spy is; a tie is voted on once more, then lots are drawn.
The settings `tie="first"` and `spy_wins_at=3` are what the authors' public code does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from engine.core.content import RelayedMessage, SeatOverview, SeatStatus, TextExhibit
from engine.core.debriefing import Debriefing, Panel
from engine.core.events import Decided, Json, Outcome
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.log import Log
from engine.core.prompts import Prompts
from engine.core.replies import Text, json_object, one_of, thought
from engine.core.table import Ask, Asking, Random, Table
from engine.core.table import Settings as BaseSettings
from games.common.words import find_mention
from games.spyfall import instances
from games.spyfall.instances import Instance, Word

NAMES = ("Nancy", "Tom", "Cindy", "Jack", "Rose", "Edward")
SPY, VILLAGERS = "spy", "villagers"
YOUR_WORD = "Your word (only you see it)"
DESCRIBE = json_object(
    title="Describe your word",
    submit="Say it",
    thought=thought(),
    speak=Text(label="Your description", lines=2, hint="Never say the word itself: that ends the game for everybody."),
)

Reply = dict[str, str]


class Settings(BaseSettings):
    """How votes are cast, what a tie means, and how many players left make the spy win."""

    secret_votes: bool = Field(False, title="Votes are cast at once and read out")
    tie: Literal["vote again", "first"] = Field("vote again", title="At a tie")
    spy_wins_at: Literal[2, 3] = Field(2, title="The spy wins when so many are left")


class SpyFall(Game):
    """Six players, five with the same word: who is the spy?"""

    name = "spyfall"
    title = "SpyFall"
    blurb = "Six players describe a word. One of them has another word, and nobody knows who."
    rules = (
        "Five of you have the same word, one has a related word: the spy. Nobody is told who is who, so the spy may be "
        "you.",
        "In every round each describes the own word in turn. Then each votes for a spy, and says why. Whoever has most "
        "votes is out; at a tie you vote once more between the tied.",
        "When the spy is out, the others win. When only two are left and the spy is one of them, the spy wins.",
        "Never say your own word, not even in the plural: the game then ends for everybody, without a winner.",
    )
    version = 1
    seats = NAMES
    adversarial = True
    sides = (SPY, VILLAGERS)
    open_turns = True
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = (
        Variant("words", "Words", tuple(Experiment(name, title) for name, title in instances.EXPERIMENTS.items())),
    )

    def load(self, data: Json) -> Instance:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def draw_sides(self, instance: Any, rng: Random) -> Mapping[str, Sequence[str]]:
        """Draw the spy."""
        spy = rng.choice(NAMES)
        return {SPY: [spy], VILLAGERS: [name for name in NAMES if name != spy]}

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Describe and vote, round by round."""
        return (yield from Evening(table, instance, self.draw_sides(instance, table.random)).play())

    def score(self, log: Log) -> Json:
        from games.spyfall.scores import score

        return score(log)

    def summarise(self, scores: Sequence[Json | None]) -> Json:
        from games.spyfall.scores import summary

        return summary(scores)

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.spyfall.debrief import debrief

        return debrief(log, scores)

    def board(self, log: Log) -> list[Panel]:
        from games.spyfall.board import watch

        return watch(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        from games.spyfall.scripted import PLAYERS

        return PLAYERS

    def instance_maker(self) -> InstanceMaker:
        from games.spyfall import instances

        return instances


@dataclass
class Ballot:
    """One vote of all: who voted for whom, in the order in which they were asked."""

    votes: dict[str, str]

    @property
    def most(self) -> list[str]:
        """Those with most votes, whoever was named first coming first."""
        counts = {name: list(self.votes.values()).count(name) for name in self.votes.values()}
        return [name for name, count in counts.items() if count == max(counts.values())]


@dataclass
class Evening:
    """One episode: who is still in, and how the players are spoken to."""

    table: Table
    instance: Instance
    sides: Mapping[str, Sequence[str]]
    living: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    def play(self) -> Asking[Outcome]:
        """Play rounds until one side has won."""
        [spy] = self.sides[SPY]
        self.order = self.table.random.sample(NAMES, len(NAMES))
        self.living = list(self.order)
        self.table.note("deal", {"spy": spy, "order": self.order})
        for name in self.order:
            self.table.tell(name, [self.say("welcome", name=name, left=self.too_few), self.say("rounds")])
            self.table.tell(name, TextExhibit(self.word(name).word, YOUR_WORD))
        words = {"word": self.instance.spy.word, "common": self.instance.common.word}
        number = 0
        while len(self.living) > self.too_few:
            number += 1
            self.table.tell(NAMES, self.company(self.say("order", round=number, order=", ".join(self.living))))
            yield from self.describe("describe" if number == 1 else "specific")
            out = yield from self.vote(number)
            self.living.remove(out)
            if out == spy:
                self.table.tell(NAMES, self.company(self.say("out_spy", name=out, **words)))
                return self.won_by(VILLAGERS)
            self.table.tell(NAMES, self.say("out", name=out))
            if len(self.living) > self.too_few:
                self.table.tell(NAMES, self.company(self.say("more", names=listed(self.living))))
        self.table.tell(NAMES, self.company(self.say("spy_stays", names=listed(self.living), spy=spy, **words)))
        return self.won_by(SPY)

    @property
    def too_few(self) -> int:
        """With so many left the spy wins."""
        left: int = self.table.settings.spy_wins_at
        return left

    def won_by(self, side: str) -> Outcome:
        """Return the outcome."""
        return Decided(side, {name: list(seats) for name, seats in self.sides.items()})

    def word(self, name: str) -> Word:
        """Return a player's word."""
        return self.instance.spy if name in self.sides[SPY] else self.instance.common

    def say(self, key: str, **places: object) -> str:
        """Return a text of the GameMaster."""
        return self.table.prompts(key, **places)

    def company(self, text: str) -> SeatOverview:
        """Return a text with who is in and who is out."""
        places = tuple(SeatStatus(name, "in" if name in self.living else "out") for name in self.order)
        return SeatOverview(text, places)

    def others(self, name: str) -> list[str]:
        """Return everybody but one, those who are out among them: they hear what is said."""
        return [other for other in self.order if other != name]

    def describe(self, prompt: str) -> Asking[None]:
        """Let everybody still in describe in turn; the others hear it at once."""
        for name in self.living:
            reply: Reply = yield from self.table.ask(name, self.say(prompt), DESCRIBE, allow=self.silent_on_word(name))
            self.table.tell(self.others(name), RelayedMessage(name, reply["speak"], name))

    def vote(self, number: int) -> Asking[str]:
        """Return who is voted out of a round."""
        ballot = yield from self.ballot("vote", self.living)
        data: Json = {"round": number, "votes": ballot.votes, "again": None, "lots": False}
        most = ballot.most
        if len(most) > 1 and self.table.settings.tie == "vote again":
            tied = [name for name in self.living if name in most]
            self.table.tell(NAMES, self.say("tie", names=listed(tied)))
            ballot = yield from self.ballot("vote_again", tied)
            data["again"], most = ballot.votes, ballot.most
            if len(most) > 1:
                tied = [name for name in self.living if name in most]
                self.table.tell(NAMES, self.say("lots", names=listed(tied)))
                data["lots"], most = True, [self.table.random.choice(tied)]
        out = most[0]
        self.table.note("out", {**data, "out": out, "spy": out in self.sides[SPY]})
        return out

    def ballot(self, prompt: str, candidates: Sequence[str]) -> Asking[Ballot]:
        """Let everybody still in vote for one of the candidates: in turn and aloud, or at once and read out."""
        secret = self.table.settings.secret_votes
        asks = [self.vote_of(name, f"{prompt}_secret" if secret else prompt, candidates) for name in self.living]
        replies: list[Reply] = []
        if secret:
            replies = yield from self.table.together(asks)
        for place, ask in enumerate(asks):
            if not secret:
                replies.append((yield from self.table.ask(ask.seat, ask.content, ask.reply, allow=ask.allow)))
            reply = replies[place]
            vote = RelayedMessage(f"{ask.seat} votes for {reply['name']}", reply["speak"], ask.seat)
            self.table.tell(self.others(ask.seat), vote)
        return Ballot({ask.seat: reply["name"] for ask, reply in zip(asks, replies, strict=True)})

    def vote_of(self, name: str, prompt: str, candidates: Sequence[str]) -> Ask[Reply]:
        """Return the ask for one vote."""
        allowed = [other for other in candidates if other != name]
        reply = json_object(
            title="Vote for the spy",
            submit="Vote",
            thought=thought(),
            speak=Text(label="Why? All will hear it", lines=2, hint="Never say your own word."),
            name=one_of(
                *allowed,
                full_stop=False,
                label="Who is the spy?",
                barred=tuple(other for other in NAMES if other not in allowed),
            ),
        )
        return Ask(name, self.say(prompt, names=listed(allowed)), reply, allow=self.silent_on_word(name))

    def silent_on_word(self, name: str) -> Callable[[Reply], str | None]:
        """Return the test that a player does not say the own word."""
        forms = self.word(name).forms

        def said(reply: Reply) -> str | None:
            found = find_mention(reply["speak"], forms)
            return f'"speak" must not say your own word ("{found}").' if found else None

        return said


def listed(names: Sequence[str]) -> str:
    """Return names as they are said: "Tom, Rose and Jack"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


GAME = SpyFall()
