"""The page of `ludens instances pick`: both pictures of a candidate pair side by side, and keys to accept or reject.

It serves only JSON, under one random word, and only its own page may post. `Candidates` stores the judgements.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import Body, FastAPI, HTTPException, Request, Response
from starlette.middleware.trustedhost import TrustedHostMiddleware

from cli.files import write_atomically
from cli.instances.candidates import Candidates
from cli.output import print_message
from games.common.pictures import Library, UnknownPicture, labels


def make_app(
    candidates: Candidates, library: Library, secret: str, format_content: Callable[[dict[str, Any]], str]
) -> FastAPI:
    """Return the app under `/WORD/`: page, pairs, pictures, judge, done."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    page_html = Path(__file__).with_name("pick.html").read_text(encoding="utf-8")
    pair_numbers = range(len(candidates.pairs))

    @app.get(f"/{secret}/")
    def show_page() -> Response:
        nonce = secrets.token_urlsafe()
        policy = f"default-src 'none'; img-src 'self' data:; connect-src 'self'; script-src 'nonce-{nonce}'; "
        policy += f"style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        headers = {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
        return Response(page_html.replace("NONCE", nonce), media_type="text/html", headers=headers)

    @app.get(f"/{secret}/pairs")
    def list_pairs() -> list[dict[str, Any]]:
        return [_describe_pair(candidates, library, pair_number) for pair_number in pair_numbers]

    @app.get(f"/{secret}/picture/{{place}}/{{side}}")
    def send_picture(place: int, side: str) -> Response:
        if place not in pair_numbers or side not in ("a", "b"):
            raise HTTPException(404, "no such picture")
        try:
            playable_picture = library.read_playable_picture(candidates.get_pair(place)[side])
        except UnknownPicture as error:
            raise HTTPException(404, str(error)) from None
        headers = {"X-Content-Type-Options": "nosniff"}
        return Response(playable_picture.data, media_type=playable_picture.media_type, headers=headers)

    @app.post(f"/{secret}/judge")
    def judge_pair(
        request: Request, place: Annotated[int, Body()], verdict: Annotated[bool | None, Body()] = None
    ) -> dict[str, Any]:
        _check_origin(request)
        if place not in pair_numbers:
            raise HTTPException(404, f"there are {len(pair_numbers)} pairs")
        try:
            candidates.judge_pair(place, verdict)
        except OSError as error:
            raise HTTPException(500, f"{candidates.path}: {error.strerror or error}") from None
        return {"saved": True}

    @app.post(f"/{secret}/done")
    def finish_pair_selection(request: Request) -> dict[str, str]:
        _check_origin(request)
        written_text = _write_accepted_pairs(candidates, format_content)
        print_message(written_text)
        return {"said": f"Written: {written_text}. You can go on, or close this page and stop the command with Ctrl-C."}

    return app


def _describe_pair(candidates: Candidates, library: Library, pair_number: int) -> dict[str, Any]:
    """Return what the page shows of a pair besides its pictures."""
    experiment, pair_index = candidates.pairs[pair_number]
    side_labels = {}
    for side in ("a", "b"):
        try:
            side_labels[side] = sorted(labels(library.description(candidates.get_pair(pair_number)[side])))
        except UnknownPicture as error:
            side_labels[side] = [str(error)]
    pair_count, verdict = len(candidates.file_data["experiments"][experiment]), candidates.get_verdict(pair_number)
    pair = {"experiment": experiment, "index": pair_index, "of": pair_count, "labels": side_labels, "verdict": verdict}
    return pair | candidates.get_measures(pair_number)


def _write_accepted_pairs(candidates: Candidates, format_content: Callable[[dict[str, Any]], str]) -> str:
    """Write the accepted pairs, and return the path with the number of pairs of each experiment."""
    accepted_data = candidates.build_accepted_file()
    if not accepted_data["experiments"]:
        raise HTTPException(422, "no pair has been accepted")
    target_path = candidates.target_path
    try:
        target_path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target_path, format_content(accepted_data))
    except OSError as error:
        raise HTTPException(500, f"{target_path}: {error.strerror or error}") from None
    return f"{target_path}: " + ", ".join(
        f"{len(pairs)} of {experiment}" for experiment, pairs in accepted_data["experiments"].items()
    )


def _check_origin(request: Request) -> None:
    """Refuse requests of other sites' pages: they cannot guess the word, but it may leak."""
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise HTTPException(403, "not from this page")
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise HTTPException(415, "expected JSON")
