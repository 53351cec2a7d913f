"""Estimate the number of tokens of a prompt, and what tokens cost.

The estimate gives the order of magnitude: for plans, token limits per minute, and budgets at servers that report none.
"""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4
"""Roughly, in English."""
TOKENS_PER_PICTURE = 1000
"""Roughly, for pictures of our size; vendors count between 250 and 1,600."""


def estimate_tokens(characters: int, pictures: int = 0) -> float:
    """Return an estimate of the tokens of a text of this many characters and pictures."""
    return characters / CHARACTERS_PER_TOKEN + pictures * TOKENS_PER_PICTURE


def cost_of(tokens_in: float, tokens_out: float, price: tuple[float, float]) -> float:
    """Return the cost in USD. `price` is USD per million input and output tokens."""
    input_price, output_price = price
    return (tokens_in * input_price + tokens_out * output_price) / 1e6
