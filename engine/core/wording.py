"""Words about numbers, for commands, pages and reports."""


def plural(noun_count: int, noun: str, plural_noun: str = "") -> str:
    """Return a count with its noun: "1 game", "1,200 games", "2 people"."""
    return f"{noun_count:,} {noun if noun_count == 1 else plural_noun or noun + 's'}"


def count_people(people_count: int) -> str:
    """Return a number of people: "1 person", "2 people"."""
    return plural(people_count, "person", "people")
