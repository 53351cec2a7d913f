"""What all sockets share: sending what a listener gets, receiving what a page sends, until either end is done."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable

from fastapi import WebSocket, WebSocketDisconnect
from starlette.responses import Response

from engine.core.events import Json, to_json
from ui.live.feeds import Listener
from ui.live.refusal import Refusal

logger = logging.getLogger("ludens.routes")


async def serve_socket(
    socket: WebSocket, listener: Listener, receive_message: Callable[[Json], Awaitable[None]] | None = None
) -> None:
    """Serve an accepted socket; `receive_message` is called with every message of the page, if it is given."""

    async def send_messages() -> None:
        while (message_text := await listener.await_message()) is not None:
            await socket.send_text(message_text)

    async def receive_messages() -> None:
        while True:
            message_text = await socket.receive_text()
            if receive_message:
                try:
                    await receive_message(json.loads(message_text))
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError, Refusal) as error:
                    logger.debug("a page sent something odd, or it could not be stored: %s", type(error).__name__)

    listener.sender_task = asyncio.create_task(send_messages())
    receiver_task = asyncio.create_task(receive_messages())
    try:
        await asyncio.wait([listener.sender_task, receiver_task], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (listener.sender_task, receiver_task):
            task.cancel()
        await asyncio.gather(listener.sender_task, receiver_task, return_exceptions=True)
    if listener.close_code:
        try:
            await socket.close(listener.close_code)
        except (RuntimeError, WebSocketDisconnect):
            logger.debug("a socket was gone before it was closed")


async def refuse_socket(socket: WebSocket, refusal: Refusal | None = None) -> None:
    """Refuse a socket before it is accepted: with 503 where it may be asked again, otherwise with 403."""
    if refusal is not None and refusal.status >= 500:
        refusal_json = to_json(refusal.as_json())
        await socket.send_denial_response(Response(refusal_json, refusal.status, refusal.headers, "application/json"))
    else:
        await socket.close(1008)
