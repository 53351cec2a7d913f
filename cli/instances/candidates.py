"""A file of candidate picture pairs with the judgements of a person, saved at every judgement."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from cli.files import write_atomically
from cli.output import CommandFailed

RELATION_ORDER = ("similar", "different", "same")
"""Relations that need a careful look come first."""


class Candidates:
    """Candidate pairs, each at an index of `pairs`, with what has been judged so far."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises `CommandFailed` with what is wrong."""
        self.path = path
        self._lock = threading.Lock()
        try:
            self.data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            experiments = self.data["experiments"]
            self.pairs = [
                (name, index)
                for name in sorted(experiments, key=_relation_order)
                for index, pair in enumerate(experiments[name])
                if isinstance(pair["a"], str) and isinstance(pair["b"], str)
            ]
            if not isinstance(self.data.setdefault("judged", {}), dict):
                raise ValueError("field judged is not an object")
            self.game, self.variant = str(self.data["game"]), str(self.data["variant"])
        except OSError as error:
            raise CommandFailed(f"{path} cannot be read: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CommandFailed(
                f"{path} is not a file of candidates ({type(error).__name__}: {error}): "
                "`ludens instances make matchit --pictures SET --candidates 40` makes one"
            ) from None
        if not self.pairs:
            raise CommandFailed(f"{path} has no pairs")

    def pair(self, pair_number: int) -> dict[str, Any]:
        """Return the instance of a pair. Raises IndexError."""
        name, index = self.pairs[pair_number]
        instance: dict[str, Any] = self.data["experiments"][name][index]
        return instance

    def verdict(self, pair_number: int) -> bool | None:
        """Return whether a pair was accepted or rejected; None if it has not been judged."""
        name, index = self.pairs[pair_number]
        verdict: bool | None = self.data["judged"].get(name, {}).get(str(index))
        return verdict

    def measure(self, pair_number: int) -> dict[str, Any]:
        """Return Jaccard index and likeness of a pair."""
        name, index = self.pairs[pair_number]
        measures = self.data.get("measures", {}).get(name, [])
        return measures[index] if index < len(measures) else {"jaccard": None, "likeness": None}

    def judge_pair(self, pair_number: int, verdict: bool | None) -> None:
        """Record a judgement, or withdraw it with None, and write the file."""
        name, index = self.pairs[pair_number]
        with self._lock:
            judged_pairs = self.data["judged"].setdefault(name, {})
            if verdict is None:
                judged_pairs.pop(str(index), None)
            else:
                judged_pairs[str(index)] = verdict
            write_atomically(self.path, json.dumps(self.data, ensure_ascii=False, indent=1) + "\n")

    @property
    def target(self) -> Path:
        """Where the accepted pairs are written: beside the shipped file, one folder above the candidates."""
        folder = self.path.resolve().parent
        return (folder.parent if folder.name == "candidates" else folder / "picked") / self.path.name

    def accepted_pairs(self) -> dict[str, Any]:
        """Return the content of an instance file with the accepted pairs; experiments without any are left out."""
        accepted_pairs_by_name: dict[str, list[int]] = {}
        for pair_number, (name, index) in enumerate(self.pairs):
            if self.verdict(pair_number):
                accepted_pairs_by_name.setdefault(name, []).append(index)
        accepted_data = {name: value for name, value in self.data.items() if name != "judged"}
        for field in ("experiments", "measures"):
            lists = self.data.get(field, {})
            accepted_data[field] = {
                name: [lists[name][index] for index in accepted_pairs_by_name[name] if index < len(lists[name])]
                for name in lists
                if name in accepted_pairs_by_name
            }
        for field in ("titles", "like"):
            accepted_data[field] = {
                name: value for name, value in self.data.get(field, {}).items() if name in accepted_pairs_by_name
            }
        return {**accepted_data, "picked": "by hand"}


def _relation_order(experiment: str) -> tuple[int, str]:
    relation = experiment.rpartition("-")[2]
    return (RELATION_ORDER.index(relation) if relation in RELATION_ORDER else len(RELATION_ORDER)), experiment
