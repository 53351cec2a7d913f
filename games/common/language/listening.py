"""Compares a picture with what somebody says of one of several: the sum of the log-chances of what was understood."""

from __future__ import annotations

import math

from games.common.language.grammar import read_text
from games.common.language.scene_claims import SceneEvaluator, fits_order
from games.common.language.scenes import Scene
from games.common.language.things import vocabulary

TIE_MARGIN = 0.12
"""Pictures whose sums are nearer than this are equally good: then the listener guesses."""
ORDER_PENALTY = -1.5
LEAST_CHANCE = -4.0
SUPERLATIVES = frozenset(("fewest", "least", "most"))
"""What compares several pictures says nothing of one of them."""


def measure_log_chance(text: str, scene: Scene) -> float:
    """Return how well a text describes a picture: 0 is best, -1 a third as likely."""
    reading = read_text(text, vocabulary())
    claims = [*reading.claims, *(claim for question in reading.questions for claim in question.claims)]
    evaluator = SceneEvaluator(scene)
    log_sum = ORDER_PENALTY * (not fits_order(scene, text, claims))
    for claim in claims:
        phrases = (claim.subject, *(link.phrase for link in claim.subject.links))
        if all(SUPERLATIVES.isdisjoint(phrase.modifiers) for phrase in phrases):
            log_sum += max(LEAST_CHANCE, math.log(max(evaluator.rate_claim(claim), 1e-6)))
    return log_sum
