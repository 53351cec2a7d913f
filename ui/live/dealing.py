"""Dealing: a request for a table is checked, an instance is chosen blindly, players are made for its seats.

Blindly: a person never chooses the experiment they play (its name often is the answer) unless they say so, which is
recorded as `informed`. Instances that a browser has met before are dealt last. A practice game is dealt an instance
that is in no experiment, where the game has some.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from engine.core.events import Event, Json, digest
from engine.core.game import Game, Variant
from engine.core.player import Address, ExternalPlayer, Player, PlayerFault, Reply, UnknownPlayer
from engine.core.start import EpisodeStart
from engine.core.views import SeatView
from engine.play.plans import build_item_start
from engine.play.player_workers import PlayerWorkers, WorkerPlayer
from engine.play.registry import BadInstances, Registry, SelectedInstance, UnknownSelection
from engine.storage.database import StoreError
from engine.storage.seat_links import OpenedTable, SeatLinks
from engine.storage.store import Store
from engine.storage.visibility import Visibility, explain_blind_refusal
from ui.live.offers import INVITE_PROVIDER, PERSON_PROVIDER, RECORDED_PROVIDER, PlayerOffers
from ui.live.refusal import Refusal
from ui.live.turn_clock import TurnLimit

MODEL_TURN_LIMIT_SECONDS = 60.0
"""Seconds for a reply of a program at a table whose replies are timed."""
INSTANCE_CHOICE_HINT = 'Leave them open and be dealt one, or set choose_instances = "all" in ludens.toml.'
ALL_INSTANCES_IN_USE_TEXT = (
    "People are playing all instances of this right now. Choose something else, or try again later."
)


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A table as a browser asks for it.

    `seats` maps each seat to "person", "invite" or a player's address; without `variant` the game's first is played.
    With `listed` the lobby offers its free seats to everybody. With `turn_seconds` each reply has to come in that time;
    then `turn_program` takes the seat, or the game ends.
    """

    game: str
    seats: Mapping[str, str]
    variant: str | None = None
    experiment: str | None = None
    instance: int | None = None
    settings: Json | None = None
    practice: bool = False
    pace: float | None = None
    listed: bool = False
    partners: tuple[str, ...] = ()
    """Further browsers that will sit there: they should not have met the instance either."""
    turn_seconds: float | None = None
    turn_rule: Literal["program", "abandon"] = "abandon"
    turn_program: str = "scripted"

    @property
    def people(self) -> list[str]:
        """The seats for people."""
        return [seat for seat, player in self.seats.items() if player in (PERSON_PROVIDER, INVITE_PROVIDER)]

    @property
    def chooses_instance(self) -> bool:
        """Whether it asks for an experiment, an instance, or the instance of a recorded episode."""
        return self.experiment is not None or any(find_recorded_episode(player) for player in self.seats.values())

    @property
    def own_seat(self) -> str | None:
        """The seat of the person who asks, if any."""
        return next((seat for seat, player in self.seats.items() if player == PERSON_PROVIDER), None)


@dataclass(frozen=True, slots=True)
class InstanceAssignment:
    """What a table plays: an instance, the seed if it is given, the settings, and whether a person chose it."""

    selected_instance: SelectedInstance
    seed: str | None
    settings: Json | None
    is_chosen_by_person: bool


class PacedPlayer(Player):
    """A program that waits before each move, so that people can follow."""

    def __init__(self, player: Player, pace_seconds: float) -> None:
        self._player, self._pace_seconds = player, pace_seconds
        self.omniscient, self.longest_message = player.omniscient, player.longest_message
        self.streams = player.streams

    @property
    def load_progress(self) -> float | None:
        """How much of its model is loaded, 0 to 1; None when nothing is being loaded."""
        return self._player.load_progress

    async def reply(self, view: SeatView) -> Reply:
        """Wait, then reply."""
        await asyncio.sleep(self._pace_seconds)
        return await self._player.reply(view)


class AbsentPlayer(Player):
    """Takes the place of a player that cannot be had now: every ask is a fault with the reason, so the game waits."""

    def __init__(self, absence_reason: str) -> None:
        self._reason = absence_reason

    async def reply(self, view: SeatView) -> Reply:
        """Raise `PlayerFault`."""
        raise PlayerFault(self._reason)


def find_recorded_episode(address: str) -> str | None:
    """Return the episode whose replies an address repeats; None for other players."""
    player_address = Address.parse(address)
    return player_address.name if player_address.provider == RECORDED_PROVIDER else None


def read_instance(start: Json) -> SelectedInstance:
    """Return the instance that an episode began with, given the data of its start event."""
    instance_number = start["instance_id"].rpartition("/")[2]
    instance_index = int(instance_number) if instance_number.isdecimal() else 0
    return SelectedInstance(start["game"], start["variant"], start["experiment"], instance_index, start["instance"])


