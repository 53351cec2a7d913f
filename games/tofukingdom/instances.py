"""The instances of TofuKingdom: twenty different assignments of seven roles to seven names, drawn from a seed.

The Prince has no name: everybody knows him. The order in which the seven stand is drawn from the episode's seed.
"""

from __future__ import annotations

import json
from random import Random

from pydantic import BaseModel, model_validator

from engine.core.events import Json

SEAT_NAMES = ("Ada", "Boris", "Cleo", "Dora", "Emil", "Flora", "Gustav")
PRINCE_ROLE, PRINCE_SEAT = "Prince", "prince"
"""The Prince's role and seat; the other seats are named after who sits there."""
ROLES = ("Princess", "Chef", "Queen", "Minister", "Guard", "Spy", "Maid")
"""The roles of the seven who stand before the Prince."""
CAMPS = {
    "prince": (PRINCE_ROLE, "Princess", "Chef"),
    "queen": ("Queen", "Minister", "Guard"),
    "spy": ("Spy", "Maid"),
}
EXPERIMENTS = {"roles": "twenty assignments of roles to names"}
INSTANCE_COUNT = 20


class Instance(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """Who has which role: {name: role} for the seven names."""

    roles: dict[str, str]

    @model_validator(mode="after")
    def _check_complete(self) -> Instance:
        if sorted(self.roles) != sorted(SEAT_NAMES):
            raise ValueError(f"field roles: the names are {', '.join(SEAT_NAMES)}, not {', '.join(self.roles)}")
        if sorted(self.roles.values()) != sorted(ROLES):
            raise ValueError(f"field roles: each of {', '.join(ROLES)} once, not {', '.join(self.roles.values())}")
        return self

    def find_player(self, role: str) -> str:
        """Return the name of the player with a role."""
        return next(player_name for player_name, name_role in self.roles.items() if name_role == role)


def find_camp(role: str) -> str:
    """Return the camp of a role."""
    return next(camp_name for camp_name, roles in CAMPS.items() if role in roles)


def load(instance_data: Json) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    return Instance.model_validate(instance_data)


def check(experiment: str, instance: Instance) -> str | None:
    """Return why an instance does not belong to an experiment: None, all do."""
    return None


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/tofukingdom/VARIANT.json."""
    rng = Random(f"tofukingdom/{variant}/{seed}")
    instance_rows: list[Json] = []
    while len(instance_rows) < INSTANCE_COUNT:
        instance = {"roles": dict(zip(SEAT_NAMES, rng.sample(ROLES, len(ROLES)), strict=True))}
        if instance not in instance_rows:
            instance_rows.append(instance)
    experiments = {"roles": instance_rows}
    file_content = {"game": "tofukingdom", "variant": variant, "version": 1, "seed": seed, "experiments": experiments}
    return json.dumps(file_content, indent=1) + "\n"
