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
    """A folder without a usable CLIP model, or no library to run one. The message says what to do."""


class Similarity(Protocol):
    """A measure of visual similarity. Pictures above its `threshold` count as similar."""

    @property
    def name(self) -> str:
        """The name of the measure in words."""

    @property
    def threshold(self) -> float:
        """The threshold for similar pictures."""

    def __call__(self, first_picture: str, second_picture: str) -> float:
        """Return the similarity of two pictures, by id. Raises `UnknownPicture` if one cannot be read."""


class HashSimilarity:
    """The similarity of perceptual hashes. Measured on ten renders: 0.40–0.61 for unlike rooms, 0.85–0.97 for edits."""

    name = "perceptual hashes (phash and dhash), not CLIP"
    threshold = 0.65

    def __init__(self, library: Library) -> None:
        self._decode = _make_decoder(library)
        self._cache: dict[str, tuple[Any, Any]] = {}

    def __call__(self, first_picture: str, second_picture: str) -> float:
        """Return the mean share of equal bits."""
        hash_similarities = [
            1 - float(x - y) / int(x.hash.size)
            for x, y in zip(
                self._compute_picture_hashes(first_picture), self._compute_picture_hashes(second_picture), strict=True
            )
        ]
        return sum(hash_similarities) / len(hash_similarities)

    def _compute_picture_hashes(self, id: str) -> tuple[Any, Any]:
        if id not in self._cache:
            import imagehash

            image = self._decode(id)
            self._cache[id] = imagehash.phash(image), imagehash.dhash(image)
        return self._cache[id]


class ClipSimilarity:
    """The cosine of the image embeddings of a CLIP model in a folder (config.json, model.safetensors, …)."""

    threshold = 0.8

    def __init__(self, library: Library, folder: Path) -> None:
        """Load the model; nothing is downloaded. Raises `UnusableClipModel` if it, torch or transformers is missing."""
        self._decode = _make_decoder(library)
        self._cache: dict[str, np.ndarray] = {}
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
            self._image_processor = CLIPImageProcessor.from_pretrained(str(folder), local_files_only=True)
        except Exception as error:  # transformers raises OSError, ValueError, KeyError, RuntimeError, safetensors' own
            raise UnusableClipModel(f"{folder} holds no CLIP model in safetensors: {error}") from None
        self._torch = torch

    def __call__(self, first_picture: str, second_picture: str) -> float:
        """Return the cosine, or 0 if it is negative."""
        return max(
            0.0, float(self._compute_picture_embedding(first_picture) @ self._compute_picture_embedding(second_picture))
        )

    def _compute_picture_embedding(self, id: str) -> np.ndarray:
        if id not in self._cache:
            model_inputs = self._image_processor(images=self._decode(id), return_tensors="pt")
            with self._torch.inference_mode():
                pooled_output = self._model.vision_model(pixel_values=model_inputs.pixel_values).pooler_output
                image_features = self._model.visual_projection(pooled_output)[0]
                embedding: np.ndarray = (image_features / image_features.norm()).numpy()
            self._cache[id] = embedding
        return self._cache[id]


def _make_decoder(library: Library) -> Callable[[str], Image.Image]:
    """Return a function that decodes a picture by id, as it is played."""
    from PIL import Image

    def decode(id: str) -> Image.Image:
        return Image.open(BytesIO(library.read_playable_picture(id).data)).convert("RGB")

    return decode
