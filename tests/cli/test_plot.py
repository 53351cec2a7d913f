"""`ludens plot`: the file suffix chooses the format, the options choose the episodes, and errors say what is wrong."""

import csv

from tests.cli.terminal import ludens


def test_a_figure_of_selected_episodes_is_written_in_the_format_of_the_file_suffix(tmp_path):
    options = {"folder": tmp_path}
    ludens("run", "mapworld/g2x-text", "--seat", "walker=random", "--limit", 2, "--db", "log.db", **options)
    log = ("--db", "log.db")
    message = ludens("plot", "distance", "mapworld", "--player", "random", "--out", "far.csv", *log, **options).err
    assert "far.csv" in message
    with (tmp_path / "far.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["player"], row["distance"], row["n"]) for row in rows] == [
        ("random", distance, "2") for distance in ("0", "1–2", "3–4")
    ]
    ludens("plot", "distance", "--dark", "--out", "far.svg", *log, **options)
    assert "random</text>" in (tmp_path / "far.svg").read_text(encoding="utf-8")
    errors = {
        ("heatmap", "--out", "x.pdf"): (2, "x.pdf: name a file that ends in .svg, .png or .csv"),
        ("heatmap", "mapwrld", "--out", "x.svg"): (2, "did you mean 'mapworld'"),
        ("heatmap", "--people", "--out", "x.svg"): (1, "no episode with such a player; there are: random"),
    }
    for words, (code, message) in errors.items():
        assert message in ludens("plot", *words, *log, code=code, **options).err
