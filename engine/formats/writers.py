"""The formats that episodes can be exported in, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from engine.formats.clembench.results import Results
from engine.formats.convokit import Corpus
from engine.formats.csv import PsychDS, Tables
from engine.formats.exporting import Wanted, Writer
from engine.formats.jsonl import Jsonl
from engine.formats.sft import Chats
from engine.play.registry import Registry

FORMATS: Mapping[str, Callable[[Path, Wanted, Registry], Writer]] = {
    "clembench": Results,
    "jsonl": lambda root, wanted, _: Jsonl(root, wanted),
    "csv": lambda root, wanted, _: Tables(root, wanted),
    "sft": lambda root, wanted, _: Chats(root, wanted),
    "convokit": lambda root, wanted, _: Corpus(root, wanted),
    "psych-ds": lambda root, wanted, _: PsychDS(root, wanted),
}
