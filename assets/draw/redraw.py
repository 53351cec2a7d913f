"""Draw the pictures of assets/ again: `python assets/draw/redraw.py 'rooms/bedroom-*' --samples 4 --to /tmp/x`.

Without --to the finished pictures, descriptions and manifest of assets/ are written; what is there and up to date (same
generator version and seed) is left alone unless --again is given. --check draws to nowhere and compares with what is
stored: descriptions must be equal, pixels within a tolerance. --sheet FILE puts what was asked for on a contact sheet.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ASSETS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ASSETS))

BLENDER = "5.0.1"
SAMPLES = {"room": 5, "scene": 5, "objects": 4}
"""Rays a pixel by kind of picture: the denoiser does the rest; eight look no better and take a third longer."""
QUALITY = 86
SIZES = {"objects": (480, 360)}
"""Pictures of other kinds are of the stage's own size."""
TOLERANCE = 4.0
"""Mean difference of two drawings' pixels, of 255, up to which they count as the same: encoders and machines differ."""


@dataclass(frozen=True)
class Job:
    """One picture to draw: its id, what draws it, and with which seed."""

    id: str
    kind: str
    category: str | None
    generator: str
    version: int
    seed: int
    draw: Callable[[], None]


def jobs() -> dict[str, Job]:
    """Return every picture there is to draw, by id."""
    from draw.rooms import categories

    found = []
    for category in categories().values():
        for take in range(1, category.takes + 1):
            id = f"rooms/{category.name.replace(' ', '-').replace('é', 'e')}-{take}"

            def draw(category: Any = category, take: int = take) -> None:
                category.draw(Random(f"{category.name}/{take}"), take)

            generator = f"{category.draw.__module__.removeprefix('draw.')}.{category.draw.__name__}"
            found.append(Job(id, "room", category.name, generator, category.version, take, draw))
    for module in ("objects", "scenes", "twins"):
        try:
            more = __import__(f"draw.{module}", fromlist=["jobs"]).jobs
        except ModuleNotFoundError:
            continue
        found += more(Job)
    return {job.id: job for job in found}


