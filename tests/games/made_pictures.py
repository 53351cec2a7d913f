"""Pictures made up for tests: rooms, object scenes, pieces of boards and grids, small changes, a library of files."""

import hashlib
import json
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image

from games.common.grids import EMPTY_MARK
from games.common.pentomino import Piece
from games.common.pictures import Library

W, H = 480, 360
HUES = "red orange yellow green blue purple pink brown black white grey beige cyan".split()
STAND = {
    "bedroom": "bed|wardrobe|night table|chair|rug|plant|mirror".split("|"),
    "living room": "sofa|armchair|coffee table|tv|bookcase|floor lamp|rug|plant".split("|"),
    "kitchen": "table|chair|stove|fridge|sink|cupboard|stool".split("|"),
    "bathroom": "bathtub|toilet|sink|mirror|towel|rug".split("|"),
    "study": "desk|office chair|bookcase|lamp|window|plant".split("|"),
    "garage": "car|bicycle|shelf|ladder|barrel|box".split("|"),
}
SMALL = {
    "bed": ["pillow", "blanket", "cat", "teddy bear"],
    "sofa": ["cushion", "cat", "book"],
    "table": ["bowl", "vase", "cup", "apple"],
    "coffee table": ["book", "cup", "vase"],
    "desk": ["laptop", "book", "cup"],
    "night table": ["table lamp", "clock"],
    "shelf": ["box", "bucket"],
}


def make_piece(name: str, row: int, column: int, turn: int = 0, mirrored: bool = False) -> Piece:
    """One piece of a pentomino board, by colour and shape: "red I"."""
    colour, shape = name.split()
    return Piece.model_validate(
        {"shape": shape, "colour": colour, "turn": turn, "mirrored": mirrored, "row": row, "column": column}
    )


def thing(id: str, name: str, attributes: list[str], box: list[int], visible: float = 0.9) -> dict[str, Any]:
    """One object of a description."""
    return {"id": id, "name": name, "attributes": attributes, "box": box, "visible": visible}


def scene(kind: str, category: str | None, things: list[Any], relations: list[Any]) -> dict[str, Any]:
    """A description without the id of its picture."""
    about = {"kind": kind, "category": category, "width": W, "height": H}
    return about | {"objects": things, "relations": relations, "captions": []}


def room(category: str, rng: Random) -> dict[str, Any]:
    """A furnished room."""
    names = rng.sample(STAND[category], min(len(STAND[category]), rng.randint(4, 6)))
    names[:1] = STAND[category][:1] if STAND[category][0] not in names else names[:1]
    things: list[dict[str, Any]] = []
    relations: list[list[str]] = []
    width = W // len(names)
    for i, name in enumerate(names):
        w, h = rng.randint(width // 2, width), rng.randint(70, 150)
        box = [i * width + rng.randint(0, width - w), H - h - rng.randint(10, 120), w, h]
        things.append(thing(f"{name} 1", name, [rng.choice(HUES)], box))
        if name in SMALL:
            counts = dict.fromkeys(names, 1)
            for k in range(rng.randint(1, 3)):
                small = rng.choice(SMALL[name])
                counts[small] = counts.get(small, 0) + 1
                at = [box[0] + k * w // 3, max(0, box[1] - 18), max(24, w // 3), 30]
                things.append(thing(f"{small} {counts[small]}", small, [rng.choice(HUES)], at))
                relations.append([f"{small} {counts[small]}", "on", f"{name} 1"])
    return scene("room", category, things, relations)


def objects(rng: Random) -> dict[str, Any]:
    """A scene of cubes, spheres and cylinders."""
    things: list[dict[str, Any]] = []
    spots = [(x, y) for x in range(30, 420, 80) for y in (120, 180, 240)]
    for i, (x, y) in enumerate(rng.sample(spots, rng.randint(3, 8))):
        size = rng.choice(["large", "small"])
        side = 70 if size == "large" else 36
        hue = rng.choice("red green blue yellow purple cyan brown grey".split())
        words = [size, hue, rng.choice(["metal", "rubber"])]
        shape = rng.choice(["cube", "sphere", "cylinder"])
        things.append(thing(f"{shape} {i}", shape, words, [x + rng.randint(-9, 9), y + 70 - side, side, side]))
    return scene("objects", None, things, [])


def changed(description: dict[str, Any], rng: Random) -> tuple[dict[str, Any], str]:
    """The description with one thing changed: gone, of another colour, on the other side, or one more; and what."""
    made = json.loads(json.dumps(description))
    small = [one for one in made["objects"] if any(r[0] == one["id"] for r in made["relations"])]
    kind = rng.choice(["gone", "colour", "moved", "more"])
    one = rng.choice(small or made["objects"]) if kind != "moved" else rng.choice(made["objects"])
    if kind == "gone":
        made["objects"].remove(one)
        made["relations"] = [r for r in made["relations"] if one["id"] not in (r[0], r[2])]
    elif kind == "colour":
        place = next(i for i, word in enumerate(one["attributes"]) if word in HUES)
        far = {"red": "blue", "blue": "yellow", "yellow": "purple", "green": "red", "purple": "green"}
        now = one["attributes"][place]
        one["attributes"][place] = far.get(now, "red" if now == "cyan" else "green")
    elif kind == "moved":
        x, _, w, _ = one["box"]
        one["box"][0] = W - w - x if abs(W - w - 2 * x) > W // 3 else (x + W // 2) % (W - w)
        made["relations"] = [r for r in made["relations"] if r[0] != one["id"]]
    else:
        more = json.loads(json.dumps(one))
        more["id"] += "0"
        more["box"][0] = min(W - more["box"][2], more["box"][0] + more["box"][2])
        made["objects"].append(more)
        made["relations"] += [[more["id"], *r[1:]] for r in made["relations"] if r[0] == one["id"]]
    return made, f"{kind} {one['id']}"


def library(folder: Path, pictures: dict[str, dict[str, Any]]) -> Library:
    """A folder of drawn pictures as `assets/` has them: a plain WebP each, its description, a manifest."""
    listed = {}
    for n, (id, description) in enumerate(pictures.items()):
        file = folder / f"{id}.webp"
        file.parent.mkdir(parents=True, exist_ok=True)
        out = BytesIO()
        Image.effect_noise((W, H), 40 + n).convert("RGB").save(out, "WEBP", quality=30)
        file.write_bytes(out.getvalue())
        file.with_suffix(".json").write_text(json.dumps({"id": id, **description}), encoding="utf-8")
        listed[id] = {
            "file": f"{id}.webp", "kind": description["kind"], "category": description["category"],
            "generator": "test", "version": 1, "seed": n, "blender": "5.0.1", "width": W, "height": H,
            "bytes": file.stat().st_size, "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        }  # fmt: skip
    about = {"name": "ludens", "title": "Drawn by Ludens", "licence": "MIT", "citation": None, "url": None}
    manifest = {"version": 1, "set": about, "pictures": listed}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return Library(folder, folder / "imported")


def write_grid(sketch: str) -> str:
    """Return the text of a grid that is sketched as "X.X.. ..... …", with points for empty cells."""
    return "\n".join(" ".join(row.replace(".", EMPTY_MARK)) for row in sketch.split())
