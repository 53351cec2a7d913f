"""Plan files: TOML with the parts of a plan, for `ludens run --plan FILE`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError, model_validator

from engine.core.events import EmptyReplyRule, Json, LongContextRule
from engine.core.suggestions import did_you_mean
from engine.play.plan_checks import BadPlan, list_messages
from engine.play.plans import Plan, PlanPart
from engine.play.registry import Registry


class _Options(BaseModel):
    """The options of a part of a plan file, besides what is played by whom."""

    seed: int = 0
    repeat: int = Field(1, ge=1)
    limit: int | None = Field(None, ge=1)
    reprompt: int | None = Field(None, ge=0)
    settings: Json | None = None
    prompts: int | None = None
    on_empty: EmptyReplyRule | None = None
    on_context: LongContextRule | None = None
    preset: str | None = None
    temperature: float | None = Field(None, ge=0)
    max_tokens: int | None = Field(None, ge=1)

    @model_validator(mode="before")
    @classmethod
    def _reject_unknown(cls, raw_table: Any) -> Any:
        fields = cls.model_fields
        given_fields = raw_table if isinstance(raw_table, dict) else {}
        if unknown_names := [f"{name!r}{did_you_mean(name, fields)}" for name in given_fields if name not in fields]:
            raise ValueError(f"no field {', '.join(unknown_names)}; there are {', '.join(fields)}")
        return raw_table

    def options(self) -> Json:
        """Return the fields that are set, as `PlanPart.from_selections` takes them."""
        given_options = {name: getattr(self, name) for name in _Options.model_fields if name in self.model_fields_set}
        parameters = merge_parameters(
            *(given_options.pop(name, None) for name in ("preset", "temperature", "max_tokens"))
        )
        return given_options | ({PARAMETERS_KEY: parameters} if parameters else {})


class _PartTable(_Options):
    select: list[str]
    seats: dict[str, str] | None = None
    cross: list[str] | None = None
    all_seatings: bool = False


class _PlanFile(_Options):
    part: list[_PartTable] = Field(min_length=1)


PARAMETERS_KEY = "parameters"
"""The option of `PlanPart.from_selections` for parameters of all models."""
PARAMETER_PRESETS: Mapping[str, Mapping[str, str]] = {"clembench": {"temperature": "0", "max_tokens": "300"}}
"""Parameters of all models by name. clembench: what `clem run` sends unless it is told otherwise."""


def merge_parameters(preset: str | None, temperature: float | None, max_tokens: int | None) -> dict[str, str]:
    """Return the parameters of all models of a part, as they stand in addresses. Raises `BadPlan`."""
    if preset is not None and preset not in PARAMETER_PRESETS:
        raise BadPlan(
            f"no preset {preset!r}{did_you_mean(preset, PARAMETER_PRESETS)}; there are: {', '.join(PARAMETER_PRESETS)}"
        )
    own_parameters = {"temperature": temperature, "max_tokens": max_tokens}
    own_texts = {name: f"{value:.15g}" for name, value in own_parameters.items() if value is not None}
    return {**PARAMETER_PRESETS.get(preset or "", {}), **own_texts}


def read_plan(path: Path, registry: Registry, **options: Any) -> Plan:
    """Read a plan from a TOML file: `[[part]]` tables with `select` and `seats` or `cross` (docs/plans.md).

    Fields above the parts (`seed`, `repeat`, `limit`, `reprompt`, `settings`, `prompts`, those of models) apply to
    every part that does not set them; `options` go over both. Raises `BadPlan` naming file, part and field.
    """
    try:
        plan_file = _PlanFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        raise BadPlan(f"{path}: {'; '.join(list_messages(error))}") from None
    except FileNotFoundError:
        raise BadPlan(f"{path} does not exist: --plan names a TOML file with [[part]] tables") from None
    except (OSError, ValueError) as error:
        raise BadPlan(f"{path} cannot be read: {error}") from None
    plan_parts: list[PlanPart] = []
    shared_options = plan_file.options()
    for part_number, part_table in enumerate(plan_file.part, 1):
        option_levels = (shared_options, part_table.options(), options)
        table_options = {name: option_value for level in option_levels for name, option_value in level.items()}
        if parameters := {
            name: text for level in option_levels for name, text in level.get(PARAMETERS_KEY, {}).items()
        }:
            table_options[PARAMETERS_KEY] = parameters
        try:
            if (part_table.cross is None) == (part_table.seats is None):
                raise BadPlan('name either seats, such as seats = { all = "scripted" }, or cross = [players]')
            if part_table.cross is not None:
                plan_parts += Plan.from_player_combinations(
                    registry, part_table.select, part_table.cross, all_seatings=part_table.all_seatings, **table_options
                ).parts
            else:
                plan_parts.append(
                    PlanPart.from_selections(registry, part_table.select, [part_table.seats or {}], **table_options)
                )
        except (BadPlan, LookupError) as error:
            raise BadPlan(f"{path}, part {part_number}: {error.args[0] if error.args else error}") from None
    return Plan(registry, tuple(plan_parts))
