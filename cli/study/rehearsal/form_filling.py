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


def fill_form(reply_form: Json, random_generator: random.Random) -> dict[str, str]:
    """Return values by field for a form as `ReplyFormat.form` describes it: what a page sends."""
    if "either" in reply_form:
        alternative = random_generator.choice(reply_form["either"])
        return {"form": alternative["name"], **fill_form(alternative, random_generator)}
    return {form_field["name"]: _fill_field(form_field, random_generator) for form_field in reply_form["fields"]}


def _fill_field(form_field: Json, random_generator: random.Random) -> str:
    if field_options := form_field.get("options"):
        return str(random_generator.choice(field_options)["value"])
    field_kind = form_field["kind"]
    if field_kind == "compass":
        is_done = random_generator.random() < 0.15 or not form_field["open"]
        return "done" if is_done else str(random_generator.choice(form_field["open"]))
    if field_kind == "paint":
        return str(form_field["before"])
    if field_kind == "map":
        map_sketch = {"nodes": [form_field["here"]] if form_field["here"] else [], "edges": {}}
        return json.dumps(form_field["before"] or map_sketch)
    if field_kind == "sentence":
        sentence = random_generator.choice(form_field["sentences"])
        return str(sentence["text"]).replace("{}", random_generator.choice(sentence.get("fill") or [""]))
    if form_field.get("optional") and random_generator.random() < 0.5:
        return ""
    sentence_text = "Is it " + " ".join(random_generator.choices(FILLING_WORDS, k=random_generator.randint(2, 6))) + "?"
    if form_field.get("phrases") and random_generator.random() < 0.3:
        phrase = random_generator.choice(form_field["phrases"])
        return f"{phrase['value']} {sentence_text}" if phrase.get("joins") else str(phrase["value"])
    return sentence_text
