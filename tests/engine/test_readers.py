"""Exports read by the programs they are for, each in its own environment: `make test-extras` installs clemcore
and inspect-ai.

ConvoKit needs several gigabytes; CONVOKIT_PYTHON names a Python that has it. Without these programs the tests are
skipped; the schemas in tests/engine/test_formats.py then stand in for them.
"""

import csv
import io
import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.terminal import ludens

ROOT = Path(__file__).resolve().parents[2]
CLEMCORE = Path(os.environ.get("CLEMCORE_PYTHON", ROOT / ".venv" / "readers" / "bin" / "python"))
INSPECT = Path(os.environ.get("INSPECT_PYTHON", ROOT / ".venv" / "inspect" / "bin" / "python"))
CONVOKIT = Path(os.environ.get("CONVOKIT_PYTHON", "/nowhere"))

EVALUATE = """
import sys, glob, json
import clemcore.clemeval as evaluation
from clemcore.clemgame.transcripts.builder import build_transcripts
build_transcripts(sys.argv[1])
evaluation.perform_evaluation(sys.argv[1])
print(json.dumps(len(glob.glob(sys.argv[1] + "/**/transcript.html", recursive=True))))
"""
LOAD = """
import sys, json
from convokit import Corpus
corpus = Corpus(filename=sys.argv[1])
is_complete = all(conversation.check_integrity(verbose=False) for conversation in corpus.iter_conversations())
print(json.dumps([len(list(corpus.iter_conversations())), is_complete]))
"""


READ_LOGS = """
import sys, json, pathlib
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries
logs = [read_eval_log(path) for path in sorted(map(str, pathlib.Path(sys.argv[1]).glob("*.eval")))]
headers = [read_eval_log(path, header_only=True) for path in sorted(map(str, pathlib.Path(sys.argv[1]).glob("*.eval")))]
summaries = [len(read_eval_log_sample_summaries(log.location)) for log in logs]
print(json.dumps([
    {
        "task": log.eval.task, "model": log.eval.model, "status": header.status, "samples": len(log.samples),
        "summaries": number, "messages": sum(len(sample.messages) for sample in log.samples),
        "images": sum(part.type == "image" for sample in log.samples for message in sample.messages
                      if not isinstance(message.content, str) for part in message.content),
        "scores": {score.name: score.metrics["mean"].value for score in header.results.scores},
    }
    for log, header, number in zip(logs, headers, summaries)
]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder with a log of episodes with two seats, six seats, and pictures."""
    user_folder = tmp_path_factory.mktemp("log")
    for game in ("matchit/text", "spyfall", "mapworld/g2x-picture"):
        ludens("run", game, "--seat", "all=random", "--limit", 1, "--db", "log.db", folder=user_folder)
    return user_folder


def run_reader(python: Path, program: str, exported: Path):
    completed = subprocess.run([python, "-c", program, exported], capture_output=True, text=True, cwd=exported.parent)
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout.splitlines()[-1])


@pytest.mark.skipif(not CLEMCORE.exists(), reason="clemcore is not installed: make test-extras")
def test_clembench_transcribes_and_evaluates_its_export(folder):
    ludens("export", "--format", "clembench", "runs", "--db", "log.db", folder=folder)
    number = json.loads((folder / "runs" / "metadata.json").read_text())["episodes"]
    assert run_reader(CLEMCORE, EVALUATE, folder / "runs") == number > 5
    table = (folder / "runs" / "results.csv").read_text()
    assert "matchit_text, Quality Score" in table and "spyfall_words" in table


@pytest.mark.skipif(not CLEMCORE.exists(), reason="clemcore is not installed: make test-extras")
def test_the_clemscores_of_each_benchmark_are_ours(tmp_path):
    games = ("matchit", "reference", "mapworld", "imagegame", "askguess/described")
    ludens("run", *games, "--cross", "scripted", "random", "--limit", 1, "--db", "log.db", folder=tmp_path)
    ludens("export", "--format", "clembench", "runs", "--by-benchmark", "--db", "log.db", folder=tmp_path)
    results = ludens("results", "--format", "json", "--db", "log.db", folder=tmp_path).json()
    for benchmark, modality in (("text", "text"), ("multimodal", "picture")):
        run_reader(CLEMCORE, EVALUATE, tmp_path / "runs" / benchmark)
        text = (tmp_path / "runs" / benchmark / "results.csv").read_text()
        theirs = {line[""]: line for line in csv.DictReader(io.StringIO(text))}
        ours = [row for row in results["clemscores"] if row["modality"] == modality]
        assert len(ours) == len(theirs) == 4
        for row in ours:
            first, _, second = row["players"].partition(" + ")
            line = theirs[f"{first}--{second or first}"]
            for name, column in (
                ("clemscore", "-, clemscore"),
                ("played", "all, Average % Played"),
                ("quality", "all, Average Quality Score"),
            ):
                # clemcore rounds the means of the games to two digits before it averages them
                assert float(line[column]) == pytest.approx(row[name], abs=0.011), (benchmark, row["players"], name)


@pytest.mark.skipif(not INSPECT.exists(), reason="inspect-ai is not installed: make test-extras")
def test_inspect_reads_its_logs(folder):
    ludens("export", "--format", "inspect", "logs", "--db", "log.db", folder=folder)
    logs = {log["task"]: log for log in run_reader(INSPECT, READ_LOGS, folder / "logs")}
    matchit, walks, spies = logs["matchit/text"], logs["mapworld/g2x-picture"], logs["spyfall/words"]
    assert {(log["model"], log["status"]) for log in logs.values()} == {("random", "success")}
    assert all(log["samples"] == log["summaries"] for log in logs.values())
    assert (matchit["samples"], walks["samples"], spies["samples"]) == (8, 3, 12)
    assert matchit["messages"] == 8 * 16 and walks["images"] >= 3
    results = ludens("results", "matchit", "--format", "json", "--db", "log.db", folder=folder).json()["rows"]
    assert matchit["scores"]["main_score"] == sum(row["quality"] for row in results) / len(results)
    assert 0 < spies["scores"]["side_score"] < 100


@pytest.mark.skipif(not CONVOKIT.exists(), reason="no ConvoKit: name a Python that has it, CONVOKIT_PYTHON=…")
def test_convokit_loads_its_export(folder):
    ludens("export", "--format", "convokit", "corpus", "--db", "log.db", folder=folder)
    number = json.loads((folder / "corpus" / "metadata.json").read_text())["episodes"]
    assert run_reader(CONVOKIT, LOAD, folder / "corpus") == [number, True]
