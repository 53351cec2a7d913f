"""What can be known of a model of transformers without loading it, torch or transformers: from its configuration.

A name is a folder (`/models/x`) or ORG/NAME on the Hugging Face hub, looked up in the local cache only.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NEEDED = ("torch", "transformers")
INSTALL = ".venv/bin/pip install -c constraints.txt -e '.[local]'"
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_SEES = ("vision_config", "vision_tower", "visual", "image_token_id", "image_token_index", "mm_vision_tower")
_WEIGHTS = ("*.safetensors", "*.bin")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a model; `lacks` says why it cannot be loaded here, with the next step."""

    lacks: str | None = None
    sees: bool | None = None
    kind: str = ""
    """The architecture's name, such as "qwen3_vl"."""


def facts(name: str) -> Facts:
    """Look up a model by its name. Reads at most one small file."""
    if lacks := missing():
        return Facts(lacks)
    if is_folder(name):
        return _of_folder(Path(name))
    if not _REPOSITORY.fullmatch(name):
        return Facts(f"{name!r} is no model: write hf/ORG/NAME, or hf//FOLDER with the whole path")
    offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "TRUE", "YES", "ON")
    folder = _cached(name)
    if folder is not None:
        return _of_folder(folder, whole=offline)
    if offline:
        return Facts(
            f"{name} is not in the local Hugging Face cache and HF_HUB_OFFLINE is set: "
            f"unset it, or run hf download {name} where there is a network"
        )
    return Facts()


def missing() -> str | None:
    """Say which packages are to be installed before any model can be loaded, None when none is."""
    lacking = [package for package in NEEDED if importlib.util.find_spec(package) is None]
    if not lacking:
        return None
    return f"{' and '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} not installed: {INSTALL}"


def is_folder(name: str) -> bool:
    """Return whether a name is a folder's: ORG/NAME never begins with a slash."""
    return Path(name).is_absolute()


def _of_folder(folder: Path, *, whole: bool = True) -> Facts:
    """Look at a folder; one that need not be `whole` may lack weights, which are then downloaded."""
    if not folder.is_dir():
        return Facts(f"there is no folder {folder}")
    try:
        config: Any = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Facts(f"{folder} has no config.json: it is no folder of transformers")
    except (OSError, ValueError) as error:
        return Facts(f"{folder / 'config.json'} cannot be read: {error}")
    if not isinstance(config, dict):
        return Facts(f"{folder / 'config.json'} is no configuration of a model")
    if whole and not any(any(folder.glob(pattern)) for pattern in _WEIGHTS):
        return Facts(f"{folder} has no weights (*.safetensors): is the download complete?")
    return Facts(None, any(key in config for key in _SEES), str(config.get("model_type", "")))


def _cached(name: str) -> Path | None:
    """Return the folder of the newest snapshot of a repository in the local cache; None without one."""
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(name, "config.json")
    return Path(found).parent if isinstance(found, str) else None
