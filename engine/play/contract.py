"""The contract that every game and every provider of players keeps, as checks with names; no test tool is needed.

`game_checks` and `player_checks` yield checks one by one; `Check.run` raises `ContractBroken` with the reason, or what
the game or the player raised. `ludens games contract` and `ludens players contract` print them, and our own tests run
them over all games.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any

from engine.core.briefing import FEWEST_QUESTIONS, MOST_LINES, MOST_QUESTIONS
from engine.core.content import Picture
from engine.core.event_views import AskEvent
from engine.core.events import Ending, Event, Json, Kind, digest, to_json
from engine.core.example import ExampleGame, example_file
from engine.core.game import Game
from engine.core.log import Log
from engine.core.master import GameMaster
from engine.core.player import (
    Address,
    Player,
    PlayerFault,
    PlayerInfo,
    ProviderContext,
    Reply,
    UnknownPlayer,
    no_episodes,
)
from engine.core.replies import Violation
from engine.core.scores import common_scores, score_episode
from engine.core.start import Start
from engine.core.views import Conversation, Message, SeatView, Transcript
from engine.play.episode import Episode, Nowhere
from engine.play.plans import build_item_start
from engine.play.registry import BadInstances, Registry, SelectedInstance
from engine.storage.ids import new_id

MALFORMED_REPLIES = (
    "",
    "   \n\t ",
    "hello",
    "I think it is fine.",
    "```\nhello\n```",
    "{}",
    '{"a": 1',
    "NULL: \x00",
    "\ud800",
    "🙂",
    "<b>x</b>",
    "‮אבג",
    "x" * 100_000,
)
"""Replies that people and models send by mistake."""
PAGE_FIELDS = frozenset({"text", "choice", "phrases", "shown"})
"""Kinds of form fields that the pages draw themselves (`FIELDS` in ui/static/table/form.js); games bring the others."""
MOST_SAMPLES = 1000
"""Samples of a reply format among which there must be one that the rules allow."""
SHORTEST_TELL_TALE = 3
"""Letters of the longest word of a text that a briefing must not say; shorter ones are signs of grids."""
PLAY_SECONDS = 60.0
"""Seconds in which a cancelled reply must end."""
IsBare = Callable[[bytes, str], bool]
"""Returns whether an encoded picture ("PNG", "WEBP" or "JPEG") holds nothing but pixels."""


class ContractBroken(Exception):
    """A game or a player does not keep the contract; the message says how."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what must hold, of what (a variant and a player, say), and how to find out."""

    name: str
    subject: str
    run: Callable[[], None]

    def failure(self) -> str | None:
        """Run the check and return why it failed, None if it did not."""
        try:
            self.run()
        except ContractBroken as error:
            return str(error)
        except Exception as error:  # a bug of the game's or the player's
            return f"{type(error).__name__}: {error}"
        return None


def require(condition: object, reason: str) -> None:
    """Raise `ContractBroken` with a reason unless a condition holds."""
    if not condition:
        raise ContractBroken(reason)


# ---------------------------------------------------------------------- games
def game_checks(registry: Registry, name: str, is_bare: IsBare | None = None) -> Iterator[Check]:
    """Yield the checks of a game: of each variant with each kind of player. Raises `UnknownSelection` without it."""
    game = registry.game(name)
    players = ("random", *({"scripted"} & set(game.scripted_players())))
    for variant in game.variants:
        trial = GameTrial(registry, game, variant.name, is_bare)
        where = f"{name}/{variant.name}"
        yield Check("there are instances, and they can be read", where, trial.check_instances)
        for player in players:
            subject = f"{where}, {player}"
            yield Check("self-play ends with an outcome of the rules", subject, partial(trial.check_end, player))
            yield Check("the log gives the same events and scores again", subject, partial(trial.check_replay, player))
            yield Check("a seat sees its own conversation", subject, partial(trial.check_seats, player))
            yield Check("a finished game can be shown", subject, partial(trial.check_pages, player))
            yield Check("pages can draw every field of its forms", subject, partial(trial.check_fields, player))
        yield Check("a reply not in the format aborts the game and names the seat", where, trial.check_malformed)
        yield Check("reminders are counted as violated requests", where, trial.check_reminders)
        yield Check("reply formats survive the log", where, trial.check_formats)
        yield Check("the briefing can be shown and gives nothing away", where, trial.check_briefing)
        yield Check("practice games are in no experiment and can be played", where, trial.check_practice)
        if variant.pictures:
            yield Check("pictures can be drawn and carry no metadata", where, trial.check_pictures)
    yield Check("the example game follows the rules", name, partial(_check_example, registry, game))
    yield Check("episodes do not depend on the hash seed", name, partial(_check_hash_seed, registry, game, players))