class EpisodePreparer:
    """Checks requests, deals instances, makes players."""

    def __init__(
        self,
        registry: Registry,
        reader: Store,
        links: SeatLinks,
        visibility: Visibility,
        offers: PlayerOffers,
        workers: PlayerWorkers,
        *,
        version: str,
    ) -> None:
        self._registry, self._reader, self._links, self._visibility = registry, reader, links, visibility
        self._workers = workers
        self._offers, self._version = offers, version
        self._hash_by_instance: dict[str, str] = {}

    def build_start_event(self, request: TableRequest, browser: str) -> EpisodeStart:
        """Return how the requested episode begins. Raises `Refusal` saying what is wrong with the request."""
        game, variant = self._find_game(request)
        self._check_choice(request, game, browser)
        game_variant = game.variant(variant)
        seats = {
            seat: PERSON_PROVIDER
            if player in (PERSON_PROVIDER, INVITE_PROVIDER)
            else self._offers.resolve_player(game, game_variant, player, browser)
            for seat, player in request.seats.items()
        }
        instance_assignment = self._deal_instance(request, game, variant, browser)
        was_seen_before = bool(
            self._links.count_exposures(browser).get(self._hash_instance(instance_assignment.selected_instance))
        )
        people: dict[str, Json] = {
            seat: {
                "informed": instance_assignment.is_chosen_by_person and seat == request.own_seat,
                "seen_before": was_seen_before if seat == request.own_seat else None,
                "practice": request.practice,
            }
            for seat in request.people
        }
        if turn_limit := self._make_turn_limit(
            request, game, game_variant, instance_assignment.selected_instance, browser
        ):
            people = {
                seat: person_notes | {"turn_limit": turn_limit.as_json()} for seat, person_notes in people.items()
            }
        for seat, player in seats.items():
            if reason := self._registry.find_unreadable_reason(player, instance_assignment.selected_instance):
                raise Refusal(422, reason)
            if self.make_player(game, seat, player).omniscient and people:
                raise Refusal(422, f"{player} knows the answer: it cannot play with people, only to be watched")
        try:
            return build_item_start(
                game,
                instance_assignment.selected_instance,
                seats,
                settings=instance_assignment.settings,
                run_seed=secrets.randbits(48),
                seed=instance_assignment.seed,
                people=people,
                ludens=self._version,
            )
        except ValidationError as error:
            raise Refusal(422, _describe_first_error(error)) from None
        except ValueError as error:
            raise Refusal(422, str(error)) from None

    def _make_turn_limit(
        self, request: TableRequest, game: Game, variant: Variant, instance: SelectedInstance, browser: str
    ) -> TurnLimit | None:
        """Return the limit that a table asks for. Raises `Refusal` for a program that cannot take a seat."""
        if request.turn_seconds is None:
            return None
        program_address = None
        if request.turn_rule == "program":
            program_address = self._offers.resolve_player(game, variant, request.turn_program, browser)
            if reason := self._registry.find_unreadable_reason(program_address, instance):
                raise Refusal(422, reason)
            if program_address == PERSON_PROVIDER or self.make_player(game, game.seats[0], program_address).omniscient:
                raise Refusal(422, f"{request.turn_program} cannot take the seat of a person")
        return TurnLimit(request.turn_seconds, MODEL_TURN_LIMIT_SECONDS, request.turn_rule, program_address)

    # ------------------------------------------------------------------ players
    def make_player(self, game: Game, seat: str, address: str, pace_seconds: float = 0.0) -> Player:
        """Return the player for a seat; raise `Refusal` where there is none. `PlayerOffers` decides who may seat it."""
        try:
            player = self._registry.player(address, game.name, seat, self._read_events)
        except (UnknownPlayer, StoreError) as error:
            raise Refusal(422, str(error)) from None
        if worker_arguments := self._registry.find_scripted_player(
            address, game.name
        ):  # it reads what others wrote: not in this process
            player = WorkerPlayer(*worker_arguments, player, self._workers)
        return PacedPlayer(player, pace_seconds) if pace_seconds and not isinstance(player, ExternalPlayer) else player

    def make_returning_player(self, game: Game, seat: str, address: str, opened_table: OpenedTable | None) -> Player:
        """Return the player of a seat of a table that continues; one that cannot be had leaves the game waiting."""
        try:
            self._offers.check_player_allowed(game, address, opened_table.browser if opened_table else None)
            return self.make_player(game, seat, address, opened_table.pace if opened_table else 0.0)
        except Refusal as refusal:
            return AbsentPlayer(" ".join(filter(None, (refusal.error, refusal.explanation))))

    def _read_events(self, episode: str) -> Sequence[Event]:
        return self._reader.events(self._reader.episode(episode).id)

    # ------------------------------------------------------------------ instances
    def _find_game(self, request: TableRequest) -> tuple[Game, str]:
        """Return the game and the name of the variant; raise `Refusal` unless all seats are named."""
        try:
            game = self._registry.game(request.game)
            variant = game.variant(request.variant) if request.variant else game.variants[0]
        except LookupError as error:
            raise Refusal(422, str(error.args[0])) from None
        if set(request.seats) != set(game.seats):
            named_seats = ", ".join(request.seats) or "none"
            raise Refusal(422, f"{game.name} has the seats {', '.join(game.seats)}; given: {named_seats}")
        return game, variant.name

    def _check_choice(self, request: TableRequest, game: Game, browser: str) -> None:
        """Raise `Refusal` where a browser may not choose what is played, or plays the game blind elsewhere."""
        if not request.chooses_instance:
            return
        if not self._offers.may_choose(browser):
            raise Refusal(
                403, "On this server only its owner chooses the experiment and the instance.", INSTANCE_CHOICE_HINT
            )
        if self._visibility.plays_unchosen_instance(browser, game.name):
            raise Refusal(403, explain_blind_refusal(game.title))

    def _deal_instance(self, request: TableRequest, game: Game, variant: str, browser: str) -> InstanceAssignment:
        """Deal the instance asked for, that of a recorded episode, or one that the browser has not met."""
        if request.experiment is None and request.instance is not None:
            raise Refusal(422, "an instance is chosen within an experiment: name that too")
        source_episode = next(filter(None, map(find_recorded_episode, request.seats.values())), None)
        if source_episode and request.experiment is None:
            return self._deal_recorded_instance(game, variant, source_episode)
        address_parts = (game.name, variant, request.experiment, request.instance)
        instance_path = "/".join(str(address_part) for address_part in address_parts if address_part is not None)
        try:
            instances = self._list_practice_instances(request, game, variant) or self._registry.select_instances(
                instance_path
            )
        except (UnknownSelection, BadInstances) as error:
            raise Refusal(422, str(error)) from None
        if not instances:
            raise Refusal(422, f"there is no instance of {instance_path}")
        if request.experiment is None:  # imported sets have words of their own, which no scripted partner knows
            instances = [instance for instance in instances if not instance.instance.get("theirs")] or instances
        if not request.people and request.instance is None:  # both sides will be watched: nothing that people play now
            busy_instance_hashes = self._links.list_instances_played()
            if busy_instance_hashes:
                instances = [
                    instance for instance in instances if self._hash_instance(instance) not in busy_instance_hashes
                ]
            if not instances:
                raise Refusal(409, ALL_INSTANCES_IN_USE_TEXT)
        if request.own_seat is None:  # the browser may watch this table: not the instance that it plays at another
            blind_instance_hashes = self._links.list_blind_instances(browser)
            if blind_instance_hashes:
                instances = [
                    instance for instance in instances if self._hash_instance(instance) not in blind_instance_hashes
                ]
            if not instances:
                raise Refusal(403, explain_blind_refusal(game.title))
        times_seen: Counter[str] = Counter()
        for player in (browser, *request.partners):
            times_seen.update(self._links.count_exposures(player))
        secrets.SystemRandom().shuffle(instances)
        reason = ""
        for instance in sorted(instances, key=lambda instance: times_seen[self._hash_instance(instance)]):
            missing_reason = self._registry.find_unsupported_reason(instance)
            if missing_reason is None:
                return InstanceAssignment(instance, None, request.settings, request.experiment is not None)
            reason = missing_reason
        raise Refusal(422, reason)

    def _list_practice_instances(self, request: TableRequest, game: Game, variant: str) -> list[SelectedInstance]:
        """Return the instances for a practice game of people; none where one was chosen or the game has none."""
        if not (request.practice and request.people) or request.experiment is not None:
            return []
        return self._registry.read_practice_instances(game.name, variant)

    def _deal_recorded_instance(self, game: Game, variant: str, episode: str) -> InstanceAssignment:
        """Deal what a stored episode was dealt, with its seed and settings."""
        try:
            start_data = self._reader.episode(episode).start
        except StoreError as error:
            raise Refusal(422, str(error)) from None
        if (start_data["game"], start_data["variant"]) != (game.name, variant):
            raise Refusal(422, f"episode {episode} is of {start_data['game']}/{start_data['variant']}")
        return InstanceAssignment(
            read_instance(start_data), start_data["seed"], start_data["settings"], is_chosen_by_person=True
        )

    def _hash_instance(self, selected_instance: SelectedInstance) -> str:
        if selected_instance.instance_id not in self._hash_by_instance:
            self._hash_by_instance[selected_instance.instance_id] = digest(selected_instance.instance)
        return self._hash_by_instance[selected_instance.instance_id]


def _describe_first_error(error: ValidationError) -> str:
    """Return the first complaint of a validation, with the field it is about."""
    first_error = error.errors(include_url=False, include_input=False)[0]
    field_path = ".".join(str(field_name) for field_name in first_error["loc"])
    return f"{field_path}: {first_error['msg']}" if field_path else str(first_error["msg"])
