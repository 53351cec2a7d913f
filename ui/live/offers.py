"""Which players a browser may seat: what the lobby offers, and what is refused however it is asked for.

Programs that cost nothing, people and recordings are for everybody. A model of players.toml is offered where it can
play and, where pictures are shown, sees. On a server that others can reach, players that cost money or load a model,
and typed addresses, are for browsers that opened the admin link, unless `paid_players` is set. Players that read files
of the server (`Provider.is_for_browsers`) are for no browser.
"""

from __future__ import annotations

from engine.core.events import Json
from engine.core.game import Game, Variant
from engine.core.player import Address, PlayerInfo, UnknownPlayer, refuse_episode_loading
from engine.play.registry import Registry
from engine.storage.seat_links import OWNER_KEY, SeatLinks
from ui.live.refusal import Refusal

PERSON_PROVIDER, INVITE_PROVIDER, RECORDED_PROVIDER = "person", "invite", "recorded"
COST_FREE_PLAYERS = ("scripted", "optimal", "random")
"""Players that cost nothing and load nothing, in the order in which they are offered."""
FORBIDDEN_PARAMETERS = frozenset({"base_url", "key_env", "extra_body", "trust_remote_code"})
"""Parameters that are never taken from a browser: they decide where keys and prompts are sent, and what code runs."""
ADMIN_ONLY_TEXT = (
    "It costs money or loads a model. The owner of this server can allow it: open the admin link, printed when the "
    "server started, in this browser, or set paid_players = true in ludens.toml."
)


class PlayerOffers:
    """Decides who may seat whom, and choose what is played.

    `allows_paid_players` opens players that cost something to all who reach the server, `allows_choice` the choice of
    experiments and instances.
    """

    def __init__(
        self, registry: Registry, links: SeatLinks, *, allows_paid_players: bool, allows_choice: bool = True
    ) -> None:
        self._registry, self._links = registry, links
        self._allows_paid_for_all, self._allows_choice_for_all = allows_paid_players, allows_choice

    def may_use_paid_players(self, browser: str | None) -> bool:
        """Return whether a browser may seat players that cost money or load a model, and type addresses."""
        return self._allows_paid_for_all or browser == OWNER_KEY or self._links.is_admin(browser)

    def may_choose(self, browser: str | None) -> bool:
        """Return whether a browser may choose the experiment and the instance of a table."""
        return self._allows_choice_for_all or self._links.is_admin(browser)

    # ------------------------------------------------------------------ what is refused
    def resolve_player(self, game: Game, variant: Variant, player_address: str, browser: str | None) -> str:
        """Return the full address of a player that a browser may seat at a variant. Raises `Refusal`."""
        try:
            full_address = self._registry.resolve(player_address)
            self.check_player_allowed(game, full_address, browser)
            refusal_reason = self._registry.find_refusal(player_address, game, variant)
        except UnknownPlayer as error:
            raise Refusal(422, str(error)) from None
        if refusal_reason:
            raise Refusal(422, refusal_reason)
        return full_address

    def check_player_allowed(self, game: Game, player_address: str, browser: str | None) -> None:
        """Raise `Refusal` where a browser may not seat the player of a full address."""
        player = Address.parse(player_address)
        if player.provider in (PERSON_PROVIDER, INVITE_PROVIDER):
            if player_address != PERSON_PROVIDER:
                raise Refusal(422, f"no player {player_address!r}; write {PERSON_PROVIDER!r} or {INVITE_PROVIDER!r}")
            return
        if not self._is_for_browsers(player_address):
            raise Refusal(403, f"{player.provider} players read files of this server: use them with `ludens run`")
        is_listed = player_address in self._registry.roster.players.values()
        if not is_listed and (forbidden_names := sorted(FORBIDDEN_PARAMETERS & player.parameters.keys())):
            table_hint = "write a table [servers.NAME] or [players.NAME] into players.toml"
            raise Refusal(422, f"{forbidden_names[0]} cannot be set in a browser: {table_hint}")
        if self.may_use_paid_players(browser):
            return
        is_open = is_listed or self._registry.player_kind(player_address, game.name) == "program"
        if not (is_open and _is_cost_free(self._registry.player_info(player_address, game.name))):
            raise Refusal(403, f"{player.provider} players are not open to everybody on this server", ADMIN_ONLY_TEXT)

    def _is_for_browsers(self, address: str) -> bool:
        """Return whether the provider of an address may be asked for a player from a browser."""
        try:
            provider = self._registry.find_provider(address, self._registry.names[0])
        except UnknownPlayer:  # a scripted player of another game, or nobody's: refused elsewhere
            return True
        return provider is None or provider.is_for_browsers

    # ------------------------------------------------------------------ what is offered
    def list_models(self, browser: str | None) -> list[Json]:
        """Return the models a browser may seat, including those that cannot play here, each with the reason."""
        if not self._registry.names:
            return []
        may_use_paid_players = self.may_use_paid_players(browser)
        names = [player for player, address in self._registry.roster.players.items() if self._is_for_browsers(address)]
        offers = [self._describe_offer(player) for player in (*names, *self._list_standalone_providers())]
        return [
            offer
            for offer in offers
            if may_use_paid_players or not (offer["costs"] or offer["loads"] or offer["unusable"])
        ]

    def list_models_for(self, variant: Variant, browser: str | None) -> list[Json]:
        """Return the models a browser may seat at a variant now."""
        return [
            offer
            for offer in self.list_models(browser)
            if not offer["unusable"] and not (variant.pictures and offer["sees"] is False)
        ]

    def _list_standalone_providers(self) -> list[str]:
        """Return the providers whose bare name is a player: they need no server and no model's name."""
        server_by_name = self._registry.roster.servers
        excluded_providers = {PERSON_PROVIDER, RECORDED_PROVIDER, *COST_FREE_PLAYERS, *server_by_name}
        excluded_providers |= {server.api for server in server_by_name.values()}
        return [
            provider
            for provider in self._registry.providers
            if provider not in excluded_providers and self._is_for_browsers(provider) and self._is_complete(provider)
        ]

    def _is_complete(self, address: str) -> bool:
        game = self._registry.game(self._registry.names[0])
        try:
            self._registry.player(address, game.name, game.seats[0], refuse_episode_loading)
        except UnknownPlayer:  # something is missing: hf/ORG/NAME
            return False
        return True

    def _describe_offer(self, player_name: str) -> Json:
        try:
            player_info = self._registry.player_info(player_name, self._registry.names[0])
        except UnknownPlayer as error:
            player_info = PlayerInfo("", unusable_reason=str(error))
        return {
            "name": player_name,
            "summary": player_info.summary,
            "costs": player_info.is_paid,
            "loads": player_info.is_local,
            "weak": player_info.is_weak_opponent,
            "sees": None if player_info.max_pictures is None else player_info.max_pictures > 0,
            "unusable": player_info.unusable_reason,
            "reply_seconds": player_info.reply_seconds,
        }


def _is_cost_free(player_info: PlayerInfo) -> bool:
    return not (player_info.is_paid or player_info.is_local)
