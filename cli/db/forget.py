"""`ludens db forget`: remove a person with all their games, or list all people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import DbOption, SkipConfirmationOption, confirm_removal
from cli.output import CommandFailed, UsageError, print_data, print_message
from engine.core.wording import plural

if TYPE_CHECKING:
    from engine.storage.removal import Removal
    from engine.storage.seat_links import SeatLinks
    from engine.storage.store import Store

MAX_LISTED_GAMES = 20
"""Games that are listed before they are removed."""


def remove_person(
    person: Annotated[
        str | None,
        typer.Argument(help="A person's code, or an episode that only they played; if omitted, lists all people."),
    ] = None,
    yes: SkipConfirmationOption = False,
    db: DbOption = None,
) -> None:
    """Remove a person with all their games.

    Removes every game in which they had a seat, with links, drafts and scores. The lobby shows each person their code
    at the bottom of the page ("Your code on this server").

    Copies elsewhere (db backup, exports, downloads) stay unchanged.
    """
    from cli.log_access import open_store
    from cli.settings import load_settings
    from engine.storage.removal import UnknownPerson, find_removal
    from engine.storage.seat_links import SeatLinks

    settings = load_settings(db=db)
    with open_store(settings.db, purpose="forget") as store:
        seat_links = SeatLinks(store, store)  # also migrates an older log
        if person is None:
            _list_people(store)
            return
        try:
            game_removal = find_removal(store, person)
        except UnknownPerson as error:
            raise UsageError(str(error)) from None
        print_message(_describe_removal(store, game_removal))
        confirm_removal("Remove them? This cannot be undone", is_confirmed=yes)
        remove_games_and_traces(store, seat_links, game_removal)


def _list_people(store: Store) -> None:
    from datetime import UTC, datetime

    from engine.storage.removal import list_people

    people = list_people(store)
    if not people:
        print_message("nobody has played in a browser on this log")
    for person in people:
        last_active_at = datetime.fromtimestamp(person.last_active / 1000, UTC)
        print_data(f"{person.code}  {plural(person.games, 'game'):>9}  last seen {last_active_at:%Y-%m-%d %H:%M} UTC")


def _describe_removal(store: Store, game_removal: Removal) -> str:
    removal_lines = [f"{plural(len(game_removal.episodes), 'game')} to remove for good, with every word in them:"]
    for episode in game_removal.episodes[:MAX_LISTED_GAMES]:
        log_row = store.episode(episode)
        seats_text = ", ".join(f"{seat} {player}" for seat, player in log_row.seats.items())
        removal_lines.append(f"  {log_row.id}  {log_row.game}/{log_row.variant}  {log_row.status}  {seats_text}")
    if len(game_removal.episodes) > MAX_LISTED_GAMES:
        removal_lines.append(f"  … and {len(game_removal.episodes) - MAX_LISTED_GAMES} more")
    if game_removal.shared_count:
        removal_lines.append(f"{game_removal.shared_count} of them with other people, whose words are removed too")
    if game_removal.replay_count:
        removal_lines.append(f"{game_removal.replay_count} of them because they replay a recorded seat of such a game")
    if game_removal.running_count:
        removal_lines.append(
            f"{game_removal.running_count} of them not over: their players are told that the game was removed"
        )
    return "\n".join(removal_lines)


def remove_games_and_traces(store: Store, seat_links: SeatLinks, game_removal: Removal) -> None:
    """Remove games, and their words from the write-ahead log and the search index. Raises `CommandFailed`."""
    from engine.storage.database import StoreError
    from engine.storage.removal import remove_games
    from engine.storage.search_index import make_index_path, remove_deleted

    games = plural(len(game_removal.episodes), "game")
    is_log_clean = remove_games(store, seat_links, game_removal)
    log_owners = sorted({owner.purpose for owner in store.list_running_processes()})
    if log_owners:
        print_message(f"the file is in use ({', '.join(log_owners)}) and is therefore not rewritten")
    else:
        is_log_clean = store.rewrite()
    try:
        is_index_clean = remove_deleted(store.path)
    except StoreError as error:
        raise CommandFailed(f"{games} removed from {store.path}, but not from its search index: {error}") from error
    if not is_log_clean:
        raise CommandFailed(
            f"{games} removed, but another process reads {store.path}: their words stay in its write-ahead log until "
            "that process ends"
        )
    if not is_index_clean:
        raise CommandFailed(
            f"{games} removed, but another process reads {make_index_path(store.path)}: their words stay in that file "
            "until it ends. Then delete the file; the next search builds it again"
        )
    print_message(f"{games} removed; the words are gone from {store.path}, its write-ahead log and the search index")
