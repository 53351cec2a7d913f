"""Answers questions about what the details of a description tell: what screens and paintings show, and postures."""

from __future__ import annotations

from collections.abc import Sequence

from games.common.language.claims import Answer, Phrase, Question
from games.common.language.scene_wording import SceneDescriber, confirm
from games.common.language.things import find_word_forms, is_alive
from games.common.language.wording import join_list

POSTURES = {"lie": "lying", "lay": "lying", "sit": "sitting", "sitting": "sitting"}
"""What animals are said to do, and the detail that says so."""


def answer_shown(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer what is on a screen, or whether a painting shows a boat; None to other questions."""
    holders, contents = _split_question(speaker, question)
    groups = [speaker.subjects(holder) for holder in holders]
    shown_texts = list(dict.fromkeys(scene_thing.shown for group in groups for scene_thing in group))
    is_singular = any(holder.definite and not holder.is_plural for holder in holders)
    is_unclear = is_singular and max(map(len, groups), default=0) > 1
    if not all(shown_texts) or not shown_texts or is_unclear:
        return None
    content_words = {word for content in contents for word in (*content.modifiers, *content.head.split(" ")) if word}
    return _say_shown(question, shown_texts, content_words)


def _split_question(speaker: SceneDescriber, question: Question) -> tuple[list[Phrase], list[Phrase]]:
    """Return what a question says that shows something, and what it says that is shown."""
    wholes = [claim.whole for claim in question.claims]
    links = [link for whole in wholes for link in whole.links]
    holders = [link.phrase for link in links if link.relation in ("on", "in", "of")]
    if any(map(speaker.subjects, holders)):
        return holders, wholes
    holders = [Phrase(whole.head, definite=whole.definite, is_plural=whole.is_plural) for whole in wholes]
    return holders, [link.phrase for link in links if link.relation == "with"]  # "does a painting show a boat"


def _say_shown(question: Question, shown_texts: Sequence[str], content_words: set[str]) -> Answer | None:
    """Return the answer to what is shown, or whether and how many of what is asked for."""
    if question.kind in ("what", "kind") and not content_words - {"kind", "chart"} and question.asked_noun != "colour":
        return Answer(_say_texts(shown_texts))
    fitting = [text for text in shown_texts if content_words and content_words <= find_word_forms(text)]
    if question.kind == "polar" and fitting:
        return confirm(True, _say_texts(fitting))
    return Answer(_say_texts(fitting)) if question.kind == "number" and fitting else None


def _say_texts(texts: Sequence[str]) -> str:
    return f"{'it shows' if len(texts) == 1 else 'they show'} {join_list(texts)}"


def is_only_placed(speaker: SceneDescriber, question: Question) -> bool:
    """Return whether "lying" or "sitting" only says where something is: of things, and of animals that surely do so."""
    posture = POSTURES.get(question.action)
    subject = question.claims[0].subject
    if not posture or not subject.head:  # "what is lying there" asks for what lies
        return False
    things = speaker.subjects(subject)
    is_placed = len(question.claims) > 1 or bool(subject.links)
    is_known = all(posture in scene_thing.details for scene_thing in things)
    return not things or (is_placed and (is_known or not is_alive(subject.head)))


def answer_posture(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer whether an animal sits or lies; None to other questions, and where its description does not say."""
    asked_posture = POSTURES.get(question.action)
    if not asked_posture or not question.claims or question.claims[0].subject.is_negated:
        return None
    things = speaker.subjects(question.claims[0].subject)
    postures = {posture for scene_thing in things for posture in scene_thing.details if posture in POSTURES.values()}
    if len(things) != 1 or not postures:
        return None
    text = f"the {things[0].name} is {join_list(sorted(postures))}"
    if question.kind == "choice":
        return Answer(text)
    return confirm(asked_posture in postures, text) if question.kind == "polar" else None