@dataclass(frozen=True)
class GameTrial:
    """One variant of a game, played for the checks."""

    registry: Registry
    game: Game
    variant: str
    is_bare: IsBare | None = None

    def items(self, per_experiment: int = 2) -> list[SelectedInstance]:
        """Return the first instances of each experiment. Raises `ContractBroken` without any."""
        try:
            selected = self.registry.select(f"{self.game.name}/{self.variant}")
        except BadInstances as error:
            raise ContractBroken(str(error)) from None
        items = [item for item in selected if item.index < per_experiment]
        require(items, f"{self.registry.file(self.game.name, self.variant)} has no instances")
        return items

    def start(self, item: SelectedInstance, player: str = "random", **options: Any) -> Start:
        """Return the start of an episode with one player in all seats."""
        return build_item_start(self.game, item, dict.fromkeys(self.game.seats, player), **options)

    def play(self, item: SelectedInstance, player: str) -> Episode:
        """Play one instance with a player in all seats."""

        async def play() -> Episode:
            name = self.game.name
            players = {seat: self.registry.player(player, name, seat, no_episodes) for seat in self.game.seats}
            episode = await Episode.begin(new_id(), self.game, self.start(item, player), players, Nowhere())
            await episode.play()
            return episode

        return asyncio.run(play())

    def check_instances(self) -> None:
        """Every instance can be read."""
        for item in self.registry.select(f"{self.game.name}/{self.variant}") if self.items() else ():
            self.game.load(item.instance)

    def check_end(self, player: str) -> None:
        """Every game of a player with itself ends; sensible players are not aborted."""
        for item in self.items():
            episode = self.play(item, player)
            outcome = episode.outcome
            require(outcome, f"{item.instance_id} did not end: {episode.stalled}")
            if outcome:
                ends = {Ending.ABANDONED} | ({Ending.ABORTED} if player == "scripted" else set())
                require(outcome.kind not in ends, f"{item.instance_id} ended {outcome.describe()}")

    def check_replay(self, player: str) -> None:
        """The same players and seed give the same log, and the log alone the same scores."""
        for item in self.items():
            log = list(self.play(item, player).log)
            require(facts(self.play(item, player).log) == facts(log), f"{item.instance_id} differs when played again")
            outcome = GameMaster.resume(self.game, log).outcome
            require(outcome, f"{item.instance_id} is not over when its log is resumed")
            scores = score_episode(Log(log), self.game)
            stored = [Event(event.kind, event.seat, json.loads(to_json(event.data)), event.n) for event in log]
            again = json.loads(to_json(score_episode(Log(stored), self.game)))
            require(
                again == json.loads(to_json(scores)), f"{item.instance_id}: the stored log has other scores: {again}"
            )
            if outcome and outcome.kind is Ending.DECIDED:
                sides = {side for side, _ in outcome.sides}
                require(sides == set(self.game.sides), f"{item.instance_id}: decided between {sorted(sides)}")

    def check_seats(self, player: str) -> None:
        """Events of others change nothing in a seat's view; its messages alternate; its replies are word for word."""
        log = self.play(self.items(1)[0], player).log
        for seat in self.game.seats:
            view, own_view = Conversation(seat), Conversation(seat)
            for event in log:
                view.apply(event)
                if event.seat in (None, seat):
                    own_view.apply(event)
            require(view == own_view, f"another seat's events changed what {seat} sees")
            roles = [message.role for message in view.messages]
            alternating = [("user", "assistant")[place % 2] for place in range(len(roles))]
            require(roles == alternating, f"the messages of {seat} do not alternate: {roles}")
            replies = [reply.text for reply in Log(log).replies(seat)]
            texts = [message.text() for message in view.messages if message.role == "assistant"]
            require(texts == replies, f"the conversation of {seat} does not hold its replies word for word")

    def check_pages(self, player: str) -> None:
        """Transcript, debriefing and board can be made."""
        for item in self.items(1):
            log = Log(self.play(item, player).log)
            transcript = Transcript.of(log)
            is_complete = transcript.outcome and not transcript.open and transcript.lines
            require(is_complete, f"{item.instance_id}: the transcript is not complete")
            debriefing = self.game.debrief(log, score_episode(log, self.game))
            require(debriefing.headline, f"{item.instance_id}: the debriefing has no headline")
            has_panels = debriefing.panels or type(self.game).debrief is Game.debrief
            require(has_panels, f"{item.instance_id}: the debriefing has no panels")
            to_json(debriefing.as_json(log, self.registry.experiment_title(log.start)))
            board = self.game.board(log)
            require(bool(board) == self.game.has_board, f"{item.instance_id}: the board of a finished game is empty")
            to_json(board)

    def check_malformed(self) -> None:
        """The first three asks take every kind of malformed reply."""
        item = self.items(1)[0]
        for ask in range(1, 4):
            for text in MALFORMED_REPLIES:
                self._check_malformed_reply(item, ask, text)

    def _check_malformed_reply(self, item: SelectedInstance, ask: int, text: str) -> None:
        master, log = GameMaster.begin(self.game, self.start(item))
        rng = random.Random(7)
        while master.open and min(master.open) < ask:
            number = min(master.open)
            log += master.reply(number, acceptable_reply(master, number, rng))
        if ask not in master.open:
            return  # a short game, over before
        request = master.open[ask].request
        where = f"ask {ask}, reply {text[:20]!r}"
        try:
            value = request.reply.parse(text)
        except Violation as violation:
            log += master.reply(ask, text)
            outcome = master.outcome
            require(outcome and outcome.kind is Ending.ABORTED and not master.open, f"{where}: the game goes on")
            if outcome:
                blamed = (outcome.reason, outcome.seat)
                require(blamed == (violation.fault, request.seat), f"{where}: aborted with {blamed}")
            stored = Log(log).replies()[-1].text
            require(stored == text, f"{where}: it is stored as {stored[:20]!r}")
            numbers = itemgetter("played", "violated_requests", "requests")(common_scores(log))
            require(numbers == (0, 1, ask), f"{where}: played, violated, requests are {numbers}")
        else:  # free text is free: it must pass, and be relayed word for word
            log += master.reply(ask, text)
            is_allowed = request.allow is None or request.allow(value) is None
            is_aborted = master.outcome is not None and master.outcome.kind is Ending.ABORTED
            require(is_aborted != is_allowed, f"{where}: allowed {is_allowed}, aborted {is_aborted}")

    def check_reminders(self) -> None:
        """Two reminders, then a good reply; or a third bad one, which aborts."""
        item = self.items(1)[0]
        master, log = GameMaster.begin(self.game, self.start(item, reprompt=2))
        seat = master.open[1].request.seat
        view = Conversation(seat)
        for _ in range(2):
            log += master.reply(1, "")
            require(master.outcome is None and 1 in master.open, "an empty reply was accepted, or no reminder was sent")
        for event in log:
            view.apply(event)
        require(
            [message.role for message in view.messages] == ["user", "assistant"] * 2 + ["user"], "not two reminders"
        )
        log += master.reply(1, acceptable_reply(master, 1, random.Random(1)))
        numbers = itemgetter("requests", "parsed_requests", "violated_requests")(common_scores(log))
        require(numbers == (3, 1, 2), f"requests, parsed, violated are {numbers}")
        master, _ = GameMaster.begin(self.game, self.start(item, reprompt=2))
        for _ in range(3):
            master.reply(1, "")
        outcome = master.outcome
        require(outcome and (outcome.kind, outcome.seat) == (Ending.ABORTED, seat), "a third bad reply does not abort")

    def check_formats(self) -> None:
        """Each declared format can be read from the log, and has a form for people."""
        for item in self.items(1):
            for event in self.play(item, "random").log:
                if event.kind is Kind.ASK:
                    ask = AskEvent.of(Event(event.kind, event.seat, json.loads(to_json(event.data)), event.n))
                    is_same = ask.reply_format.words() == ask.words
                    require(is_same, f"{item.instance_id}: another explanation is read from the log")
                    require(ask.reply_format.form(), f"{item.instance_id}: no form for {ask.reply_format}")

    def check_fields(self, player: str) -> None:
        """Each kind of form field is one that the pages draw, or one for which a game lists a widget."""
        known_kinds = PAGE_FIELDS | widget_kinds(self.registry)
        manifest = self.registry.folders.get(self.game.name, self.registry.root) / "web" / "widgets.json"
        for item in self.items(1):
            for event in self.play(item, player).log:
                form = AskEvent.of(event).reply_format.form() if event.kind is Kind.ASK else {}
                for name, kind in map(itemgetter("name", "kind"), form_fields(form)):
                    require(
                        kind in known_kinds,
                        f"{item.instance_id}: the field {name!r} has the kind {kind!r}, which no page can draw: list"
                        f' its widget under "fields" in {manifest}, or use {", ".join(sorted(known_kinds))}',
                    )

    def check_briefing(self) -> None:
        """Each seat's briefing has a diagram, three lines and 3 to 5 questions, and names no experiment or secret."""
        if self.game.briefings is None:
            return
        variants, seats = self.game.briefings.named
        unknown = (variants - {variant.name for variant in self.game.variants}) | (seats - set(self.game.seats))
        require(not unknown, f"the briefing names variants or seats that do not exist: {', '.join(sorted(unknown))}")
        tell_tales = self._tell_tales()
        for seat in (None, *self.game.seats):
            briefing = self.game.briefing(self.variant, seat)
            where = f"the briefing of {seat or 'all seats'}"
            require(len(briefing.lines) == MOST_LINES, f"{where} has {len(briefing.lines)} lines, not {MOST_LINES}")
            is_in_range = FEWEST_QUESTIONS <= len(briefing.questions) <= MOST_QUESTIONS
            require(
                is_in_range, f"{where} has {len(briefing.questions)} questions, not {FEWEST_QUESTIONS}–{MOST_QUESTIONS}"
            )
            for question in briefing.questions:
                right = [choice for choice in range(len(question.choices)) if question.is_right(choice)]
                require(len(right) == 1, f"{where}: {question.question!r} has {len(right)} right choices")
            require(briefing.diagram and briefing.diagram.text, f"{where} has no diagram with a text")
            text = _plain_words(" . ".join(briefing.texts()))
            leaks = sorted(phrase for phrase in tell_tales if f" {phrase} " in text)
            require(not leaks, f"{where} names what a player must not know: {', '.join(leaks)}")

    def _tell_tales(self) -> set[str]:
        """Return names and titles of experiments, and texts of instances, that the rules for people do not say."""
        name = self.game.name
        rules = _plain_words(" . ".join((*self.game.rules, *self.game.variant(self.variant).rules)))
        titles = self.registry.titles(name, self.variant)
        instances = [item.instance for item in self.items(10_000)]
        instances += [item.instance for item in self.registry.practice_instances(name, self.variant)]
        texts = {*titles, *titles.values(), *(text for instance in instances for text in _texts_in(instance))}
        phrases = {_plain_words(text).strip() for text in texts}
        long_phrases = {phrase for phrase in phrases if max(map(len, phrase.split()), default=0) >= SHORTEST_TELL_TALE}
        return {phrase for phrase in long_phrases if f" {phrase} " not in rules}

    def check_practice(self) -> None:
        """Practice instances can be read, played by chance, and are those of no experiment."""
        practice = self.registry.practice_instances(self.game.name, self.variant)
        others = {digest(item.instance) for item in self.items(10_000)} if practice else set()
        for item in practice:
            require(digest(item.instance) not in others, f"{item.instance_id} is in an experiment, too")
            require(self.play(item, "random").outcome, f"{item.instance_id} did not end")

    def check_pictures(self) -> None:
        """Every picture that is shown can be drawn, twice the same."""
        episode = self.play(self.items(1)[0], "random")
        assets = {asset for ask in Log(episode.log).asks for asset in map(itemgetter("id"), ask.pictures)}
        require(assets, "the variant declares pictures, but no ask shows one")
        for asset in sorted(assets):
            picture = episode.picture(asset)
            require(isinstance(picture, Picture), f"{asset} is not a Picture")
            require(picture.data == episode.picture(asset).data, f"{asset} is drawn differently the second time")
            kinds = {"image/png": "PNG", "image/webp": "WEBP", "image/jpeg": "JPEG"}
            require(picture.media_type in kinds, f"{asset}: {picture.media_type} cannot be shown")
            is_bare = self.is_bare is None or self.is_bare(picture.data, kinds[picture.media_type])
            require(is_bare, f"{asset} carries metadata, which may tell what a seat must not know")


