"""The public surface stays as it is: commands, routes, reply formats, schemas, tables, stored words, keys of pages.

What the present code declares is compared with the files below surface/. A difference says how to rewrite its file and
when that is legitimate.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.golden import surface_static, surface_web
from tests.golden.surface_static import SURFACE

HELP_MAY_CHANGE = "A help text may be rewritten for its wording; what a command accepts stays."
NEVER = "Scripts, stored data and links depend on it: rewrite it only together with a version or a migration."


def explain(name: str) -> str:
    """Say how to rewrite a golden file and when that is legitimate."""
    reason = HELP_MAY_CHANGE if name.startswith("help/") else NEVER
    return f"surface/{name} differs. {reason} Then: .venv/bin/python -m tests.golden.write_surface {name}"


def list_golden(*exclude: str) -> list[str]:
    """List the golden files, without those in some folders."""
    names = (path.relative_to(SURFACE).as_posix() for path in sorted(SURFACE.rglob("*.*")) if path.is_file())
    return [name for name in names if name.partition("/")[0] not in exclude]


def is_of_web(name: str) -> bool:
    """Return whether a golden file is collected from the web app."""
    return name.startswith(("web/", "pages/"))


@cache
def collect_static() -> dict[str, str]:
    """Return what the code declares without a server."""
    return {name: text for collect in surface_static.STATIC for name, text in collect().items()}


@cache
def try_web() -> tuple[dict[str, str], str]:
    """Return what the web app declares and sends, and why it could not be collected: that is tried once."""
    try:
        return surface_web.collect_in_process(), ""
    except (AssertionError, subprocess.TimeoutExpired) as error:
        return {}, str(error)


def collect_web() -> dict[str, str]:
    """Return what the web app declares and sends."""
    texts, error = try_web()
    if error:
        pytest.fail(f"the web app could not be visited: {error}", pytrace=False)
    return texts


GOLDEN = list_golden("reply_formats", "episodes", "no_players.txt", "web_players.txt")


@pytest.mark.parametrize("name", [name for name in GOLDEN if not is_of_web(name)])
def test_what_is_declared_stays(name: str) -> None:
    texts = collect_static()
    assert name in texts, f"{explain(name)} Nothing declares it any more."
    assert texts[name].splitlines() == (SURFACE / name).read_text(encoding="utf-8").splitlines(), explain(name)


@pytest.mark.parametrize("name", [name for name in GOLDEN if is_of_web(name)])
def test_what_the_web_app_declares_and_sends_stays(name: str) -> None:
    texts = collect_web()
    assert name in texts, f"{explain(name)} Nothing sends it any more."
    assert texts[name].splitlines() == (SURFACE / name).read_text(encoding="utf-8").splitlines(), explain(name)


def test_nothing_new_is_declared_or_sent_without_a_golden_file() -> None:
    missing = sorted({*collect_static(), *collect_web()} - set(GOLDEN))
    assert not missing, f"run .venv/bin/python -m tests.golden.write_surface {' '.join(missing)}"


@pytest.mark.parametrize("path", surface_static.stored_formats(), ids=lambda path: path.stem)
def test_reply_formats_are_rebuilt_from_their_declarations(path: Path) -> None:
    for stored in json.loads(path.read_text(encoding="utf-8")):
        assert surface_static.describe_format(stored["declaration"]) == stored, explain(f"reply_formats/{path.name}")


def test_every_variant_has_golden_reply_formats_and_an_episode() -> None:
    variants = {"-".join(pair) for pair in surface_static.shipped_variants()}
    assert {path.stem for path in surface_static.stored_formats()} == variants
    episodes = [path.stem for path in surface_static.stored_episodes()]
    assert not [variant for variant in variants if not any(name.startswith(f"{variant}-") for name in episodes)]
