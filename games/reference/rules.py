"""The rulebook of the reference game: the speaker describes one of three things, the listener picks it. One turn each.

Protocol and replies after the multimodal games paper, §4.1 and appendix B. The three are pictures or text grids; the
listener has them in an order of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from engine.core.clembench_mapping import ClembenchMapping
from engine.core.content import ContentPart, Picture, RelayedMessage, ShownPicture, TextExhibit
from engine.core.debriefing import Debriefing, Panel
from engine.core.events import Json, Lose, Outcome, Success
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.log import Log
from engine.core.prompts import Prompts
from engine.core.replies import OneShown, Tagged, Text
from engine.core.table import Asking, Table
from engine.core.table import Settings as BaseSettings
from games.reference import board, clembench, imported, instances
from games.reference.instances import PLACES, Instance

TARGET = ", the target"
"""How the title of the target goes on, at the speaker's."""
EXPRESSION = "Expression"
SPELLINGS = {"first": ("1", "1st"), "second": ("2", "2nd"), "third": ("3", "3rd")}
THINGS = ("image", "picture", "grid")

PICTURES = (
    "The pictures are rooms, everyday scenes, solid objects, grids of five by five cells, or boards with coloured "
    "pieces. Click or tap one to see it large: what tells two of them apart may be small.",
    "A board has a few pieces of five squares each. A piece is named for short by the capital letter it looks most "
    "like, however it is turned or mirrored: F, I, L, N, P, T, U, V, W, X, Y or Z.",
)
GRIDS = ("A grid has five rows and five columns; each cell is filled or empty.",)


class Settings(BaseSettings):
    """`target_at` is the target's place in the speaker's list: an expression that changes with it is no reference."""

    target_at: Literal["first", "second", "third"] = Field("first", title="Where the speaker's target stands")


class Words:
    """How one modality is spoken of: the things, their titles, and the reply formats that name them."""

    def __init__(self, thing: str) -> None:
        self.thing = thing
        self.titles = tuple(f"{place.capitalize()} {thing}" for place in PLACES)
        self.expression = Tagged(
            EXPRESSION,
            Text(
                label=f"What tells the target from the other two {thing}s?",
                lines=1,
                title="Describe the target",
                submit="Send description",
                hint="One line. The listener may have another order, so places in the row do not help.",
            ),
            any_case=True,
        )
        spellings = [(place, also) for place in PLACES for also in (place, *SPELLINGS[place])]
        self.answer = Tagged(
            "Answer",
            OneShown(
                PLACES,
                aliases=(
                    *((also, place) for place, also in spellings if also != place),
                    *((f"{also} {noun}", place) for place, also in spellings for noun in THINGS),
                ),
                labels=tuple(f"The {place} {thing}" for place in PLACES),
                label=f"Which {thing} is meant?",
                title="Pick the one that is meant",
                submit="This one is meant",
                shown=self.titles,
            ),
            any_case=True,
        )


WORDS = {thing: Words(thing) for thing in ("grid", "picture")}


class ReferenceGame(Game):
    """Three things, one of which is meant: describe it, pick it."""

    name = "reference"
    title = "Reference game"
    blurb = "Three pictures or grids, one of them is meant. One describes it, the other picks it."
    rules = (
        "Both of you see the same three, perhaps in another order. One is the target, and only the speaker knows "
        "which.",
        "The speaker describes the target in one line. Say what the other two do not have: all that fits them as well "
        "does not help.",
        "The listener reads the line and picks one. One turn each. You win together, and only if it is the target.",
    )
    version = 1
    seats = ("speaker", "listener")
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = tuple(
        Variant(
            name,
            title,
            tuple(Experiment(experiment, instances.TITLES[experiment]) for experiment in instances.EXPERIMENTS[name]),
            pictures=name == "picture",
            rules=rules,
        )
        for name, title, rules in (("text", "Text grids", GRIDS), ("picture", "Pictures", PICTURES))
    )

    def load(self, data: Json) -> Instance:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """The speaker describes, the listener picks."""
        as_text = table.variant == "text" and instance.texts is not None
        words = WORDS["grid" if as_text else "picture"]

        def say(key: str) -> str:
            return table.prompts(key, thing=words.thing, things=f"{words.thing}s", place=table.settings.target_at)

        seen = _laid(words, instance, board.speaker_order(table.settings.target_at), "speaker", as_text)
        heard = _laid(words, instance, instance.listener, "listener", as_text)
        if theirs := getattr(instance, "theirs", None):
            brought = imported.Words(theirs)
            format = brought.expression(words.expression)
            expression = yield from table.ask("speaker", brought.speaker(), format, pictures=seen[1])
            told, choice = brought.listener(expression), brought.answer(words.answer, shown=bool(heard[1]))
            answer = yield from table.ask("listener", told, choice, pictures=heard[1])
            return Success() if answer == instance.answer else Lose()
        table.tell("listener", [say("listener"), *heard[0]], pictures=heard[1])
        expression = yield from table.ask(
            "speaker", [say("speaker"), *seen[0], say("describe")], words.expression, pictures=seen[1]
        )
        quoted = RelayedMessage(EXPRESSION, expression, "speaker")
        answer = yield from table.ask("listener", [quoted, say("choose")], words.answer)
        return Success() if answer == instance.answer else Lose()

    def picture(self, instance: Instance, asset: str) -> Picture:
        """Draw one of the three (board.assets has their names). Raises KeyError for another name."""
        return board.picture(instance, asset)

    def settings_of(self, instance: Json) -> Json:
        """Return the settings that an imported instance is played with."""
        return clembench.settings(instance["theirs"]) if instance.get("theirs") else {}

    def unsupported_reason(self, instance: Instance) -> str | None:
        """Say which photo of an instance is not on this machine."""
        return board.lacks(instance)

    def score(self, log: Log) -> Json:
        from games.reference.scores import score

        return score(log)

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.reference.debrief import debrief

        return debrief(log, scores)

    def board(self, log: Log) -> list[Panel]:
        from games.reference.board import watch

        return watch(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        from games.reference.scripted import PLAYERS

        return PLAYERS

    def instance_maker(self) -> InstanceMaker:
        from games.reference import instances

        return instances

    def clembench(self) -> ClembenchMapping:
        from games.reference import clembench

        return clembench


def _laid(
    words: Words, instance: Instance, order: Sequence[int], seat: str, as_text: bool
) -> tuple[list[ContentPart], list[ShownPicture]]:
    """Return the three as they lie before a seat: as exhibits or as pictures. Only the speaker's target is marked."""
    exhibits: list[ContentPart] = []
    shown: list[ShownPicture] = []
    for title, asset, number in zip(words.titles, board.assets(seat, order), order, strict=True):
        marked = "target" if seat == "speaker" and number == 0 else ""
        named = title + TARGET if marked else title
        if as_text and instance.texts:
            exhibits.append(TextExhibit(instance.texts[number], named, marked))
        else:
            shown.append(ShownPicture(asset, named, marked=marked))
    return exhibits, shown


GAME = ReferenceGame()
