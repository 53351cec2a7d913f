"""The plug-in surface of a game: the class `Game` and what it declares.

The rulebook is its method `play`: a generator that asks seats and gets accepted values back, from top to bottom, in the
order in which a person would explain the rules. It has no I/O, no clock and no turn counters; the GameMaster drives it.
"""

from __future__ import annotations

import copy
import importlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pydantic import BaseModel

from engine.core.briefing import Briefings
from engine.core.events import Ending, Json, Outcome
from engine.core.prompts import Prompts
from engine.core.table import Asking, Settings, Table

if TYPE_CHECKING:
    from engine.core.briefing_file import Briefing
    from engine.core.clembench_mapping import ClembenchMapping
    from engine.core.content import Picture
    from engine.core.debriefing import Debriefing, Panel
    from engine.core.gameeval import GameEvalResult
    from engine.core.log import Log
    from engine.core.player import Player
    from engine.core.views import SeatView

HEADLINE_BY_ENDING = {Ending.SUCCESS: "The task was solved.", Ending.LOSE: "The task was not solved."}
"""The headlines of a game without a debriefing of its own; other endings say what the outcome was."""


@dataclass(frozen=True)
class Experiment:
    """A named set of instances of one variant. Its name may be the answer: a seated person never sees it."""

    name: str
    title: str
    distance: tuple[int, int] | None = None
    """For experiments that vary the distance to a goal: the fewest and the most moves. Results then plot its effect."""


@dataclass(frozen=True)
class Variant:
    """One way to play a game, such as `text` or `picture`. `pictures`: whether seats are shown pictures."""

    name: str
    title: str
    experiments: tuple[Experiment, ...] = ()
    """Those with a title of their own; instance files may hold others."""
    pictures: bool = False
    rules: tuple[str, ...] = ()
    """Rules for people that only this variant has, in plain words."""


class InstanceMaker(Protocol):
    """Makes and checks the instances of a game; a module `instances.py` is one."""

    def make_file(self, variant: str, seed: int = 0) -> str:
        """Return the text of the variant's instance file."""
        ...

    def load(self, instance_data: Any) -> Any:
        """Return the instance that JSON data describes. Raises pydantic's ValidationError."""
        ...

    def check(self, experiment: str, instance: Any) -> str | None:
        """Return why an instance does not belong to the experiment, None when it does."""
        ...


class PicturePairMaker(Protocol):
    """Makes instances from a data set of pictures; a module `picture_sets.py` is one."""

    VARIANT: str

    def content(self, pair_info: Any, similarity: str, seed: int, pairs: Any) -> Json:
        """Return the content of the instance file."""
        ...

    def text_of(self, file_content: Json) -> str:
        """Return that content as the text of a file."""
        ...


@dataclass(frozen=True, slots=True)
class ScriptedPlayer:
    """A player that needs no model: a one-line summary, and a function that makes one for a seat.

    It keeps nothing between replies: on a server each may come from another process. `fallback` returns the reply that
    is sent where its own takes too long, without reading what others wrote; None where the game has none for that ask.
    """

    summary: str
    make_player: Callable[[str], Player]
    fallback: Callable[[SeatView], str | None] | None = None
    module: str | None = None
    """The module that is imported when such a player first plays, if it is not imported before."""

    @classmethod
    @lru_cache  # a run asks for the players of its game in every episode
    def from_module(
        cls, module: str, summary: str, class_name: str = "Scripted", *, fallback: str | None = "fallback"
    ) -> ScriptedPlayer:
        """Return a player whose module is imported when it plays, by the names of its class and of its fallback.

        Most commands read the summaries of all games and play none.
        """

        def make_player(seat: str) -> Player:
            player: Player = getattr(importlib.import_module(module), class_name)(seat)
            return player

        def reply_without_reading(view: SeatView) -> str | None:
            reply_text: str | None = getattr(importlib.import_module(module), str(fallback))(view)
            return reply_text

        return cls(summary, make_player, reply_without_reading if fallback else None, module)


