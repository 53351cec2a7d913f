"""The entry point of the command line: the tree of commands, and exit codes for errors.

Nothing heavy is imported before a command runs, so that `ludens --help` takes a tenth of a second or two.
Exit codes: 0 success; 1 something failed, and the message names it; 2 wrong usage; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import logging
import os
import sys
from copy import copy
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cli import (
    compare,
    contract,
    doctor,
    export,
    games,
    paper,
    plot,
    ratings,
    replay,
    results,
    run,
    score,
    search,
    serve,
    transcript,
)
from cli.assets import import_set, list_sets, remove_set, show_picture
from cli.db import backup, forget, restore, unplan
from cli.db import check as check_log
from cli.imports import clembench
from cli.instances import check as check_instances
from cli.instances import make, pick
from cli.options import PlayersFileOption
from cli.output import CommandFailed, PrintableFormatter, UsageError, print_data, print_message
from cli.plan import CrossPlayersCommand
from cli.players import install, list_players, try_player
from cli.study import check as check_study
from cli.study import export as export_study
from cli.study import manage, payments, people, power, report, simulate
from engine.core.suggestions import did_you_mean


class SuggestingCommandGroup(TyperGroup):
    """A group of commands that suggests the nearest name for an unknown one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the first argument names."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            suggestion = did_you_mean(args[0], self.list_commands(ctx))
            ctx.fail(f"No such command {args[0]!r}{suggestion}; `ludens --help` lists all")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; where an argument is missing, say what it stands for."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            if not error.message:  # a missing argument has none
                error.message = (getattr(error.param, "help", None) or "").rstrip(".")
            raise


