"""Answers questions about a grid: the evaluator of the claims of `grid_reading.py`. It knows one grid completely.

"No" is said only of a question of which every word was understood; else the answer says what was not understood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise, product

from games.common import grids
from games.common.grids import CELLS, CENTRE, CORNER_BY_NAME, SIZE, Cell, Grid
from games.common.language.claims import Answer, Truth, Verdict
from games.common.language.grid_claims import GridClaim, line_of, lines_such, shape_distance
from games.common.language.grid_reading import is_x, lines_in, prepare, read_grid_text, shape_names, unread_words
from games.common.language.regions import Group, Saying, line_cells
from games.common.language.signs import OPPOSITE, words_for
from games.common.language.wording import capitalise, join_list

UNSURE = "I am not sure what you mean"
ORDINALS = "first second third fourth fifth".split()
NUMBERS = "no one two three four five six seven eight nine ten".split()
CORNER_NAMES = {cell: name for name, cell in CORNER_BY_NAME.items()}
SURE_WEIGHT, UNSURE_WEIGHT, HOLDS_WEIGHT = 3.0, 0.8, 0.1
"""Log-likelihood ratios of "different" where a claim does not hold, and of "same" where it does."""
DIAGONALS = {
    "the diagonal from top left to bottom right": grids.MAIN_DIAGONAL,
    "the diagonal from top right to bottom left": grids.ANTI_DIAGONAL,
}


class _Question(Saying):
    """A question about a grid, as items and what they mean together."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__([item for item in prepare(text) if item.kind != "stop"])
        self.nouns = [item.value for item in self.items if item.kind == "noun"]
        self.groups = [group for group in self.groups if group.cells()]
        self.axis = next((noun for noun in self.nouns if noun in OPPOSITE), "")
        self.number = next((item.number for item in self.items if item.kind == "number"), None)
        self.is_empty = any(item.kind == "value" and item.value == "empty" for item in self.items)
        self.is_placed = bool({"side", "half"} & self.kinds)
        is_about = "about" in self.words and bool(self.kinds & {"value", "full"})
        self.is_open = self.means("open_question") and not is_about
        """Whether it asks for more than yes or no; "what about row 2, is it full?" does not."""

    def line_state(self) -> str:
        """Return what rows or columns it asks for: empty, full, with something or so many cells filled; or ""."""
        if self.is_empty or "full" in self.kinds:
            return "empty" if self.is_empty else "full"
        if self.number is not None:
            return str(self.number)
        is_filled = any(is_x(item) or item.value == "filled" for item in self.items)
        return ("some" if self.means("has") else "full") if is_filled else ""


