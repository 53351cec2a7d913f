"""Export `psych-ds`: the tables of `csv` as a Psych-DS data set: data/, dataset_description.json, README.md."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.events import Json
from engine.formats.csv import CsvWriter, format_data_dictionary


class PsychDsWriter(CsvWriter):
    """Writes the three tables into data/, and the description of the data set."""

    def name_file(self, table_name: str) -> str:
        """Return the file of a table."""
        return f"data/study-ludens_description-{table_name}_data.csv"

    def close(self, metadata: Json) -> None:
        """Write the description, which includes the data dictionary, and the metadata."""
        self.close_tables()
        self._folder.write("documentation/dictionary.csv", format_data_dictionary(self.columns))
        self._folder.write_json("metadata.json", metadata)
        self._folder.write("README.md", _write_readme(metadata))
        self._folder.write_json("dataset_description.json", _make_description(metadata, self.columns))


def _make_description(metadata: Json, table_columns: Mapping[str, Mapping[str, str]]) -> Json:
    texts_by_column: dict[str, list[str]] = {}
    for table_name, meaning_by_column in table_columns.items():
        for column_name, column_meaning in meaning_by_column.items():
            texts_by_column.setdefault(column_name, []).append(f"{table_name}: {column_meaning}")
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": "Ludens episodes",
        "description": f"{metadata['episodes']} episodes of dialogue games, exported by Ludens {metadata['ludens']}.",
        "schemaVersion": "Psych-DS 0.4.0",
        "dateCreated": metadata["exported"],
        "version": metadata["commit"] or metadata["ludens"],
        "keywords": ["dialogue games", *metadata["games"]],
        "variableMeasured": [
            {"@type": "PropertyValue", "name": column_name, "description": "; ".join(column_texts)}
            for column_name, column_texts in texts_by_column.items()
        ],
    }


def _write_readme(metadata: Json) -> str:
    games, episode_count = ", ".join(metadata["games"]) or "none", metadata["episodes"]
    people = "with all" if metadata["people"] else "without unpublished"
    return (
        f"# Ludens episodes\n\n{episode_count} episodes of: {games}; {people} episodes of people. Three tables in\n"
        "`data/`: a row per episode, per turn and per reply. What each column means stands in\n"
        "`dataset_description.json` and `documentation/dictionary.csv`; versions, settings and hashes of instances in\n"
        "`metadata.json`.\n"
    )
