"""Small data sets in exactly the layouts of their publishers, made on the spot; the pictures are coloured noise."""

import json
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image


def photo(seed: object = 0, size: tuple[int, int] = (80, 60), kind: str = "JPEG", **options: Any) -> bytes:
    """A picture of a few coloured blocks, different for every seed."""
    rng = Random(str(seed))
    image = Image.new("RGB", (4, 3))
    image.putdata([(rng.randrange(256), rng.randrange(256), rng.randrange(256)) for _ in range(12)])
    out = BytesIO()
    image.resize(size, Image.Resampling.NEAREST).save(out, kind, **options)
    return out.getvalue()


def write(path: Path, content: bytes | str | object) -> Path:
    """Write bytes, a text, or anything else as JSON; makes the folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, bytes | str):
        content = json.dumps(content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def clevr(root: Path, number: int = 3, split: str = "val") -> Path:
    """CLEVR_v1.0 with some scenes of a split: a large red cube left of and in front of a small gray sphere."""
    scenes = []
    for i in range(number):
        name = f"CLEVR_{split}_{i:06}.png"
        write(root / "images" / split / name, photo(name, kind="PNG"))
        things = [
            ("cube", "large", "red", "rubber", [20, 40, 8.5]),
            ("sphere", "small", "gray", "metal", [60, 20, 11.0]),
        ]
        objects = [
            {
                "shape": shape,
                "size": size,
                "color": color,
                "material": material,
                "pixel_coords": pixels,
                "3d_coords": [0.1, 0.2, 0.7],
                "rotation": 45.0,
            }
            for shape, size, color, material, pixels in things
        ]
        relationships = {"left": [[], [0]], "right": [[1], []], "front": [[], [0]], "behind": [[1], []]}
        directions = {"left": [-0.6, -0.7, 0.0], "right": [0.6, 0.7, 0.0]}
        scenes.append(
            {
                "split": split,
                "image_index": i,
                "image_filename": name,
                "objects": objects,
                "relationships": relationships,
                "directions": directions,
            }
        )
    info = {
        "split": split,
        "license": "Creative Commons Attribution (CC BY 4.0)",
        "version": "1.0",
        "date": "2/14/2017",
    }
    write(root / "scenes" / f"CLEVR_{split}_scenes.json", {"info": info, "scenes": scenes})
    return root


def docci(root: Path, number: int = 3) -> Path:
    """DOCCI with some pictures of the test split."""
    descriptions, metadata = [], []
    for i in range(number):
        name = f"test_{i:05}"
        write(root / "images" / f"{name}.jpg", photo(name, (120, 90)))
        text = f"A photo of {i} mugs on a table.\n"
        descriptions.append({"split": "test", "example_id": name, "image_file": f"{name}.jpg", "description": text})
        labels = [("Tableware", 0.97), ("Coffee_cup", 0.81), ("Sky", 0.55)]
        answers = {"labelAnnotations": [{"description": word, "score": score, "mid": "/m/0"} for word, score in labels]}
        metadata.append({"example_id": name, "cluster_id": None, "cloud_vision_api_responses": answers})
    for file, lines in (("docci_descriptions.jsonlines", descriptions), ("docci_metadata.jsonlines", metadata)):
        write(root / file, "".join(json.dumps(line) + "\n" for line in lines))
    return root


Words = dict[str, list[str]]


def visual_genome(root: Path, things: dict[int, Words] | None = None, size: tuple[int, int] = (80, 60)) -> Path:
    """Visual Genome 1.4 with one object for every name in `things` (picture → name → attributes)."""
    things = things or {1: {"sofa": ["blue"], "lamp": []}, 2: {"dog": ["brown", "gray"]}, 2315353: {"tree": ["tall"]}}
    images, objects, attributes, relationships = [], [], [], []
    for id, named in things.items():
        folder = "VG_100K_2" if id % 2 else "VG_100K"
        write(root / folder / f"{id}.jpg", photo(id, size))
        url = f"https://cs.stanford.edu/people/rak248/VG_100K_2/{id}.jpg"  # wrong for half of them, as published
        images.append(
            {"image_id": id, "url": url, "width": size[0], "height": size[1], "coco_id": None, "flickr_id": None}
        )
        here = [
            {
                "object_id": id * 100 + i,
                "merged_object_ids": [id * 100 + 50 + i],
                "names": [name, f"other {name}"],
                "synsets": [f"{name}.n.01"],
                "x": 10 * i,
                "y": 5,
                "w": 20,
                "h": 30,
            }
            for i, name in enumerate(named)
        ]
        objects.append({"image_id": id, "image_url": url, "objects": here})
        older = [
            {"x": 0, "y": 0, "w": 9, "h": 9, "object_id": id * 100 + 50 + i, "names": [name], "synsets": []}
            | ({"attributes": words} if words else {})
            for i, (name, words) in enumerate(named.items())
        ]
        attributes.append({"image_id": id, "attributes": older})
        pairs = pairwise(here)
        said = [
            {"relationship_id": 1, "predicate": predicate, "subject": one, "object": other, "synsets": []}
            for one, other in pairs
            for predicate in ("ON", "behind", "wearing")
        ]
        relationships.append({"image_id": id, "relationships": said})
    names = ("image_data", "objects", "attributes", "relationships")
    for name, data in zip(names, (images, objects, attributes, relationships), strict=True):
        write(root / f"{name}.json", data)
    return root


def ade_object(i: int, name: str, attributes: Any = (), part_level: int = 0) -> dict[str, Any]:
    """An object of ADE20K 2021, as MATLAB wrote it."""
    return {
        "id": i,
        "name": name,
        "raw_name": name.partition(",")[0],
        "attributes": attributes if isinstance(attributes, str) else list(attributes),
        "parts": {"hasparts": [], "ispartof": [], "part_level": part_level},
        "polygon": {"x": [10, 30, 30, 10], "y": [5, 5, 25, 25], "click_date": []},
        "occluded": [],
    }


def ade20k(root: Path) -> Path:
    """ADE20K_2021_17_01 with two scenes, one with a single object, which is then no list; masks and index beside."""
    write(root / "index_ade20k.pkl", b"\x80\x04 a pickle that nobody may open")
    scenes = {
        "training/urban/street/ADE_train_00016869": (
            ["outdoor", "urban", "street"],
            [
                ade_object(0, "car, auto, automobile"),
                ade_object(1, "wheel", part_level=1),
                ade_object(2, "person", "standing"),
            ],
        ),
        "validation/cultural/church/indoor/ADE_val_00000005": (["cultural", "church", "indoor"], ade_object(0, "pew")),
    }
    for place, (scene, objects) in scenes.items():
        path = root / "images" / "ADE" / place
        write(path.with_suffix(".jpg"), photo(place))
        write(path / f"instance_000_{path.name}.png", photo(place, kind="PNG"))
        write(path / f"{path.name}.json", "a mask's folder is not looked into")
        write(path.with_name(f"{path.name}_seg.png"), photo(place, kind="PNG"))
        annotation = {
            "filename": f"{path.name}.jpg",
            "folder": path.parent.relative_to(root.parent).as_posix(),
            "imsize": [60, 80, 3],
            "source": {
                "folder": "static_sun_database",
                "filename": "x.jpg",
                "origin": "a café".encode().decode("latin-1"),
            },
            "scene": scene,
            "object": objects,
        }
        write(path.with_suffix(".json"), json.dumps({"annotation": annotation}, ensure_ascii=False).encode("latin-1"))
    return root


def ade20k_2016(root: Path) -> Path:
    """ADE20K_2016_07_26 with one scene."""
    path = root / "images" / "training" / "c" / "church" / "outdoor" / "ADE_train_00000001"
    write(path.with_suffix(".jpg"), photo(1))
    write(path.with_name(f"{path.name}_seg.png"), photo(1, kind="PNG"))
    lines = [
        '001 # 0 # 0 # sky # sky # ""',
        '002 # 0 # 1 # door, double door # door # "wooden, open"',
        '003 # 1 # 0 # knob # knob # ""',
    ]
    write(path.with_name(f"{path.name}_atr.txt"), "\n".join(lines) + "\n")
    return root


def scene_parsing(root: Path) -> Path:
    """ADEChallengeData2016 with three scenes."""
    classes = ["Idx\tRatio\tTrain\tVal\tStuff\tName", "1\t0.15\t11664\t1172\t1\twall", "8\t0.02\t2408\t198\t0\tbed"]
    write(root / "objectInfo150.txt", "\n".join(classes) + "\n")
    scenes = {"ADE_train_00000001": "living_room", "ADE_train_00000002": "bank_indoor", "ADE_val_00000001": "misc"}
    write(root / "sceneCategories.txt", "".join(f"{name} {scene}\n" for name, scene in scenes.items()))
    for name in scenes:
        split = "training" if "train" in name else "validation"
        write(root / "images" / split / f"{name}.jpg", photo(name))
        mask = Image.new("L", (80, 60), 0)
        mask.paste(1, (0, 0, 80, 20))
        mask.paste(8, (10, 30, 40, 50))
        mask.paste(150, (50, 30, 60, 50))
        out = BytesIO()
        mask.save(out, "PNG")
        write(root / "annotations" / split / f"{name}.png", out.getvalue())
    return root
