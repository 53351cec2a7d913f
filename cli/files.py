"""Files that commands write."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that a reader finds either the whole new text or the former one."""
    temporary_path = path.with_name(f".{path.name}.{os.getpid()}")
    temporary_path.write_text(text, encoding="utf-8")
    temporary_path.replace(path)