class GridEvaluator:
    """Judges claims and answers questions about one grid."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def weigh(self, claims: Sequence[GridClaim]) -> list[Verdict]:
        """Return the verdicts on clauses: what one of them says is one piece of evidence.

        A claim that does not hold and contradicts one that does was read wrongly, or meant otherwise: it is not sure.
        """
        fitting, verdicts = [claim for claim in claims if claim.holds(self.grid)], dict[str, Verdict]()
        for claim in claims:
            is_sure = claim.is_sure and (claim in fitting or not any(map(claim.disagrees, fitting)))
            verdict = self.judge(replace(claim, is_sure=is_sure))
            verdicts[claim.text] = min(verdict, verdicts.get(claim.text, verdict), key=lambda each: each.weight)
        return list(verdicts.values())

    def judge(self, claim: GridClaim) -> Verdict:
        """Return whether a claim holds, and how much that says about the partner's grid being the same."""
        if claim.holds(self.grid):
            return Verdict(Truth.YES, HOLDS_WEIGHT, f"“{claim.text}” fits")
        if not claim.is_understood and claim.test[:1] != ("shape",):
            return Verdict(Truth.UNKNOWN, 0.0, "")
        weight = SURE_WEIGHT if claim.is_sure else UNSURE_WEIGHT * (2 if claim.test[:1] == ("block",) else 1)
        if claim.test[:1] == ("shape",):
            is_near = shape_distance(self.grid, claim.test[1:]) <= 4 and not claim.negated
            is_plain = claim.is_understood and "diagonal" not in str(claim.test)
            weight = 0.0 if is_near else UNSURE_WEIGHT * (1 + is_plain)
        return Verdict(Truth.NO, -weight, f"“{claim.text}” does not fit")

    def answer(self, question: str) -> Answer:
        """Return the answer to a question, or to each of several."""
        return answer_each(question, self._answer)

    def _answer(self, text: str) -> Answer:
        question = _Question(text)
        readers = (self._answer_beyond, self._most, self._how_many, self._whole, self._appearance, self._answer_open)
        text = next((text for answer in readers if (text := answer(question))), "")
        return Answer(text) if text else self._yes_or_no(question)

    # ------------------------------------------------------------------ open questions
    def _answer_beyond(self, question: _Question) -> str:
        """Answer what is beyond its grid: row 7, and the grid of the partner."""
        lines = [item.value for item, after in pairwise(question.items) if item.kind == "noun" and after.number > SIZE]
        if "row" in lines or "column" in lines:
            return f"there are only {lines[0]}s 1 to {SIZE}"
        is_comparison = question.means("ours") or {"same", "yours"} <= question.words
        return "I cannot tell yet, I only see my own" if is_comparison else ""

    def _most(self, question: _Question) -> str:
        """Answer "which row has the most filled cells", "how long is the longest row"."""
        if not question.means("fewest", "most") or "at" in question.words:
            return ""
        axis = question.axis or "row"
        sums = [sum(line_of(self.grid, axis, number)) for number in range(SIZE)]
        best = min(sums) if question.means("fewest") else max(sums)
        names = join_list([f"{axis} {n + 1}" for n, number in enumerate(sums) if number == best])
        return f"{names} {'has' if sums.count(best) == 1 else 'have'} {count_things(best, 'filled cell')}"

    def _how_many(self, question: _Question) -> str:
        """Answer "how many …": of lines, in parts, or altogether."""
        is_polar = any(item.text in words_for("polar") for item in question.items[:1])
        if not question.means("amount") or (is_polar and "many" not in question.words):
            return ""
        if question.means("group"):
            return f"there {plural(grids.count_components(self.grid), 'separate group')}"
        if question.axis:
            return self.lines_text(question.axis, question.line_state() or "some")
        if question.groups:
            return join_list([self.count(group, question.is_empty) for group in question.groups])
        number = len(CELLS) - self.grid.count if question.is_empty else self.grid.count
        is_understood = not question.is_placed and not unread_words(question.items)
        return f"there {plural(number, 'empty cell' if question.is_empty else 'filled cell')}" if is_understood else ""

    def lines_text(self, axis: str, state: str) -> str:
        """Return which rows or columns are full, empty, not empty ("some") or have so many filled cells."""
        lines = lines_such(self.grid, axis, state)
        many = len(lines) > 1
        names = f": the {join_list([ORDINALS[n] for n in lines])}" if lines else ""
        subject = f"{number_word(len(lines))} {axis}{'s' * many}"
        if state.isdecimal():
            return f"{subject} {'have' if many else 'has'} {number_word(int(state))} filled cells{names}"
        words = {"some": "not empty", "line": "filled in a line"}.get(state, state)
        return f"{subject} {'are' if many else 'is'} {words}{names}"

    def _answer_open(self, question: _Question) -> str:
        """Answer "what is in row 2", "row 3?", "which rows are empty", "where are the X's", "read the grid to me"."""
        says = {"value", "full", "letter", "verb", "marks", "not", "same"} & question.kinds
        is_short = len(question.items) <= 4 and not says and not question.means("reach", "thing")
        if question.groups:
            return join_list([self.say(group) for group in question.groups]) if question.is_open or is_short else ""
        if question.axis and question.line_state():
            return self.lines_text(question.axis, question.line_state()) if question.is_open else ""
        if question.means("further") and question.means("open_question", "thing"):
            return self.standing_out()[0]
        asks_where = question.words & {"which", "where"} and not unread_words(question.items)
        return self.say(Group({"row": tuple(range(SIZE))})) if asks_where else ""

    def _whole(self, question: _Question) -> str:
        """Read the whole grid out where that is asked for."""
        parts = [item for item in question.items if item.is_part]
        is_whole = all(len(item.at) == SIZE or item.value == "grid" for item in parts)
        names_grid = question.means("show") and question.words & {"grid", "board"}
        asks_for_all = bool(parts or names_grid) or {"row", "by"} <= question.words
        is_request = question.is_open or question.words & {"please", "me"}
        says = {"value", "full", "same", "letter"} & question.kinds
        rows = [f"Row {number + 1}: {self.marks('row', number)}" for number in range(SIZE)]
        return "\n".join(rows) if is_whole and asks_for_all and is_request and not says else ""

    def _appearance(self, question: _Question) -> str:
        """Answer "what does it look like", "does it look like a letter", "is it an 8 or a B"."""
        names = shape_names(question.items)
        if question.groups or question.means("holes") or not ("or" in question.words or question.means("shape")):
            return ""
        is_choice = "or" in question.words and bool(names)
        is_open = question.is_open or (not names and question.words & {"letter", "shape", "pattern"})
        return self.appearance() if is_choice or is_open else ""

    # ------------------------------------------------------------------ yes or no
    def _yes_or_no(self, question: _Question) -> Answer:
        """Answer with yes or no, and with what is there; "not sure" where a word was not understood."""
        if "diagonal" in question.nouns and not question.groups:
            return self._diagonals()
        reading = read_grid_text(question.text)
        claims = [claim for claim in reading.claims if claim.is_sure or claim.test] or list(reading.claims)
        facts = self._facts(question, claims)
        is_vague = question.is_placed and not any(claim.test for claim in claims)
        if reading.unread or not claims or is_vague or not all(claim.is_understood for claim in reading.claims):
            return unsure_about(reading.unread, facts)
        truths = {self._truth(claim) for claim in claims}
        truth = next(truth for truth in (Truth.UNKNOWN, Truth.NO, Truth.YES) if truth in truths)
        return Answer(f"I am not sure; {facts}" if truth is Truth.UNKNOWN else f"{truth.value}, {facts}", truth)

    def _truth(self, claim: GridClaim) -> Truth:
        """Return whether a claim holds; a grid that is a known shape has no other one, else nobody can say."""
        if claim.test[:1] != ("shape",):
            return Truth.YES if claim.holds(self.grid) else Truth.NO
        distance, name = shape_distance(self.grid, claim.test[1:]), grids.pattern_name(self.grid) or ""
        is_other_letter = name.startswith("the letter") and "the letter" in str(claim.test)
        is_other = is_other_letter or name.startswith(("a solid", "a hollow"))
        if distance <= (0 if name else 2):
            return Truth.NO if claim.negated else Truth.YES
        return Truth.UNKNOWN if not is_other and distance < 7 else Truth.YES if claim.negated else Truth.NO

    def _diagonals(self) -> Answer:
        """Answer whether there is a diagonal line: three cells in a row or more."""
        name = grids.pattern_name(self.grid) or ""
        full = [words for words, cells in DIAGONALS.items() if all(self.grid[cell] for cell in cells)]
        if full or "diagonal" in name:
            return Answer(f"yes, {join_list(full) + ' is full' if full else f'it looks like {name}'}", Truth.YES)
        return Answer("I am not sure, neither of the two longest diagonals is full", Truth.UNKNOWN)

    def _facts(self, question: _Question, claims: Sequence[GridClaim]) -> str:
        """Return what is so of the parts that a question names."""
        tests = {str(claim.test[0]) for claim in claims if claim.test}
        if {"shape", "block"} & tests:
            return self.appearance()
        line_tests = [claim.test for claim in claims if claim.test[:1] == ("lines",)]
        if line_tests:
            return self.lines_text(str(line_tests[0][1]), str(line_tests[0][2]))
        if "symmetric" in tests:
            names = grids.symmetries(self.grid)
            return f"it stays the same when {join_list(names, 'or')}" if names else "it is not symmetric"
        if "connected" in tests:
            return f"there {plural(grids.count_components(self.grid), 'group')} of filled cells"
        if question.number is not None and question.groups and all(group.is_line for group in question.groups):
            return join_list([self.count(group, question.is_empty) for group in question.groups])
        return join_list([self.say(group) for group in question.groups[:4]]) or f"{count_words(self.grid.count)} filled"

    # ------------------------------------------------------------------ words
    def marks(self, axis: str, number: int) -> str:
        """Return a row or column written out."""
        return " ".join(grids.FILLED if filled else grids.EMPTY for filled in line_of(self.grid, axis, number))

    def say(self, group: Group) -> str:
        """Return what is in a part of the grid."""
        cells = sorted(group.cells())
        filled = [cell for cell in cells if self.grid[cell]]
        if group.is_line:
            return "; ".join(f"{axis} {number + 1} is {self.marks(axis, number)}" for axis, number in lines_in([group]))
        if len(cells) == 1:
            return f"{cell_name(cells[0])} is {'filled' if filled else 'empty'}"
        if set(cells) <= set(CORNER_BY_NAME.values()):
            return self.corners(cells)
        if len(cells) > 10 or len(filled) in (0, len(cells)):
            return f"{count_words(len(filled))} filled of the {len(cells)} {_part_name(group, 'there')}"
        return f"of these, {join_list([cell_name(cell) for cell in filled])} {'are' if filled[1:] else 'is'} filled"

    def corners(self, cells: Sequence[Cell]) -> str:
        """Return which corners are filled and which are empty."""
        filled = [CORNER_NAMES[cell] for cell in cells if self.grid[cell]]
        empty = [CORNER_NAMES[cell] for cell in cells if not self.grid[cell]]
        if len(cells) == len(CORNER_BY_NAME) and not (filled and empty):
            return f"all four corners are {'filled' if filled else 'empty'}"
        states = [("filled", filled), ("empty", empty)]
        parts = [(join_list(names), "s are" if names[1:] else " is", state) for state, names in states if names]
        return join_list([f"the {names} corner{verb} {state}" for names, verb, state in parts])

    def count(self, group: Group, is_empty: bool = False) -> str:
        """Return how many cells of a part are filled, or empty."""
        kind = "empty" if is_empty else "filled"
        lines = [(f"{axis} {number + 1}", line_cells(axis, [number])) for axis, number in lines_in([group])]
        parts = lines or [(_part_name(group, "that part").removeprefix("in "), group.cells())]
        sums = [sum(self.grid[cell] != is_empty for cell in cells) for _, cells in parts]
        if len(lines) == SIZE:
            return f"{group.line[0]}s 1 to {SIZE} have {join_list(list(map(str, sums)))} {kind} cells"
        pairs = zip(parts, sums, strict=True)
        return join_list([f"{name} has {count_things(number, f'{kind} cell')}" for (name, _), number in pairs])

    def appearance(self) -> str:
        """Return what the grid looks like."""
        name, near = grids.pattern_name(self.grid), grids.nearest_pattern_name(self.grid)
        if name or near:
            return f"it looks like {name}" if name else f"it looks almost like {near}, but not quite"
        return f"it looks like no letter or shape that I know; {count_words(self.grid.count)} filled"

    def standing_out(self) -> list[str]:
        """Return the facts that a person would notice first, two of them."""
        facts: list[str] = []
        for state, axis in product(("full", "empty"), ("row", "column")):
            numbers = [str(number + 1) for number in lines_such(self.grid, axis, state)]
            verb = ("s", "are") if numbers[1:] else ("", "is")
            facts += [f"{axis}{verb[0]} {join_list(numbers)} {verb[1]} {state}"] if numbers else []
        centre = f"the centre cell is {'filled' if self.grid[CENTRE] else 'empty'}"
        return [*facts, self.corners(sorted(CORNER_NAMES)), centre][:2]


