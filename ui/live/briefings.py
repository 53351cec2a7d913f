"""What the rules page and the tables show about a game: its briefing, and its example game as spectators would see it.

A briefing is sent with the choices of its questions, but not with the right ones: `check_answer` tells those.
"""

from __future__ import annotations

from pathlib import Path

from engine.core.briefing import BadBriefing
from engine.core.briefing_file import Briefing
from engine.core.events import Json
from engine.core.example import BadExample, ExampleGame, make_example_path
from engine.core.game import Game, Variant
from engine.core.log import Log
from engine.core.scores import score_episode
from engine.play.registry import Registry
from ui.live.boards import Boards
from ui.live.record import EpisodeRecord
from ui.live.refusal import Refusal


class BriefingReader:
    """Reads the briefings and example games of a server's games; an example is played once and kept."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._examples: dict[str, Json] = {}

    def describe_briefing(self, game_name: str, variant_name: str | None, seat: str | None) -> Json:
        """Return the briefing of a variant, by default the first, at a seat or for all. Raises `Refusal` (404)."""
        game, variant, briefing = self._find_briefing(game_name, variant_name, seat)
        diagram = briefing.diagram
        return {
            "game": {
                "name": game.name,
                "title": game.title,
                "blurb": game.blurb,
                "variant": variant.name,
                "variant_title": variant.title,
            },
            "seat": seat,
            "variants": [{"name": variant.name, "title": variant.title} for variant in game.variants],
            "seats": list(game.seats),
            "lines": list(briefing.lines),
            "diagram": {"svg": diagram.svg, "text": diagram.text} if diagram else None,
            "roles": [role.model_dump() for role in briefing.roles],
            "questions": [
                {"question": question.question, "choices": list(question.choices)} for question in briefing.questions
            ],
            "rules": [*game.rules, *variant.rules],
            "has_example": self._find_example_file(game) is not None,
            "has_practice": bool(self._registry.read_practice_instances(game.name, variant.name)),
        }

    def check_answer(
        self, game_name: str, variant_name: str | None, seat: str | None, question_index: int, choice_index: int
    ) -> Json:
        """Return whether a choice answers a question about the rules, and the feedback. Raises `Refusal` (404)."""
        _, _, briefing = self._find_briefing(game_name, variant_name, seat)
        try:
            rule_question = briefing.questions[question_index]
            is_correct = rule_question.is_correct_choice(choice_index)
        except IndexError:
            raise Refusal(
                404, f"the briefing of {game_name} has no choice {choice_index} of question {question_index}"
            ) from None
        return {"right": is_correct, "feedback": rule_question.feedback}

    def read_example(self, game_name: str) -> Json:
        """Return the example game of a game as a spectator's page shows it. Raises `Refusal` (404) without one."""
        game = self._find_game(game_name)
        if game_name not in self._examples:
            example_path = self._find_example_file(game)
            if example_path is None:
                raise Refusal(404, f"{game.title} has no example game")
            try:
                self._examples[game_name] = _make_spectator_message(game, ExampleGame.load(example_path))
            except BadExample as error:
                raise Refusal(500, str(error)) from None
        return self._examples[game_name]

    # ------------------------------------------------------------------ games
    def _find_game(self, game_name: str) -> Game:
        try:
            return self._registry.game(game_name)
        except LookupError as error:
            raise Refusal(404, str(error)) from None

    def _find_briefing(
        self, game_name: str, variant_name: str | None, seat: str | None
    ) -> tuple[Game, Variant, Briefing]:
        game = self._find_game(game_name)
        if seat is not None and seat not in game.seats:
            raise Refusal(404, f"{game.name} has the seats {', '.join(game.seats)}, not {seat!r}")
        try:
            variant = game.variant(variant_name) if variant_name else game.variants[0]
            return game, variant, game.briefing(variant.name, seat)
        except KeyError as error:
            raise Refusal(404, str(error.args[0])) from None
        except BadBriefing as error:
            raise Refusal(500, str(error)) from None

    def _find_example_file(self, game: Game) -> Path | None:
        game_folder = self._registry.folders.get(game.name)
        return make_example_path(game_folder) if game_folder else None


def _make_spectator_message(game: Game, example: ExampleGame) -> Json:
    """Return the message of a spectator's page for a finished game that is on no table."""
    event_list = example.play(game)
    record = EpisodeRecord(game.seats)
    record.append_events(event_list)
    record.log = event_list
    boards = Boards(game, record)
    boards.render_boards()
    episode_log = Log(event_list)
    variant = game.variant(example.variant)
    return {
        "game": {
            "name": game.name,
            "title": game.title,
            "variant": variant.name,
            "variant_title": variant.title,
            "rules": [],
        },
        "about": example.about,
        "headline": game.debrief(episode_log, score_episode(episode_log, game)).headline,
        "seats": [{"seat": seat, "player": "", "here": None} for seat in game.seats],
        "people": False,
        "pinned": {seat: conversation.pinned_exhibits for seat, conversation in record.conversations.items()},
        "open": [],
        "outcome": record.transcript.outcome,
        "status": "over",
        "stalled": None,
        "silent": False,
        "from": 0,
        "lines": boards.list_linked_lines(lambda panel: panel),
        "now": 0,
    }