def draw(
    id: str, folder: Path, samples: int | None, percent: int, threads: int, picture: bool = True
) -> dict[str, Any]:
    """Draw one picture into a folder, with its description beside it; return its entry in the manifest."""
    from draw import stage
    from draw.describe import describe

    job = jobs()[id]
    stage.reset(*SIZES.get(job.kind, (stage.WIDTH, stage.HEIGHT)))
    job.draw()
    target = folder / f"{job.id}.webp"
    target.parent.mkdir(parents=True, exist_ok=True)
    entry = {
        "file": f"{job.id}.webp",
        "kind": job.kind,
        "category": job.category,
        "generator": job.generator,
        "version": job.version,
        "seed": job.seed,
        "blender": BLENDER,
    }
    if not picture:
        stored = ASSETS / f"{job.id}.webp"
        description = describe(job.id, job.kind, job.category, stored if stored.exists() else None)
        target.with_suffix(".json").write_text(_json(description), encoding="utf-8")
        return entry
    from PIL import Image

    with tempfile.TemporaryDirectory() as temporary:
        raw = Path(temporary) / "picture.png"
        stage.render(str(raw), samples=samples or SAMPLES[job.kind], percent=percent, threads=threads)
        with Image.open(raw) as image:
            image.convert("RGB").save(target, "WEBP", quality=QUALITY, method=6)
            width, height = image.size
    description = describe(job.id, job.kind, job.category, target)
    target.with_suffix(".json").write_text(_json(description), encoding="utf-8")
    data = target.read_bytes()
    return {**entry, "width": width, "height": height, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _json(data: Any) -> str:
    """One object or relation a line."""
    import re

    text = json.dumps(data, ensure_ascii=False, indent=1)
    text = re.sub(r"\[[^\[\]{}]*\]", lambda found: " ".join(found.group().split()), text)
    return re.sub(r"\{[^{}]*\}", lambda found: " ".join(found.group().split()), text) + "\n"


def _quiet() -> None:
    """Send what Blender prints about every sample to nowhere; our own words go to standard error then."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _work(arguments: tuple[Any, ...]) -> tuple[str, dict[str, Any] | str, float]:
    began = time.time()
    try:
        return arguments[0], draw(*arguments), time.time() - began
    except Exception as error:  # one broken scene must not stop the night's drawing
        import traceback

        traceback.print_exc()
        return arguments[0], f"{type(error).__name__}: {error}", time.time() - began


def main() -> int:
    """Draw what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", default=["*"], help="pictures by id; * and ? match; all when left out")
    parser.add_argument("--to", type=Path, help="folder to write to (a trial: the manifest of assets/ stays as it is)")
    parser.add_argument("--samples", type=int, help="rays per pixel; 3 are enough to judge by")
    parser.add_argument("--percent", type=int, default=100, help="size of the picture in percent of its own")
    parser.add_argument("--processes", type=int, default=1, help="pictures drawn at once")
    parser.add_argument("--threads", type=int, default=1, help="threads per picture")
    parser.add_argument("--again", action="store_true", help="also what is up to date")
    parser.add_argument("--no-picture", action="store_true", help="only the descriptions")
    parser.add_argument("--check", action="store_true", help="compare with what is stored instead of storing")
    parser.add_argument("--sheet", type=Path, help="contact sheet of what was asked for (PNG or WebP)")
    options = parser.parse_args()
    known = jobs()
    wanted = [id for id in known if any(fnmatch.fnmatch(id, pattern) for pattern in options.ids)]
    if not wanted:
        print(f"no picture is called {' or '.join(options.ids)}; there are: {' '.join(known)}", file=sys.stderr)
        return 2
    if options.check:
        with tempfile.TemporaryDirectory() as temporary:
            options.to = Path(temporary)
            return _draw_all(options, known, wanted) | _compare(wanted, options)
    return _draw_all(options, known, wanted)


def _draw_all(options: argparse.Namespace, known: dict[str, Job], wanted: list[str]) -> int:
    folder = options.to or ASSETS
    manifest = _manifest()
    due = [id for id in wanted if options.to or options.again or not _is_fresh(known[id], manifest["pictures"].get(id))]
    tasks = [(id, folder, options.samples, options.percent, options.threads, not options.no_picture) for id in due]
    failed = 0
    sys.path[:] = [path for path in sys.path if "/bpy/" not in path]  # Blender adds its own, which children trip over
    with multiprocessing.get_context("spawn").Pool(options.processes, _quiet, maxtasksperchild=40) as pool:
        for number, (id, entry, seconds) in enumerate(pool.imap_unordered(_work, tasks), 1):
            print(f"{number}/{len(due)} {id} {seconds:.1f} s {entry if isinstance(entry, str) else ''}", flush=True)
            if isinstance(entry, str):
                failed += 1
            elif not options.to and not options.no_picture:
                manifest = _manifest()  # somebody else may have drawn meanwhile
                manifest["pictures"][id] = entry
                manifest["pictures"] = dict(sorted(manifest["pictures"].items()))
                (ASSETS / "manifest.json").write_text(_json(manifest), encoding="utf-8")
    if options.sheet:
        from draw.sheet import sheet

        sheet([(id, folder / f"{id}.webp") for id in wanted], options.sheet)
    return 1 if failed else 0


def _compare(wanted: list[str], options: argparse.Namespace) -> int:
    """Say which new drawings differ from the stored ones; return 1 if any does."""
    from PIL import Image, ImageChops, ImageStat

    wrong = 0
    for id in wanted:
        said = []
        new, stored = options.to / f"{id}.json", ASSETS / f"{id}.json"
        if not stored.exists():
            said.append("not stored")
        elif new.exists() and new.read_text(encoding="utf-8") != stored.read_text(encoding="utf-8"):
            said.append("the description differs")
        if not options.no_picture and not said and new.exists():
            with Image.open(options.to / f"{id}.webp") as one, Image.open(ASSETS / f"{id}.webp") as two:
                small = one.convert("RGB").resize(two.size)
                apart = sum(ImageStat.Stat(ImageChops.difference(small, two.convert("RGB"))).mean) / 3
            if apart > TOLERANCE:
                said.append(f"pixels differ by {apart:.1f} of 255 on average")
        wrong += bool(said)
        if said:
            print(f"{id}: {', '.join(said)}", flush=True)
    print(f"{len(wanted) - wrong} of {len(wanted)} are as stored", flush=True)
    return 1 if wrong else 0


def _manifest() -> dict[str, Any]:
    path = ASSETS / "manifest.json"
    if path.exists():
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    source = {"name": "ludens", "title": "Drawn by Ludens", "licence": "MIT", "citation": None, "url": None}
    return {"version": 1, "set": source, "pictures": {}}


def _is_fresh(job: Job, entry: dict[str, Any] | None) -> bool:
    path = ASSETS / f"{job.id}.webp"
    return entry is not None and (entry["version"], entry["seed"]) == (job.version, job.seed) and path.exists()


if __name__ == "__main__":
    sys.exit(main())
