"""Tests of the architecture: which package may import which, what stays unloaded, what every module must have.

Imports are read from the source, also those inside functions; a few tests run code and look at what was loaded.
"""

import ast
import collections
import functools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("engine", "games", "players", "ui", "cli", "app")
SCREENS = {"gradio", "gradio_client", "fastapi", "starlette", "uvicorn", "websockets", "typer", "rich"}
VENDORS = {
    "openai",
    "anthropic",
    "httpx2",  # what the two packages above write requests with
    "aiohttp",  # and what sends them
    "ray",
    "torch",
    "transformers",
    "safetensors",  # what transformers reads weights with
    "llguidance",
    "huggingface_hub",
    "xllamacpp",
}
GAME_TOOLS = {"pydantic", "PIL", "numpy", "scipy", "networkx", "imagehash"}
PLAYER_TOOLS = {"pydantic", "httpx", "PIL", "numpy", "orjson"}


def modules(*folders: str) -> list[Path]:
    """The Python files below these folders of the project, or these files."""
    found = []
    for folder in folders:
        path = ROOT / folder
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return found


def dotted(path: Path) -> str:
    """The name a file is imported by."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@dataclass
class Source:
    """What the tests ask of a file. Each file is parsed once: all of them take ten seconds."""

    public_classes: list[tuple[str, int]]
    """Names and lines of the classes at the top of the file."""
    sql: list[int]
    """Lines with SQL, or with a connection to a database."""
    imports: list[tuple[str, int, bool, bool]]
    """Full dotted name, line, whether in a function, and whether for type checkers only."""


@functools.cache
def read_source(path: Path) -> Source:
    tree, source = ast.parse(path.read_text(encoding="utf-8"), str(path)), Source([], [], [])
    source.public_classes = [
        (node.name, node.lineno)
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    package = dotted(path).split(".")
    if path.name != "__init__.py":
        package.pop()
    _read_node(source, tree, package, in_function=False, for_types=False)
    return source


def _read_node(source: Source, node: ast.AST, package: list[str], *, in_function: bool, for_types: bool) -> None:
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    if SQL.search(text) or (isinstance(node, ast.Attribute) and node.attr == "sqlite_db"):
        source.sql.append(node.lineno)
    if isinstance(node, ast.Import | ast.ImportFrom):
        source.imports += [(name, node.lineno, in_function, for_types) for name in _imported_names(node, package)]
    in_function = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    body = node.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" else []
    for child in ast.iter_child_nodes(node):
        _read_node(source, child, package, in_function=in_function, for_types=for_types or child in body)


def _imported_names(node: ast.Import | ast.ImportFrom, package: list[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = package[: len(package) - node.level + 1] if node.level else []
    name = ".".join([*base, *(node.module.split(".") if node.module else [])])
    # in our own packages the imported thing may itself be a module: from games.matchit import rules
    return [f"{name}.{alias.name}" if top(name) in OURS else name for alias in node.names]


def imports(path: Path, *, at_top: bool = False) -> Iterator[tuple[str, int]]:
    """Everything a file imports, by full dotted name, with the line; `at_top`: only what importing it imports."""
    for name, line, in_function, _ in read_source(path).imports:
        if not (at_top and in_function):
            yield name, line


def offences(files: list[Path], allowed, *, at_top: bool = False) -> list[str]:
    """The imports in these files that `allowed(file, name)` does not let pass, as lines to click on."""
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in files
        for name, line in imports(path, at_top=at_top)
        if not allowed(path, name)
    ]


def top(name: str) -> str:
    return name.partition(".")[0]


def standard(name: str) -> bool:
    return top(name) in sys.stdlib_module_names


def loaded(code: str) -> set[str]:
    """Run code in a fresh interpreter and tell the top-level modules it had loaded at the end."""
    ending = (
        "\nimport sys as _s, json as _j; print('\\n' + _j.dumps(sorted({m.partition('.')[0] for m in _s.modules})))"
    )
    done = subprocess.run([sys.executable, "-c", code + ending], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


ARROWS = {
    "core": set(),
    "storage": {"core"},
    "play": {"core", "storage"},
    "results": {"core", "storage"},
    "formats": {"core", "storage", "results"},
    "studies": {"core", "storage", "play"},
    "reports": {"core", "storage", "play", "results", "studies"},
}
"""The packages of the engine, each with those that it may import."""
TOP_LEVEL = {
    *("app.py", "pyproject.toml", "engine", "games", "players", "assets", "instances", "tests", "ui", "cli", "docs"),
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE", "Makefile", "constraints.txt"),
    *("Dockerfile", ".dockerignore", "compose.yaml", "deploy", "SECURITY.md", "mkdocs.yml"),
    *(".ci", ".gitignore", ".git-blame-ignore-revs"),
}
SQL = re.compile(r"\b(SELECT .+ FROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE (TABLE|INDEX)|PRAGMA )")


def runtime_imports(path: Path) -> set[str]:
    """The modules of this project that a file imports when it runs, also inside functions, TYPE_CHECKING left out."""
    names = {name for name, _, _, for_types in read_source(path).imports if not for_types}
    names |= {name.rpartition(".")[0] for name in names}
    module = dotted(path)
    return {name for name in names & set(MODULES) if name != module and not module.startswith(f"{name}.")}


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of two or more modules that import each other."""
    import networkx as nx

    arrows = nx.DiGraph([(module, other) for module, others in graph.items() for other in others])
    return sorted(sorted(group) for group in nx.strongly_connected_components(arrows) if len(group) > 1)


