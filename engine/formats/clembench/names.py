"""Check ids and names that come from imported files before they enter the log.

They stand in addresses, file names and tables, so they have a pattern and a length. Logs that have others already are
read as before.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.patterns import Pattern, compile_linear_pattern
from engine.core.start import EpisodeStart

MAX_LETTERS = 120
"""Characters of an experiment's name."""
MAX_ADDRESS_LENGTH = 200
"""Characters of a player's address."""
ONE_CHARACTER_CLASS_REASON = "one class of characters, with a greatest length"
EPISODE_ID_PATTERN = compile_linear_pattern(r"[A-Za-z0-9_-]{1,64}", reason=ONE_CHARACTER_CLASS_REASON)
PLAN_KEY_PATTERN = compile_linear_pattern(r"[A-Za-z0-9_:.-]{1,128}", reason=ONE_CHARACTER_CLASS_REASON)
ORIGIN_PATTERN = compile_linear_pattern(r"[a-z][a-z0-9_-]{0,31}", reason=ONE_CHARACTER_CLASS_REASON)
INDEX_PATTERN = compile_linear_pattern(r"[A-Za-z0-9_.-]{1,40}", reason=ONE_CHARACTER_CLASS_REASON)
"""The last part of an instance's id."""
FORBIDDEN_CHARACTERS = frozenset('/\\<>"`|')


class BadName(ValueError):
    """An id or a name cannot be imported; the message contains it and what is allowed."""


def check_experiment(experiment_name: str) -> str:
    """Return the name of an experiment, or of a variant. Raises `BadName`."""
    if (
        not 0 < len(experiment_name) <= MAX_LETTERS
        or not experiment_name.isprintable()
        or experiment_name.strip() != experiment_name
        or FORBIDDEN_CHARACTERS & {*experiment_name}
    ):
        raise BadName(
            f"the experiment's name {experiment_name[:MAX_LETTERS]!a} cannot be imported: allowed are 1 to "
            f'{MAX_LETTERS} printable characters without / \\ < > " ` | and without space at either end'
        )
    return experiment_name


def check_start_names(start: EpisodeStart) -> None:
    """Check the names in the start of an imported episode. Raises `BadName`."""
    for path_name in (start.variant, start.experiment):
        check_experiment(path_name)
    experiment_path, _, index_text = start.instance_id.rpartition("/")
    if experiment_path != f"{start.game}/{start.variant}/{start.experiment}" or not INDEX_PATTERN.fullmatch(index_text):
        raise BadName(
            f"the instance's id {start.instance_id[:300]!a} cannot be imported: it must be "
            "GAME/VARIANT/EXPERIMENT/INDEX, the index of 1 to 40 letters, digits, _ . or -"
        )
    for address in start.seats.values():
        check_address(address)


def check_address(address: str) -> None:
    """Check the address of a player. Raises `BadName`."""
    if not 0 < len(address) <= MAX_ADDRESS_LENGTH or not address.isprintable():
        raise BadName(
            f"the player {address[:MAX_ADDRESS_LENGTH]!a} cannot be imported: "
            f"allowed are 1 to {MAX_ADDRESS_LENGTH} printable characters"
        )


def check_ids(checked_ids: Mapping[str, tuple[object, Pattern[str]]]) -> None:
    """Check ids, each with its pattern, by what they are called; None passes. Raises `BadName`."""
    for id_name, (id_value, pattern) in checked_ids.items():
        if id_value is not None and not (isinstance(id_value, str) and pattern.fullmatch(id_value)):
            raise BadName(f"the {id_name} {str(id_value)[:200]!a} cannot be imported: it must match {pattern.pattern}")
