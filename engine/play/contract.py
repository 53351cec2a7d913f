"""The contract that every game and every provider of players keeps, as checks with names; no test tool is needed.

`list_game_checks` and `list_player_checks` yield checks one by one; `Check.run_check` raises `ContractBroken` with the
reason, or what the game or the player raised. `ludens games contract` and `ludens players contract` print them, and our
own tests run them over all games.
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
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any

from engine.core.briefing import LINE_COUNT, MAX_QUESTIONS, MIN_QUESTIONS
from engine.core.content import Picture
from engine.core.event_views import AskEvent
from engine.core.events import Ending, Event, Json, Kind, digest, to_json
from engine.core.example import ExampleGame, make_example_path
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
    refuse_episode_loading,
)
from engine.core.replies import Violation
from engine.core.scores import compute_common_scores, score_episode
from engine.core.start import EpisodeStart
from engine.core.views import Conversation, Message, SeatView, Transcript
from engine.play.episode import Episode, NullSink
from engine.play.plans import build_item_start
from engine.play.registry import BadInstances, Registry, SelectedInstance
from engine.storage.ids import make_id

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
MAX_SAMPLES = 1000
"""Samples of a reply format among which there must be one that the rules allow."""
MIN_WORD_LENGTH = 3
"""Letters of the longest word of a text that a briefing must not say; shorter ones are signs of grids."""
CANCEL_TIMEOUT_SECONDS = 60.0
"""Seconds in which a cancelled reply must end."""
PixelCheck = Callable[[bytes, str], bool]
"""Returns whether an encoded picture ("PNG", "WEBP" or "JPEG") holds nothing but pixels."""


class ContractBroken(Exception):
    """A game or a player does not keep the contract; the message says how."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what must hold, of what (a variant and a player, say), and how to find out."""

    check_name: str
    checked_target: str
    run_check: Callable[[], None]

    def find_failure(self) -> str | None:
        """Run the check and return why it failed, None if it did not."""
        try:
            self.run_check()
        except ContractBroken as error:
            return str(error)
        except Exception as error:  # a bug of the game's or the player's
            return f"{type(error).__name__}: {error}"
        return None


def require_that(condition: object, reason: str) -> None:
    """Raise `ContractBroken` with a reason unless a condition holds."""
    if not condition:
        raise ContractBroken(reason)


# ---------------------------------------------------------------------- games
def list_game_checks(
    registry: Registry, game_name: str, holds_only_pixels: PixelCheck | None = None
) -> Iterator[Check]:
    """Yield the checks of a game: of each variant with each kind of player. Raises `UnknownSelection` without it."""
    game = registry.game(game_name)
    players = ("random", *({"scripted"} & set(game.scripted_players())))
    for variant in game.variants:
        trial = GameTrial(registry, game, variant.name, holds_only_pixels)
        variant_path = f"{game_name}/{variant.name}"
        yield Check("there are instances, and they can be read", variant_path, trial.check_instances)
        for player in players:
            checked_target = f"{variant_path}, {player}"
            yield Check("self-play ends with an outcome of the rules", checked_target, partial(trial.check_end, player))
            yield Check(
                "the log gives the same events and scores again", checked_target, partial(trial.check_replay, player)
            )
            yield Check("a seat sees its own conversation", checked_target, partial(trial.check_seats, player))
            yield Check("a finished game can be shown", checked_target, partial(trial.check_pages, player))
            yield Check("pages can draw every field of its forms", checked_target, partial(trial.check_fields, player))
        yield Check("a reply not in the format aborts the game and names the seat", variant_path, trial.check_malformed)
        yield Check("reminders are counted as violated requests", variant_path, trial.check_reminders)
        yield Check("reply formats survive the log", variant_path, trial.check_formats)
        yield Check("the briefing can be shown and gives nothing away", variant_path, trial.check_briefing)
        yield Check(
            "practice games are in no experiment and can be played", variant_path, trial.check_practice_instances
        )
        if variant.pictures:
            yield Check("pictures can be drawn and carry no metadata", variant_path, trial.check_pictures)
    yield Check("the example game follows the rules", game_name, partial(_check_example, registry, game))
    yield Check(
        "episodes do not depend on the hash seed", game_name, partial(_check_hash_seed, registry, game, players)
    )