def families() -> list[Path]:
    """The folders of the games."""
    return sorted(p.parent for p in (ROOT / "games").glob("*/rules.py"))


MODULES = {dotted(path): path for path in modules(*OURS[:-1], "app.py")}


def test_the_top_level_has_what_is_listed_and_no_more():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("this is not a git checkout")
    assert {name.partition("/")[0] for name in tracked.stdout.splitlines()} == TOP_LEVEL


def test_packages_of_the_engine_import_only_what_they_may():
    wrong = []
    for package, allowed in ARROWS.items():
        for path in modules(f"engine/{package}"):
            for name in sorted(runtime_imports(path)):
                other = name.split(".")[1] if name.startswith("engine.") else None
                if other in ARROWS and other != package and other not in allowed:
                    wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong


def test_no_modules_import_each_other():
    assert not cycles({module: runtime_imports(path) for module, path in MODULES.items()})


def test_the_command_line_imports_nothing_of_the_web_app():
    assert not offences(modules("cli"), lambda _, name: top(name) != "ui")


def test_sql_stands_in_the_storage_package_alone():
    outside = [path for path in MODULES.values() if not path.is_relative_to(ROOT / "engine" / "storage")]
    assert not [f"{path.relative_to(ROOT)}:{line}" for path in outside for line in read_source(path).sql]


def test_public_class_names_are_defined_once():
    """A name that two packages define is ambiguous wherever both can be imported; two games may use the same name."""
    places = collections.defaultdict(list)
    for module, path in MODULES.items():
        parts = module.split(".")
        scope = parts[1] if parts[0] == "games" and len(parts) > 2 and parts[1] != "common" else ""
        for name, line in read_source(path).public_classes:
            places[scope, name].append(f"{path.relative_to(ROOT)}:{line}")
    assert not {name: found for (_, name), found in places.items() if len(found) > 1}


def test_engine_imports_nothing_above_it():
    above = {*OURS, *SCREENS, *VENDORS} - {"engine"}

    def allowed(path: Path, name: str) -> bool:
        return top(name) not in above or (top(name) == "ray" and dotted(path) == "engine.play.executors.ray")

    assert not offences(modules("engine"), allowed)


def test_a_game_imports_the_engine_and_what_games_share():
    def allowed(path: Path, name: str) -> bool:
        family = ".".join(dotted(path).split(".")[:2])
        own = name == family or name.startswith((family + ".", "games.common"))
        model = top(name) in VENDORS and dotted(path) == "games.common.similarity"  # where the user gives one
        return standard(name) or own or top(name) == "engine" or top(name) in GAME_TOOLS or model

    assert not offences(modules("games"), allowed)


def test_rules_know_no_screen_no_network_and_no_clock():
    forbidden = {
        "time",
        "datetime",
        "os",
        "socket",
        "asyncio",
        "threading",
        "sqlite3",
        "httpx",
        "random",
        "secrets",
        "PIL",
    }
    files = [family / "rules.py" for family in families()]
    assert not offences(files, lambda _, name: top(name) not in forbidden)


