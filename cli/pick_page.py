"""The page of `ludens instances pick`: both pictures of a candidate pair side by side, and keys to accept or reject.

Nothing but JSON below one random word; only this machine's own page may post. What is judged is kept by `Candidates`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import Body, FastAPI, HTTPException, Request, Response
from starlette.middleware.trustedhost import TrustedHostMiddleware

from cli.instances import write_whole
from cli.pick import Candidates
from cli.words import say
from games.common.pictures import Library, UnknownPicture, labels


def make_app(candidates: Candidates, library: Library, word: str, text_of: Callable[[dict[str, Any]], str]) -> FastAPI:
    """Return the app below `/WORD/`: page, pairs, pictures, judge, done."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    page = Path(__file__).with_name("pick.html").read_text(encoding="utf-8")
    known = range(len(candidates.pairs))

    @app.get(f"/{word}/")
    def show() -> Response:
        nonce = secrets.token_urlsafe()
        policy = f"default-src 'none'; img-src 'self' data:; connect-src 'self'; script-src 'nonce-{nonce}'; "
        policy += f"style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        headers = {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
        return Response(page.replace("NONCE", nonce), media_type="text/html", headers=headers)

    @app.get(f"/{word}/pairs")
    def pairs() -> list[dict[str, Any]]:
        return [_told(place) for place in known]

    def _told(place: int) -> dict[str, Any]:
        name, i = candidates.pairs[place]
        said = {}
        for side in ("a", "b"):
            try:
                said[side] = sorted(labels(library.description(candidates.pair(place)[side])))
            except UnknownPicture as error:
                said[side] = [str(error)]
        of = len(candidates.data["experiments"][name])
        told = {"experiment": name, "index": i, "of": of, "labels": said, "verdict": candidates.verdict(place)}
        return told | candidates.measure(place)

    @app.get(f"/{word}/picture/{{place}}/{{side}}")
    def picture(place: int, side: str) -> Response:
        if place not in known or side not in ("a", "b"):
            raise HTTPException(404, "there is no such picture")
        try:
            plain = library.playable(candidates.pair(place)[side])
        except UnknownPicture as error:
            raise HTTPException(404, str(error)) from None
        return Response(plain.data, media_type=plain.media_type, headers={"X-Content-Type-Options": "nosniff"})

    @app.post(f"/{word}/judge")
    def judge(
        request: Request, place: Annotated[int, Body()], verdict: Annotated[bool | None, Body()] = None
    ) -> dict[str, Any]:
        _from_here(request)
        if place not in known:
            raise HTTPException(404, f"there are {len(known)} pairs")
        try:
            candidates.judge(place, verdict)
        except OSError as error:
            raise HTTPException(500, f"{candidates.path}: {error.strerror or error}") from None
        return {"saved": True}

    @app.post(f"/{word}/done")
    def done(request: Request) -> dict[str, str]:
        _from_here(request)
        data = candidates.accepted()
        if not data["experiments"]:
            raise HTTPException(422, "no pair is accepted yet")
        path = candidates.target
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text_of(data))
        except OSError as error:
            raise HTTPException(500, f"{path}: {error.strerror or error}") from None
        counts = ", ".join(f"{len(made)} of {name}" for name, made in data["experiments"].items())
        said = f"{path}: {counts}"
        say(said)
        return {"said": f"Written: {said}. You can go on, or close this page and stop the command with Ctrl-C."}

    return app


def _from_here(request: Request) -> None:
    """Another site's page cannot guess the word; should it leak, it still may not post."""
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise HTTPException(403, "not from this page")
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise HTTPException(415, "JSON is expected")
