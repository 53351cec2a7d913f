"""What a browser received, byte for byte, made comparable: only ids, names of pictures and times are taken out."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

import httpx

from tests.ui.recording_proxy import ReceivedAnswer

RANDOM_HEADERS = ("sec-websocket-accept", "x-request-id")  # made anew for each request
SAVED_DRAFT = "/api/draft\nPOST\n200\n"
FILES = ("/web/", "/assets/", "/static/", "/theme.css", "/favicon.ico")


def plain(received: list[ReceivedAnswer], *ids: str) -> list[str]:
    """What was received as text, with ids and times replaced by what they are; sorted, sockets told in order."""
    answers, frames = [], []
    for answer in received:
        if answer.status:
            random = RANDOM_HEADERS + (("content-length",) if _is_compressed_page(answer) else ())
            headers = sorted((name, "<time>" if name == "date" else value) for name, value in answer.headers)
            kept = [f"{name}: {value}" for name, value in headers if name not in random]
            text = "\n".join([answer.path, answer.method, str(answer.status), *kept, _text(answer)])
            answers.append(_without_ids(text, ids))
        elif not answer.path.startswith("/ws/lobby"):
            frames.append((_without_ids(answer.path, ids), json.loads(_without_ids(_text(answer), ids, "0"))))
    return sorted(answers) + list(frame_texts(frames))


def frame_texts(frames: list[tuple[str, dict[str, Any]]]) -> Iterator[str]:
    """What sockets told: all lines, and every value that each other part took on, connection by connection.

    Not message by message: whether one's own reply and the partner's come in one or two is a matter of milliseconds.
    """
    seen: dict[str, list[Any]] = {}
    for path, frame in [*frames, ("", {"from": 0, "game": None})]:
        if "game" in frame:
            yield from (f"{name}\n{json.dumps(values)}" for name, values in sorted(seen.items()))
            seen = {}
        for name, value in frame.items():
            values = seen.setdefault(f"{path} {name}", [])
            waits = (name, value) == ("ask", None) or (name == "turn" and value["who"] == "other")
            if name == "lines":
                values += value
            elif name not in ("v", "from") and not waits and value not in values[-1:]:
                values.append(value)


def _is_compressed_page(answer: ReceivedAnswer) -> bool:
    headers = dict(answer.headers)
    return "content-encoding" in headers and headers.get("content-type", "").startswith("text/html")


def _text(answer: ReceivedAnswer) -> str:
    if _is_compressed_page(answer):  # Gradio writes a random number into its pages at each start
        page = httpx.Response(answer.status, headers=answer.headers, content=answer.body).text
        return re.sub(r'"app_id":\d+', '"app_id":"<random>"', page)
    kind = dict(answer.headers).get("content-type", "text/")
    encoded = "content-encoding" in dict(answer.headers)
    readable = re.match(r"text/|application/(json|javascript)|image/svg", kind) and not encoded
    return answer.body.decode() if readable else f"sha256 {hashlib.sha256(answer.body).hexdigest()}"


def _without_ids(text: str, ids: tuple[str, ...], time: str = "<time>") -> str:
    for number, known in enumerate(ids):
        text = text.replace(known, f"<id {number}>")
    text = re.sub(r"/p/[\w-]{27}", "/p/<picture>", text)
    text = re.sub(r"/([sw])/[\w-]{32}", r"/\1/<token>", text)
    text = re.sub(r"browser=[\w-]{43}", "browser=<cookie>", text)
    return re.sub(r"\b1[789]\d{11}\b", time, text)


def assert_equal(one: list[str], two: list[str]) -> None:
    """Assert that two browsers received the same.

    Files are the same for everybody; how many of them are fetched depends on what a browser still had. How often the
    page asks for the same thing and gets the same answer is a matter of milliseconds; so is whether it saves a draft
    before the reply is sent.
    """
    drafts = {text for text in (*one, *two) if text.startswith(SAVED_DRAFT)}
    assert len(drafts) <= 1, "what is answered to a draft"
    skipped = (*FILES, SAVED_DRAFT)
    first, second = ({text for text in each if not text.startswith(skipped)} for each in (one, two))
    assert first == second, "\n".join(
        ["only the first:", *sorted(first - second), "only the second:", *sorted(second - first)]
    )
    files = {text.partition("\n")[0]: text for text in one if text.startswith(FILES) and "\nGET\n200" in text}
    assert all(files.get(text.partition("\n")[0], text) == text for text in two if "\nGET\n200" in text)
