"""Export `hf`: a data set for the Hugging Face hub: parquet files with a data set card, one row per reply.

`datasets.load_dataset(FOLDER)` reads the replies with their pictures, `load_dataset(FOLDER, "episodes")` the episodes.
pyarrow, an extra, writes the files, a group of rows at a time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.core.events import Json, to_json
from engine.core.views import Message
from engine.formats.csv import ANALYSIS_COLUMNS, PARTICIPANT_COLUMNS, REPLY_TABLE, TABLE_COLUMNS, make_reply_rows
from engine.formats.spoken import escape_surrogates
from engine.formats.writer import ExportedEpisode, ExportFolder, ExportOptions

if TYPE_CHECKING:
    import pyarrow

EPISODE_TABLE = "episodes"
ROWS_PER_GROUP = 200
"""Rows that are in memory at once."""
TEXT_TYPE, INTEGER_TYPE, NUMBER_TYPE, BOOLEAN_TYPE, PICTURES_TYPE = "string", "int64", "float64", "bool", "pictures"
EPISODE_COLUMN_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("episode", "game", "variant", "experiment", "instance", "instance_hash"), TEXT_TYPE),
    **dict.fromkeys(("outcome", "reason", "error"), TEXT_TYPE),
    **dict.fromkeys(("main_score", "side_score"), NUMBER_TYPE),
    "scores": TEXT_TYPE,
    "settings": TEXT_TYPE,
}
"""What the rows of both tables have of their episode."""
REPLY_COLUMN_TYPES: Mapping[str, str] = {
    **EPISODE_COLUMN_TYPES,
    **dict.fromkeys(("seat", "player", "participant"), TEXT_TYPE),
    **dict.fromkeys(("n", "ask"), INTEGER_TYPE),
    "time": TEXT_TYPE,
    "said": TEXT_TYPE,
    "pictures": PICTURES_TYPE,
    "text": TEXT_TYPE,
    "accepted": BOOLEAN_TYPE,
    **dict.fromkeys(("fault", "why", "model", "finish"), TEXT_TYPE),
    **dict.fromkeys(("seconds", "cost", "repeated_words"), NUMBER_TYPE),
    **dict.fromkeys(("tokens_in", "tokens_out", "word_count"), INTEGER_TYPE),
    **dict.fromkeys(("negation", "new_question"), BOOLEAN_TYPE),
}
MEANING_BY_COLUMN = {
    **TABLE_COLUMNS[EPISODE_TABLE],
    **TABLE_COLUMNS[REPLY_TABLE],
    **PARTICIPANT_COLUMNS[REPLY_TABLE],
    **ANALYSIS_COLUMNS[EPISODE_TABLE],
    **ANALYSIS_COLUMNS[REPLY_TABLE],
    "side_score": "score of the side of the seat in an adversarial game, 100 or 0",
    "said": "what was said to the seat since its last reply, as a model reads it",
    "pictures": "the pictures that the seat saw with it, in their order",
}


class PyarrowMissing(ValueError):
    """The package that writes parquet is not installed; the message says how to install it."""


class HubWriter:
    """Writes data/replies.parquet, data/episodes.parquet and the data set card."""

    skip_reason = "a picture is missing"

    def __init__(self, root: Path, _: ExportOptions) -> None:
        try:
            import pyarrow.parquet
        except ImportError:
            raise PyarrowMissing("--format hf needs pyarrow: pip install 'ludens[hub]'") from None
        self.counts: Counter[str] = Counter()
        self._folder = ExportFolder(root)
        self._rows_by_table: dict[str, list[Json]] = {REPLY_TABLE: [], EPISODE_TABLE: []}
        (root / "data").mkdir(parents=True, exist_ok=True)
        self._schemas = {
            REPLY_TABLE: _make_schema(REPLY_COLUMN_TYPES),
            EPISODE_TABLE: _make_schema({**EPISODE_COLUMN_TYPES, **EPISODE_EXTRA_COLUMN_TYPES}),
        }
        self._files = {
            table_name: pyarrow.parquet.ParquetWriter(root / f"data/{table_name}.parquet", schema, compression="zstd")
            for table_name, schema in self._schemas.items()
        }

    def add(self, episode: ExportedEpisode) -> bool:
        """Write an episode's rows; return False if a picture is missing."""
        try:
            table_rows = list(_make_reply_rows(episode))
        except KeyError:
            return False
        start_data = episode.log.start
        episode_columns = _make_episode_columns(episode)
        self._write_row(
            EPISODE_TABLE,
            episode_columns | {"seats": to_json(start_data.seats), "participants": to_json(episode.first_participants)},
        )
        for table_row in table_rows:
            self._write_row(REPLY_TABLE, episode_columns | table_row)
        return True

    def _write_row(self, table_name: str, table_row: Json) -> None:
        pending_rows = self._rows_by_table[table_name]
        pending_rows.append({name: escape_surrogates(table_row.get(name)) for name in self._schemas[table_name].names})
        self.counts[table_name] += 1
        if len(pending_rows) >= ROWS_PER_GROUP:
            self._flush_rows(table_name)

    def _flush_rows(self, table_name: str) -> None:
        import pyarrow

        pending_rows, self._rows_by_table[table_name] = self._rows_by_table[table_name], []
        if pending_rows:
            self._files[table_name].write_table(pyarrow.Table.from_pylist(pending_rows, self._schemas[table_name]))

    def close(self, metadata: Json) -> None:
        """Write what is left, the card and the metadata."""
        for table_name, parquet_file in self._files.items():
            self._flush_rows(table_name)
            parquet_file.close()
        self._folder.write("README.md", _write_card(metadata))
        self._folder.write_json("metadata.json", metadata)


