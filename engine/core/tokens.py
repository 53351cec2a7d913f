"""Estimate the number of tokens of a prompt, and what tokens cost.

The estimate gives the order of magnitude: for plans, token limits per minute, and budgets at servers that report none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CHARACTERS_PER_TOKEN = 4
"""Roughly, in English."""
TOKENS_PER_PICTURE = 1000
"""Roughly, for pictures of our size; vendors count between 250 and 1,600."""


def estimate_tokens(characters: int, pictures: int = 0) -> float:
    """Return an estimate of the tokens of a text of this many characters and pictures."""
    return characters / CHARACTERS_PER_TOKEN + pictures * TOKENS_PER_PICTURE


SPECIAL_PRICES = ("cached", "cache_write", "reasoning")
"""Kinds of tokens that may have a price of their own: `tokens_cached` and so on in `Reply.meta`."""


def compute_reply_cost(
    reply_meta: Mapping[str, Any], token_prices: tuple[float, float], special_prices: Mapping[str, float]
) -> float:
    """Return the cost of a reply in USD, given USD per million tokens, also of special kinds (`SPECIAL_PRICES`).

    Cached tokens and those that are written to a cache are part of the input, those of reasoning part of the output.
    A kind without a price of its own costs what the others cost.
    """
    input_price, output_price = token_prices
    own_prices = {"cached": input_price, "cache_write": input_price, "reasoning": output_price}
    tokens_in, tokens_out = (reply_meta[count_name] for count_name in ("tokens_in", "tokens_out"))
    reply_cost = compute_cost(tokens_in, tokens_out, token_prices)
    for token_kind, usual_price in own_prices.items():
        reply_cost += (
            reply_meta.get(f"tokens_{token_kind}", 0)
            * (special_prices.get(token_kind, usual_price) - usual_price)
            / 1e6
        )
    return reply_cost


def compute_cost(tokens_in: float, tokens_out: float, token_prices: tuple[float, float]) -> float:
    """Return the cost in USD. `price` is USD per million input and output tokens."""
    input_price, output_price = token_prices
    return (tokens_in * input_price + tokens_out * output_price) / 1e6
