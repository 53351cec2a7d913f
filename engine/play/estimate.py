"""Estimate the calls, tokens and cost of a plan from one game of each variant between free players.

The estimate gives the order of magnitude: models write more or less than scripted players, and aborted games end early.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.core.player import Address, Player, Reply, refuse_episode_loading
from engine.core.tokens import compute_cost, estimate_tokens
from engine.core.views import SeatView
from engine.play.plans import Plan, PlanGroup
from engine.play.registry import Registry, SelectedInstance
from engine.play.runner import play
from engine.play.seating import assign_players, derive_side_seed, list_candidates

SAMPLE_PLAYER = "scripted"
"""The player of the measured game; `random` if the game has no such player."""


@dataclass(frozen=True, slots=True)
class EpisodeEstimate:
    """The estimate for one episode. `cost` is in USD, None if a price is unknown; tokens are those of models only."""

    calls: float = 0.0
    tokens: float = 0.0
    cost: float | None = 0.0

    def __add__(self, other_estimate: EpisodeEstimate) -> EpisodeEstimate:
        """Return the sum of both estimates."""
        total_cost = None if self.cost is None or other_estimate.cost is None else self.cost + other_estimate.cost
        return EpisodeEstimate(self.calls + other_estimate.calls, self.tokens + other_estimate.tokens, total_cost)

    def multiply(self, count: float) -> EpisodeEstimate:
        """Return the estimate for this number of episodes."""
        return EpisodeEstimate(
            self.calls * count, self.tokens * count, None if self.cost is None else self.cost * count
        )


class TokenCounter(Player):
    """Wraps a player and counts the tokens that a model at its seat would read and write."""

    def __init__(self, inner_player: Player) -> None:
        self._inner_player = inner_player
        self.calls, self.tokens_in, self.tokens_out = 0, 0.0, 0.0

    async def reply(self, view: SeatView) -> Reply:
        """Reply as the player does."""
        player_reply = await self._inner_player.reply(view)
        self.calls += 1
        picture_count = sum(len(message.pictures) for message in view.messages)
        self.tokens_in += estimate_tokens(sum(len(message.text()) for message in view.messages), picture_count)
        self.tokens_out += estimate_tokens(len(player_reply.text))
        return player_reply


def estimate_plan(plan: Plan) -> dict[PlanGroup, EpisodeEstimate]:
    """Return the estimate for one episode of each group of a plan."""
    counters_by_variant: dict[tuple[str, str], dict[str, TokenCounter]] = {}
    estimates: dict[PlanGroup, EpisodeEstimate] = {}
    for group, selected_instance in _list_example_instances(plan):
        variant_key = (group.game, group.variant)
        if variant_key not in counters_by_variant:
            counters_by_variant[variant_key] = asyncio.run(_play_sample(plan.registry, selected_instance))
        estimates[group] = _estimate_group(plan.registry, group, selected_instance, counters_by_variant[variant_key])
    return estimates


def _list_example_instances(plan: Plan) -> Iterator[tuple[PlanGroup, SelectedInstance]]:
    """Yield every group of a plan with the middle one of its instances."""
    for plan_part in plan.parts:
        for seating in plan_part.seatings:
            instances_by_variant: dict[tuple[str, str], list[SelectedInstance]] = {}
            for instance in plan_part.instances:
                instances_by_variant.setdefault((instance.game, instance.variant), []).append(instance)
            for (game, variant), instances in instances_by_variant.items():
                yield PlanGroup(game, variant, tuple(sorted(seating.items()))), instances[len(instances) // 2]


async def _play_sample(registry: Registry, selected_instance: SelectedInstance) -> dict[str, TokenCounter]:
    """Let free players play an instance and return their token counts by seat."""
    game = registry.game(selected_instance.game)
    player_name = SAMPLE_PLAYER if SAMPLE_PLAYER in registry.list_player_names(selected_instance.game) else "random"
    players = {
        seat: TokenCounter(registry.player(player_name, selected_instance.game, seat, refuse_episode_loading))
        for seat in game.seats
    }
    await play(game, selected_instance, players, registry=registry)
    return players


def _estimate_group(
    registry: Registry,
    group: PlanGroup,
    selected_instance: SelectedInstance,
    measured_tokens: Mapping[str, TokenCounter],
) -> EpisodeEstimate:
    """Return the estimate for an episode of a group, given the measured counts of each seat."""
    seating = dict(group.seating)
    game = registry.game(group.game)
    for seat, address in list_candidates(game, seating):  # a recorded seat says itself what it takes: nothing
        if Address.parse(address).provider == "recorded":
            seating[seat] = "random"
    group_estimate = EpisodeEstimate()
    for seat, address in assign_players(
        game, selected_instance.instance, seating, derive_side_seed(game, selected_instance, seating, 0)
    ).items():
        seat_tokens, player_info = measured_tokens[seat], registry.player_info(address, game.name)
        if not (player_info.is_paid or player_info.is_local or player_info.price):
            group_estimate += EpisodeEstimate(seat_tokens.calls)
            continue
        has_price = player_info.price is not None or not player_info.is_paid
        group_cost = (
            compute_cost(seat_tokens.tokens_in, seat_tokens.tokens_out, player_info.price or (0.0, 0.0))
            if has_price
            else None
        )
        group_estimate += EpisodeEstimate(seat_tokens.calls, seat_tokens.tokens_in + seat_tokens.tokens_out, group_cost)
    return group_estimate
