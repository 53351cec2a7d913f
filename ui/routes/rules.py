"""The routes of briefings: a game's rules in 20 seconds, its questions, and its example game. Open to everybody."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from engine.core.events import Json
from ui.live.briefings import BriefingReader
from ui.routes.dependencies import AsciiJson

router = APIRouter(default_response_class=AsciiJson)

Index = Annotated[int, Query(ge=0, le=100)]


def _get_briefing_reader(request: Request) -> BriefingReader:
    briefing_reader: BriefingReader = request.app.state.briefings
    return briefing_reader


@router.get("/api/rules")
def send_briefing(request: Request, game: str, variant: str | None = None, seat: str | None = None) -> Json:
    """Return the briefing of a game: of its first variant and of all seats unless they are named."""
    return _get_briefing_reader(request).describe_briefing(game, variant, seat)


@router.get("/api/rules/answer")
def send_feedback(
    request: Request, game: str, question: Index, choice: Index, variant: str | None = None, seat: str | None = None
) -> Json:
    """Return whether a choice is the right answer to a question about the rules, and what to say about it."""
    return _get_briefing_reader(request).check_answer(game, variant, seat, question, choice)


@router.get("/api/rules/example")
def send_example(request: Request, game: str) -> Json:
    """Return the example game of a game as a spectator's page shows it."""
    return _get_briefing_reader(request).read_example(game)
