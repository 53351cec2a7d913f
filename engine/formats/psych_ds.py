"""Export `psych-ds`: the tables of `csv` as a Psych-DS data set: data/, dataset_description.json, README.md."""

from __future__ import annotations

from engine.core.events import Json
from engine.core.wording import plural
from engine.formats.csv import CsvWriter, format_data_dictionary


class PsychDsWriter(CsvWriter):
    """Writes the three tables into data/, and the description of the data set."""

    title = "Ludens episodes"
    tables_text = "Three tables in\n`data/`: a row per episode, per turn and per reply."

    def make_file_name(self, table_name: str) -> str:
        """Return the file of a table."""
        return f"data/study-ludens_description-{table_name}_data.csv"

    def close(self, metadata: Json) -> None:
        """Write the description, which includes the data dictionary, and the metadata."""
        self.close_tables()
        self._folder.write("documentation/dictionary.csv", format_data_dictionary(self.columns))
        self._folder.write_json("metadata.json", metadata)
        self._folder.write("README.md", self._write_readme(metadata))
        self._folder.write_json("dataset_description.json", self._make_description(metadata))

    def _make_description(self, metadata: Json) -> Json:
        texts_by_column: dict[str, list[str]] = {}
        for table_name, meaning_by_column in self.columns.items():
            for column_name, column_meaning in meaning_by_column.items():
                texts_by_column.setdefault(column_name, []).append(f"{table_name}: {column_meaning}")
        episodes_text = plural(metadata["episodes"], "episode")
        return {
            "@context": "https://schema.org/",
            "@type": "Dataset",
            "name": self.title,
            "description": f"{episodes_text} of dialogue games, exported by Ludens {metadata['ludens']}.",
            "schemaVersion": "Psych-DS 0.4.0",
            "dateCreated": metadata["exported"],
            "version": metadata["commit"] or metadata["ludens"],
            "keywords": ["dialogue games", *metadata["games"]],
            "variableMeasured": [
                {"@type": "PropertyValue", "name": column_name, "description": "; ".join(column_texts)}
                for column_name, column_texts in texts_by_column.items()
            ],
        }

    def _write_readme(self, metadata: Json) -> str:
        games, episodes_text = ", ".join(metadata["games"]) or "none", plural(metadata["episodes"], "episode")
        people = "with all" if metadata["people"] else "without unpublished"
        return (
            f"# {self.title}\n\n{episodes_text} of: {games}; {people} episodes of people. {self.tables_text} What each "
            "column means stands in\n`dataset_description.json` and `documentation/dictionary.csv`; versions, settings "
            "and hashes of instances in\n`metadata.json`.\n"
        )
