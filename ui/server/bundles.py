"""Bundles: what a page of ours loads, as one script and one style sheet made at the start of the server.

Developers write ES modules in `ui/static`, which import each other by address; there is no build step. A bundle has the
modules of a page in the order in which they need each other, each in a function of its own, and exports what they
export. The page's import map leads from the address of each module to the bundle, so that widgets of games, which are
loaded when they are needed, import the same modules and not second copies of them. Modules that export the same name,
as those of form fields do, are left out of the map: who imports one gets a copy.

This is no general bundler: it reads the forms of import and export that our modules use, and refuses all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from engine.core.patterns import MULTILINE, compile_linear

IMPORT_PATTERN = compile_linear(
    r"""^import (?:\{([^}]*)\} from )?'/web/([^']+)';$""", MULTILINE, why="our own files, which are read once"
)
EXPORT_PATTERN = compile_linear(
    r"""^export (?:async )?(?:function\*?|const|class) (\w+)""", MULTILINE, why="our own files, which are read once"
)
MODULE_SYNTAX = compile_linear(r"""^(?:import|export)\b[^(\n].*""", MULTILINE, why="our own files, which are read once")
SHELL_MODULE = "core/start.js"
"""Starts every page; it then imports the page's own module."""
GAME_PAGES = ("table", "watch", "episode", "rules")
"""Pages of one game, which share a style sheet."""


class BadModule(ValueError):
    """A module cannot be bundled; the message names the file and what to write instead."""


def script_name(page: str) -> str:
    """Return the path below /web/ of the script of a page."""
    return f"pages/{page}.js"


def style_name(page: str) -> str:
    """Return the path below /web/ of the style sheet of a page."""
    return f"pages/{page}.css"


def make_bundles(files: Mapping[str, bytes], pages: Iterable[str]) -> dict[str, bytes]:
    """Return the script and the style sheet of each page by their path; `files` are ours by their path below /web/.

    Raises `BadModule`.
    """
    bundles: dict[str, bytes] = {}
    for page in pages:
        bundles[script_name(page)] = bundle_modules(files, page_modules(files, page))
        names = ("core/core.css", *(["core/game.css"] if page in GAME_PAGES else []), f"{page}/{page}.css")
        bundles[style_name(page)] = b"\n".join(files[file_name] for file_name in names if file_name in files)
    return bundles


def page_modules(files: Mapping[str, bytes], page: str) -> list[str]:
    """Return the modules of a page, each after those that it imports. Raises `BadModule` where they form a circle."""
    module_order: list[str] = []

    def add_module(module_name: str, path: tuple[str, ...]) -> None:
        if module_name in path:
            raise BadModule(f"{module_name} imports itself through {' → '.join(path[path.index(module_name) + 1 :])}")
        if module_name in module_order or module_name not in files:
            return
        for _, imported in IMPORT_PATTERN.findall(files[module_name].decode()):
            add_module(imported, (*path, module_name))
        module_order.append(module_name)

    for module_name in (SHELL_MODULE, f"{page}/{page}.js"):
        add_module(module_name, ())
    return module_order


def shared_modules(files: Mapping[str, bytes], names: list[str]) -> dict[str, list[str]]:
    """Return those of the modules of which every export has a name of its own, each with the names of its exports."""
    exports = {module: EXPORT_PATTERN.findall(files[module].decode()) for module in names}
    export_counts = Counter(export for names in exports.values() for export in names)
    return {module: names for module, names in exports.items() if all(export_counts[export] == 1 for export in names)}


def bundle_modules(files: Mapping[str, bytes], names: list[str]) -> bytes:
    """Return modules as one, which exports what `shared_modules` says. Raises `BadModule`."""
    code_parts, shared_exports = list[str](), shared_modules(files, names)
    for index, module_name in enumerate(names):
        module_code = files[module_name].decode()
        body = IMPORT_PATTERN.sub(
            lambda match: _binding_code(match[1], match[2], names),
            EXPORT_PATTERN.sub(lambda match: match[0].removeprefix("export "), module_code),
        )
        if leftover_syntax := MODULE_SYNTAX.search(body):
            hint = "write import {…} from '/web/…', export function, export const"
            raise BadModule(f"{module_name}: {leftover_syntax[0]!r} cannot be bundled; {hint}")
        export_names = ", ".join(EXPORT_PATTERN.findall(module_code))
        code_parts.append(
            f"// {module_name}\nconst module{index} = (() => {{\n{body}\nreturn {{ {export_names} }};\n}})();"
        )
        if shared_exports.get(module_name):
            code_parts.append(f"export const {{ {export_names} }} = module{index};")
    return ("\n".join(code_parts) + "\n").encode()


def _binding_code(imported: str | None, module_name: str, names: list[str]) -> str:
    """Return what stands in place of an import of a module, given all modules in their order."""
    if module_name not in names:
        raise BadModule(f"there is no module /web/{module_name}")
    return f"const {{{(imported or '').replace(' as ', ': ')}}} = module{names.index(module_name)};"
