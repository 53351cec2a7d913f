"""What an episode begins with: the data of its start event."""

from __future__ import annotations

import operator
from functools import cached_property, partial
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from engine.core.events import EmptyReplyRule, Json, LongContextRule

STUDY_KEY = "study"
"""Key in `EpisodeStart.people`: NAME@VERSION of the study that somebody takes part in."""
RULES_FOR_MODELS: dict[str, Any] = {"on_empty": EmptyReplyRule.FAULT, "on_context": LongContextRule.ABORTED}
"""What happens when a model cannot answer, by default."""
HIDDEN_PARTNER_KEY = "hidden_partner"
"""Key in `EpisodeStart.people`: true where nobody is shown whether a person or a program plays the other seats."""


def hides_partner(start_data: Json) -> bool:
    """Return whether an episode, given the data of its start event, shows nobody who plays the other seats."""
    match start_data:
        case {"people": dict(people)}:
            return any(HIDDEN_PARTNER_KEY in person_data for person_data in people.values())
    return False


def _omitted_if(default: Any) -> Any:
    """Return a field that is not written while it has its default, so that logs stay as they were."""
    return Field(default, exclude_if=partial(operator.eq, default))


class EpisodeStart(BaseModel):
    """Everything an episode begins with; the data of its `start` event."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    ludens: str
    game: str
    game_version: int
    variant: str
    experiment: str
    instance: Json
    instance_id: str
    """`GAME/VARIANT/EXPERIMENT/INDEX` of a shipped instance, or a free name."""
    instance_hash: str
    prompts: str
    prompts_version: int
    settings: Json
    reprompt: int = 0
    seed: str
    seats: dict[str, str]
    """Player address of each seat."""
    on_empty: EmptyReplyRule = _omitted_if(EmptyReplyRule.FAULT)
    on_context: LongContextRule = _omitted_if(LongContextRule.ABORTED)
    simultaneous: bool = _omitted_if(False)
    """Whether seats are asked at the same time where their moves do not depend on each other (see `Game`). No part of
    a condition: nobody is told anything else."""
    run_seed: int = 0
    repetition: int = 0
    people: dict[str, Json] = {}
    """For seats held by people: `informed` (chose experiment or instance), `seen_before`, `practice`, `study`
    (NAME@VERSION), `participant` (a pseudonym of the study), `pastes` ("blocked" where the page lets no text be
    pasted), `turn_limit` (fields of `ui.live.turn_clock.TurnLimit`) where replies have to come in time, and
    `hidden_partner` (true where nobody is shown who plays the other seats)."""

    @cached_property
    def as_json(self) -> Json:
        """The data of the start event. Treat it as read-only."""
        return self.model_dump(mode="json")

    @property
    def rules_for_models(self) -> Json:
        """Those of `on_empty` and `on_context` that are not the default."""
        rule_texts = {rule_name: getattr(self, rule_name) for rule_name in RULES_FOR_MODELS}
        return {n: str(rule_value) for n, rule_value in rule_texts.items() if rule_value != RULES_FOR_MODELS[n]}

    @property
    def hides_partner(self) -> bool:
        """Whether nobody is shown who plays the other seats: replies are released before they have any effect."""
        return hides_partner({"people": self.people})

    @property
    def turn_seconds(self) -> float | None:
        """The seconds that people have for a reply, None without a limit."""
        for person_data in self.people.values():
            match person_data:
                case {"turn_limit": {"seconds": float() | int() as seconds}}:
                    return float(seconds)
        return None
