"""Compares pictures with what somebody says of one of them: the sum of the log-chances of what was understood."""

from __future__ import annotations

import math
from collections.abc import Sequence

from games.common.language.claims import Claim
from games.common.language.grammar import read_text
from games.common.language.scenes import Scene, SceneEvaluator, fits_order, is_ordered, vocabulary

MARGIN = 0.12
"""Pictures whose sums are nearer than this are equally good: then the listener guesses."""
OUT_OF_ORDER = -1.5
LEAST = -4.0
SUPERLATIVES = {"fewest": -1, "least": -1, "most": 1, "smallest": 0, "largest": 0}


def log_chances(text: str, scenes: Sequence[Scene]) -> list[float]:
    """Return for each picture how well a text describes it: 0 is best, -1 a third as likely."""
    reading = read_text(text, vocabulary())
    claims = [*reading.claims, *(claim for question in reading.questions for claim in question.claims)]
    evaluators = [SceneEvaluator(scene) for scene in scenes]
    sums = [0.0] * len(scenes)
    for claim in claims:
        for number, value in enumerate(_compare(claim, evaluators)):
            sums[number] += value
    if is_ordered(text):
        sums = [
            value + OUT_OF_ORDER * (not fits_order(scene, claims)) for value, scene in zip(sums, scenes, strict=True)
        ]
    return sums


def _compare(claim: Claim, evaluators: Sequence[SceneEvaluator]) -> list[float]:
    """Return the log-chance of a claim for each picture."""
    sign = next((SUPERLATIVES[word] for word in _all_modifiers(claim) if word in SUPERLATIVES), 0)
    if sign:
        numbers = [sign * len(evaluator.scene.things) for evaluator in evaluators]
        return [0.0 if number == max(numbers) else -2.0 for number in numbers]
    return [max(LEAST, math.log(max(evaluator.chance(claim), 1e-6))) for evaluator in evaluators]


def _all_modifiers(claim: Claim) -> list[str]:
    words = list(claim.subject.modifiers)
    for link in claim.subject.links:
        words += link.phrase.modifiers
    return words
