"""Export `clembench`: MODELS/GAME/EXPERIMENT/episode_N with instance, interactions, requests and scores.

Every event of ours is an action of theirs, marked with its number `n`, so `engine/formats/clembench/episodes.py`
reads back the same log. What the layout has no place for (the start of the episode) stands under "ludens" in
instance.json. Where clembench writes a bare NaN there is null: the files are valid JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.core.clembench_mapping import ClembenchMapping
from engine.core.content import text_of
from engine.core.events import Event, Json, Kind
from engine.core.player import Address
from engine.formats.clembench.episodes import KEY, PREFIX, episode_scores, scored_turns
from engine.formats.exporting import ExportedEpisode, ExportFolder, ExportOptions, numeric_values

if TYPE_CHECKING:
    from engine.play.registry import Registry

GM = "GM"
TYPES = {
    Kind.TELL: "send message",
    Kind.ASK: "send message",
    Kind.REPLY: "get message",
    Kind.PARSED: "parse",
    Kind.VIOLATION: "invalid format",
}
"""What an event is called there; other kinds keep their name."""
EXTENSIONS = {"image/png": "png", "image/webp": "webp", "image/jpeg": "jpg"}


class ClembenchWriter:
    """Writes one folder an episode."""

    skips = "no outcome yet, or of a game that is not here"

    def __init__(self, root: Path, wanted: ExportOptions, registry: Registry) -> None:
        self.counts: Counter[str] = Counter()
        self._registry = registry
        self._folder = ExportFolder(root)
        self._numbers: Counter[str] = Counter()

    def add(self, one: ExportedEpisode) -> bool:
        """Write an episode that has an outcome; the layout knows no other."""
        if not one.row.outcome or one.game is None:
            return False
        family: ClembenchMapping | None = self._registry.game(one.row.game).clembench()
        names = {seat: f"Player {number}" for number, seat in enumerate(one.start["seats"], 1)}
        models = "--".join(_model(player) for player in _pair(list(one.start["seats"].values())))
        game = _game(one.start, family)
        experiment = one.start["experiment"].removeprefix(f"{PREFIX}-")
        above = f"{models}/{game}/{_safe(experiment)}"
        number, self._numbers[above] = self._numbers[above], self._numbers[above] + 1
        place = f"{above}/episode_{number}"
        identity = _identity(one)
        if number == 0:
            self._folder.json(f"{above}/experiment.json", _experiment(one, game, experiment))
        turns = self._turns(one, names)
        meta = {
            "game_name": game,
            "experiment_name": experiment,
            "game_id": identity,
            "results_folder": models,
            "dialogue_pair": models,
            "round_count": len(turns),
            "completed": True,
        }
        players = {GM: f"Game master for {game}"}
        players |= {names[seat]: f"{seat}, {player}" for seat, player in one.start["seats"].items()}
        self._folder.json(f"{place}/instance.json", _instance(one, identity))
        self._folder.json(f"{place}/interactions.json", {"players": players, "turns": turns, "meta": meta})
        self._folder.json(f"{place}/requests.json", list(_requests(one)))
        self._folder.json(f"{place}/scores.json", _scores(one, family))
        self.counts["episodes"] += 1
        return True

    def close(self, about: Json) -> None:
        """Write what is said about the whole."""
        self._folder.close()
        self._folder.json("metadata.json", about)

    # ------------------------------------------------------------------ interactions
    def _turns(self, one: ExportedEpisode, names: Mapping[str, str]) -> list[list[Json]]:
        """Return the actions by round: one begins when the first seat is asked again after the others had their say."""
        turns: list[list[Json]] = [[]]
        first = last = ""
        for event in one.log[1:]:
            seat = event.seat or ""
            if event.kind is Kind.ASK:
                first = first or seat
                if seat == first and last and (last != seat or len(names) == 1):
                    turns.append([])
            turns[-1] += self._actions(one, event, names)
            if event.kind is Kind.REPLY:
                last = seat
        return turns

    def _actions(self, one: ExportedEpisode, event: Event, names: Mapping[str, str]) -> Iterator[Json]:
        data, player = event.data, names.get(event.seat or "", GM)
        type = TYPES.get(event.kind, str(event.kind))
        if event.kind in (Kind.ASK, Kind.TELL):
            action = {"type": type, "content": _said(data), "n": event.n}
            if images := [path for shown in data["pictures"] if (path := self._picture(one, shown["id"]))]:
                action["image"] = images
            yield _event(event, GM, player, action)
        elif event.kind is Kind.REPLY:
            action = {"type": type, "content": data["text"], "n": event.n, "ask": data["ask"], "meta": data["meta"]}
            yield _event(event, player, GM, action)
        elif event.kind is Kind.PARSED:
            value = data["value"]
            content = value if isinstance(value, str) else json.dumps(value)
            yield _event(event, GM, GM, {"type": type, "content": content, "n": event.n})
        elif event.kind is Kind.VIOLATION:
            action = {"type": type, "content": data["why"], "n": event.n, "fault": data["fault"]}
            yield _event(event, GM, GM, action)
            if data["reminder"]:
                reminder = {"type": "send message (reprompt)", "content": data["reminder"]}
                yield _event(event, GM, player, reminder)
        else:
            action = {"type": type, "content": json.dumps(data), "n": event.n, "seat": event.seat, "data": data}
            yield _event(event, GM, GM, action)

    def _picture(self, one: ExportedEpisode, asset: str) -> str | None:
        try:
            picture = one.picture(asset)
        except KeyError:
            self.counts["missing pictures"] += 1
            return None
        extension = EXTENSIONS.get(picture.media_type, "bin")
        name = f"pictures/{hashlib.sha256(picture.data).hexdigest()[:24]}.{extension}"
        if not (self._folder.root / name).exists():
            self._folder.put(name, picture.data)
        return name


def _event(event: Event, sender: str, to: str, action: Json) -> Json:
    at = datetime.fromtimestamp(event.time / 1000, UTC).replace(tzinfo=None)
    return {"from": sender, "to": to, "timestamp": at.isoformat(timespec="microseconds"), "action": action}


def _said(data: Json) -> str:
    said = text_of(data["said"])
    return f"{said}\n\n{data['words']}" if data.get("words") else said


# ---------------------------------------------------------------------- the other files
def _game(start: Json, family: ClembenchMapping | None) -> str:
    """Return their name of a game that was imported, else ours."""
    theirs = start["instance"].get("theirs")
    named = family.game_of(theirs) if family and theirs else None
    return named or f"{start['game']}_{start['variant']}".replace("-", "_")


def _identity(one: ExportedEpisode) -> int:
    index = one.start["instance_id"].rpartition("/")[2]
    return int(index) if index.isdecimal() else 0


def _instance(one: ExportedEpisode, identity: int) -> Json:
    start = one.start
    kept = {
        "episode": one.row.id,
        "origin": one.row.origin,
        "plan_key": one.row.plan_key,
        "began": one.log[0].time,
        "start": start,
    }
    return {"game_id": identity, **(start["instance"].get("theirs") or {}), KEY: kept}


def _experiment(one: ExportedEpisode, game: str, experiment: str) -> Json:
    start = one.start
    return {
        "name": experiment,
        "game_name": game,
        "timestamp": datetime.fromtimestamp(one.log[0].time / 1000, UTC).replace(tzinfo=None).isoformat(),
        "player_models": {
            str(number): {"model_name": _model(player)} for number, player in enumerate(start["seats"].values())
        },
        "settings": start["settings"],
        "ludens": start["ludens"],
    }


def _requests(one: ExportedEpisode) -> Iterator[Json]:
    """Yield what each player was sent and what came back, in the order of replies."""
    views = {seat: one.conversation(seat).messages for seat in one.start["seats"]}
    answered: Counter[str] = Counter()
    for event in one.log:
        if event.kind is not Kind.REPLY or event.data.get("discarded"):
            continue
        seat = str(event.seat)
        answered[seat] += 1
        replies = 0
        prompt = []
        for message in views[seat]:
            if message.role == "assistant":
                replies += 1
                if replies == answered[seat]:
                    break
            prompt.append({"role": message.role, "content": message.text()})
        yield {
            "timestamp": datetime.fromtimestamp(event.time / 1000, UTC).replace(tzinfo=None).isoformat(),
            "manipulated_prompt_obj": prompt,
            "raw_response_obj": {"text": event.data["text"], **event.data["meta"]},
        }


def _scores(one: ExportedEpisode, family: ClembenchMapping | None) -> Json:
    scores = one.scores or {}
    theirs = one.start["instance"].get("theirs")
    named = episode_scores(scores, family if theirs else None)
    own = {} if theirs else {name: value for name, value in numeric_values(scores).items() if name not in COMMON}
    turns = {number: numeric_values(turn) for number, turn in scored_turns(scores)}
    return {"turn scores": turns, "episode scores": {**own, **named}}


COMMON = ("played", "success", "lose", "requests", "parsed_requests", "violated_requests", "main_score")
"""Scores that stand under clembench's names; there is no "Played", which its evaluation computes itself."""


def _pair(players: Sequence[str]) -> list[str]:
    return [*players, *players] if len(players) == 1 else list(players)


def _model(player: str) -> str:
    """Return a player's address as the name of a model there: the name, and the temperature if there is one."""
    address = Address.parse(player)
    name = address.name or address.provider
    heat = address.parameters.get("temperature")
    return _safe(name if address.provider in (PREFIX, name) else f"{address.provider}-{name}") + (
        f"-t{heat}" if heat else ""
    )


def _safe(name: str) -> str:
    return re.sub(r"[^\w.+-]+", "_", name).strip(".") or "_"
