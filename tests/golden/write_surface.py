"""Write the golden files of the public surface anew: `.venv/bin/python -m tests.golden.write_surface [PART ...]`.

Golden files are only rewritten when a version changes: the version of a game, of its prompts or scores, of the database
(a migration), or a deliberate change of the command line or the pages that CHANGELOG.md names. Help texts may be
rewritten for their wording. A restructuring of the code rewrites nothing. `write_surface help` writes only the files
whose path begins with help, `write_surface help pages` those of both.
"""

from __future__ import annotations

import os
import sys

from tests.golden import surface_static, surface_web
from tests.golden.surface_static import SURFACE


def write(texts: dict[str, str], parts: tuple[str, ...]) -> None:
    """Write texts to their golden files and remove files that are no longer made."""
    for name, text in sorted(texts.items()):
        path = SURFACE / name
        if parts and not name.startswith(parts):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name}\n")
    folders = {name.partition("/")[0] for name in texts if "/" in name}
    for path in sorted(SURFACE.rglob("*.*")):
        name = path.relative_to(SURFACE).as_posix()
        if name.partition("/")[0] in folders and name not in texts and (not parts or name.startswith(parts)):
            path.unlink()
            sys.stdout.write(f"{name} removed\n")


def main(parts: tuple[str, ...] = ()) -> None:
    """Write all golden files, or those whose path begins with one of the parts."""
    for name in [name for name in os.environ if name.startswith("LUDENS_")]:
        del os.environ[name]
    write(surface_static.write_episodes(), parts)
    write(surface_static.write_formats(), parts)
    for collect in surface_static.STATIC:
        write(collect(), parts)
    write(surface_web.collect_in_process(), parts)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
