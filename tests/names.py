"""Measure how plain the names of the project are, and let the figures only fall.

    python tests/names.py [--list]     (with --list every finding as FILE:LINE)

`vague` counts assigned names, parameters and attributes that say nothing about what they hold; `verbless` functions
named by a lone participle, preposition or pronoun; `twins` public class names that are defined more than once where
both can be meant; `subscripts` reads of dictionaries by string keys away from the boundary, where JSON of others is
read or written. The scripted talkers of the games are left out until they are rewritten.

The present figures stand in tests/names.json. A higher figure fails; a lower one is written there, except in CI.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "tests" / "names.json"
PATHS = ("engine", "games", "players", "ui", "cli", "app.py")
BOUNDARY = ("/formats/", "/players/", "/ui/", "/cli/", "/clembench.py", "/imported.py")
VAGUE = frozenset(
    "found one said made thing known told shown asked given wanted named what theirs mine how own seen meant kept "
    "asks".split()
)
LONE = frozenset(
    "on by in with beside aside behind under after before covering between of at lost told made seen said known shown "
    "taken kept held meant chosen heard brought found given one theirs mine own whose which what how where who".split()
)
ENDING_IN_ED = frozenset("embed feed need seed speed proceed exceed bleed breed weed".split())


def source_files() -> Iterator[Path]:
    """Yield the Python files that are measured."""
    for path in map(ROOT.joinpath, PATHS):
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def is_verbless(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function is named by a lone word that is neither a verb nor a noun."""
    word = function.name.strip("_")
    lone = word in LONE or ("_" not in word and word.endswith("ed") and word not in ENDING_IN_ED)
    decorators = {ast.unparse(part).split(".")[-1].split("(")[0] for part in function.decorator_list}
    returns_flag = function.returns is not None and ast.unparse(function.returns) in ("bool", "TypeGuard", "str | None")
    named_of = word == "of" and "classmethod" in decorators
    return lone and not (decorators & {"property", "cached_property", "setter"} or returns_flag or named_of)


def assigned_name(node: ast.AST) -> str | None:
    """Return the name that a node assigns or declares, None for other nodes."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return node.attr
    return None


def is_string_key_read(node: ast.AST) -> bool:
    """Return whether a node reads a dictionary by a constant string."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        is_literal_type = isinstance(node.value, ast.Name) and node.value.id == "Literal"
        return isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str) and not is_literal_type
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        return isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    return False


def scope_of(file: Path) -> str:
    """Return where a class name must be unique: within one game, or in the rest of the project."""
    parts = file.relative_to(ROOT).parts
    in_game = parts[0] == "games" and len(parts) > 2 and parts[1] != "common"
    return parts[1] if in_game else "shared"


def measure() -> tuple[dict[str, float], list[str]]:
    """Return the four figures and every finding."""
    names = 0
    findings: dict[str, list[str]] = {"vague": [], "verbless": [], "subscripts": []}
    classes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file in source_files():
        path = file.relative_to(ROOT).as_posix()
        tree = ast.parse(file.read_text(encoding="utf-8"), path)
        at_boundary = any(part in f"/{path}" for part in BOUNDARY)
        for node in ast.walk(tree):
            place = f"{path}:{getattr(node, 'lineno', 0)}"
            if name := assigned_name(node):
                names += 1
                if name.strip("_") in VAGUE:
                    findings["vague"].append(f"{place}: vague name {name}")
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_verbless(node):
                findings["verbless"].append(f"{place}: function {node.name}")
            if not at_boundary and is_string_key_read(node):
                findings["subscripts"].append(f"{place}: {ast.unparse(node)}")
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[scope_of(file), node.name].append(f"{path}:{node.lineno}")
    twins = [f"class {name}: {', '.join(places)}" for (_, name), places in classes.items() if len(places) > 1]
    figures = {kind: len(places) for kind, places in findings.items()} | {"twins": len(twins)}
    share = {"vague": round(100 * figures["vague"] / names, 2)}
    return figures | share, [place for places in findings.values() for place in places] + twins


def main() -> int:
    """Print the figures, compare them with the stored ones, and store lower ones."""
    figures, findings = measure()
    limits: dict[str, float] = json.loads(FIGURES.read_text(encoding="utf-8"))
    if "--list" in sys.argv:
        print(*findings, sep="\n")
    units = {"vague": "% of all names", "verbless": "functions", "subscripts": "reads", "twins": "class names"}
    for kind, unit in units.items():
        print(f"{kind:10} {figures[kind]:g} {unit} (at most {limits[kind]:g})")
    if risen := [kind for kind in units if figures[kind] > limits[kind]]:
        print(f"higher than before: {', '.join(risen)}. `python tests/names.py --list` names every place")
        return 1
    if figures != limits and not os.environ.get("CI"):
        FIGURES.write_text(json.dumps(figures, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
