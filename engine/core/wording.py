"""Words about numbers, for commands, pages and reports."""


def plural(noun_count: int, noun: str) -> str:
    """Return a count with its noun: "1 game", "1,200 games"."""
    return f"{noun_count:,} {noun}{'s' * (noun_count != 1)}"