@dataclass(frozen=True)
class GameTrial:
    """One variant of a game, played for the checks."""

    registry: Registry
    game: Game
    variant: str
    holds_only_pixels: PixelCheck | None = None
    episodes: dict[tuple[str, str], Episode] = field(default_factory=dict, compare=False)
    """What was played already, by instance and player: several checks look at the same episode."""

    def list_instances(self, max_per_experiment: int = 2) -> list[SelectedInstance]:
        """Return the first instances of each experiment. Raises `ContractBroken` without any."""
        try:
            all_instances = self.registry.select_instances(f"{self.game.name}/{self.variant}")
        except BadInstances as error:
            raise ContractBroken(str(error)) from None
        instances = [instance for instance in all_instances if instance.index < max_per_experiment]
        require_that(instances, f"{self.registry.file(self.game.name, self.variant)} has no instances")
        return instances

    def start(self, instance: SelectedInstance, player: str = "random", **options: Any) -> EpisodeStart:
        """Return the start of an episode with one player in all seats."""
        return build_item_start(self.game, instance, dict.fromkeys(self.game.seats, player), **options)

    def find_or_play_episode(self, instance: SelectedInstance, player: str) -> Episode:
        """Return the episode of an instance with a player in all seats, played once for all checks."""
        episode_key = (instance.instance_id, player)
        if episode_key not in self.episodes:
            self.episodes[episode_key] = self.play_instance(instance, player)
        return self.episodes[episode_key]

    def play_instance(self, instance: SelectedInstance, player: str) -> Episode:
        """Play one instance with a player in all seats."""

        async def play() -> Episode:
            game_name = self.game.name
            players = {
                seat: self.registry.player(player, game_name, seat, refuse_episode_loading) for seat in self.game.seats
            }
            episode = await Episode.begin_episode(
                make_id(), self.game, self.start(instance, player), players, NullSink()
            )
            await episode.play()
            return episode

        return asyncio.run(play())

    def check_instances(self) -> None:
        """Every instance can be read."""
        for instance in (
            self.registry.select_instances(f"{self.game.name}/{self.variant}") if self.list_instances() else ()
        ):
            self.game.load(instance.instance)

    def check_end(self, player: str) -> None:
        """Every game of a player with itself ends; sensible players are not aborted."""
        for instance in self.list_instances():
            episode = self.find_or_play_episode(instance, player)
            outcome = episode.outcome
            require_that(outcome, f"{instance.instance_id} did not end: {episode.stall_cause}")
            if outcome:
                bad_endings = {Ending.ABANDONED} | ({Ending.ABORTED} if player == "scripted" else set())
                require_that(outcome.kind not in bad_endings, f"{instance.instance_id} ended {outcome.describe()}")

    def check_replay(self, player: str) -> None:
        """The same players and seed give the same log, and the log alone the same scores."""
        for instance in self.list_instances():
            log = list(self.find_or_play_episode(instance, player).log)
            require_that(
                list_stable_facts(self.play_instance(instance, player).log) == list_stable_facts(log),
                f"{instance.instance_id} differs when played again",
            )
            outcome = GameMaster.resume(self.game, log).outcome
            require_that(outcome, f"{instance.instance_id} is not over when its log is resumed")
            scores = score_episode(Log(log), self.game)
            stored_events = [Event(event.kind, event.seat, json.loads(to_json(event.data)), event.n) for event in log]
            recomputed_scores = json.loads(to_json(score_episode(Log(stored_events), self.game)))
            require_that(
                recomputed_scores == json.loads(to_json(scores)),
                f"{instance.instance_id}: the stored log has other scores: {recomputed_scores}",
            )
            if outcome and outcome.kind is Ending.DECIDED:
                sides = {side for side, _ in outcome.sides}
                require_that(sides == set(self.game.sides), f"{instance.instance_id}: decided between {sorted(sides)}")

    def check_seats(self, player: str) -> None:
        """Events of others change nothing in a seat's view; its messages alternate; its replies are word for word."""
        log = self.find_or_play_episode(self.list_instances(1)[0], player).log
        for seat in self.game.seats:
            view, own_view = Conversation(seat), Conversation(seat)
            for event in log:
                view.apply(event)
                if event.seat in (None, seat):
                    own_view.apply(event)
            require_that(view == own_view, f"another seat's events changed what {seat} sees")
            roles = [message.role for message in view.messages]
            expected_roles = [("user", "assistant")[role_index % 2] for role_index in range(len(roles))]
            require_that(roles == expected_roles, f"the messages of {seat} do not alternate: {roles}")
            replies = [reply.text for reply in Log(log).replies(seat)]
            sent_texts = [message.text() for message in view.messages if message.role == "assistant"]
            require_that(sent_texts == replies, f"the conversation of {seat} does not hold its replies word for word")

    def check_pages(self, player: str) -> None:
        """Transcript, debriefing and board can be made."""
        for instance in self.list_instances(1):
            log = Log(self.find_or_play_episode(instance, player).log)
            transcript = Transcript.from_events(log)
            is_complete = transcript.outcome and not transcript.open and transcript.lines
            require_that(is_complete, f"{instance.instance_id}: the transcript is not complete")
            debriefing = self.game.debrief(log, score_episode(log, self.game))
            require_that(debriefing.headline, f"{instance.instance_id}: the debriefing has no headline")
            has_panels = debriefing.panels or type(self.game).debrief is Game.debrief
            require_that(has_panels, f"{instance.instance_id}: the debriefing has no panels")
            to_json(debriefing.as_json(log, self.registry.find_experiment_title(log.start)))
            board = self.game.board(log)
            require_that(
                bool(board) == self.game.has_board, f"{instance.instance_id}: the board of a finished game is empty"
            )
            to_json(board)

    def check_malformed(self) -> None:
        """The first three asks take every kind of malformed reply."""
        instance = self.list_instances(1)[0]
        for request_number in range(1, 4):
            for malformed_text in MALFORMED_REPLIES:
                self._check_malformed_reply(instance, request_number, malformed_text)

    def _check_malformed_reply(self, instance: SelectedInstance, request_number: int, malformed_text: str) -> None:
        master, log = GameMaster.begin_episode(self.game, self.start(instance))
        random_source = random.Random(7)
        while master.open and min(master.open) < request_number:
            open_ask = min(master.open)
            log += master.reply(open_ask, sample_acceptable_reply(master, open_ask, random_source))
        if request_number not in master.open:
            return  # a short game, over before
        reply_request = master.open[request_number].request
        ask_label = f"ask {request_number}, reply {malformed_text[:20]!r}"
        try:
            parsed_value = reply_request.reply.parse(malformed_text)
        except Violation as violation:
            log += master.reply(request_number, malformed_text)
            outcome = master.outcome
            require_that(
                outcome and outcome.kind is Ending.ABORTED and not master.open, f"{ask_label}: the game goes on"
            )
            if outcome:
                reason_and_seat = (outcome.reason, outcome.seat)
                require_that(
                    reason_and_seat == (violation.fault, reply_request.seat),
                    f"{ask_label}: aborted with {reason_and_seat}",
                )
            stored_text = Log(log).replies()[-1].text
            require_that(stored_text == malformed_text, f"{ask_label}: it is stored as {stored_text[:20]!r}")
            request_counts = itemgetter("played", "violated_requests", "requests")(compute_common_scores(log))
            require_that(
                request_counts == (0, 1, request_number),
                f"{ask_label}: played, violated, requests are {request_counts}",
            )
        else:  # free text is free: it must pass, and be relayed word for word
            log += master.reply(request_number, malformed_text)
            is_allowed = reply_request.allow is None or reply_request.allow(parsed_value) is None
            is_aborted = master.outcome is not None and master.outcome.kind is Ending.ABORTED
            require_that(is_aborted != is_allowed, f"{ask_label}: allowed {is_allowed}, aborted {is_aborted}")

    def check_reminders(self) -> None:
        """Two reminders, then a good reply; or a third bad one, which aborts."""
        instance = self.list_instances(1)[0]
        master, log = GameMaster.begin_episode(self.game, self.start(instance, reprompt=2))
        require_that(master.open, f"nobody is asked: {master.failure_cause or 'the game is over at once'}")
        seat = master.open[1].request.seat
        view = Conversation(seat)
        for _ in range(2):
            log += master.reply(1, "")
            require_that(
                master.outcome is None and 1 in master.open, "an empty reply was accepted, or no reminder was sent"
            )
        for event in log:
            view.apply(event)
        require_that(
            [message.role for message in view.messages] == ["user", "assistant"] * 2 + ["user"], "not two reminders"
        )
        log += master.reply(1, sample_acceptable_reply(master, 1, random.Random(1)))
        request_counts = itemgetter("requests", "parsed_requests", "violated_requests")(compute_common_scores(log))
        require_that(request_counts == (3, 1, 2), f"requests, parsed, violated are {request_counts}")
        master, _ = GameMaster.begin_episode(self.game, self.start(instance, reprompt=2))
        for _ in range(3):
            master.reply(1, "")
        outcome = master.outcome
        require_that(
            outcome and (outcome.kind, outcome.seat) == (Ending.ABORTED, seat), "a third bad reply does not abort"
        )

    def check_formats(self) -> None:
        """Each declared format can be read from the log, and has a form for people."""
        for instance in self.list_instances(1):
            for event in self.find_or_play_episode(instance, "random").log:
                if event.kind is Kind.ASK:
                    request_event = AskEvent.from_event(
                        Event(event.kind, event.seat, json.loads(to_json(event.data)), event.n)
                    )
                    has_same_words = request_event.reply_format.words() == request_event.words
                    require_that(has_same_words, f"{instance.instance_id}: another explanation is read from the log")
                    require_that(
                        request_event.reply_format.describe_form(),
                        f"{instance.instance_id}: no form for {request_event.reply_format}",
                    )

    def check_fields(self, player: str) -> None:
        """Each kind of form field is one that the pages draw, or one for which a game lists a widget."""
        known_kinds = PAGE_FIELDS | read_widget_kinds(self.registry)
        manifest = self.registry.folders.get(self.game.name, self.registry.project_root) / "web" / "widgets.json"
        for instance in self.list_instances(1):
            for event in self.find_or_play_episode(instance, player).log:
                reply_form = AskEvent.from_event(event).reply_format.describe_form() if event.kind is Kind.ASK else {}
                for field_name, field_kind in map(itemgetter("name", "kind"), list_form_fields(reply_form)):
                    require_that(
                        field_kind in known_kinds,
                        f"{instance.instance_id}: the field {field_name!r} has the kind {field_kind!r}, which no page "
                        f'can draw: list its widget under "fields" in {manifest}, or use '
                        + ", ".join(sorted(known_kinds)),
                    )

    def check_briefing(self) -> None:
        """Each seat's briefing has a diagram, three lines and 3 to 5 questions, and names no experiment or secret."""
        if self.game.briefings is None:
            return
        variants, seats = self.game.briefings.mentioned_names
        unknown_names = (variants - {variant.name for variant in self.game.variants}) | (seats - set(self.game.seats))
        require_that(
            not unknown_names,
            f"the briefing names variants or seats that do not exist: {', '.join(sorted(unknown_names))}",
        )
        secret_phrases = self._find_secret_phrases()
        for seat in (None, *self.game.seats):
            briefing = self.game.briefing(self.variant, seat)
            label = f"the briefing of {seat or 'all seats'}"
            require_that(
                len(briefing.lines) == LINE_COUNT, f"{label} has {len(briefing.lines)} lines, not {LINE_COUNT}"
            )
            is_in_range = MIN_QUESTIONS <= len(briefing.questions) <= MAX_QUESTIONS
            require_that(
                is_in_range, f"{label} has {len(briefing.questions)} questions, not {MIN_QUESTIONS}–{MAX_QUESTIONS}"
            )
            for question in briefing.questions:
                correct_choices = [
                    choice for choice in range(len(question.choices)) if question.is_correct_choice(choice)
                ]
                require_that(
                    len(correct_choices) == 1,
                    f"{label}: {question.question!r} has {len(correct_choices)} right choices",
                )
            require_that(briefing.diagram and briefing.diagram.text, f"{label} has no diagram with a text")
            briefing_words = _simplify_words(" . ".join(briefing.list_texts()))
            leaked_phrases = sorted(phrase for phrase in secret_phrases if f" {phrase} " in briefing_words)
            require_that(not leaked_phrases, f"{label} names what a player must not know: {', '.join(leaked_phrases)}")

    def _find_secret_phrases(self) -> set[str]:
        """Return names and titles of experiments, and texts of instances, that the rules for people do not say."""
        game_name = self.game.name
        rules_text = _simplify_words(" . ".join((*self.game.rules, *self.game.variant(self.variant).rules)))
        titles = self.registry.titles(game_name, self.variant)
        instances = [item.instance for item in self.list_instances(10_000)]
        instances += [item.instance for item in self.registry.read_practice_instances(game_name, self.variant)]
        secret_texts = {*titles, *titles.values(), *(text for instance in instances for text in _list_texts(instance))}
        phrases = {_simplify_words(text).strip() for text in secret_texts}
        long_phrases = {phrase for phrase in phrases if max(map(len, phrase.split()), default=0) >= MIN_WORD_LENGTH}
        return {phrase for phrase in long_phrases if f" {phrase} " not in rules_text}

    def check_practice_instances(self) -> None:
        """Practice instances can be read, played by chance, and are those of no experiment."""
        practice_instances = self.registry.read_practice_instances(self.game.name, self.variant)
        instance_digests = (
            {instance.instance_hash for instance in self.list_instances(10_000)} if practice_instances else set()
        )
        for instance in practice_instances:
            require_that(
                instance.instance_hash not in instance_digests, f"{instance.instance_id} is in an experiment, too"
            )
            require_that(self.play_instance(instance, "random").outcome, f"{instance.instance_id} did not end")

    def check_pictures(self) -> None:
        """Every picture that is shown can be drawn, twice the same."""
        episode = self.find_or_play_episode(self.list_instances(1)[0], "random")
        assets = {
            asset
            for request_event in Log(episode.log).request_events
            for asset in map(itemgetter("id"), request_event.pictures)
        }
        require_that(assets, "the variant declares pictures, but no ask shows one")
        for asset in sorted(assets):
            picture = episode.picture(asset)
            require_that(isinstance(picture, Picture), f"{asset} is not a Picture")
            require_that(picture.data == episode.picture(asset).data, f"{asset} is drawn differently the second time")
            format_by_type = {"image/png": "PNG", "image/webp": "WEBP", "image/jpeg": "JPEG"}
            require_that(picture.media_type in format_by_type, f"{asset}: {picture.media_type} cannot be shown")
            has_only_pixels = self.holds_only_pixels is None or self.holds_only_pixels(
                picture.data, format_by_type[picture.media_type]
            )
            require_that(has_only_pixels, f"{asset} carries metadata, which may tell what a seat must not know")