def _part_name(group: Group, default: str) -> str:
    name = group.names[0].value
    return f"in the {name}" if name in ("diagonal", "border", "grid") else default


def answer_each(text: str, answer: Callable[[str], Answer]) -> Answer:
    """Return the answers to each of several questions, said one after the other."""
    answers = [answer(part) for part in split_questions(text)] or [Answer(UNSURE, Truth.UNKNOWN)]
    texts = dict.fromkeys(capitalise(each.text) for each in answers)
    return Answer(" ".join(each if "\n" in each else f"{each}." for each in texts), answers[0].truth)


def unsure_about(words: Sequence[str], facts: str) -> Answer:
    """Return that some words were not understood, and what is so."""
    about = f" by {join_list([f'“{word}”' for word in words[:3]])}" if words else ""
    return Answer(f"{UNSURE}{about}, but {facts}", Truth.UNKNOWN)


def split_questions(text: str) -> list[str]:
    """Return the questions of a text: cut at question marks, and at "and" before another question."""
    parts: list[str] = []
    for sentence in text.replace("?", ".").replace(";", ".").split("."):
        for number, part in enumerate(sentence.split(", and ")):
            first = next(iter(part.lower().replace("’", "'").split()), "")
            if first.endswith("n't") and first.removesuffix("n't") in words_for("question_start"):
                first = first.removesuffix("n't")  # "isn't row 2 empty" asks whether it is
                part = f"{first} {part.lstrip().partition(' ')[2]}"
            if number and first not in words_for("question_start"):
                parts[-1] = f"{parts[-1]}, and {part}"
            elif first:
                parts.append(part)
    return parts


def number_word(number: int) -> str:
    """Return a small number as a word."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def count_things(number: int, noun: str) -> str:
    """Return "one group", "three groups"."""
    return f"{number_word(number)} {noun}{'s' * (number != 1)}"


def plural(number: int, noun: str) -> str:
    """Return "is one group", "are three groups"."""
    return f"{'is' if number == 1 else 'are'} {count_things(number, noun)}"


def count_words(number: int) -> str:
    """Return "three cells are"."""
    return f"{number_word(number)} cell{'s are' if number != 1 else ' is'}"


def cell_name(cell: Cell) -> str:
    """Return the name of a cell."""
    if cell in CORNER_NAMES:
        return f"the {CORNER_NAMES[cell]} corner"
    return "the centre cell" if cell == CENTRE else f"row {cell[0] + 1}, column {cell[1] + 1}"
