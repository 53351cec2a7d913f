"""Games of teams drawn from the model of `engine.results.ability`, with the abilities that they were drawn from."""

import numpy as np

from engine.results.ability import RatedUnit, TeamGame


def simulate_games(
    seed: int, *, players: int = 4, people: int = 0, instances: int = 40, games: int = 200, dispersion: float = 1.0
) -> tuple[list[TeamGame], dict[RatedUnit, float]]:
    """Return games of different teams or instances, and the true ability of every unit and of people together.

    Scores are 0 or 1 with the dispersion 1, otherwise beta-distributed with that share of the variance.
    """
    rng = np.random.default_rng(seed)
    seats = [
        [RatedUnit(role, f"m{number}") for number in range(players)]
        + [RatedUnit(role, "person", "", f"p{number}") for number in range(people)]
        for role in "AB"
    ]
    truth: dict[RatedUnit, float] = {}
    for unit in [unit for units in seats for unit in units]:
        truth.setdefault(unit.group, float(rng.normal()))
        if unit.person:
            truth[unit] = truth[unit.group] + float(rng.normal())
    difficulties, level = rng.normal(size=instances), rng.normal()
    cells = [(a, b, number) for a in range(players + people) for b in range(players + people)
             for number in range(instances)]  # fmt: skip
    simulated = []
    for at in rng.permutation(len(cells))[:games]:
        first, second, number = cells[at]
        team = seats[0][first], seats[1][second]
        mean = 1 / (1 + np.exp(difficulties[number] - level - sum(truth[unit] for unit in team)))
        spread = 1 / dispersion - 1
        score = rng.random() < mean if spread == 0 else rng.beta(mean * spread, (1 - mean) * spread)
        simulated.append(TeamGame(team, str(number), float(score)))
    return simulated, truth
