"""Export `sft`: chats for training, one line a seat of an episode that reached a score.

`text.jsonl` has contents as texts, `pictures.jsonl` as parts ({"type": "image"} in the place of each picture, files
named in "images" in that order), as common trainers read them. A reply that was refused has "weight" 0, so that nobody
learns it; what models thought is not in it unless asked for.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

from engine.core.events import Json, Kind, to_json
from engine.core.views import Message
from engine.formats.exporting import ExportedEpisode, ExportFolder, ExportOptions

EXTENSIONS = {"image/png": "png", "image/webp": "webp", "image/jpeg": "jpg"}


class SftWriter:
    """Writes text.jsonl, pictures.jsonl and the pictures."""

    skips = "below the score, or a picture missing"

    def __init__(self, root: Path, wanted: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._wanted = wanted
        self._folder = ExportFolder(root)
        self._text = self._folder.file("text.jsonl")
        self._shown = self._folder.file("pictures.jsonl")

    def add(self, one: ExportedEpisode) -> bool:
        """Write the chats of the seats that reached the score; False when there is none."""
        written = [self._chat(one, seat) for seat in one.start["seats"] if self._good(one, seat)]
        return any(written)

    def _good(self, one: ExportedEpisode, seat: str) -> bool:
        scores = one.scores or {}
        score = scores.get("main_score")
        if score is None and scores.get("side_scores") and one.row.outcome:
            sides = one.row.outcome.get("sides") or {}
            side = next((name for name, seats in sides.items() if seat in seats), None)
            score = scores["side_scores"].get(side)
        return score is not None and score >= self._wanted.least

    def _chat(self, one: ExportedEpisode, seat: str) -> bool:
        messages = one.conversation(seat).messages
        if messages and messages[-1].role == "user":  # asked, and never answered
            messages = messages[:-1]
        if not messages:
            return False
        try:
            images = [self._picture(one, asset) for message in messages for asset in message.pictures]
        except KeyError:
            self.counts["left out, a picture is missing"] += 1
            return False
        refused = _refused(one, seat)
        thoughts = _thoughts(one, seat) if self._wanted.reasoning else []
        made = []
        for number, message in enumerate(messages):
            line: Json = {"role": message.role, "content": _content(message, parts=bool(images))}
            if message.role == "assistant":
                own = sum(earlier.role == "assistant" for earlier in messages[:number])
                line["weight"] = 0 if own < len(refused) and refused[own] else 1
                if own < len(thoughts) and thoughts[own]:
                    line["reasoning"] = thoughts[own]
            made.append(line)
        start = one.start
        chat: Json = {"messages": made} | ({"images": images} if images else {})
        chat["metadata"] = {
            "episode": one.row.id,
            "seat": seat,
            "player": start["seats"][seat],
            **{name: start[name] for name in ("game", "variant", "experiment", "instance_id", "instance_hash")},
            "main_score": (one.scores or {}).get("main_score"),
        }
        (self._shown if images else self._text).write(to_json(chat) + "\n")
        self.counts["chats with pictures" if images else "chats"] += 1
        return True

    def _picture(self, one: ExportedEpisode, asset: str) -> str:
        picture = one.picture(asset)
        extension = EXTENSIONS.get(picture.media_type, "bin")
        name = f"pictures/{hashlib.sha256(picture.data).hexdigest()[:24]}.{extension}"
        if not (self._folder.root / name).exists():
            self._folder.put(name, picture.data)
            self.counts["pictures"] += 1
        return name

    def close(self, about: Json) -> None:
        """Write what is said about the whole."""
        self._folder.close()
        self._folder.json("metadata.json", {**about, "least_score": self._wanted.least})


def _content(message: Message, *, parts: bool) -> str | list[Json]:
    text = message.text()
    if not parts:
        return text
    return [*({"type": "image"} for _ in message.pictures), {"type": "text", "text": text}]


def _refused(one: ExportedEpisode, seat: str) -> list[bool]:
    """Return for each reply of a seat, late ones left out, whether it was refused."""
    found: list[bool] = []
    for event in one.log:
        if event.seat == seat and event.kind is Kind.REPLY and not event.data.get("discarded"):
            found.append(False)
        elif event.seat == seat and event.kind is Kind.VIOLATION:
            found[-1] = True
    return found


def _thoughts(one: ExportedEpisode, seat: str) -> list[str]:
    return [
        str(event.data["meta"].get("reasoning") or "")
        for event in one.log
        if event.seat == seat and event.kind is Kind.REPLY and not event.data.get("discarded")
    ]
