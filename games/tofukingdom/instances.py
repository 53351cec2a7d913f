"""The instances of TofuKingdom: twenty assignments of seven roles to seven names, drawn from a seed, all different.

The Prince has no name: everybody knows him. In which order the seven stand is drawn from the episode's seed.
"""

from __future__ import annotations

import json
from random import Random

from pydantic import BaseModel, model_validator

from engine.core.events import Json

NAMES = ("Ada", "Boris", "Cleo", "Dora", "Emil", "Flora", "Gustav")
PRINCE = "Prince"
ROLES = ("Princess", "Chef", "Queen", "Minister", "Guard", "Spy", "Maid")
"""The roles of the seven who stand before the Prince."""
CAMPS = {
    "prince": (PRINCE, "Princess", "Chef"),
    "queen": ("Queen", "Minister", "Guard"),
    "spy": ("Spy", "Maid"),
}
EXPERIMENTS = {"roles": "twenty assignments of roles to names"}
PER_EXPERIMENT = 20


class Instance(BaseModel, frozen=True, extra="forbid"):
    """Who has which role: {name: role} for the seven names."""

    roles: dict[str, str]

    @model_validator(mode="after")
    def _complete(self) -> Instance:
        if sorted(self.roles) != sorted(NAMES):
            raise ValueError(f"field roles: the names are {', '.join(NAMES)}, not {', '.join(self.roles)}")
        if sorted(self.roles.values()) != sorted(ROLES):
            raise ValueError(f"field roles: each of {', '.join(ROLES)} once, not {', '.join(self.roles.values())}")
        return self

    def name_of(self, role: str) -> str:
        """Return who has a role."""
        return next(name for name, own in self.roles.items() if own == role)


def camp_of(role: str) -> str:
    """Return the camp of a role."""
    return next(camp for camp, roles in CAMPS.items() if role in roles)


def load(data: Json) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    return Instance.model_validate(data)


def check(experiment: str, instance: Instance) -> str | None:
    """Say why an instance does not belong to an experiment: all do."""
    return None


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/tofukingdom/VARIANT.json."""
    rng = Random(f"tofukingdom/{variant}/{seed}")
    found: list[Json] = []
    while len(found) < PER_EXPERIMENT:
        roles = {"roles": dict(zip(NAMES, rng.sample(ROLES, len(ROLES)), strict=True))}
        if roles not in found:
            found.append(roles)
    data = {
        "game": "tofukingdom",
        "variant": variant,
        "version": 1,
        "seed": seed,
        "experiments": {"roles": found},
    }
    return json.dumps(data, indent=1) + "\n"
