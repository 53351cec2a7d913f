"""Filling in the form of a reply at random, as a simulated person does who knows the form and nothing else.

It fills every kind of field that Ludens brings; of a kind that it does not know it takes the options, or writes words.
"""

from __future__ import annotations

import json
import random

from engine.core.events import Json

FILLING_WORDS = (
    "a the one left right upper lower small large round long plain line corner side middle shape colour near".split()
)


def fill_form(form: Json, rng: random.Random) -> dict[str, str]:
    """Return values by field for a form as `ReplyFormat.form` describes it: what a page sends."""
    if "either" in form:
        alternative = rng.choice(form["either"])
        return {"form": alternative["name"], **fill_form(alternative, rng)}
    return {field["name"]: _fill_field(field, rng) for field in form["fields"]}


def _fill_field(field: Json, rng: random.Random) -> str:
    if options := field.get("options"):
        return str(rng.choice(options)["value"])
    kind = field["kind"]
    if kind == "compass":
        return "done" if rng.random() < 0.15 or not field["open"] else str(rng.choice(field["open"]))
    if kind == "paint":
        return str(field["before"])
    if kind == "map":
        map_sketch = {"nodes": [field["here"]] if field["here"] else [], "edges": {}}
        return json.dumps(field["before"] or map_sketch)
    if kind == "sentence":
        sentence = rng.choice(field["sentences"])
        return str(sentence["text"]).replace("{}", rng.choice(sentence.get("fill") or [""]))
    if field.get("optional") and rng.random() < 0.5:
        return ""
    text = "Is it " + " ".join(rng.choices(FILLING_WORDS, k=rng.randint(2, 6))) + "?"
    if field.get("phrases") and rng.random() < 0.3:
        phrase = rng.choice(field["phrases"])
        return f"{phrase['value']} {text}" if phrase.get("joins") else str(phrase["value"])
    return text