def list_stable_facts(log: Sequence[Event]) -> list[tuple[int, Kind, str | None, Json]]:
    """Return what two logs of the same episode agree in: all but times and what is known about a reply."""
    return [
        (event.n, event.kind, event.seat, {key: data_value for key, data_value in event.data.items() if key != "meta"})
        for event in log
    ]


def sample_acceptable_reply(master: GameMaster, request_number: int, random_source: random.Random) -> str:
    """Return a reply to an open ask that form and rules accept. Raises `ContractBroken` if none is sampled."""
    reply_request = master.open[request_number].request
    for _ in range(MAX_SAMPLES):
        reply_text = reply_request.reply.sample(random_source)
        if reply_request.allow is None or reply_request.allow(reply_request.reply.parse(reply_text)) is None:
            return reply_text
    raise ContractBroken(f"no allowed reply in {MAX_SAMPLES:,} samples of {reply_request.reply}")


def list_form_fields(reply_form: Json) -> list[Json]:
    """Return the fields of a form, of all its alternatives if it has several."""
    match reply_form:
        case {"either": [*alternative_forms]}:
            return [field for alternative_form in alternative_forms for field in list_form_fields(alternative_form)]
        case {"fields": [*fields]}:
            return fields
    return []


def read_widget_kinds(registry: Registry) -> set[str]:
    """Return the kinds of form fields for which a game lists a widget. Raises `ContractBroken` for an unusable list.

    The server checks the lists further (ui/server/widgets.py).
    """
    field_kinds: set[str] = set()
    for widgets_path in (folder / "web" / "widgets.json" for folder in registry.folders.values()):
        try:
            manifest = json.loads(widgets_path.read_bytes()) if widgets_path.is_file() else {}
        except (OSError, ValueError) as error:
            raise ContractBroken(f"{widgets_path} cannot be read: {error}") from None
        match manifest:
            case {"fields": {**fields}}:
                missing_files = [str(w) for w in fields.values() if not (widgets_path.parent / str(w)).is_file()]
                require_that(
                    not missing_files,
                    f"{widgets_path} lists {', '.join(missing_files)}, which this folder does not have",
                )
                field_kinds |= set(map(str, fields))
    return field_kinds


