"""What a model's configuration tells about it without loading the model, torch or transformers.

A name is a folder (`/models/x`) or ORG/NAME on the Hugging Face hub, which is looked up in the local cache only.
"""

from __future__ import annotations

import importlib.util
import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.patterns import ASCII, compile_linear_pattern

REQUIRED_PACKAGES = ("torch", "transformers")
INSTALL_COMMAND = ".venv/bin/pip install -c constraints.txt -e '.[local]'"
_REPOSITORY_PATTERN = compile_linear_pattern(
    r"[\w.-]+/[\w.-]+", ASCII, reason="two classes with a slash between, which is in neither"
)
_VISION_KEYS = ("vision_config", "vision_tower", "visual", "image_token_id", "image_token_index", "mm_vision_tower")
_WEIGHT_PATTERNS = ("*.safetensors", "*.bin")
_POINTER_START = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class LocalModelInfo:
    """What is known about a model; `unusable_reason` says why it cannot be loaded here, with the next step."""

    unusable_reason: str | None = None
    sees_pictures: bool | None = None
    architecture: str = ""
    """Such as "qwen3_vl"."""


def inspect_model(model_name: str) -> LocalModelInfo:
    """Look up a model by its name. Reads one small file, and the first bytes of the weights."""
    if missing_reason := list_missing_packages():
        return LocalModelInfo(missing_reason)
    if is_folder(model_name):
        return _inspect_folder(Path(model_name))
    if not _REPOSITORY_PATTERN.fullmatch(model_name):
        return LocalModelInfo(f"{model_name!r} is not a model: write hf/ORG/NAME, or hf//FOLDER with the whole path")
    is_offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "TRUE", "YES", "ON")
    folder = _find_cached_folder(model_name)
    if folder is not None:
        return _inspect_folder(folder, needs_weights=is_offline)
    if is_offline:
        return LocalModelInfo(
            f"{model_name} is not in the local Hugging Face cache and HF_HUB_OFFLINE is set: "
            f"unset it, or run hf download {model_name} on a machine with a network"
        )
    return LocalModelInfo()


def list_missing_packages() -> str | None:
    """Return which packages must be installed before a model can be loaded, None if all are installed."""
    names = [package for package in REQUIRED_PACKAGES if importlib.util.find_spec(package) is None]
    if not names:
        return None
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} not installed: {INSTALL_COMMAND}"


def is_folder(model_name: str) -> bool:
    """Return whether a name is that of a folder: ORG/NAME never begins with a slash."""
    return Path(model_name).is_absolute()


def _inspect_folder(folder: Path, *, needs_weights: bool = True) -> LocalModelInfo:
    """Look at a folder; a cached one need not have weights, because they can be downloaded."""
    if not folder.is_dir():
        return LocalModelInfo(f"the folder {folder} does not exist")
    if missing_reason := _find_missing_content(folder / "config.json"):
        return LocalModelInfo(missing_reason)
    try:
        model_config: Any = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return LocalModelInfo(f"{folder} has no config.json: it is not a model folder of transformers")
    except (OSError, ValueError) as error:
        return LocalModelInfo(f"{folder / 'config.json'} cannot be read: {error}")
    if not isinstance(model_config, dict):
        return LocalModelInfo(f"{folder / 'config.json'} is not a model configuration")
    if needs_weights and not any(any(folder.glob(pattern)) for pattern in _WEIGHT_PATTERNS):
        return LocalModelInfo(f"{folder} has no weights (*.safetensors): is the download complete?")
    if missing_reason := next(
        (missing_reason for path in _list_weight_files(folder) if (missing_reason := _find_missing_content(path))), None
    ):
        return LocalModelInfo(missing_reason)
    sees_pictures = any(vision_key in model_config for vision_key in _VISION_KEYS)
    return LocalModelInfo(None, sees_pictures, str(model_config.get("model_type", "")))


def find_folder(model_name: str) -> Path | None:
    """Return the folder of a model on this machine, None if it is only on the hub."""
    return Path(model_name) if is_folder(model_name) else _find_cached_folder(model_name)


def find_damaged_file(folder: Path) -> str | None:
    """Return which file of a model cannot be read and why, None if none is damaged. Reads JSON files as a whole."""
    configurations = sorted(folder.glob("*.json"))
    return next(
        (reason for path in (*configurations, *_list_weight_files(folder)) if (reason := _find_damage(path))), None
    )


def _list_weight_files(folder: Path) -> list[Path]:
    return sorted(path for pattern in _WEIGHT_PATTERNS for path in folder.glob(pattern))


def _find_damage(path: Path) -> str | None:
    from safetensors import SafetensorError, safe_open

    if missing_reason := _find_missing_content(path):
        return missing_reason
    try:
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix == ".safetensors":
            with safe_open(path, framework="numpy"):
                pass
        elif not zipfile.is_zipfile(path) and _read_first_byte(path) != b"\x80":  # both formats of torch.save
            return f"{path} is not a file of PyTorch weights: copy or download it again"
    except SafetensorError as error:
        return f"{path} is damaged or incomplete: copy or download it again ({error})"
    except (OSError, ValueError) as error:
        return f"{path} cannot be read: {error}"
    return None


def _read_first_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1)


def _find_missing_content(path: Path) -> str | None:
    """Return why a file has no content of its own, None if it has or does not exist. Reads a few bytes."""
    try:
        if path.stat().st_size == 0:
            return f"{path} is empty: copy or download it again"
        with path.open("rb") as file:
            is_pointer = file.read(len(_POINTER_START)) == _POINTER_START
    except OSError:
        return None
    if is_pointer:
        return f"{path} is only a pointer of Git LFS: run git lfs pull in {path.parent}, or download the model again"
    return None


def _find_cached_folder(model_name: str) -> Path | None:
    """Return the folder of the newest snapshot of a repository in the local cache; None without one."""
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(model_name, "config.json")
    return Path(path).parent if isinstance(path, str) else None