class PlayersGroup(TyperGroup):
    """The commands about players. `ludens players GAME` is short for `ludens players list GAME`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the first argument names; any other word is a game."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            args = ["list", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="ludens",
    cls=SuggestingCommandGroup,
    help="Play dialogue games with people and language models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
games_app = typer.Typer(help="List the games, and check one of your own.", invoke_without_command=True)
players_app = typer.Typer(cls=PlayersGroup, help="List players, and try a model.", invoke_without_command=True)
assets_app = typer.Typer(help="List and import sets of pictures.", invoke_without_command=True)
instances_app = typer.Typer(help="Make and check instance files.", no_args_is_help=True)
imports_app = typer.Typer(help="Import episodes and instances of other programs.", no_args_is_help=True)
study_app = typer.Typer(help="Run studies with people.", no_args_is_help=True)
db_app = typer.Typer(help="Check and back up the log, and remove people from it.", no_args_is_help=True)

app.command()(serve.serve)
app.command(cls=CrossPlayersCommand)(run.run)
app.command()(score.score)
app.command()(results.results)
app.command()(ratings.ratings)
app.command("compare")(compare.compare_players)
app.command()(plot.plot)
app.command()(paper.paper)
app.command()(search.search)
app.command()(replay.replay)
app.command()(transcript.transcript)
app.command()(export.export)
app.command()(doctor.doctor)
app.add_typer(games_app, name="games")
app.add_typer(players_app, name="players")
app.add_typer(assets_app, name="assets")
app.add_typer(instances_app, name="instances")
app.add_typer(imports_app, name="import")
app.add_typer(study_app, name="study")
app.add_typer(db_app, name="db")

games_app.callback()(games.games)
games_app.command("contract")(contract.check_game)
players_app.command("install")(install.install_player)
players_app.command("list")(list_players.list_players)
players_app.command("test")(try_player.try_player)
players_app.command("contract")(contract.check_player)
assets_app.callback()(list_sets.list_picture_sets)
assets_app.command("import")(import_set.import_picture_set)
assets_app.command("show")(show_picture.show_picture)
assets_app.command("remove")(remove_set.remove_picture_set)
instances_app.command("make")(make.make_instances)
instances_app.command("check")(check_instances.check_instances)
instances_app.command("pick")(pick.pick_pairs)
imports_app.command("clembench")(clembench.import_clembench)
study_app.command("check")(check_study.check_study)
study_app.command("add")(check_study.add_study)
study_app.command("status")(manage.show_study_status)
study_app.command("links")(manage.print_personal_links)
study_app.command("simulate")(simulate.rehearse_study)
study_app.command("pilot")(manage.open_pilot)
study_app.command("open")(manage.open_study)
study_app.command("pause")(manage.pause_study)
study_app.command("resume")(manage.open_study)
study_app.command("close")(manage.close_study)
study_app.command("export")(export_study.export_study)
study_app.command("backup")(people.back_up_study)
study_app.command("anonymise")(people.anonymise_study)
study_app.command("person")(people.answer_data_request)
study_app.command("power")(power.show_power)
study_app.command("report")(report.write_report)
study_app.command("exclude")(payments.exclude_participant)
study_app.command("payments")(payments.compute_payments)
db_app.command("check")(check_log.check_log)
db_app.command("unplan")(unplan.delete_planned_episodes)
db_app.command("backup")(backup.back_up_log)
db_app.command("restore")(restore.restore_log)
db_app.command("forget")(forget.remove_person)


@players_app.callback()
def _list_players_by_default(context: typer.Context, players: PlayersFileOption = None) -> None:
    if context.invoked_subcommand is None:
        list_players.list_players(None, players)


@imports_app.callback()
def _imports_callback() -> None:  # without a callback, Typer turns a group with one command into that command
    pass


def _print_version(is_requested: bool) -> None:
    if is_requested:
        from importlib.metadata import version

        print_data(f"ludens {version('ludens')}")
        raise typer.Exit


@app.callback()
def _accept_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def _make_single_command_app(command_name: str) -> typer.Typer:
    """Return the app with only the command or group of this name: building each takes Typer a millisecond or two.

    Where there is none, return the whole app.
    """
    single_command_app = copy(app)
    single_command_app.registered_commands = [
        info
        for info in app.registered_commands
        if (info.name or getattr(info.callback, "__name__", "")) == command_name
    ]
    single_command_app.registered_groups = [group for group in app.registered_groups if group.name == command_name]
    return single_command_app if single_command_app.registered_commands or single_command_app.registered_groups else app


def main() -> None:
    """Run the command that the arguments name and exit with its code."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for plugins takes 15 ms
    for output_stream in (sys.stdout, sys.stderr):
        if hasattr(output_stream, "reconfigure"):  # replies may contain characters that the terminal cannot show
            output_stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if logging.lastResort:  # how warnings are printed where nothing else is set up
        logging.lastResort.setFormatter(PrintableFormatter())
    try:
        _make_single_command_app(sys.argv[1] if sys.argv[1:] else "")()
    except Exception as error:
        exit_code = _choose_exit_code(error)
        if exit_code is None:
            raise
        print_message(f"ludens: {_describe_error(error)}")
        sys.exit(exit_code)


def _choose_exit_code(error: Exception) -> int | None:
    """Return the exit code for an error, None for a bug."""
    import sqlite3

    from engine.core.player import UnknownPlayer
    from engine.play.executors.ray import ClusterUnavailable
    from engine.play.plan_checks import BadPlan
    from engine.play.plugins import BadPlugin
    from engine.play.registry import BadInstances, UnknownSelection
    from engine.play.roster import BadRoster
    from engine.results.published import BadPublishedFile
    from engine.storage.database import StoreError
    from engine.storage.search_index import BadSearch
    from engine.studies.study_file import BadStudy

    usage_error_types = (
        UsageError | BadSearch | BadStudy | UnknownSelection | UnknownPlayer | BadPlan | BadPlugin | BadRoster
    )
    failures = (
        CommandFailed | BadInstances | BadPublishedFile | ClusterUnavailable | StoreError | sqlite3.Error | OSError
    )
    return 2 if isinstance(error, usage_error_types) else 1 if isinstance(error, failures) else None


def _describe_error(error: Exception) -> str:
    import sqlite3

    if isinstance(error, sqlite3.Error):
        return f"the database: {error}. `ludens db check` checks it"
    return str(error.args[0]) if isinstance(error, LookupError) and error.args else str(error)