class Game:
    """A rulebook with everything that belongs to it: one subclass in each `FAMILY/rules.py`.

    Only `seats` and `play` are needed; everything else has a default.
    """

    name: ClassVar[str]
    """By default the name of the folder; outside such a folder, that of the class in lower case."""
    title: ClassVar[str]
    """By default the name, its first letter capital."""
    blurb: ClassVar[str]
    """One sentence for the lobby; by default the first paragraph of the docstring."""
    tagline: ClassVar[str]
    """What one does in the game, in about eight words, for its tile in the lobby; by default the blurb."""
    rules: ClassVar[tuple[str, ...]] = ()
    """The rules for people in plain words, one string per paragraph."""
    briefings: ClassVar[Briefings | None] = None
    """What people are told before they play: diagram, three lines, questions (`Briefings(Path(__file__).parent)`).

    Without it, pages show `rules`.
    """
    version: ClassVar[int] = 1
    """Raised whenever the same instance, seed and replies would give other events."""
    seats: ClassVar[tuple[str, ...]]
    variants: ClassVar[tuple[Variant, ...]] = (Variant("text", "Text"),)
    Instance: ClassVar[type[BaseModel] | None] = None
    """A model that checks instances: `play` then receives its objects instead of plain JSON."""
    settings: ClassVar[type[Settings]] = Settings
    prompts: ClassVar[Prompts] = Prompts("rules", 1, {})
    """The texts of `table.prompts`; by default none, for a rulebook that writes them where it asks."""
    leads: ClassVar[bool] = False
    """Whether the lobby offers it first."""
    minutes: ClassVar[int | None] = None
    """About how many minutes a person needs for a game with a program. The lobby shows it, if it is declared."""
    newcomer_seat: ClassVar[str | None] = None
    """The seat that *Play* in the lobby gives; by default the first of two seats, and any of more."""
    clemscore: ClassVar[bool] = True
    """Whether it is part of the clemscore; adversarial games never are."""
    adversarial: ClassVar[bool] = False
    experiment_is_answer: ClassVar[bool] = False
    """Whether who knows the experiment knows the answer, or nearly: studies do not deal it in blocks of experiments."""
    sides: ClassVar[tuple[str, ...]] = ()
    counted_replies: ClassVar[str] = ""
    """What a seat's page calls the replies that it counts, a plural: "moves". Without it, it counts none."""
    simultaneous_moves: ClassVar[bool] = False
    """Whether seats whose moves do not depend on each other are asked at the same time, where `table.simultaneous`.

    For a game that once asked them in turn: the start of an episode says so, and earlier episodes go on in turn.
    """
    open_turns: ClassVar[bool] = False
    """Whether every seat may know who is being asked; pages then say whose turn it is."""
    scores_version: ClassVar[int] = 1
    """Raised whenever the same log would give other scores."""
    side_word: ClassVar[str] = "side"
    """The word for a side where players are seated: `--seat side:spy=P`, `--seat camp:queen=Q`."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Set what follows from the module and the docstring of the class, unless it or a base class sets it."""
        super().__init_subclass__(**options)
        if not hasattr(cls, "name"):
            folder, _, module = cls.__module__.rpartition(".")
            cls.name = folder.rpartition(".")[2] if folder and module == "rules" else cls.__name__.lower()
        if not hasattr(cls, "title"):
            cls.title = cls.name.replace("_", " ").capitalize()
        if not hasattr(cls, "blurb"):
            cls.blurb = " ".join((cls.__doc__ or "").strip().partition("\n\n")[0].split())
        if not hasattr(cls, "tagline"):
            cls.tagline = cls.blurb

    def load(self, instance_data: Json) -> Any:
        """Return the instance that JSON data describes: by default an `Instance`, or without such a model a copy.

        Raises pydantic's ValidationError naming the field.
        """
        return copy.deepcopy(instance_data) if self.Instance is None else self.Instance.model_validate(instance_data)

    def play(self, table: Table, instance: Any) -> Asking[Outcome]:
        """Play one instance: the rulebook."""
        raise NotImplementedError

    def prompts_for(self, prompts: Prompts, variant: str, settings: Any, instance: Any) -> Any:
        """Return what a rulebook has as `table.prompts` in an episode: by default the texts, `prompts`.

        `prompts` are the texts of this game at the version that the episode began with. A game with imported instances
        returns an object that writes prompts and has the formats of their replies: its own, or those of the instance.
        The rulebook then knows one protocol.
        """
        return prompts

    def draw_sides(self, instance: Any, random_source: random.Random) -> Mapping[str, Sequence[str]]:
        """Return the seats of each of `sides`, for a game whose sides are drawn or given by the instance.

        Every seat is on one side. The rulebook calls it first, with `table.random`, so that the sides follow from the
        seed and a player can be seated at a whole side (`engine/play/seating.py`).
        """
        raise NotImplementedError

    def briefing(self, variant: str, seat: str | None = None) -> Briefing:
        """Return what people are told about a variant, at a seat if one is given: by default the rules.

        Raises KeyError for an unknown variant and `BadBriefing` for a file that cannot be used.
        """
        declared_variant = self.variant(variant)
        if self.briefings is None:
            from engine.core.briefing_file import Briefing

            return Briefing(lines=(*self.rules, *declared_variant.rules))
        return self.briefings.select_briefing(variant, seat)

    def goal(self, variant: str, instance: Any, seat: str) -> str | None:
        """Return what the page of a seat keeps in sight: the goal that its first prompt names, None without one.

        Nothing else may stand in it: "Find the café", not where it is.
        """
        return None

    @property
    def draws_sides(self) -> bool:
        """Whether the game says which seats its sides are made of."""
        return type(self).draw_sides is not Game.draw_sides

    def picture(self, instance: Any, asset: str) -> Picture:
        """Draw a picture of the instance on demand. Raises KeyError for an asset the instance does not have."""
        raise KeyError(asset)

    def prompt_set(self, instance: Json) -> tuple[str, int]:
        """Return name and version of the prompts of an instance (as JSON data).

        Imported instances bring their own prompts. Their version stays 1, so that results of the same prompts stay
        together; people's forms then have the labels of our version 1.
        """
        return ("imported", 1) if instance.get("theirs") else (self.prompts.name, self.prompts.version)

    def stimuli(self, instance: Json) -> Iterable[str]:
        """Return names of what an instance (as JSON data) shows that nobody should meet twice: pictures, a map.

        The dealing of studies keeps instances apart that share one; by default they share nothing.
        """
        return ()

    def settings_of(self, instance: Json) -> Json:
        """Return the settings that an instance (as JSON data) brings; those of a run or table take precedence."""
        return {}

    def unsupported_reason(self, instance: Any) -> str | None:
        """Return why an instance cannot be played on this machine (a picture is missing), None when it can."""
        return None

    # ------------------------------------------------------------------ after the game
    def score(self, log: Log) -> Json:
        """Return the game's own scores, computed from events alone, of an episode with an outcome.

        `main_score` is 0 to 100, None when aborted or abandoned and in adversarial games. By default a
        success has 100, a loss 0.
        """
        ending_kind = log.outcome.kind if log.outcome else None
        return {"main_score": {Ending.SUCCESS: 100.0, Ending.LOSE: 0.0}.get(ending_kind) if ending_kind else None}

    def summarise(self, scores: Sequence[Json | None]) -> Json | None:
        """Return numbers by name over many episodes: their single scores, None for one stalled by a fault."""
        return None

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        """Return what the page of a finished episode shows. `scores` are the common ones and the game's own."""
        from engine.core.debriefing import Debriefing, ScoreExplanation  # late: to list games and to play takes neither

        outcome = log.outcome.describe() if log.outcome else "not over yet"
        explanation = ["100 for a success, 0 for a loss."] if type(self).score is Game.score else []
        score = ScoreExplanation(scores.get("main_score"), explanation)
        headline = HEADLINE_BY_ENDING.get(log.outcome.kind) if log.outcome else None
        return Debriefing(headline or f"The game is over: {outcome}.", score, has_published=False)

    def board(self, log: Log) -> list[Panel]:
        """Return the panels that spectators see beside the conversation after these events."""
        return []

    @property
    def has_board(self) -> bool:
        """Whether the game draws a board for spectators."""
        return type(self).board is not Game.board

    def animate(self, log: Log) -> bytes | None:
        """Return a finished episode as an animated GIF; None for games without one."""
        return None

    def make_gameeval_result(self, log: Log) -> GameEvalResult | None:
        """Return what the result files of the GameEval paper's code say of a finished episode, None if nothing."""
        return None

    # ------------------------------------------------------------------ players and instances
    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        """Return the game's own players by name."""
        return {}

    def instance_maker(self) -> InstanceMaker | None:
        """Return what makes and checks instances, None if they are written by hand."""
        return None

    def picture_pair_maker(self) -> PicturePairMaker | None:
        """Return what makes instances from a data set of pictures, None if nothing does."""
        return None

    def clembench(self) -> ClembenchMapping | None:
        """Return how files in clembench's layout are read and written, None if they are not."""
        return None

    def variant(self, variant_name: str) -> Variant:
        """Return the variant of that name. Raises KeyError that names the existing ones."""
        for variant in self.variants:
            if variant.name == variant_name:
                return variant
        variant_names = ", ".join(variant.name for variant in self.variants)
        raise KeyError(f"{self.name} has no variant {variant_name!r}; there are {variant_names}")