def test_a_player_imports_the_engine_and_what_players_share():
    providers = {dotted(path) for path in (ROOT / "players").glob("*.py")}

    def allowed(path: Path, name: str) -> bool:
        # the server of one speaks that protocol, and the other one is a second protocol of the same vendor
        wire = {"players.openai"} if dotted(path) in ("players.tiny", "players.responses") else set()
        shared = top(name) == "players" and ".".join(name.split(".")[:2]) not in providers - {dotted(path)} - wire
        return standard(name) or shared or top(name) in {"engine", *PLAYER_TOOLS, *VENDORS}

    assert not offences(modules("players"), allowed)


def test_vendor_sdks_are_imported_where_they_are_used():
    assert not offences(modules(*OURS[:-1], "app.py"), lambda _, name: top(name) not in VENDORS, at_top=True)


def test_pages_never_reach_into_a_rulebook_or_up():
    def allowed(_: Path, name: str) -> bool:
        return not (name.startswith("games.") and "rules" in name.split(".")) and top(name) not in {"cli", "app"}

    assert not offences(modules("ui"), allowed)


def test_a_page_of_the_web_client_imports_what_pages_share_and_its_own_folder():
    static = ROOT / "ui" / "static"
    scripts = [(path, path.relative_to(static).parts[0]) for path in sorted(static.rglob("*.js"))]
    scripts += [(path, f"games/{path.parts[-3]}") for path in sorted((ROOT / "games").glob("*/web/*.js"))]
    assert {folder for _, folder in scripts} >= {"core", "table", "games/mapworld"}
    wrong = [
        f"{path.relative_to(ROOT)} imports {address}"
        for path, folder in scripts
        for address in re.findall(r"^(?:import|export) .*?from '(.+?)';", path.read_text(encoding="utf-8"), re.M | re.S)
        if not address.startswith(("/web/core/", f"/web/{folder}/"))
        and not (folder.startswith("games/") and address == "/web/table/fields/text.js")
    ]
    assert not wrong


def test_importing_the_engine_loads_nothing_above_it():
    names = [dotted(path) for path in modules("engine")]
    found = loaded("\n".join(f"import {name}" for name in names))
    assert not found & ({*OURS, *SCREENS, *VENDORS} - {"engine"})


def test_importing_every_game_and_player_loads_no_screen_and_no_vendor():
    names = [dotted(path) for path in modules("games", "players")]
    found = loaded("\n".join(f"import {name}" for name in names))
    assert not found & ({"ui", "cli", "app"} | SCREENS | VENDORS)


@pytest.mark.parametrize("words", ["--help", "--version", "games"])
def test_the_command_line_loads_no_screen_and_no_vendor(words):
    code = f"""
import sys
from cli.main import main
sys.argv = ["ludens", "{words}"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""
    assert not loaded(code) & ({"gradio", "fastapi", "uvicorn"} | VENDORS)


def test_every_module_says_what_it_is():
    files = modules(*OURS[:-1], "app.py", "tests") + sorted((ROOT / "assets").rglob("*.py"))
    docstring_first = re.compile(r'(#.*\n)*\n*"""\S')
    silent = [path for path in files if not docstring_first.match(path.read_text(encoding="utf-8"))]
    assert not [str(path.relative_to(ROOT)) for path in silent]


def test_nothing_is_called_utils():
    vague = {"util", "utils", "helper", "helpers", "misc", "common_utils"}
    assert not [str(p) for p in modules(*OURS[:-1], "tests") if p.stem in vague or p.parent.name in vague]


def test_folders_of_tests_are_no_packages():
    """But for the outermost, which says why."""
    assert list((ROOT / "tests").rglob("__init__.py")) == [ROOT / "tests" / "__init__.py"]


def test_the_front_door_is_short():
    assert len((ROOT / "app.py").read_text(encoding="utf-8").splitlines()) < 100


def test_every_game_of_the_product_has_what_a_small_game_may_lack():
    assert families()
    files = ("README.md", "scripted.py", "debrief.py", "scores.py", "prompts/native.toml")
    missing = [family / file for family in families() for file in files if not (family / file).is_file()]
    assert not missing


def test_patterns_over_what_others_wrote_are_compiled_in_one_module():
    # games follow when their talkers no longer read with patterns (issue on scripted talkers)
    engines = {"re", "regex", "re2", "sre_compile", "fnmatch"}
    allowed = {ROOT / "engine/core/patterns.py"}
    files = [path for path in modules("engine", "ui", "players") if path not in allowed]
    assert not offences(files, lambda _, name: top(name) not in engines)
