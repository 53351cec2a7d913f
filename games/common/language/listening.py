"""Compares a picture with what somebody says of one of several: the sum of the log-chances of what was understood."""

from __future__ import annotations

import math

from games.common.language.grammar import read_text
from games.common.language.scenes import Scene, SceneEvaluator, fits_order, vocabulary

MARGIN = 0.12
"""Pictures whose sums are nearer than this are equally good: then the listener guesses."""
OUT_OF_ORDER = -1.5
LEAST = -4.0
SUPERLATIVES = frozenset(("fewest", "least", "most"))
"""What compares several pictures says nothing of one of them."""


def log_chance(text: str, scene: Scene) -> float:
    """Return how well a text describes a picture: 0 is best, -1 a third as likely."""
    reading = read_text(text, vocabulary())
    claims = [*reading.claims, *(claim for question in reading.questions for claim in question.claims)]
    evaluator = SceneEvaluator(scene)
    total = OUT_OF_ORDER * (not fits_order(scene, text, claims))
    for claim in claims:
        phrases = (claim.subject, *(link.phrase for link in claim.subject.links))
        if all(SUPERLATIVES.isdisjoint(phrase.modifiers) for phrase in phrases):
            total += max(LEAST, math.log(max(evaluator.chance(claim), 1e-6)))
    return total
