"""The routes of studies: arriving by a link, the steps of a participation, withdrawing."""

from __future__ import annotations

import hmac
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from engine.core.events import Json
from ui.live.refusal import Refusal
from ui.routes.dependencies import AsciiJson, Browser, KnownBrowser, PageRequest, PostedBody, ServerDependency

router = APIRouter(default_response_class=AsciiJson)

PLATFORM_PARAMETERS = {"prolific": "PROLIFIC_PID", "mturk": "workerId"}
"""The parameter that identifies a person on each platform."""
DETAIL_PARAMETERS = ("STUDY_ID", "SESSION_ID", "assignmentId", "hitId")
MAX_IDENTIFIER_LENGTH = 200


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


class MessageReadRequest(PageRequest):
    """A participant has read a message of the researcher."""

    id: str
    message: int


@router.get("/study/{name}")
async def start_participation(name: str, request: Request, server: ServerDependency, browser: KnownBrowser) -> Response:
    """Begin or continue a participation, and go to its page; the address there holds nothing of who it is."""
    identifier = _read_person_identifier(name, request, server)
    query = request.query_params
    arrival_details = {detail: query[detail][:MAX_IDENTIFIER_LENGTH] for detail in DETAIL_PARAMETERS if detail in query}
    participation_id = await server.studies.begin_or_continue_participation(name, browser, identifier, arrival_details)
    return RedirectResponse(f"/participate?id={participation_id}", 303, headers={"referrer-policy": "no-referrer"})


def _read_person_identifier(study_name: str, request: Request, server: ServerDependency) -> tuple[str, str] | None:
    """Return kind and value of what the address says of the person. Raises `Refusal` for a label that is not ours."""
    query_parameters = request.query_params
    for platform, parameter_name in PLATFORM_PARAMETERS.items():
        if identifier := query_parameters.get(parameter_name):
            return platform, identifier[:MAX_IDENTIFIER_LENGTH]
    person_label = query_parameters.get("participant")
    if not person_label:
        return None
    if access_key := query_parameters.get("key"):
        if hmac.compare_digest(access_key.encode(), server.studies.make_link_key(study_name, person_label).encode()):
            return "link", person_label[:MAX_IDENTIFIER_LENGTH]
    elif server.studies.accepts_unsigned_labels(study_name):
        return "label", person_label[:MAX_IDENTIFIER_LENGTH]
    raise Refusal(403, "This personal link is not valid.", "Check that it was copied completely.")


@router.get("/api/participation")
async def send_participation(id: str, server: ServerDependency, browser: Browser) -> Json:
    """Return what the page of a participation shows now."""
    return await server.studies.show_page(id, browser)


@router.post("/api/participation")
async def answer_step(answer: PostedBody[StepAnswer], server: ServerDependency, browser: KnownBrowser) -> Json:
    """Take the answers of a step; return what the page shows next."""
    return await server.studies.answer_step(answer.id, browser, answer.step, answer.answers, answer.attempt)


@router.post("/api/participation/withdraw")
async def withdraw_participation(
    withdrawal: PostedBody[Withdrawal], server: ServerDependency, browser: KnownBrowser
) -> Json:
    """End a participation at the wish of the participant."""
    return await server.studies.withdraw_participation(withdrawal.id, browser, deletes_games=withdrawal.delete)


@router.get("/api/participation/messages")
async def send_messages(id: str, server: ServerDependency, browser: Browser) -> Json:
    """Return the messages of the researcher that the participant has not read."""
    return {"messages": server.studies.list_unread_messages(id, browser)}


@router.post("/api/participation/messages")
async def mark_message_read(
    read_request: PostedBody[MessageReadRequest], server: ServerDependency, browser: KnownBrowser
) -> Json:
    """Note that the participant has read a message; return those that are left."""
    await server.studies.mark_read(read_request.id, browser, read_request.message)
    return {"messages": server.studies.list_unread_messages(read_request.id, browser)}
