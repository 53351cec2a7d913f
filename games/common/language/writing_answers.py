"""Answers questions about what is written in a picture, from the `writing` of its things.

Where nothing readable is known of the thing that is meant, there is no answer here: other readers answer then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from games.common.language.claims import Answer, Phrase, Truth
from games.common.language.grammar import read_text
from games.common.language.scenes import Scene, drop_loose_fits
from games.common.language.things import SceneThing, group, vocabulary
from games.common.language.wording import join_list, pluralise
from games.common.language.writing import (
    NUMBER_NOUNS,
    UNREAD,
    WritingQuestion,
    has_number,
    quote,
    read_writing_question,
    says,
    words_in,
)

LONGEST_QUESTION = 200
"""The characters of a sentence up to which it is read as a question about writing."""
MARGIN = 0.15
"""How far from a thing its price may be, as a share of the thing's size."""
BEARING = ("on", "of", "at", "in", "with")
"""Relations of writing to what it is on."""


def answer_writing(scene: Scene, sentence: str) -> Answer | None:
    """Return the answer to a question about writing, None to others and where nothing is known of it."""
    written = [item for item in scene.things if item.writing]
    question = read_writing_question(sentence) if written and len(sentence) <= LONGEST_QUESTION else None
    if question is None:
        return None
    if question.noun in NUMBER_NOUNS:
        written = [item for item in written if has_number(item.writing)]
    things = _keep_outermost(scene, _find_things(scene, question, written), question.side)
    if not things:
        return None
    stated = _state_writing(things, not question.side and _has_unread(scene, things), question.line)
    if question.text and not re.search(r"\bor\b", question.text):
        return _confirm_text(scene, things, question)
    return Answer(f"yes, {stated}" if question.noun == "any" else stated) if stated else None


def _confirm_text(scene: Scene, things: Sequence[SceneThing], question: WritingQuestion) -> Answer:
    """Return whether one of some things says something: no only if all that is written on them is known."""
    speakers = [item for item in things if says(item.writing, question.text)]
    if speakers:
        return Answer(f"yes, {_state_writing(speakers)}", Truth.YES)
    is_other = all(says(item.writing, question.text) is False and not item.is_uncounted for item in things)
    has_more = _has_unread(scene, things)
    if is_other and question.target and not has_more:
        return Answer(f"no, {_state_writing(things)}", Truth.NO)
    return Answer(f"I am not sure; {_state_writing(things, has_more)}", Truth.UNKNOWN)


def _keep_outermost(scene: Scene, things: Sequence[SceneThing], side: str) -> list[SceneThing]:
    """Return the one of some things that is furthest to a side, none if it is another one without known writing."""
    if not side:
        return list(things)
    names = {item.name for item in things}
    same_name = sorted((item for item in scene.things if item.name in names), key=lambda item: item.x)
    outermost = same_name[:1] if side == "left" else same_name[-1:]
    return [item for item in outermost if item in things]


def _has_unread(scene: Scene, things: Sequence[SceneThing]) -> bool:
    """Return whether there may be more writing on some things, or on others that are called so."""
    heads = {item.name.rpartition(" ")[2] for item in things}
    has_others = any(not item.writing and item.name.rpartition(" ")[2] in heads for item in scene.things)
    return has_others or any(UNREAD in item.writing for item in things)


def _state_writing(things: Sequence[SceneThing], has_more: bool = False, line: int | None = None) -> str:
    """Return what things say: "the sign says “BAR”", "the signs say “PASTA” and “SWEETS”"."""
    texts = list(dict.fromkeys(filter(None, (quote(item.writing, line) for item in things))))
    names = {item.name for item in things}
    subject = names.pop() if len(names) == 1 else "thing"
    is_singular = len(things) == 1 and not subject.endswith("s")
    subject = subject if len(things) == 1 else pluralise(subject)
    rest = ", and there is more that I cannot read" if has_more and line is None else ""
    return f"the {subject} {'says' if is_singular else 'say'} {join_list(texts)}{rest}" if texts else ""


def _find_things(scene: Scene, question: WritingQuestion, written: Sequence[SceneThing]) -> list[SceneThing]:
    """Return the things with writing that a question names, or the only one if it names none."""
    if not question.target:
        return list(written) if len(written) == 1 or question.text else []
    claims = read_text(f"there is {question.target}.", vocabulary()).claims
    phrase = claims[0].whole if claims else Phrase()
    if question.noun == "price" and (signs := _find_price_signs(scene, phrase, written)):
        return signs
    targets = _list_bearers(phrase)
    things = [item for target in targets for item in _find_matches(scene, target, written)]
    if not things and phrase.links:
        things = _find_matches(scene, phrase, written) or _find_things_on(scene, targets, written)
    if not things and any(target.head == "wall" for target in targets):
        things = [item for item in written if item.name in group("wall")]
    return list(dict.fromkeys(things))


def _list_bearers(phrase: Phrase) -> list[Phrase]:
    """Return the thing that a phrase names, or what it is on, with its place: "on the block to the left"."""
    if phrase.head:
        return [phrase]
    bearers = [link.phrase for link in phrase.links if link.relation in BEARING]
    return [replace(bearer, places=(*bearer.places, *phrase.places)) for bearer in bearers]


def _find_matches(scene: Scene, phrase: Phrase, written: Sequence[SceneThing]) -> list[SceneThing]:
    """Return the things that a phrase names; its modifiers may be what is written: "the SALE sign"."""
    if not (phrase.head or phrase.links or phrase.places):
        return []
    matches = []
    for item in written:
        own_words = words_in(item.writing)
        modifiers = tuple(word for word in phrase.modifiers if word not in own_words)
        fit = scene.fit(item, replace(phrase, modifiers=modifiers).uncounted)
        if fit.is_sure:
            matches.append((item, fit))
    things = [item for item, _ in drop_loose_fits(matches)]
    same_name = [item for item in things if item.name == phrase.head]
    return same_name or [item for item in things if phrase.head and item.name.endswith(phrase.head)] or things


def _find_things_on(scene: Scene, targets: Sequence[Phrase], written: Sequence[SceneThing]) -> list[SceneThing]:
    """Return the things that are on what phrases name: the price sign on the table."""
    supports = {item.id: scene.by_id.get(item.support) for item in written}
    pairs = [(item, target) for target in targets if target.head for item in written]
    return [item for item, o in pairs if (support := supports[item.id]) and scene.fit(support, o).is_sure]


def _find_price_signs(scene: Scene, phrase: Phrase, written: Sequence[SceneThing]) -> list[SceneThing]:
    """Return the price sign of the only thing that a phrase names: the only one within it or next to it."""
    goods = [item for item in scene.things if phrase.head and item.box and scene.fit(item, phrase.uncounted).is_sure]
    if len(goods) != 1:
        return []
    signs = [item for item in scene.things if item.name == "price sign" or item in written]
    at_goods = [item for item in signs if item is not goods[0] and _is_at(item, goods[0])]
    return at_goods if len(at_goods) == 1 and at_goods[0] in written else []


def _is_at(item: SceneThing, other: SceneThing) -> bool:
    """Return whether the middle of a thing is within another one or just next to it."""
    left, top, right, bottom = other.edges
    margins = MARGIN * (right - left), MARGIN * (bottom - top)
    is_beside = left - margins[0] <= item.x <= right + margins[0]
    return is_beside and top - margins[1] <= item.y <= bottom + margins[1]
