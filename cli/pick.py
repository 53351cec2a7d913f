"""`ludens instances pick`: a person accepts or rejects candidate pairs on a page of their own machine.

The page (`cli/pick_page.py`) is served on loopback, on a free port, below a random word that only the printed address
has. Every judgement is saved in the file of candidates at once; "Done" writes the accepted pairs as a file of instances
beside the shipped one.
"""

from __future__ import annotations

import json
import secrets
import socket
import threading
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.instances import write_whole
from cli.words import Failed, say

ORDER = ("similar", "different", "same")
"""What takes a careful look comes first."""


class Candidates:
    """A file of candidate pairs with what has been judged of them; every judgement is written at once."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises `Failed` naming what is wrong."""
        self.path = path
        self._lock = threading.Lock()
        try:
            self.data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            experiments = self.data["experiments"]
            self.pairs = [
                (name, i)
                for name in sorted(experiments, key=_turn)
                for i, pair in enumerate(experiments[name])
                if isinstance(pair["a"], str) and isinstance(pair["b"], str)
            ]
            if not isinstance(self.data.setdefault("judged", {}), dict):
                raise ValueError("field judged is no object")
            self.game, self.variant = str(self.data["game"]), str(self.data["variant"])
        except OSError as error:
            raise Failed(f"{path} cannot be read: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Failed(
                f"{path} is no file of candidates ({type(error).__name__}: {error}): "
                "`ludens instances make matchit --pictures SET --candidates 40` makes one"
            ) from None
        if not self.pairs:
            raise Failed(f"{path} has no pairs")

    def pair(self, place: int) -> dict[str, Any]:
        """Return the instance at a place. Raises IndexError."""
        name, i = self.pairs[place]
        found: dict[str, Any] = self.data["experiments"][name][i]
        return found

    def verdict(self, place: int) -> bool | None:
        """Return what was judged of a pair."""
        name, i = self.pairs[place]
        found: bool | None = self.data["judged"].get(name, {}).get(str(i))
        return found

    def measure(self, place: int) -> dict[str, Any]:
        """Return Jaccard index and likeness of a pair."""
        name, i = self.pairs[place]
        measures = self.data.get("measures", {}).get(name, [])
        return measures[i] if i < len(measures) else {"jaccard": None, "likeness": None}

    def judge(self, place: int, verdict: bool | None) -> None:
        """Record a judgement, or take it back, and write the file."""
        name, i = self.pairs[place]
        with self._lock:
            judged = self.data["judged"].setdefault(name, {})
            if verdict is None:
                judged.pop(str(i), None)
            else:
                judged[str(i)] = verdict
            write_whole(self.path, json.dumps(self.data, ensure_ascii=False, indent=1) + "\n")

    @property
    def target(self) -> Path:
        """Where the accepted pairs go: beside the shipped file, one folder up from the candidates."""
        folder = self.path.resolve().parent
        return (folder.parent if folder.name == "candidates" else folder / "picked") / self.path.name

    def accepted(self) -> dict[str, Any]:
        """Return the content of a file of instances with the accepted pairs only, experiments without any left out."""
        kept: dict[str, list[int]] = {}
        for place, (name, i) in enumerate(self.pairs):
            if self.verdict(place):
                kept.setdefault(name, []).append(i)
        data = {name: value for name, value in self.data.items() if name != "judged"}
        for field in ("experiments", "measures"):
            every = self.data.get(field, {})
            data[field] = {
                name: [every[name][i] for i in kept[name] if i < len(every[name])] for name in every if name in kept
            }
        for field in ("titles", "like"):
            data[field] = {name: value for name, value in self.data.get(field, {}).items() if name in kept}
        return {**data, "picked": "by hand"}


def _turn(experiment: str) -> tuple[int, str]:
    relation = experiment.rpartition("-")[2]
    return (ORDER.index(relation) if relation in ORDER else len(ORDER)), experiment


def pick(
    file: Annotated[Path, typer.Argument(help="Candidates, from `instances make … --pictures SET --candidates N`.")],
    port: Annotated[int, typer.Option(help="Port on this machine.  [default: a free one]", min=0, max=65535)] = 0,
    open: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Accept or reject candidate pairs by hand, on a page of this machine."""
    import uvicorn

    from cli.pick_page import make_app
    from cli.settings import ROOT, load
    from engine.play.registry import Registry

    load()
    candidates = Candidates(file)
    game = Registry(ROOT).game(candidates.game)
    maker = game.picture_pair_maker()
    if maker is None:
        raise Failed(f"{file}: {game.name} makes no instances from pictures; matchit does")
    from games.common.pictures import LIBRARY

    word = secrets.token_urlsafe(18)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
            listening.listen()  # whoever opens the address at once waits until the app is up
        except OSError as error:
            raise Failed(f"port {port} cannot be used ({error.strerror}); leave --port out for a free one") from None
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/{word}/"
        say(f"{len(candidates.pairs)} pairs of {file}; every judgement is saved at once. Ctrl-C stops.\n{address}")
        if open:
            import webbrowser

            threading.Timer(0.5, webbrowser.open, [address]).start()
        app = make_app(candidates, LIBRARY, word, maker.text_of)
        uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run(sockets=[listening])
