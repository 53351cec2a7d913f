"""Files that commands write."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(file_path: Path, file_text: str) -> None:
    """Write a text file so that a reader finds either the whole new text or the former one."""
    temporary_path = file_path.with_name(f".{file_path.name}.{os.getpid()}")
    temporary_path.write_text(file_text, encoding="utf-8")
    temporary_path.replace(file_path)
