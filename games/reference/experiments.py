"""The experiments of the reference game, and their titles."""

GRID_EXPERIMENTS = {
    "rows": "grids of full rows",
    "columns": "grids of full columns",
    "diagonals": "grids with diagonal lines",
    "letters": "grids that show letters",
    "shapes": "grids that show shapes",
    "random": "grids filled at random",
}
PHOTO_KIND_BY_EXPERIMENT = {"rooms": "room", "everyday": "scene", "objects": "objects"}
"""The experiments of photo-like pictures, and the kind of picture that they use from `assets/`."""
STATIC_EXPERIMENT_SUFFIX = "-static"
TITLE_BY_EXPERIMENT = GRID_EXPERIMENTS | {
    "pentomino": "boards with pentomino pieces that differ very little",
    "rooms": "rooms of one kind",
    "rooms-static": "one bedroom throughout, with other bedrooms",
    "everyday": "everyday scenes, near twins",
    "everyday-static": "one everyday scene throughout, with others",
    "objects": "scenes of solid objects, near twins",
    "objects-static": "one scene of objects throughout, with others",
}
EXPERIMENTS: dict[str, tuple[str, ...]] = {"text": tuple(GRID_EXPERIMENTS), "picture": tuple(TITLE_BY_EXPERIMENT)}
