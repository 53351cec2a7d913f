"""Tokens: how many a prompt has, guessed where no model counted them, and what they cost.

A guess of the order of magnitude, for forecasts, limits of tokens a minute, and budgets at servers that say nothing.
"""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4
"""So many make a token, roughly, of English."""
TOKENS_PER_PICTURE = 1000
"""What a picture of our size takes, roughly: vendors count between 250 and 1,600."""


def estimate_tokens(characters: int, pictures: int = 0) -> float:
    """Return about how many tokens a text of so many characters has, with so many pictures."""
    return characters / CHARACTERS_PER_TOKEN + pictures * TOKENS_PER_PICTURE


def cost_of(tokens_in: float, tokens_out: float, price: tuple[float, float]) -> float:
    """Return what tokens cost in USD. `price` is USD per million tokens, in and out."""
    into, out = price
    return (tokens_in * into + tokens_out * out) / 1e6
