"""The command line: gathers the commands, one a file, and turns what went wrong into words and an exit code.

Nothing heavy is imported before a command runs: `ludens --help` takes a tenth of a second or two.
Exit codes: 0 all well; 1 something failed, named; 2 wrong usage; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cli import (
    assets,
    compare,
    db,
    doctor,
    export,
    games,
    imports,
    instances,
    pick,
    players,
    plot,
    replay,
    results,
    run,
    score,
    serve,
    transcript,
)
from cli.plan import Crossing
from cli.words import Failed, Wrong, out, say
from engine.core.suggestions import did_you_mean


class Commands(TyperGroup):
    """Commands by name; a name that is none of them brings the nearest to mind."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the first argument names."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = did_you_mean(args[0], self.list_commands(ctx))
            ctx.fail(f"No such command {args[0]!r}{near}; `ludens --help` lists all")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="ludens",
    cls=Commands,
    help="A table at which people and language models play dialogue games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(serve.serve)
app.command()(games.games)
app.add_typer(players.app, name="players")
app.add_typer(assets.app, name="assets")
instances.app.command()(pick.pick)
app.add_typer(instances.app, name="instances")
app.command(cls=Crossing)(run.run)
app.command()(score.score)
app.command()(results.results)
app.command()(compare.compare)
app.command()(plot.plot)
app.command()(replay.replay)
app.command()(transcript.transcript)
app.command()(export.export)
app.add_typer(imports.app, name="import")
app.add_typer(db.app, name="db")
app.command()(doctor.doctor)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        out(f"ludens {version('ludens')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command that the arguments name and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # replies may hold what no terminal can show
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app()
    except Exception as error:
        code = _code(error)
        if code is None:
            raise
        say(f"ludens: {_message(error)}")
        sys.exit(code)


def _code(error: Exception) -> int | None:
    """Return the exit code that an error stands for, None for a bug."""
    import sqlite3

    from engine.core.player import UnknownPlayer
    from engine.play.executors.ray import ClusterUnavailable
    from engine.play.plan_checks import BadPlan
    from engine.play.registry import BadInstances, UnknownSelection
    from engine.play.roster import BadRoster
    from engine.results.published import BadPublished
    from engine.storage.database import StoreError

    if isinstance(error, Wrong | UnknownSelection | UnknownPlayer | BadPlan | BadRoster):
        return 2
    if isinstance(
        error, Failed | BadInstances | BadPublished | ClusterUnavailable | StoreError | sqlite3.Error | OSError
    ):
        return 1
    return None


def _message(error: Exception) -> str:
    import sqlite3

    if isinstance(error, sqlite3.Error):
        return f"the database: {error}. `ludens db check` looks at it"
    return str(error.args[0]) if isinstance(error, LookupError) and error.args else str(error)
