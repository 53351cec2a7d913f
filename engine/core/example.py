"""Example games: one short, good game of each family, to click through before a first game.

A game keeps it in `games/FAMILY/example.toml` as an instance of its own and written replies. The log is made from them,
so an example always follows the present rules; the contract checks that it runs to its end without a violation.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from engine.core.events import Event, Json
from engine.core.game import Game
from engine.core.master import GameMaster, build_start_event

EXAMPLE_FILE_NAME = "example.toml"
EXAMPLE_EXPERIMENT = "example"


def make_example_path(folder: Path) -> Path | None:
    """Return the file with the example of the game in a folder, None without one."""
    path = folder / EXAMPLE_FILE_NAME
    return path if path.is_file() else None


class BadExample(ValueError):
    """An example cannot be played; the message says why."""


class ExampleReply(BaseModel):
    """What a seat writes, word for word."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    seat: str
    text: str


class ExampleGame(BaseModel):
    """An instance that is in no experiment, and the replies of all seats in the order in which they are asked."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    variant: str
    about: str = Field(min_length=1)
    """What to look for, in one or two sentences."""
    instance: Json
    replies: tuple[ExampleReply, ...]
    settings: Json = {}
    seed: str = "example"

    @classmethod
    def load(cls, path: Path) -> ExampleGame:
        """Read an example from its file. Raises `BadExample` for a file with faults."""
        try:
            return cls.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise BadExample(f"{path}: {error}") from error

    def play(self, game: Game) -> list[Event]:
        """Return the log of the game. Raises `BadExample` where a reply does not fit or one is missing or too many."""
        episode_start = build_start_event(
            game,
            ludens="example",
            variant=self.variant,
            experiment=EXAMPLE_EXPERIMENT,
            instance=self.instance,
            instance_id=f"{game.name}/{self.variant}/{EXAMPLE_EXPERIMENT}/0",
            seats=dict.fromkeys(game.seats, EXAMPLE_EXPERIMENT),
            settings=self.settings,
            seed=self.seed,
        )
        master, log = GameMaster.begin_episode(game, episode_start)
        for reply_number, reply in enumerate(self.replies, 1):
            open_ask = next(
                (open_ask for open_ask in master.open.values() if open_ask.request.seat == reply.seat), None
            )
            if open_ask is None:
                raise BadExample(f"reply {reply_number} is of {reply.seat}, but {_list_asked_seats(master)} is asked")
            try:
                parsed_value = open_ask.request.reply.parse(reply.text)
                if open_ask.request.allow and (refusal_reason := open_ask.request.allow(parsed_value)):
                    raise BadExample(f"reply {reply_number} of {reply.seat} is not allowed: {refusal_reason}")
            except ValueError as error:
                raise BadExample(f"reply {reply_number} of {reply.seat}: {error}") from error
            log += master.reply(open_ask.id, reply.text)
        if master.outcome is None:
            raise BadExample(f"after the last reply, {_list_asked_seats(master)} is asked")
        return [Event(event.kind, event.seat, event.data, n) for n, event in enumerate(log)]


def _list_asked_seats(master: GameMaster) -> str:
    return ", ".join(open_ask.request.seat for open_ask in master.open.values()) or "nobody"