def facts(log: Sequence[Event]) -> list[tuple[int, Kind, str | None, Json]]:
    """Return what two logs of the same episode agree in: all but times and what is known about a reply."""
    return [
        (event.n, event.kind, event.seat, {key: value for key, value in event.data.items() if key != "meta"})
        for event in log
    ]


def acceptable_reply(master: GameMaster, number: int, rng: random.Random) -> str:
    """Return a reply to an open ask that form and rules accept. Raises `ContractBroken` if none is sampled."""
    request = master.open[number].request
    for _ in range(MOST_SAMPLES):
        text = request.reply.sample(rng)
        if request.allow is None or request.allow(request.reply.parse(text)) is None:
            return text
    raise ContractBroken(f"no allowed reply in {MOST_SAMPLES:,} samples of {request.reply}")


def form_fields(form: Json) -> list[Json]:
    """Return the fields of a form, of all its alternatives if it has several."""
    match form:
        case {"either": [*alternatives]}:
            return [field for alternative in alternatives for field in form_fields(alternative)]
        case {"fields": [*fields]}:
            return fields
    return []


def widget_kinds(registry: Registry) -> set[str]:
    """Return the kinds of form fields for which a game lists a widget. Raises `ContractBroken` for an unusable list.

    The server checks the lists further (ui/server/widgets.py).
    """
    kinds: set[str] = set()
    for path in (folder / "web" / "widgets.json" for folder in registry.folders.values()):
        try:
            manifest = json.loads(path.read_bytes()) if path.is_file() else {}
        except (OSError, ValueError) as error:
            raise ContractBroken(f"{path} cannot be read: {error}") from None
        match manifest:
            case {"fields": {**fields}}:
                missing = [str(name) for name in fields.values() if not (path.parent / str(name)).is_file()]
                require(not missing, f"{path} lists {', '.join(missing)}, which this folder does not have")
                kinds |= set(map(str, fields))
    return kinds


