"""The experiments of MatchIt: what their instances are, and their titles."""

EXPERIMENTS: dict[str, dict[str, tuple[str, str]]] = {
    "text": {
        "same": ("grid", "same"),
        "similar-transformed": ("grid", "transformed"),
        "similar-edit-2": ("grid", "edited"),
        "different": ("grid", "different"),
    },
    "picture": {
        "photos-same": ("photo", "same"),
        "photos-similar": ("photo", "similar"),
        "photos-different": ("photo", "different"),
        "pentomino-same": ("pentomino", "same"),
        "pentomino-similar": ("pentomino", "similar"),
        "pentomino-different": ("pentomino", "different"),
    },
}
"""The kind and the relation of all instances of an experiment."""

TITLE_BY_EXPERIMENT: dict[str, str] = {
    "same": "equal grids",
    "similar-transformed": "similar grids, mirrored or turned",
    "similar-edit-2": "similar grids, two cells changed",
    "different": "different grids",
    "photos-same": "equal photos",
    "photos-similar": "similar photos, a few differences",
    "photos-different": "different photos",
    "pentomino-same": "equal boards",
    "pentomino-similar": "similar boards, one or two changes",
    "pentomino-different": "different boards",
}