def digest_episodes(registry: Registry, game_name: str, players: Sequence[str]) -> str:
    """Return a digest of one episode of each experiment and player."""
    game = registry.game(game_name)
    game_trials = [GameTrial(registry, game, variant.name) for variant in game.variants]
    return digest(
        [
            list_stable_facts(game_trial.play_instance(instance, player).log)
            for game_trial in game_trials
            for instance in game_trial.list_instances(1)
            for player in players
        ]
    )


DIGEST_PROGRAM = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
registry, name, players = pickle.load(sys.stdin.buffer)
from engine.play.contract import digest_episodes
print(digest_episodes(registry, name, players))
"""


def _check_example(registry: Registry, game: Game) -> None:
    """The example game, where there is one, runs to its end, and its instance is in no experiment."""
    example_path = make_example_path(registry.folders[game.name]) if game.name in registry.folders else None
    if example_path is None:
        return
    example_game = ExampleGame.load(example_path)
    log = Log(example_game.play(game))
    require_that(log.outcome and log.outcome.kind is not Ending.ABORTED, f"the example ends {log.outcome}")
    main_instances = registry.select_instances(f"{game.name}/{example_game.variant}")
    practice_instances = registry.read_practice_instances(game.name, example_game.variant)
    dealt_digests = {instance.instance_hash for instance in [*main_instances, *practice_instances]}
    require_that(
        digest(example_game.instance) not in dealt_digests, "the instance of the example is dealt to players, too"
    )


def _list_texts(json_data: Any) -> Iterator[str]:
    """Yield all texts in JSON data."""
    if isinstance(json_data, str):
        yield json_data
    elif isinstance(json_data, dict):
        for inner_value in json_data.values():
            yield from _list_texts(inner_value)
    elif isinstance(json_data, list):
        for inner_value in json_data:
            yield from _list_texts(inner_value)


def _simplify_words(text: str) -> str:
    """Return a text in small letters without punctuation, a blank before, between and after its words."""
    return f" {' '.join(''.join(character if character.isalnum() else ' ' for character in text.casefold()).split())} "


def _check_hash_seed(registry: Registry, game: Game, players: Sequence[str]) -> None:
    """Processes with different hash seeds play the same."""
    program_input = pickle.dumps(sys.path) + pickle.dumps((registry, game.name, players))
    episode_digests = set()
    for seed in ("1", "2"):
        command, process_environment = [sys.executable, "-c", DIGEST_PROGRAM], {**os.environ, "PYTHONHASHSEED": seed}
        process = subprocess.run(
            command, env=process_environment, input=program_input, capture_output=True, check=False
        )
        require_that(process.returncode == 0, process.stderr.decode(errors="replace").strip().rpartition("\n")[2])
        episode_digests.add(process.stdout)
    require_that(
        len(episode_digests) == 1, "the order of a set or of `hash` decides something: sort what you iterate over"
    )


# ---------------------------------------------------------------------- players
def list_player_checks(registry: Registry, address: str, game: str) -> Iterator[Check]:
    """Yield the checks of the player of an address, seated at a game. A model is asked about a dozen times.

    Raises `UnknownPlayer`.
    """
    player_info = registry.player_info(address, game)
    player_trial = PlayerTrial(registry, address, game, player_info)
    yield Check("what is known before it plays is well-formed", address, player_trial.check_info)
    yield Check("an unknown parameter is refused or ignored", address, player_trial.check_parameter)
    yield Check("a reply is a text with plain data about it", address, player_trial.check_reply)
    yield Check("it answers several asks at once", address, player_trial.check_concurrency)
    yield Check("a cancelled reply ends, and the next one is answered", address, player_trial.check_cancellation)
    if player_info.max_pictures == 0:
        yield Check("a picture is refused by a PlayerFault", address, player_trial.check_pictures)
    if player_trial.server_name:
        yield Check("a server out of reach is a PlayerFault", address, player_trial.check_unreachable)
    yield Check("after close it answers again", address, player_trial.check_reply_after_close)


@dataclass(frozen=True)
class PlayerTrial:
    """The player of an address, asked for the checks."""

    registry: Registry
    address: str
    game: str
    player_info: PlayerInfo

    @property
    def server_name(self) -> str | None:
        """The server of players.toml that answers for it, None if none does."""
        provider_name = Address.parse(self.registry.resolve(self.address)).provider
        return provider_name if provider_name in self.registry.roster.servers else None

    def make_player(self) -> Player:
        """Return the player, in the seat that the game asks first."""
        return self.registry.player(self.address, self.game, self.make_view().seat, refuse_episode_loading)

    def make_view(self) -> SeatView:
        """Return what the seat sees that the game asks first, in a variant without pictures if there is one."""
        game = self.registry.game(self.game)
        variant = min(game.variants, key=lambda variant: variant.pictures)
        instance = self.registry.select_instances(f"{game.name}/{variant.name}")[0]
        episode_start = build_item_start(game, instance, dict.fromkeys(game.seats, self.address))
        master, log = GameMaster.begin_episode(game, episode_start)
        seat = master.open[min(master.open)].request.seat
        conversation = Conversation(seat)
        for event in log:
            conversation.apply(event)
        view = conversation.view(partial(game.picture, master.instance))
        player = self.registry.player(self.address, self.game, seat, refuse_episode_loading)
        return replace(view, instance=instance.instance) if player.omniscient else view

    def check_info(self) -> None:
        """The summary is a line; numbers are in their ranges."""
        info = self.player_info
        require_that(isinstance(info, PlayerInfo), f"info returns {type(info).__name__}, not PlayerInfo")
        require_that(info.summary and "\n" not in info.summary, f"the summary is not one line: {info.summary!r}")
        picture_limit = info.max_pictures
        require_that(
            picture_limit is None or (isinstance(picture_limit, int) and picture_limit >= 0),
            f"max_pictures is {picture_limit!r}",
        )
        require_that(
            info.price is None or all(token_price >= 0 for token_price in info.price), f"price is {info.price!r}"
        )

    def check_parameter(self) -> None:
        """`make_player` raises nothing but `UnknownPlayer` for a parameter that it does not know."""
        query_separator = "&" if "?" in self.address else "?"
        try:
            self.registry.player(
                f"{self.address}{query_separator}no_such_parameter=1", self.game, "A", refuse_episode_loading
            )
        except UnknownPlayer as error:
            require_that(str(error), "the refusal says nothing")

    def check_reply(self) -> None:
        """Text and meta have the types that the log stores."""
        [reply] = self._run_coroutine(self._reply_once(self.make_player()))
        self._check_reply_types(reply)

    def check_concurrency(self) -> None:
        """Two players of the address, each asked twice at the same time."""

        async def ask_both_players() -> list[Reply]:
            players = [self.make_player(), self.make_player()]
            return list(await asyncio.gather(*(player.reply(self.make_view()) for player in players for _ in range(2))))

        for reply in self._run_coroutine(ask_both_players()):
            self._check_reply_types(reply)

    def check_cancellation(self) -> None:
        """A table may end while somebody thinks."""

        async def cancel_and_ask() -> list[Reply]:
            player = self.make_player()
            task = asyncio.ensure_future(player.reply(self.make_view()))
            await asyncio.sleep(0)
            task.cancel()
            _, unfinished_tasks = await asyncio.wait([task], timeout=CANCEL_TIMEOUT_SECONDS)
            require_that(
                not unfinished_tasks, f"it still runs {CANCEL_TIMEOUT_SECONDS:g} seconds after it was cancelled"
            )
            is_answered = not task.cancelled() and task.exception() is None
            require_that(
                task.cancelled() or is_answered, f"it raises {task if task.cancelled() else task.exception()!r}"
            )
            return await self._reply_once(player)

        for reply in self._run_coroutine(cancel_and_ask()):
            self._check_reply_types(reply)

    def check_pictures(self) -> None:
        """A player that cannot see says so, instead of answering about a picture that it was not shown."""
        view = replace(self.make_view(), messages=(_make_picture_message(),), picture=_draw_white_picture)
        try:
            self._run_coroutine(self._reply_once(self.make_player(), view))
        except PlayerFault as fault:
            require_that(str(fault), "the fault says nothing")
        else:
            raise ContractBroken("max_pictures is 0, but it replies to a prompt with a picture")

    def check_unreachable(self) -> None:
        """Errors of the network become faults, which stall the episode and name their cause."""
        address = Address.parse(self.registry.resolve(self.address))
        roster = self.registry.roster
        server = replace(roster.servers[address.provider], base_url="http://127.0.0.1:9/v1", attempts=1, key_env=None)
        provider_context = ProviderContext(
            refuse_episode_loading, {**roster.servers, address.provider: server}, roster.models
        )
        provider = self.registry.find_provider(self.address, self.game)
        require_that(provider, "it has no provider")
        if provider:
            player = provider.make_player(address, "A", provider_context)
            try:
                self._run_coroutine(self._reply_once(player))
            except PlayerFault as fault:
                require_that(str(fault), "the fault says nothing")
            else:
                raise ContractBroken("it replies although nothing listens at its server's address")

    def check_reply_after_close(self) -> None:
        """Closing releases what it holds; the next reply opens it again."""

        async def reply_after_close() -> list[Reply]:
            await self._reply_once(self.make_player())
            await self.registry.close()
            return await self._reply_once(self.make_player())

        for reply in self._run_coroutine(reply_after_close()):
            self._check_reply_types(reply)

    async def _reply_once(self, player: Player, view: SeatView | None = None) -> list[Reply]:
        return [await player.reply(view or self.make_view())]

    def _run_coroutine(self, reply_coroutine: Any) -> list[Reply]:
        """Run coroutines to their end and release all connections."""

        async def run() -> list[Reply]:
            try:
                replies: list[Reply] = await reply_coroutine
                return replies
            except (ContractBroken, PlayerFault, UnknownPlayer):
                raise
            except Exception as error:
                raise ContractBroken(f"it raises {type(error).__name__}, not PlayerFault: {error}") from error
            finally:
                await self.registry.close()

        return asyncio.run(run())

    def _check_reply_types(self, reply: object) -> None:
        if not isinstance(reply, Reply):
            raise ContractBroken(f"reply returns {type(reply).__name__}, not Reply")
        require_that(isinstance(reply.text, str), f"the text is {type(reply.text).__name__}")
        try:
            to_json(reply.meta)
        except (TypeError, ValueError) as error:
            raise ContractBroken(f"meta is not plain JSON: {error}") from None
        require_that(all(isinstance(meta_key, str) for meta_key in reply.meta), "meta has keys that are not texts")
        for key in ("tokens_in", "tokens_out", "cost", "seconds"):
            meta_value = reply.meta.get(key, 0)
            require_that(isinstance(meta_value, int | float) and meta_value >= 0, f"meta has {key} = {meta_value!r}")


def _make_picture_message() -> Message:
    return Message("user", [{"text": "What is in this picture?"}], pictures=["trial"], request_number=1)


def _draw_white_picture(asset: str) -> Picture:
    """Return a small white picture."""
    from PIL import Image

    picture_buffer = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(picture_buffer, "PNG")
    return Picture(picture_buffer.getvalue(), "image/png", 64, 64)
