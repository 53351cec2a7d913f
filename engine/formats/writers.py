"""The formats that episodes can be exported in, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from engine.formats.clembench.results import ClembenchWriter
from engine.formats.convokit import ConvokitWriter
from engine.formats.csv import CsvWriter, PsychDsWriter
from engine.formats.exporting import ExportOptions, Writer
from engine.formats.jsonl import JsonlWriter
from engine.formats.sft import SftWriter
from engine.play.registry import Registry

FORMATS: Mapping[str, Callable[[Path, ExportOptions, Registry], Writer]] = {
    "clembench": ClembenchWriter,
    "jsonl": lambda root, wanted, _: JsonlWriter(root, wanted),
    "csv": lambda root, wanted, _: CsvWriter(root, wanted),
    "sft": lambda root, wanted, _: SftWriter(root, wanted),
    "convokit": lambda root, wanted, _: ConvokitWriter(root, wanted),
    "psych-ds": lambda root, wanted, _: PsychDsWriter(root, wanted),
}
