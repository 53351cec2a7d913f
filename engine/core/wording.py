"""Words about numbers, for commands, pages and reports."""


def plural(number: int, noun: str) -> str:
    """Return a count with its noun: "1 game", "1,200 games"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
