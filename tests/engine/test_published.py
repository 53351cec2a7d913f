"""Published rows: compared with the text of the papers, Table 1 recomputed, and files that cannot be used."""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine.play.registry import Registry
from engine.results.clemscore import GameMeans, compute_clemscore
from engine.results.published import (
    BadPublishedFile,
    find_matching_rows,
    make_published_table,
    read_folder_rows,
    read_published_file,
    read_published_rows,
)

ROOT = Path(__file__).parents[2]
SEEDS = ROOT.parent / "shared" / "seeds"
FOLDERS = [ROOT / "games", *sorted(path.parent for path in (ROOT / "games").glob("*/published.json"))]
TABLES = [table for folder in FOLDERS for table in read_published_file(folder).tables]
SPELLINGS = read_published_file(ROOT / "games").spellings


def seed(name: str) -> str:
    path = SEEDS / name
    if not path.exists():
        pytest.skip(f"{path} is missing: the text of the paper is needed")
    return path.read_text(encoding="utf-8")


class TableReader(HTMLParser):
    """Collects the rows of each table by the number in its caption, "Table N:"."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[int, list[list[str]]] = {}
        self._rows: list[list[str]] = []
        self._cell = False

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")
            self._cell = True

    def handle_endtag(self, tag):
        self._cell = self._cell and tag not in ("td", "th")

    def handle_data(self, data):
        if self._cell:
            self._rows[-1][-1] += data.strip()
        elif caption := re.search(r"^Table (\d+):", data, re.MULTILINE):
            self.tables[int(caption[1])], self._rows = self._rows, []


def number(cell: str) -> float | None:
    return None if cell == "-" else float(cell)


def values(cells: list[str]) -> tuple[float | None, ...] | None:
    """Return the numbers of a row, None for a row of words."""
    try:
        return tuple(number(cell) for cell in cells if cell) or None
    except ValueError:
        return None


def stored_rows(paper: str, table_number: int) -> Counter:
    """Return our rows of a table as (model, values)."""
    return Counter(
        (model, row)
        for table in TABLES
        for model, row in table.rows.items()
        if (table.paper, table.table) == (paper, table_number)
    )


@pytest.mark.parametrize("table_number", [1, 4, 5, 6, 7, 10, 11, 13])
def test_tables_have_exactly_the_rows_of_the_paper(table_number):
    reader = TableReader()
    reader.feed(seed("multimodal-games-paper.txt"))
    rows = [(SPELLINGS.get(row[0], row[0]), values(row[1:])) for row in reader.tables[table_number] if row]
    assert stored_rows("hakimov", table_number) == Counter((model, row) for model, row in rows if row and model)


def test_tables_with_another_layout_have_the_rows_of_the_paper():
    reader = TableReader()
    reader.feed(seed("multimodal-games-paper.txt"))
    printed_again = {SPELLINGS.get(row[0], row[0]): values(row[1:]) for row in reader.tables[12] if values(row[1:])}
    rows = [row for row in read_folder_rows(ROOT / "games" / "mapworld", "mapworld") if row.table == 12]
    order = ["ee-picture", "ee-gr-picture", "ee-text", "ee-gr-text"]
    for model, printed in printed_again.items():
        assert printed == tuple({row.variant: row.value for row in rows if row.model == model}[name] for name in order)
    assert len(rows) == 4 * len(printed_again) == 64
    by_distance = {row[0]: values(row[1:]) for row in reader.tables[14] if values(row[1:])}
    stored = [row for row in read_folder_rows(ROOT / "games" / "mapworld", "mapworld") if row.table == 14]
    for distance, printed in by_distance.items():
        matching = [row for row in stored if row.condition.endswith(distance)]
        assert printed == tuple(row.value for row in matching)
        assert [row.number for row in matching] == ["played", "score_all"] * 2
        assert [row.variant for row in matching] == ["g2x-text"] * 2 + ["g2x-picture"] * 2


def test_tables_of_the_other_paper_have_its_rows():
    text = seed("gameeval-paper.txt")
    before = {int(match[1]): text[: match.start()] for match in re.finditer(r"^Table (\d):", text, re.MULTILINE)}
    lines = {
        table: [line.split() for line in before[table].splitlines()[-rows:]] for table, rows in ((2, 7), (3, 3), (4, 7))
    }
    questions = [(SPELLINGS.get(line[0], line[0]), values(line[1:])) for line in lines[2] if values(line[1:])]
    assert stored_rows("gameeval", 2) == Counter(questions)
    spies = [(line[-7], values(line[-6:])) for line in lines[3]]
    assert stored_rows("gameeval", 3) == Counter((SPELLINGS.get(model, model), row) for model, row in spies)
    points = {row.model: [] for row in read_folder_rows(ROOT / "games" / "tofukingdom", "tofukingdom")}
    for row in read_folder_rows(ROOT / "games" / "tofukingdom", "tofukingdom"):
        points[row.model].append(row)
    for index, line in enumerate(lines[4]):
        printed = dict(zip(("ChatGPT", "GPT-4", "TD003"), values(line[-3:]), strict=True))
        assert printed == {model: rows[index].value for model, rows in points.items()}
        camps = dict(zip(("camp:prince", "camp:spy", "camp:queen"), line[:3], strict=True))
        assert all(rows[index].seats == (camps if index < 6 else {}) for rows in points.values())


def test_the_clemscore_of_every_row_of_table_1_recomputes_from_its_columns():
    """Map World counts three times. If some games were played and the paper has quality 0, that is no quality."""
    table = next(table for table in TABLES if (table.paper, table.table) == ("hakimov", 1))
    assert len(table.rows) == 18
    contradicted = []
    for model, (score, played, quality, *games) in table.rows.items():
        assert score == pytest.approx(played * quality / 100, abs=0.01), model
        pairs = [(games[column], games[column + 1]) for column in (0, 2, 4, 4, 4)]
        means = [GameMeans(str(n), share, mean if share else None) for n, (share, mean) in enumerate(pairs)]
        total = compute_clemscore(means)
        assert total.played == pytest.approx(played, abs=0.01), model
        if games[4] and not games[5]:
            contradicted.append(model)
            continue
        assert total.quality == pytest.approx(quality, abs=0.01), model
        assert total.clemscore == pytest.approx(score, abs=0.02), model
    assert contradicted == ["InternVL2-8B", "Idefics-3-8B", "Phi-3.5-vision", "Phi-3-vision"]


def test_every_row_has_a_citation_and_names_existing_variants_and_experiments():
    registry = Registry(ROOT)
    rows = read_published_rows(registry)
    assert {(row.paper, row.table) for row in rows} == {
        *(("hakimov", table) for table in (1, 4, 5, 6, 7, 10, 11, 12, 13, 14)),
        *(("gameeval", table) for table in (2, 3, 4)),
    }
    for row in rows:
        assert row.citation.endswith(f"Table {row.table}") and row.model and row.condition and row.says
        assert row.model not in SPELLINGS
        if row.variant:
            names = {experiment.name for experiment in registry.game(row.game).variant(row.variant).experiments}
            assert row.experiment is None or row.experiment in names
        assert row.as_json()["published"] is True


def test_columns_belong_to_the_right_variants_and_experiments():
    """Check columns by hand: the figures that the project's notes quote, and two more."""
    folder = ROOT / "games" / "mapworld"
    for game, variant, experiment, number, value in (
        ("mapworld", "ee-picture", None, "score_all", 82.4),
        ("mapworld", "ee-gr-text", None, "score_all", 82.9),
        ("mapworld", "g2x-text", None, "score_all", 100),
        ("mapworld", "ee-text", "medium-cycle", "score_all", 87.7),
        ("mapworld", "ee-gr-picture", None, "exploration", 71.94),
        ("mapworld", "ee-gr-text", None, "moves", 8.73),
        ("matchit", "picture", "photos-similar", "quality", 90),
        ("matchit", "picture", "pentomino-similar", "quality", 30),
        ("matchit", "text", "similar-edit-2", "quality", 90),
        ("reference", "picture", "rooms", "score_all", 83.3),
        ("reference", "picture", "everyday-static", "score_all", 86.7),
    ):
        values_by_model = {
            row.model: row.value for row in find_matching_rows(ROOT / "games" / game, variant, experiment, number)
        }
        assert values_by_model["Claude-3.5"] == value, (game, variant, experiment, number)
    best = find_matching_rows(folder, "ee-picture", None, "score_all")
    assert (best[0].model, best[0].value, len(best), best[0].table) == ("Claude-3.5", 82.4, 16, 10)
    assert "Table 10" in make_published_table(best)["source"]
    assert make_published_table(find_matching_rows(folder, "ee-picture", "moonlit", "score_all")) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": {"m": [1, 2]}}, "table 9, m: 1 values are needed"),
        ({"number": ""}, "table 9: every column needs the number it holds"),
        ({"paper": "lost"}, "no paper 'lost'"),
        ({"colums": []}, "colums"),
    ],
)
def test_the_message_names_a_file_that_cannot_be_used(tmp_path, change, message):
    paper = {"authors": "A", "title": "T", "short": "A"}
    table = {"paper": "p", "table": 9, "number": "quality", "says": "s", "columns": [{"condition": "c"}]}
    folder = tmp_path / "games" / "mine"
    folder.mkdir(parents=True)
    data = {"papers": {"p": paper}, "tables": [{**table, "rows": {"m": [1]}, **change}]}
    (folder / "published.json").write_text(json.dumps(data))
    with pytest.raises(BadPublishedFile, match=f"published.json.*(?s:.*){re.escape(message)}"):
        read_folder_rows(folder, "mine")
    assert read_folder_rows(tmp_path / "games", None) == []
