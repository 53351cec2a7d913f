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

    def __init__(self, file_path: Path) -> None:
        """Read the file. Raises `CommandFailed` with what is wrong."""
        self.path = file_path
        self._lock = threading.Lock()
        try:
            self.file_data: dict[str, Any] = json.loads(file_path.read_text(encoding="utf-8"))
            experiments = self.file_data["experiments"]
            self.pairs = [
                (experiment, pair_index)
                for experiment in sorted(experiments, key=_rank_relation)
                for pair_index, pair in enumerate(experiments[experiment])
                if isinstance(pair["a"], str) and isinstance(pair["b"], str)
            ]
            if not isinstance(self.file_data.setdefault("judged", {}), dict):
                raise ValueError("field judged is not an object")
            self.game, self.variant = str(self.file_data["game"]), str(self.file_data["variant"])
        except OSError as error:
            raise CommandFailed(f"{file_path} cannot be read: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CommandFailed(
                f"{file_path} is not a file of candidates ({type(error).__name__}: {error}): "
                "`ludens instances make matchit --pictures SET --candidates 40` makes one"
            ) from None
        if not self.pairs:
            raise CommandFailed(f"{file_path} has no pairs")

    def get_pair(self, pair_number: int) -> dict[str, Any]:
        """Return the instance of a pair. Raises IndexError."""
        experiment, pair_index = self.pairs[pair_number]
        instance: dict[str, Any] = self.file_data["experiments"][experiment][pair_index]
        return instance

    def get_verdict(self, pair_number: int) -> bool | None:
        """Return whether a pair was accepted or rejected; None if it has not been judged."""
        experiment, pair_index = self.pairs[pair_number]
        verdict: bool | None = self.file_data["judged"].get(experiment, {}).get(str(pair_index))
        return verdict

    def get_measures(self, pair_number: int) -> dict[str, Any]:
        """Return Jaccard index and likeness of a pair."""
        experiment, pair_index = self.pairs[pair_number]
        measures = self.file_data.get("measures", {}).get(experiment, [])
        return measures[pair_index] if pair_index < len(measures) else {"jaccard": None, "likeness": None}

    def judge_pair(self, pair_number: int, verdict: bool | None) -> None:
        """Record a judgement, or withdraw it with None, and write the file."""
        experiment, pair_index = self.pairs[pair_number]
        with self._lock:
            judged_pairs = self.file_data["judged"].setdefault(experiment, {})
            if verdict is None:
                judged_pairs.pop(str(pair_index), None)
            else:
                judged_pairs[str(pair_index)] = verdict
            write_atomically(self.path, json.dumps(self.file_data, ensure_ascii=False, indent=1) + "\n")

    @property
    def target_path(self) -> Path:
        """Where the accepted pairs are written: beside the shipped file, one folder above the candidates."""
        folder = self.path.resolve().parent
        return (folder.parent if folder.name == "candidates" else folder / "picked") / self.path.name

    def build_accepted_file(self) -> dict[str, Any]:
        """Return the content of an instance file with the accepted pairs; experiments without any are left out."""
        accepted_indices_by_experiment: dict[str, list[int]] = {}
        for pair_number, (key, index) in enumerate(self.pairs):
            if self.get_verdict(pair_number):
                accepted_indices_by_experiment.setdefault(key, []).append(index)
        accepted_data = {key: value for key, value in self.file_data.items() if key != "judged"}
        for field_name in ("experiments", "measures"):
            values_by_experiment = self.file_data.get(field_name, {})
            accepted_data[field_name] = {
                key: [
                    values_by_experiment[key][index]
                    for index in accepted_indices_by_experiment[key]
                    if index < len(values_by_experiment[key])
                ]
                for key in values_by_experiment
                if key in accepted_indices_by_experiment
            }
        for field_name in ("titles", "like"):
            accepted_data[field_name] = {
                key: value
                for key, value in self.file_data.get(field_name, {}).items()
                if key in accepted_indices_by_experiment
            }
        return {**accepted_data, "picked": "by hand"}


def _rank_relation(experiment: str) -> tuple[int, str]:
    relation = experiment.rpartition("-")[2]
    return (RELATION_ORDER.index(relation) if relation in RELATION_ORDER else len(RELATION_ORDER)), experiment
