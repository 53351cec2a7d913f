"""What all sockets share: sending what a listener gets, receiving what a page sends, until either end is done."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable

from fastapi import WebSocket, WebSocketDisconnect

from engine.core.events import Json
from ui.live.feeds import Listener
from ui.live.refusal import Refusal

log = logging.getLogger("ludens.routes")


async def serve_socket(
    socket: WebSocket, listener: Listener, receive: Callable[[Json], Awaitable[None]] | None = None
) -> None:
    """Serve an accepted socket; `receive` is called with every message of the page, if it is given."""

    async def send_messages() -> None:
        while (text := await listener.next()) is not None:
            await socket.send_text(text)

    async def receive_messages() -> None:
        while True:
            text = await socket.receive_text()
            if receive:
                try:
                    await receive(json.loads(text))
                except (ValueError, TypeError, KeyError, AttributeError, Refusal) as error:
                    log.debug("a page sent something odd: %s", type(error).__name__)

    listener.pump = asyncio.create_task(send_messages())
    receiving = asyncio.create_task(receive_messages())
    try:
        await asyncio.wait([listener.pump, receiving], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (listener.pump, receiving):
            task.cancel()
        await asyncio.gather(listener.pump, receiving, return_exceptions=True)
    if listener.close_code:
        try:
            await socket.close(listener.close_code)
        except (RuntimeError, WebSocketDisconnect):
            log.debug("a socket was gone before it was closed")


async def refuse_socket(socket: WebSocket) -> None:
    """Refuse a socket before it is accepted: the server answers 403."""
    await socket.close(1008)
