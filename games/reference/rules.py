"""The rulebook of the reference game: the speaker describes one of three items, the listener picks it. One turn each.

Protocol and replies follow the multimodal games paper, §4.1 and appendix B. The items are pictures or text grids. The
listener has them in an order of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from engine.core.briefing import Briefings
from engine.core.content import Picture
from engine.core.events import Json, Lose, Outcome, Success, digest
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.prompts import Prompts
from engine.core.table import Asking, Table
from engine.core.table import Settings as BaseSettings
from games.reference import clembench, experiments
from games.reference.imported import ImportedPrompts
from games.reference.layout import is_text, lay_out_items, order_speaker_items
from games.reference.native import NativePrompts

if TYPE_CHECKING:
    from engine.core.clembench_mapping import ClembenchMapping
    from engine.core.debriefing import Debriefing, Panel
    from engine.core.log import Log
    from games.reference.instances import Instance

PICTURES_NOTE = (
    "The pictures show rooms, everyday scenes, solid objects, grids of five by five cells, or boards with coloured "
    "pieces. Click or tap a picture to enlarge it: the differences may be small.",
    "A board has a few pieces of five squares each. Each piece is named after the capital letter that it looks most "
    "like, even when it is turned or mirrored: F, I, L, N, P, T, U, V, W, X, Y or Z.",
)
GRIDS_NOTE = ("A grid has five rows and five columns; each cell is filled or empty.",)


class Settings(BaseSettings):
    """`target_at` is the place of the target in the speaker's list. A good expression does not depend on it."""

    target_at: Literal["first", "second", "third"] = Field(
        "first", title="Position of the target in the speaker's list"
    )


class ReferenceGame(Game):
    """A game for two: one describes one of three items, the other picks it."""

    name = "reference"
    title = "Reference game"
    blurb = "One player describes one of three pictures or grids. The other player picks it."
    tagline = "Three pictures, one description: pick the right one."
    rules = (
        "You both see the same three pictures or grids, perhaps in a different order. One of them is the target, and "
        "only the speaker knows which one.",
        "The speaker describes the target in one line. Say what makes it different: a detail that the other two share "
        "does not help.",
        "The listener reads the description and picks one of the three. You each have one turn. You win together, and "
        "only if the listener picks the target.",
    )
    briefings = Briefings(Path(__file__).parent)
    minutes = 1
    newcomer_seat = "listener"
    version = 1
    seats = ("speaker", "listener")
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = tuple(
        Variant(
            variant_name,
            variant_title,
            tuple(
                Experiment(experiment, experiments.TITLE_BY_EXPERIMENT[experiment])
                for experiment in experiments.EXPERIMENTS[variant_name]
            ),
            pictures=variant_name == "picture",
            rules=rules,
        )
        for variant_name, variant_title, rules in (
            ("text", "Text grids", GRIDS_NOTE),
            ("picture", "Pictures", PICTURES_NOTE),
        )
    )

    def load(self, data: Json) -> Instance:
        """Return an instance. Raises pydantic's ValidationError with the field."""
        from games.reference.instances import load  # late, as all that playing alone takes

        return load(data)

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Let the speaker describe the target and the listener pick an item."""
        shows_text = is_text(table.variant, instance)
        prompts: NativePrompts = table.prompts
        speaker_order = order_speaker_items(table.settings.target_at)
        speaker_items = lay_out_items(instance, speaker_order, "speaker", prompts.item_titles, shows_text)
        listener_items = lay_out_items(instance, instance.listener, "listener", prompts.item_titles, shows_text)
        pictures = listener_items.pictures
        if introduction_parts := prompts.write_listener_introduction(listener_items.item_contents):
            table.tell("listener", introduction_parts, pictures=pictures)
            pictures = []
        expression = yield from table.ask(
            "speaker",
            prompts.write_speaker_prompt(speaker_items.item_contents),
            prompts.expression_format,
            pictures=speaker_items.pictures,
        )
        picked_place = yield from table.ask(
            "listener", prompts.write_listener_prompt(expression), prompts.answer_format, pictures=pictures
        )
        return Success() if picked_place == instance.answer else Lose()

    def prompts_for(self, prompts: Prompts, variant: str, settings: Settings, instance: Instance) -> NativePrompts:
        """Return our prompts and reply formats, or those of an imported instance."""
        shows_text = is_text(variant, instance)
        if instance.kind == "imported" and instance.clembench_instance:
            return ImportedPrompts(prompts, settings.target_at, shows_text, instance.clembench_instance)
        return NativePrompts(prompts, settings.target_at, shows_text)

    def picture(self, instance: Instance, asset: str) -> Picture:
        """Return the picture of an item, by its name at a seat (`list_assets`). Raises KeyError for another name."""
        from games.reference.board import make_picture

        return make_picture(instance, asset)

    def stimuli(self, instance: Json) -> Iterable[str]:
        """Return all three items; of an imported instance the target only, since their sets repeat the distractors."""
        match instance:
            case {"kind": "imported", "target": target}:
                return (digest(target),)
            case {"target": target, "distractors": [*distractors]}:
                return map(digest, (target, *distractors))
        return ()

    def settings_of(self, instance: Json) -> Json:
        """Return the settings that an imported instance is played with."""
        return clembench.settings(instance["theirs"]) if instance.get("theirs") else {}

    def unsupported_reason(self, instance: Instance) -> str | None:
        """Return which picture of an instance is missing on this machine, None if all are here."""
        from games.reference.board import find_missing_picture

        return find_missing_picture(instance)

    def score(self, log: Log) -> Json:
        from games.reference.scores import score

        return score(log).as_json()

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.reference.debrief import debrief
        from games.reference.scores import Scores

        return debrief(log, Scores.from_json(scores))

    def board(self, log: Log) -> list[Panel]:
        from games.reference.board import make_spectator_panels

        return make_spectator_panels(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        return {
            "scripted": ScriptedPlayer.from_module(
                "games.reference.scripted", "says and weighs what tells the three apart; pictures by their descriptions"
            ),
        }

    def instance_maker(self) -> InstanceMaker:
        from games.reference import instances

        return instances

    def clembench(self) -> ClembenchMapping:
        return clembench


GAME = ReferenceGame()
