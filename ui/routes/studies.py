"""The routes of studies: arriving by a link, the steps of a participation, withdrawing."""

from __future__ import annotations

import hmac
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from engine.core.events import Json
from ui.live.refusal import Refusal
from ui.routes.dependencies import AsciiJson, Browser, KnownBrowser, PageRequest, Posted, ServerIn

router = APIRouter(default_response_class=AsciiJson)

PLATFORM_PARAMETERS = {"prolific": "PROLIFIC_PID", "mturk": "workerId"}
"""The parameter that identifies a person on each platform."""
DETAIL_PARAMETERS = ("STUDY_ID", "SESSION_ID", "assignmentId", "hitId")
MAX_LENGTH = 200


class StepAnswer(PageRequest):
    """What a participant answers at a step, by the names of the questions.

    `attempt` counts from 1 where a step can be answered several times: sent again, it is the same attempt.
    """

    id: str
    step: str
    answers: dict[str, Any]
    attempt: int | None = None


class Withdrawal(PageRequest):
    """A participant withdraws, keeping what was played or deleting it."""

    id: str
    delete: bool


class MessageRead(PageRequest):
    """A participant has read a message of the researcher."""

    id: str
    message: int


@router.get("/study/{name}")
async def arrive(name: str, request: Request, server: ServerIn, browser: KnownBrowser) -> Response:
    """Begin or continue a participation, and go to its page; the address there holds nothing of who it is."""
    identifier = _person_identifier(name, request, server)
    details = {key: request.query_params[key][:MAX_LENGTH] for key in DETAIL_PARAMETERS if key in request.query_params}
    participation_id = await server.studies.arrive(name, browser, identifier, details)
    return RedirectResponse(f"/participate?id={participation_id}", 303, headers={"referrer-policy": "no-referrer"})


def _person_identifier(study_name: str, request: Request, server: Any) -> tuple[str, str] | None:
    """Return kind and value of what the address says of the person. Raises `Refusal` for a label that is not ours."""
    query = request.query_params
    for platform, parameter in PLATFORM_PARAMETERS.items():
        if identifier := query.get(parameter):
            return platform, identifier[:MAX_LENGTH]
    label = query.get("participant")
    if not label:
        return None
    if access_key := query.get("key"):
        if hmac.compare_digest(access_key.encode(), server.studies.link_key(study_name, label).encode()):
            return "link", label[:MAX_LENGTH]
    elif server.studies.has_open_labels(study_name):
        return "label", label[:MAX_LENGTH]
    raise Refusal(403, "This personal link is not valid.", "Check that it was copied completely.")


@router.get("/api/participation")
async def participation(id: str, server: ServerIn, browser: Browser) -> Json:
    """Return what the page of a participation shows now."""
    return await server.studies.show(id, browser)


@router.post("/api/participation")
async def answer(answer: Posted[StepAnswer], server: ServerIn, browser: KnownBrowser) -> Json:
    """Take the answers of a step; return what the page shows next."""
    return await server.studies.answer(answer.id, browser, answer.step, answer.answers, answer.attempt)


@router.post("/api/participation/withdraw")
async def withdraw(withdrawal: Posted[Withdrawal], server: ServerIn, browser: KnownBrowser) -> Json:
    """End a participation at the wish of the participant."""
    return await server.studies.withdraw(withdrawal.id, browser, delete=withdrawal.delete)


@router.get("/api/participation/messages")
async def messages(id: str, server: ServerIn, browser: Browser) -> Json:
    """Return the messages of the researcher that the participant has not read."""
    return {"messages": server.studies.unread_messages(id, browser)}


@router.post("/api/participation/messages")
async def mark_read(read: Posted[MessageRead], server: ServerIn, browser: KnownBrowser) -> Json:
    """Note that the participant has read a message; return those that are left."""
    await server.studies.mark_read(read.id, browser, read.message)
    return {"messages": server.studies.unread_messages(read.id, browser)}
