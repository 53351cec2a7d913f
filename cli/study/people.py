"""`ludens study backup`, `anonymise` and `person`: what concerns the identifiers and the data of participants."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cli.options import DbOption, SkipConfirmationOption, confirm_removal
from cli.output import UsageError, print_data, print_message
from cli.study.manage import StudyNameArgument, open_records
from engine.core.wording import plural


def back_up_study(
    to: Annotated[Path, typer.Argument(help="A folder that does not exist yet.")],
    db: DbOption = None,
) -> None:
    """Copy the log and the file of identifiers, which `ludens db backup` leaves out, into a folder for you alone."""
    from cli.settings import load_settings
    from engine.storage.database import Database
    from engine.storage.study_records import IDENTIFIERS_FILE

    if to.exists():
        raise UsageError(f"{to} already exists and is never overwritten: name another folder")
    with open_records(db) as (store, _):
        to.mkdir(mode=0o700)
        store.copy_to(to / "ludens.db")
    identifiers_path = load_settings(db=db).db.parent / IDENTIFIERS_FILE
    if identifiers_path.exists():
        with Database(identifiers_path) as identifiers_db:
            identifiers_db.copy_to(to / IDENTIFIERS_FILE)
        (to / IDENTIFIERS_FILE).chmod(0o600)
    print_message(f"Copied to {to}. It holds identifiers of participants: keep it to yourself.")


def anonymise_study(
    name: StudyNameArgument,
    yes: SkipConfirmationOption = False,
    db: DbOption = None,
) -> None:
    """Delete the identifiers of all participants of a study, for good.

    Games and answers stay, and the study is closed. What people wrote may still identify them.
    """
    from cli.settings import load_settings
    from engine.storage.study_records import IdentifierStore

    with open_records(db) as (_, study_records):
        study_records.read_study(name)
        question = f"Delete all identifiers of {name}? Nobody can then be paid or asked again"
        confirm_removal(question, is_confirmed=yes)
        with IdentifierStore(load_settings(db=db).db) as identifier_store:
            deleted_count = identifier_store.delete_identifiers(name)
        study_records.anonymise_study(name, {"identifiers": deleted_count})
    print_message(f"{plural(deleted_count, 'identifier')} deleted. {name} is closed.")


def answer_data_request(
    name: StudyNameArgument,
    id: Annotated[str, typer.Argument(help="A pseudonym, or an identifier such as a Prolific id.")],
    export: Annotated[bool, typer.Option("--export", help="Print everything stored of this person as JSON.")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="Delete their games, answers and identifiers.")] = False,
    yes: SkipConfirmationOption = False,
    db: DbOption = None,
) -> None:
    """Answer a participant who asks for their data, or for its deletion."""
    from cli.db.forget import remove_games_and_traces
    from cli.settings import load_settings
    from engine.formats.jsonl import format_event
    from engine.storage.removal import find_removable_episodes
    from engine.storage.seat_links import SeatLinks
    from engine.storage.study_records import DELETED_REASON, IdentifierStore

    if export == delete:
        raise UsageError("say --export or --delete")
    with open_records(db) as (store, study_records), IdentifierStore(load_settings(db=db).db) as identifier_store:
        study_records.read_study(name)
        known_id = identifier_store.find_any_participation(name, id)
        participations = [
            person
            for person in study_records.list_participations(name)
            if id in (person.pseudonym, person.id) or person.id == known_id
        ]
        if not participations:
            raise UsageError(f"nobody in {name} has the pseudonym or identifier {id!r}")
        [participation] = participations
        episodes = [game.episode for game in study_records.list_games(participation.id) if game.episode]
        if export:
            person_data = study_records.collect_personal_data(participation.id)
            person_data["identifiers"] = identifier_store.list_identifiers(participation.id)
            person_data["games"] = [
                [json.loads(format_event(episode, event)) for event in store.events(episode)]
                for episode in episodes
                if store.status(episode)
            ]
            print_data(json.dumps(person_data, indent=1, ensure_ascii=False))
            return
        seat_links = SeatLinks(store, store)
        game_removal = find_removable_episodes(store, [], episodes)
        answer_count = len(study_records.list_answers(participation.id))
        identifier_count = len(identifier_store.list_identifiers(participation.id))
        if participation.state == "withdrawn" and not (game_removal.episodes or answer_count or identifier_count):
            print_message(f"{participation.pseudonym} has no games, answers or identifiers here.")
            return
        contents_text = (
            f"{plural(len(game_removal.episodes), 'game')}, the answers at {plural(answer_count, 'step')} and "
            f"{plural(identifier_count, 'identifier')} of {participation.pseudonym}"
        )
        confirm_removal(f"Delete {contents_text}? This cannot be undone", is_confirmed=yes)
        study_records.delete_words(participation.id)
        study_records.withdraw_participation(participation.id, DELETED_REASON)
        identifier_store.delete_person(participation.id, store.read_secret("studies"))
        remove_games_and_traces(store, seat_links, game_removal)
    print_message(f"Deleted: {contents_text}.")
