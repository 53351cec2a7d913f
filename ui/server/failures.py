"""What is answered when something fails inside: 503 for a database or disk that fails now, 500 for our own mistakes."""

from __future__ import annotations

import errno
import logging
import sqlite3

from fastapi import FastAPI
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketState

from engine.storage.database import StoreError
from ui.live.feeds import BUSY_CLOSE_CODE
from ui.server.logs import request_id
from ui.server.notices import RETRY_AFTER_SECONDS, make_notice_response

logger = logging.getLogger("ludens.failures")

TRANSIENT_ERROR_NUMBERS = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.EFBIG)
"""Errors of the operating system that the owner can end while the server runs."""


def handle_failures(app: FastAPI) -> None:
    """Answer failures of storage with 503, also where a socket is opened, and everything else with 500."""
    for failure_type in (sqlite3.Error, StoreError, OSError):
        app.exception_handler(failure_type)(_answer_storage_failure)
    app.exception_handler(Exception)(_answer_unexpected_error)


async def _answer_storage_failure(connection: HTTPConnection, error: Exception) -> Response | None:
    if isinstance(error, OSError) and error.errno not in TRANSIENT_ERROR_NUMBERS:
        raise error
    logger.error("storage failed", exc_info=error)
    words = "The server cannot save at the moment", "Nothing of what you did before is lost. Please try again soon."
    notice_response = make_notice_response(connection.scope, 503, *words, retry_after=RETRY_AFTER_SECONDS)
    if not isinstance(connection, WebSocket):
        return notice_response
    if connection.application_state is WebSocketState.CONNECTING:
        await connection.send_denial_response(notice_response)
    elif connection.application_state is WebSocketState.CONNECTED:
        await connection.close(BUSY_CLOSE_CODE)
    return None


async def _answer_unexpected_error(request: Request, _: Exception) -> Response:
    """Answer a bug; the server logs it with the same id."""
    http_request_id = request_id.get()
    reason = (
        f"Number of this request, for the people who run this server: {http_request_id}" if http_request_id else None
    )
    return make_notice_response(request.scope, 500, "Something went wrong on the server", reason)
