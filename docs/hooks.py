"""The pages of the site that are made when it is built, from the command line, the modules and documents elsewhere.

MkDocs calls `on_files` (mkdocs.yml, `hooks`). Nothing that is made here is committed.
"""

from __future__ import annotations

import ast
import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
INCLUDED = {
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "drawing.md": "assets/draw/README.md",
    **{
        f"games/{rules.parent.name}.md": f"games/{rules.parent.name}/README.md"
        for rules in ROOT.glob("games/*/rules.py")
    },
}
"""Pages of the site that are documents elsewhere in the repository, each with its file."""
LISTS = ("changelog.md", "commands.md", "contributing.md", "drawing.md", "modules.md")
"""Pages that a search shows below those that explain something."""
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(?=[)#])")
"""The target of a Markdown link within the repository, without its anchor."""


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that have no file in docs/."""
    from mkdocs.structure.files import File

    pages = {page: (ROOT / source).read_text(encoding="utf-8") for page, source in INCLUDED.items()}
    pages |= {"commands.md": command_reference(), "modules.md": module_list()}
    for page, text in pages.items():
        if page in LISTS:
            text = f"---\nsearch:\n  boost: 0.2\n---\n{text}"
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Return a page with its links to files of the repository leading to pages of the site."""
    return relink(markdown, page.file.src_uri)


def relink(markdown: str, page: str) -> str:
    """Return the text of a page with links that work on the site, as they do in the repository."""
    pages = {source: name for name, source in INCLUDED.items()}
    source = INCLUDED.get(page, f"docs/{page}")

    def site_link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), match[0]))
        on_site = pages.get(target, target.removeprefix("docs/"))
        is_page = target in pages or target.startswith("docs/")
        return posixpath.relpath(on_site, posixpath.dirname(page) or ".") if is_page else match[0]

    return LINK.sub(site_link, markdown)


def command_reference() -> str:
    """Return the reference of all commands, as Typer writes it."""
    command = [sys.executable, "-m", "typer", "cli.main", "utils", "docs", "--name", "ludens", "--title", "Commands"]
    environment = {**os.environ, "COLUMNS": "200"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def module_list() -> str:
    """Return the page of all modules, each with the first sentence of its docstring."""
    lines = [
        "# Modules",
        "",
        "Every module with the first line of its docstring. Imports point from `app`, `cli` and `ui` to",
    ]
    lines += ["`games` and `players`, and from these to `engine`: see [Architecture](architecture.md)."]
    for package in ("engine", "games", "players", "ui", "cli"):
        for folder in sorted({path.parent for path in (ROOT / package).rglob("*.py")}):
            files = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
            if not files:
                continue
            lines += ["", f"## {folder.relative_to(ROOT)}", ""]
            if (folder / "__init__.py").exists() and (summary := first_line(folder / "__init__.py")):
                lines += [summary, ""]
            lines += ["| module | what it is |", "|---|---|"]
            lines += [f"| `{path.name}` | {first_line(path).replace('|', '&#124;')} |" for path in files]
    return "\n".join(lines) + "\n"


def first_line(path: Path) -> str:
    """Return the first line of a module's docstring; "" without one."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]
