"""`ludens plot`: a file of the kind that its name asks for, of the episodes that are chosen, or words why not."""

import csv

from tests.cli.terminal import ludens


def test_a_figure_of_chosen_episodes_becomes_a_file_that_its_name_describes(tmp_path):
    there = {"folder": tmp_path}
    ludens("run", "mapworld/g2x-text", "--seat", "walker=random", "--limit", 2, "--db", "log.db", **there)
    log = ("--db", "log.db")
    said = ludens("plot", "distance", "mapworld", "--player", "random", "--out", "far.csv", *log, **there).err
    assert "far.csv" in said
    with (tmp_path / "far.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["player"], row["distance"], row["n"]) for row in rows] == [
        ("random", distance, "2") for distance in ("0", "1–2", "3–4")
    ]
    ludens("plot", "distance", "--dark", "--out", "far.svg", *log, **there)
    assert "random</text>" in (tmp_path / "far.svg").read_text(encoding="utf-8")
    refused = {
        ("heatmap", "--out", "x.pdf"): (2, "x.pdf: name a file that ends in .svg, .png or .csv"),
        ("heatmap", "mapwrld", "--out", "x.svg"): (2, "did you mean 'mapworld'"),
        ("heatmap", "--people", "--out", "x.svg"): (1, "no episode with such a player; those there are: random"),
    }
    for words, (code, told) in refused.items():
        assert told in ludens("plot", *words, *log, code=code, **there).err
