"""Export `gameeval`: the result files that the code of the GameEval paper writes and its scripts count.

github.com/jordddan/GameEval writes a line of JSON per episode and a log of what was said:
`askguess/guess_result_*.json`, `spyfall/logs/*/*/res.json` and `tofukingdom/result.json`. What a line says is in
`games/GAME/gameeval.py`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from engine.core.events import Ending, Json, to_json
from engine.formats.csv import make_reply_rows
from engine.formats.spoken import find_public_text, find_reply_format
from engine.formats.writer import ExportedEpisode, ExportFolder, ExportOptions


class GameEvalWriter:
    """Writes lines of results and the logs that they name."""

    skip_reason = "no game of GameEval, or not over"

    def __init__(self, root: Path, _: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = ExportFolder(root)
        self._lines_by_file: dict[str, list[str]] = {}
        self._log_counts: Counter[str] = Counter()
        """How many logs each folder has."""

    def add(self, episode: ExportedEpisode) -> bool:
        """Write an episode that was played to its end; return False for other games and without an outcome."""
        outcome = episode.log.outcome
        if episode.game is None or outcome is None or outcome.kind is Ending.ABANDONED:
            return False
        result_line = episode.game.make_gameeval_result(episode.log)
        if result_line is None:
            return False
        log_number = self._log_counts[result_line.folder]
        self._log_counts[result_line.folder] += 1
        log_name = f"{log_number}.log"
        self._lines_by_file.setdefault(result_line.file, []).append(to_json(result_line.line | {"log": log_name}))
        self._folder.write(f"{result_line.folder}/{log_name}", _write_dialogue(episode))
        self.counts["results"] += 1
        return True

    def close(self, metadata: Json) -> None:
        """Write the files of results and the metadata."""
        for file_path, log_lines in self._lines_by_file.items():
            self._folder.write(file_path, "".join(f"{log_line}\n" for log_line in log_lines))
        self._folder.write_json("metadata.json", metadata)


def _write_dialogue(episode: ExportedEpisode) -> str:
    """Return what the others heard of the accepted replies, a line each."""
    reply_formats = {
        request_event.ask: find_reply_format(request_event) for request_event in episode.log.request_events
    }
    public_lines = [
        (reply_row["seat"], find_public_text(reply_formats[reply_row["ask"]], reply_row["text"]))
        for reply_row in make_reply_rows(episode)
        if reply_row["accepted"]
    ]
    return "".join(f"{seat}: {' '.join(spoken_text.split())}\n" for seat, spoken_text in public_lines)
