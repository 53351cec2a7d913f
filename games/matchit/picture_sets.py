"""Further experiments of MatchIt from a set of photos that the user has: same, similar and different pairs.

Chosen by the paper's procedure (`games/common/pairs.py`). The file stands beside the shipped one, as
`picture.SET.json`, and says where its pictures come from and by which likeness they were chosen. With candidates, more
pairs than needed are written for a person to accept or reject (`ludens instances pick`).
"""

from __future__ import annotations

import json
import re
from typing import Any

from games.common.pairs import PicturePair
from games.common.pictures import LIBRARY, PictureSet, UnknownPicture

VARIANT = "picture"
LIKE = "photos-"
"""An experiment of a set is like the shipped one of its relation: "photos-same"."""
RELATIONS = {"same": "equal photos", "similar": "similar photos", "different": "different photos"}


def content(about: PictureSet, likeness: str, seed: int, pairs: dict[str, list[PicturePair]]) -> dict[str, Any]:
    """Return what the file holds: instances by experiment, titles, and of every pair how it was measured."""
    return {
        "game": "matchit",
        "variant": VARIANT,
        "version": 1,
        "seed": seed,
        "pictures": {"set": about.name, "title": about.title, "licence": about.licence, "citation": about.citation},
        "likeness": likeness,
        "titles": {f"{about.name}-{relation}": f"{RELATIONS[relation]} of {about.title}" for relation in RELATIONS},
        "like": {f"{about.name}-{relation}": LIKE + relation for relation in RELATIONS},
        "experiments": {
            f"{about.name}-{relation}": [
                {"kind": "photo", "relation": relation, "a": pair.a, "b": pair.b} for pair in pairs[relation]
            ]
            for relation in RELATIONS
        },
        "measures": {
            f"{about.name}-{relation}": [
                {"jaccard": pair.jaccard, "likeness": pair.similarity} for pair in pairs[relation]
            ]
            for relation in RELATIONS
        },
    }


def text_of(data: dict[str, Any]) -> str:
    """Return the content as text, a pair a line."""
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return (
        re.sub(r"\{[^{}\n]*\n[^{}]*?\"(?:a|jaccard)\"[^{}]*\}", lambda found: " ".join(found.group().split()), text)
        + "\n"
    )


def lacks(instance: Any) -> str | None:
    """Say which picture of an instance is not here and what brings it back, None when all are."""
    if getattr(instance, "kind", "") != "photo" and getattr(instance, "thing", "") != "picture":
        return None
    for id in dict.fromkeys((instance.a, instance.b)):
        try:
            LIBRARY.verify(id)
        except UnknownPicture as error:
            return str(error)
    return None