def episodes_digest(registry: Registry, name: str, players: Sequence[str]) -> str:
    """Return a digest of one episode of each experiment and player."""
    game = registry.game(name)
    trials = [GameTrial(registry, game, variant.name) for variant in game.variants]
    return digest(
        [facts(trial.play(item, player).log) for trial in trials for item in trial.items(1) for player in players]
    )


DIGEST_PROGRAM = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
registry, name, players = pickle.load(sys.stdin.buffer)
from engine.play.contract import episodes_digest
print(episodes_digest(registry, name, players))
"""


def _check_example(registry: Registry, game: Game) -> None:
    """The example game, where there is one, runs to its end, and its instance is in no experiment."""
    path = example_file(registry.folders[game.name]) if game.name in registry.folders else None
    if path is None:
        return
    example = ExampleGame.load(path)
    log = Log(example.play(game))
    require(log.outcome and log.outcome.kind is not Ending.ABORTED, f"the example ends {log.outcome}")
    main = registry.select(f"{game.name}/{example.variant}")
    practice = registry.practice_instances(game.name, example.variant)
    others = {digest(item.instance) for item in [*main, *practice]}
    require(digest(example.instance) not in others, "the instance of the example is dealt to players, too")


def _texts_in(data: Any) -> Iterator[str]:
    """Yield all texts in JSON data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from _texts_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts_in(value)


