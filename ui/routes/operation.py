"""What whoever runs the server asks it: whether it answers, and its figures."""

from __future__ import annotations

import ipaddress

from fastapi import APIRouter, Request
from starlette.responses import Response

from engine.core.events import Json
from ui.live.refusal import Refusal
from ui.routes.dependencies import AsciiJson, ServerDependency

router = APIRouter(default_response_class=AsciiJson)


@router.get("/healthz")
async def send_health() -> Json:
    """Say that the server answers."""
    return {"ok": True}


@router.get("/metrics")
async def send_metrics(request: Request, server: ServerDependency) -> Response:
    """Return the figures in Prometheus' text format: to this machine where no proxy is, or for the owner's token."""
    auth_scheme, _, token = request.headers.get("authorization", "").partition(" ")
    is_owner = auth_scheme.lower() == "bearer" and server.links.is_admin_token(token.strip())
    if not is_owner and not (request.app.state.is_local_only and _is_from_this_machine(request)):
        raise Refusal(403, "the figures are for the owner: send the token of the admin link as Authorization: Bearer")
    return Response(request.app.state.metrics.render(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _is_from_this_machine(request: Request) -> bool:
    """Return whether a program on this machine asks, and no proxy on its behalf."""
    if request.client is None or getattr(request.state, "is_proxied", True):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
