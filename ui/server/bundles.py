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

from engine.core.patterns import MULTILINE, compile_linear_pattern

IMPORT_PATTERN = compile_linear_pattern(
    r"""^import (?:\{([^}]*)\} from )?'/web/([^']+)';$""", MULTILINE, reason="our own files, which are read once"
)
EXPORT_PATTERN = compile_linear_pattern(
    r"""^export (?:async )?(?:function\*?|const|class) (\w+)""", MULTILINE, reason="our own files, which are read once"
)
MODULE_SYNTAX = compile_linear_pattern(
    r"""^(?:import|export)\b[^(\n].*""", MULTILINE, reason="our own files, which are read once"
)
SHELL_MODULE = "core/start.js"
"""Starts every page; it then imports the page's own module."""
GAME_PAGES = ("table", "watch", "episode", "rules")
"""Pages of one game, which share a style sheet."""


class BadModule(ValueError):
    """A module cannot be bundled; the message names the file and what to write instead."""


def make_script_name(page_name: str) -> str:
    """Return the path below /web/ of the script of a page."""
    return f"pages/{page_name}.js"


def make_style_name(page_name: str) -> str:
    """Return the path below /web/ of the style sheet of a page."""
    return f"pages/{page_name}.css"


def make_bundles(content_by_path: Mapping[str, bytes], page_names: Iterable[str]) -> dict[str, bytes]:
    """Return the script and the style sheet of each page by their path; `content_by_path` has our files below /web/.

    Raises `BadModule`.
    """
    bundle_by_path: dict[str, bytes] = {}
    for page in page_names:
        bundle_by_path[make_script_name(page)] = bundle_modules(
            content_by_path, list_page_modules(content_by_path, page)
        )
        style_names = ("core/core.css", *(["core/game.css"] if page in GAME_PAGES else []), f"{page}/{page}.css")
        bundle_by_path[make_style_name(page)] = b"\n".join(
            content_by_path[file_name] for file_name in style_names if file_name in content_by_path
        )
    return bundle_by_path


def list_page_modules(content_by_path: Mapping[str, bytes], page_name: str) -> list[str]:
    """Return the modules of a page, each after those that it imports. Raises `BadModule` where they form a circle."""
    module_order: list[str] = []

    def add_module(module_name: str, path: tuple[str, ...]) -> None:
        if module_name in path:
            raise BadModule(f"{module_name} imports itself through {' → '.join(path[path.index(module_name) + 1 :])}")
        if module_name in module_order or module_name not in content_by_path:
            return
        for _, imported_name in IMPORT_PATTERN.findall(content_by_path[module_name].decode()):
            add_module(imported_name, (*path, module_name))
        module_order.append(module_name)

    for module_name in (SHELL_MODULE, f"{page_name}/{page_name}.js"):
        add_module(module_name, ())
    return module_order


def find_shared_modules(content_by_path: Mapping[str, bytes], module_names: list[str]) -> dict[str, list[str]]:
    """Return those of the modules of which every export has a name of its own, each with the names of its exports."""
    exports = {module: EXPORT_PATTERN.findall(content_by_path[module].decode()) for module in module_names}
    export_counts = Counter(export_name for names in exports.values() for export_name in names)
    return {module: names for module, names in exports.items() if all(export_counts[name] == 1 for name in names)}


def bundle_modules(content_by_path: Mapping[str, bytes], module_names: list[str]) -> bytes:
    """Return modules as one, which exports what `find_shared_modules` says. Raises `BadModule`."""
    code_parts, shared_exports = list[str](), find_shared_modules(content_by_path, module_names)
    for index, module_name in enumerate(module_names):
        module_code = content_by_path[module_name].decode()
        module_body = IMPORT_PATTERN.sub(
            lambda code_match: _make_binding_code(code_match[1], code_match[2], module_names),
            EXPORT_PATTERN.sub(lambda code_match: code_match[0].removeprefix("export "), module_code),
        )
        if leftover_syntax := MODULE_SYNTAX.search(module_body):
            hint_text = "write import {…} from '/web/…', export function, export const"
            raise BadModule(f"{module_name}: {leftover_syntax[0]!r} cannot be bundled; {hint_text}")
        export_names = ", ".join(EXPORT_PATTERN.findall(module_code))
        code_parts.append(
            f"// {module_name}\nconst module{index} = (() => {{\n{module_body}\nreturn {{ {export_names} }};\n}})();"
        )
        if shared_exports.get(module_name):
            code_parts.append(f"export const {{ {export_names} }} = module{index};")
    return ("\n".join(code_parts) + "\n").encode()


def _make_binding_code(imported_names: str | None, module_name: str, module_names: list[str]) -> str:
    """Return what stands in place of an import of a module, given all modules in their order."""
    if module_name not in module_names:
        raise BadModule(f"there is no module /web/{module_name}")
    return f"const {{{(imported_names or '').replace(' as ', ': ')}}} = module{module_names.index(module_name)};"
