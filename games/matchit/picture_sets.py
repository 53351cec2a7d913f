"""Further experiments of MatchIt from a set of the user's photos: same, similar and different pairs.

Pairs are chosen by the procedure of the paper (`games/common/pairs.py`). The file is saved next to the shipped one, as
`picture.SET.json`. It says where its pictures come from and by which measure of similarity they were chosen. With
candidates, it has more pairs than needed, for a person to accept or reject (`ludens instances pick`).
"""

from __future__ import annotations

import json
import re
from typing import Any

from games.common.pairs import PicturePair
from games.common.pictures import PictureSet

VARIANT = "picture"
SHIPPED_PREFIX = "photos-"
"""The shipped experiment with the same relation is named by this prefix and the relation: "photos-same"."""
TITLE_BY_RELATION = {"same": "equal photos", "similar": "similar photos", "different": "different photos"}


def content(picture_set: PictureSet, similarity: str, seed: int, pairs: dict[str, list[PicturePair]]) -> dict[str, Any]:
    """Return the content of the file: instances by experiment, titles, and the measures of every pair."""
    names = {relation: f"{picture_set.name}-{relation}" for relation in TITLE_BY_RELATION}
    return {
        "game": "matchit",
        "variant": VARIANT,
        "version": 1,
        "seed": seed,
        "pictures": {
            "set": picture_set.name,
            "title": picture_set.title,
            "licence": picture_set.licence,
            "citation": picture_set.citation,
        },
        "likeness": similarity,
        "titles": {
            title_key: f"{TITLE_BY_RELATION[relation]} of {picture_set.title}" for relation, title_key in names.items()
        },
        "like": {title_key: SHIPPED_PREFIX + relation for relation, title_key in names.items()},
        "experiments": {
            title_key: [{"kind": "photo", "relation": relation, "a": pair.a, "b": pair.b} for pair in pairs[relation]]
            for relation, title_key in names.items()
        },
        "measures": {
            title_key: [{"jaccard": pair.jaccard, "likeness": pair.similarity} for pair in pairs[relation]]
            for relation, title_key in names.items()
        },
    }


def text_of(instance_data: dict[str, Any]) -> str:
    """Return the content as text, one pair per line."""
    file_text = json.dumps(instance_data, ensure_ascii=False, indent=1)
    pair_pattern = r"\{[^{}\n]*\n[^{}]*?\"(?:a|jaccard)\"[^{}]*\}"
    return re.sub(pair_pattern, lambda json_match: " ".join(json_match.group().split()), file_text) + "\n"
