"""Visual similarity of two pictures, from 0 to 1: by a CLIP model of the user, or by perceptual hashes.

`ClipSimilarity` is the measure of the paper: the cosine of the image embeddings, similar above 0.8. `HashSimilarity`
needs no model: it is the share of equal bits of two hashes, one of the coarse pattern (phash) and one of the edges
(dhash). Unrelated pictures score about 0.5. It compares layout, not meaning, so check its pairs by eye. Each measure
has a name, so that an instance file can record which one chose its pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from PIL import Image

    from games.common.pictures import Library


class UnusableClipModel(ValueError):
    """A folder that holds no CLIP model that can be used, or no library to run one; the message says what to do."""


class Similarity(Protocol):
    """Says how alike two pictures look; above `threshold` they count as similar."""

    @property
    def name(self) -> str:
        """What was used, in words."""

    @property
    def threshold(self) -> float:
        """The threshold for similar pictures."""

    def __call__(self, a: str, b: str) -> float:
        """Return the similarity of two pictures, by id. Raises `UnknownPicture` for one that cannot be read."""


class HashSimilarity:
    """The similarity of perceptual hashes. Measured on ten renders: unlike rooms 0.40–0.61, changed ones 0.85–0.97."""

    name = "perceptual hashes (phash and dhash), not CLIP"
    threshold = 0.65

    def __init__(self, library: Library) -> None:
        self._picture = _pictures(library)
        self._known: dict[str, tuple[Any, Any]] = {}

    def __call__(self, a: str, b: str) -> float:
        """Return the mean share of equal bits."""
        one, other = self._hashes(a), self._hashes(b)
        equal = [1 - float(x - y) / int(x.hash.size) for x, y in zip(one, other, strict=True)]
        return sum(equal) / len(equal)

    def _hashes(self, id: str) -> tuple[Any, Any]:
        if id not in self._known:
            import imagehash

            picture = self._picture(id)
            self._known[id] = imagehash.phash(picture), imagehash.dhash(picture)
        return self._known[id]


class ClipSimilarity:
    """The cosine of the image embeddings of a CLIP model in a folder (config.json, model.safetensors, …)."""

    threshold = 0.8

    def __init__(self, library: Library, folder: Path) -> None:
        """Load the model; nothing is downloaded. Raises `UnusableClipModel` if it, torch or transformers is missing."""
        self._picture = _pictures(library)
        self._known: dict[str, np.ndarray] = {}
        self.name = f"CLIP image cosine ({folder.resolve().name})"
        if not (folder / "config.json").is_file():
            raise UnusableClipModel(
                f"{folder} holds no model: there is no config.json. Name the folder of a CLIP model"
            )
        try:
            import torch
            from transformers import CLIPImageProcessor, CLIPModel
        except ImportError as error:
            raise UnusableClipModel(
                f"CLIP needs the extra 'local' ({error}): pip install -e '.[local]', or leave --clip out"
            ) from None
        try:
            self._model = CLIPModel.from_pretrained(str(folder), local_files_only=True, use_safetensors=True).eval()
            self._prepare = CLIPImageProcessor.from_pretrained(str(folder), local_files_only=True)
        except Exception as error:  # transformers raises OSError, ValueError, KeyError, RuntimeError, safetensors' own
            raise UnusableClipModel(f"{folder} holds no CLIP model in safetensors: {error}") from None
        self._torch = torch

    def __call__(self, a: str, b: str) -> float:
        """Return the cosine, 0 where it would be negative."""
        return max(0.0, float(self._embedding(a) @ self._embedding(b)))

    def _embedding(self, id: str) -> np.ndarray:
        if id not in self._known:
            inputs = self._prepare(images=self._picture(id), return_tensors="pt")
            with self._torch.inference_mode():
                seen = self._model.vision_model(pixel_values=inputs["pixel_values"]).pooler_output
                vector = self._model.visual_projection(seen)[0]
                found: np.ndarray = (vector / vector.norm()).numpy()
            self._known[id] = found
        return self._known[id]


def _pictures(library: Library) -> Callable[[str], Image.Image]:
    """Give the pixels of a picture as they are played."""
    from PIL import Image

    def picture(id: str) -> Image.Image:
        return Image.open(BytesIO(library.playable(id).data)).convert("RGB")

    return picture
