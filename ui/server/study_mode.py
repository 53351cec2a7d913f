"""Study mode: a browser that takes part in a study gets the pages of that study only."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.live.studies import Studies
from ui.server.notices import make_notice_response

CLOSED_PAGES = ("/", "/watch", "/episode", "/results", "/profile")
CLOSED_PATHS = (
    "/api/lobby",
    "/api/me",
    "/api/tables",
    "/api/join",
    "/api/profile",
    "/api/results",
    "/api/episode",
    "/api/search",
    "/ws/lobby",
    "/ws/queue",
    "/ws/watch",
    "/w/",
    "/e/",
)


class StudyMode:
    """Leads browsers that take part in a study back to it, and refuses them other games and results (pure ASGI)."""

    def __init__(self, app: ASGIApp, studies: Studies) -> None:
        self._app, self._studies = app, studies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, unless it is for something that this browser may see only after its study."""
        url_path: str = scope.get("path", "")
        is_page = url_path in CLOSED_PAGES
        if scope["type"] in ("http", "websocket") and (is_page or url_path.startswith(CLOSED_PATHS)):
            participation = self._studies.find_current_participation(scope["state"]["browser"])
            if participation is not None:
                if scope["type"] == "websocket":
                    await send({"type": "websocket.close", "code": 4403, "reason": "you are taking part in a study"})
                    return
                response: Response
                if is_page:
                    response = RedirectResponse(f"/participate?id={participation.id}", 303)
                else:
                    response = make_notice_response(
                        scope, 403, "You are taking part in a study. Finish it or withdraw first.", None
                    )
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)
