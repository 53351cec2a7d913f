"""Tests of what `make setup` installs: the packages that this project is stated to use."""

import importlib.util
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATED = {"gradio", "transformers", "torch", "openai", "anthropic", "pillow", "networkx", "pydantic", "sqlite-utils"}
"""Packages that this project is stated to use."""
IMPORTED_AS = {"pillow": "PIL", "sqlite-utils": "sqlite_utils"}


def test_stated_packages_are_declared_and_can_be_imported():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    declared = {re.split(r"[^\w-]", entry)[0] for entries in lists for entry in entries}
    assert declared >= STATED
    assert not [name for name in STATED if importlib.util.find_spec(IMPORTED_AS.get(name, name)) is None]