EPISODE_EXTRA_COLUMN_TYPES: Mapping[str, str] = {"seats": TEXT_TYPE, "participants": TEXT_TYPE}


def _make_schema(types: Mapping[str, str]) -> pyarrow.Schema:
    """Return the schema of a table, with the features by which `datasets` decodes pictures."""
    import pyarrow

    picture = pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])
    schema_fields = [
        pyarrow.field(
            name, pyarrow.list_(picture) if kind == PICTURES_TYPE else getattr(pyarrow, _find_pyarrow_name(kind))()
        )
        for name, kind in types.items()
    ]
    features = {name: _make_feature(kind) for name, kind in types.items()}
    return pyarrow.schema(schema_fields, metadata={"huggingface": json.dumps({"info": {"features": features}})})


def _find_pyarrow_name(column_type: str) -> str:
    return "bool_" if column_type == BOOLEAN_TYPE else column_type


def _make_feature(column_type: str) -> Any:
    return [{"_type": "Image"}] if column_type == PICTURES_TYPE else {"dtype": column_type, "_type": "Value"}


def _make_episode_columns(episode: ExportedEpisode) -> Json:
    start_data, scores = episode.log.start, episode.scores or {}
    outcome = episode.row.outcome or {}
    return {
        "episode": episode.id,
        "game": start_data.game,
        "variant": start_data.variant,
        "experiment": start_data.experiment,
        "instance": start_data.instance_id,
        "instance_hash": start_data.instance_hash,
        "outcome": outcome.get("kind"),
        "reason": outcome.get("reason"),
        "error": episode.error,
        "main_score": scores.get("main_score"),
        "scores": to_json(episode.scores),
        "settings": to_json(start_data.settings),
    }


def _make_reply_rows(episode: ExportedEpisode) -> Iterator[Json]:
    """Yield the replies that arrived in time, each with what the seat was told and saw since its last one."""
    stimuli_by_seat = {seat: _list_stimuli(episode, seat) for seat in episode.log.start.seats}
    side_scores = {seat: episode.find_side_score(seat) for seat in stimuli_by_seat}
    for reply_row in make_reply_rows(episode):
        if reply_row["late"]:
            continue
        prompt_text, pictures = next(stimuli_by_seat[reply_row["seat"]], ("", []))
        yield {**reply_row, "said": prompt_text, "pictures": pictures, "side_score": side_scores[reply_row["seat"]]}


def _list_stimuli(episode: ExportedEpisode, seat: str) -> Iterator[tuple[str, list[Json]]]:
    """Yield, for each reply of a seat, the text and the pictures before it. Raises KeyError for a missing picture."""
    unread_messages: list[Message] = []
    for message in episode.log.conversation(seat).messages:
        if message.role == "user":
            unread_messages.append(message)
            continue
        pictures = [
            _load_picture(episode, asset) for unread_message in unread_messages for asset in unread_message.pictures
        ]
        yield "\n\n".join(unread_message.text() for unread_message in unread_messages), pictures
        unread_messages = []


def _load_picture(episode: ExportedEpisode, asset: str) -> Json:
    picture = episode.load_picture(asset)
    return {"bytes": picture.data, "path": None}


# ---------------------------------------------------------------------- the card
def _write_card(metadata: Json) -> str:
    games, counts = sorted(metadata["games"]), metadata["written"]
    people = "with unpublished games of people" if metadata["people"] else "of people only published games"
    column_lines = "\n".join(
        f"| `{column_name}` | {MEANING_BY_COLUMN[column_name]} |" for column_name in REPLY_COLUMN_TYPES
    )
    player_lines = "\n".join(f"- `{player}`: {seats} seats" for player, seats in metadata["players"].items())
    return f"""---
pretty_name: Ludens dialogue games
language:
- en
tags:
- dialogue-games
- ludens
configs:
- config_name: replies
  default: true
  data_files:
  - split: train
    path: data/replies.parquet
- config_name: episodes
  data_files:
  - split: train
    path: data/episodes.parquet
---
# Dialogue games played with Ludens

{counts.get(EPISODE_TABLE, 0)} episodes with {counts.get(REPLY_TABLE, 0)} replies of: {", ".join(games) or "no game"};
{people}. Exported by Ludens {metadata["ludens"]} on {metadata["exported"]}. `metadata.json` has versions, settings,
hashes of all instances, and what was left out.

```python
from datasets import load_dataset

replies = load_dataset("FOLDER", split="train")
episodes = load_dataset("FOLDER", "episodes", split="train")
```

## Columns of `replies`

One row per reply that arrived in time, also refused ones. The rows of one episode follow each other.

| column | meaning |
|---|---|
{column_lines}

`episodes` has one row per episode: the columns from `episode` to `settings`, `seats` and `participants` (JSON of seat
to player, and of seat to participant key).

## Players

{player_lines or "none"}

## People

A person is called `person`. Games of one person share a participant key, a pseudonym that leads back to nobody. The
texts are what people wrote: check your consent and your licence before you publish them.
"""