def _plain_words(text: str) -> str:
    """Return a text in small letters without punctuation, a blank before, between and after its words."""
    return f" {' '.join(''.join(char if char.isalnum() else ' ' for char in text.casefold()).split())} "


def _check_hash_seed(registry: Registry, game: Game, players: Sequence[str]) -> None:
    """Processes with different hash seeds play the same."""
    data = pickle.dumps(sys.path) + pickle.dumps((registry, game.name, players))
    digests = set()
    for seed in ("1", "2"):
        command, environment = [sys.executable, "-c", DIGEST_PROGRAM], {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(command, env=environment, input=data, capture_output=True, check=False)
        require(done.returncode == 0, done.stderr.decode(errors="replace").strip().rpartition("\n")[2])
        digests.add(done.stdout)
    require(len(digests) == 1, "the order of a set or of `hash` decides something: sort what you iterate over")


# ---------------------------------------------------------------------- players
def player_checks(registry: Registry, address: str, game: str) -> Iterator[Check]:
    """Yield the checks of the player of an address, seated at a game. A model is asked about a dozen times.

    Raises `UnknownPlayer`.
    """
    info = registry.player_info(address, game)
    trial = PlayerTrial(registry, address, game, info)
    yield Check("what is known before it plays is well-formed", address, trial.check_info)
    yield Check("an unknown parameter is refused or ignored", address, trial.check_parameter)
    yield Check("a reply is a text with plain data about it", address, trial.check_reply)
    yield Check("it answers several asks at once", address, trial.check_concurrency)
    yield Check("a cancelled reply ends, and the next one is answered", address, trial.check_cancellation)
    if info.max_pictures == 0:
        yield Check("a picture is refused by a PlayerFault", address, trial.check_pictures)
    if trial.server_name:
        yield Check("a server out of reach is a PlayerFault", address, trial.check_unreachable)
    yield Check("after close it answers again", address, trial.check_close)


@dataclass(frozen=True)
class PlayerTrial:
    """The player of an address, asked for the checks."""

    registry: Registry
    address: str
    game: str
    info: PlayerInfo

    @property
    def server_name(self) -> str | None:
        """The server of players.toml that answers for it, None if none does."""
        name = Address.parse(self.registry.resolve(self.address)).provider
        return name if name in self.registry.roster.servers else None

    def player(self) -> Player:
        """Return the player, in the seat that the game asks first."""
        return self.registry.player(self.address, self.game, self.view().seat, no_episodes)

    def view(self) -> SeatView:
        """Return what the seat sees that the game asks first, in a variant without pictures if there is one."""
        game = self.registry.game(self.game)
        variant = min(game.variants, key=lambda variant: variant.pictures)
        item = self.registry.select(f"{game.name}/{variant.name}")[0]
        start = build_item_start(game, item, dict.fromkeys(game.seats, self.address))
        master, log = GameMaster.begin(game, start)
        seat = master.open[min(master.open)].request.seat
        conversation = Conversation(seat)
        for event in log:
            conversation.apply(event)
        view = conversation.view(partial(game.picture, master.instance))
        player = self.registry.player(self.address, self.game, seat, no_episodes)
        return replace(view, instance=item.instance) if player.omniscient else view

    def check_info(self) -> None:
        """The summary is a line; numbers are in their ranges."""
        info = self.info
        require(isinstance(info, PlayerInfo), f"info returns {type(info).__name__}, not PlayerInfo")
        require(info.summary and "\n" not in info.summary, f"the summary is not one line: {info.summary!r}")
        limit = info.max_pictures
        require(limit is None or (isinstance(limit, int) and limit >= 0), f"max_pictures is {limit!r}")
        require(info.price is None or all(part >= 0 for part in info.price), f"price is {info.price!r}")

    def check_parameter(self) -> None:
        """`make` raises nothing but `UnknownPlayer` for a parameter that it does not know."""
        separator = "&" if "?" in self.address else "?"
        try:
            self.registry.player(f"{self.address}{separator}no_such_parameter=1", self.game, "A", no_episodes)
        except UnknownPlayer as error:
            require(str(error), "the refusal says nothing")

    def check_reply(self) -> None:
        """Text and meta have the types that the log stores."""
        [reply] = self._run(self._reply(self.player()))
        self._check(reply)

    def check_concurrency(self) -> None:
        """Two players of the address, each asked twice at the same time."""

        async def ask_all() -> list[Reply]:
            players = [self.player(), self.player()]
            return list(await asyncio.gather(*(player.reply(self.view()) for player in players for _ in range(2))))

        for reply in self._run(ask_all()):
            self._check(reply)

    def check_cancellation(self) -> None:
        """A table may end while somebody thinks."""

        async def cancel_and_ask() -> list[Reply]:
            player = self.player()
            task = asyncio.ensure_future(player.reply(self.view()))
            await asyncio.sleep(0)
            task.cancel()
            _, pending = await asyncio.wait([task], timeout=PLAY_SECONDS)
            require(not pending, f"it still runs {PLAY_SECONDS:g} seconds after it was cancelled")
            is_answered = not task.cancelled() and task.exception() is None
            require(task.cancelled() or is_answered, f"it raises {task if task.cancelled() else task.exception()!r}")
            return await self._reply(player)

        for reply in self._run(cancel_and_ask()):
            self._check(reply)

    def check_pictures(self) -> None:
        """A player that cannot see says so, instead of answering about a picture that it was not shown."""
        view = replace(self.view(), messages=(_picture_message(),), picture=_draw_white_picture)
        try:
            self._run(self._reply(self.player(), view))
        except PlayerFault as fault:
            require(str(fault), "the fault says nothing")
        else:
            raise ContractBroken("max_pictures is 0, but it replies to a prompt with a picture")

    def check_unreachable(self) -> None:
        """Errors of the network become faults, which stall the episode and name their cause."""
        address = Address.parse(self.registry.resolve(self.address))
        roster = self.registry.roster
        server = replace(roster.servers[address.provider], base_url="http://127.0.0.1:9/v1", attempts=1, key_env=None)
        context = ProviderContext(no_episodes, {**roster.servers, address.provider: server}, roster.models)
        provider = self.registry.provider_of(self.address, self.game)
        require(provider, "it has no provider")
        if provider:
            player = provider.make(address, "A", context)
            try:
                self._run(self._reply(player))
            except PlayerFault as fault:
                require(str(fault), "the fault says nothing")
            else:
                raise ContractBroken("it replies although nothing listens at its server's address")

    def check_close(self) -> None:
        """Closing releases what it holds; the next reply opens it again."""

        async def close_and_ask() -> list[Reply]:
            await self._reply(self.player())
            await self.registry.close()
            return await self._reply(self.player())

        for reply in self._run(close_and_ask()):
            self._check(reply)

    async def _reply(self, player: Player, view: SeatView | None = None) -> list[Reply]:
        return [await player.reply(view or self.view())]

    def _run(self, asking: Any) -> list[Reply]:
        """Run coroutines to their end and release all connections."""

        async def run() -> list[Reply]:
            try:
                replies: list[Reply] = await asking
                return replies
            except (ContractBroken, PlayerFault, UnknownPlayer):
                raise
            except Exception as error:
                raise ContractBroken(f"it raises {type(error).__name__}, not PlayerFault: {error}") from error
            finally:
                await self.registry.close()

        return asyncio.run(run())

    def _check(self, reply: object) -> None:
        if not isinstance(reply, Reply):
            raise ContractBroken(f"reply returns {type(reply).__name__}, not Reply")
        require(isinstance(reply.text, str), f"the text is {type(reply.text).__name__}")
        try:
            to_json(reply.meta)
        except (TypeError, ValueError) as error:
            raise ContractBroken(f"meta is not plain JSON: {error}") from None
        require(all(isinstance(key, str) for key in reply.meta), "meta has keys that are not texts")
        for key in ("tokens_in", "tokens_out", "cost", "seconds"):
            number = reply.meta.get(key, 0)
            require(isinstance(number, int | float) and number >= 0, f"meta has {key} = {number!r}")


def _picture_message() -> Message:
    return Message("user", [{"text": "What is in this picture?"}], pictures=["trial"], ask=1)


def _draw_white_picture(asset: str) -> Picture:
    """Return a small white picture."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(buffer, "PNG")
    return Picture(buffer.getvalue(), "image/png", 64, 64)
