"""Answers questions about a grid: the evaluator of the claims of `grid_reading.py`. It knows one grid completely.

"No" is said only of a question of which every word was understood; else the answer says what was not understood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise, product

from games.common import grids
from games.common.grids import CENTRE_CELL, CORNER_BY_NAME, GRID_CELLS, GRID_SIZE, Cell, Grid
from games.common.language.claims import Answer, Truth, Verdict
from games.common.language.grid_claims import TESTS_BY_KIND, GridClaim, find_lines, get_line, shape_distance
from games.common.language.grid_reading import find_shapes, find_unread, is_x, lines_in, prepare, read_grid_text
from games.common.language.predicates import find_tag
from games.common.language.regions import CellGroup, Saying, line_cells
from games.common.language.terms import OPPOSITE, OPPOSITE_SIDES, Term, words_for
from games.common.language.tokens import tokenize
from games.common.language.wording import capitalise, join_list

UNSURE_TEXT = "I am not sure what you mean"
ORDINALS = "first second third fourth fifth".split()
NUMBER_NAMES = "no one two three four five six seven eight nine ten".split()
CORNER_NAMES = {cell: name for name, cell in CORNER_BY_NAME.items()}
DIAGONALS = {
    "the diagonal from top left to bottom right": grids.MAIN_DIAGONAL,
    "the diagonal from top right to bottom left": grids.ANTI_DIAGONAL,
}
WAYS = {"top": "upwards", "bottom": "downwards", "left": "to the left", "right": "to the right"}
SURE_WEIGHT, UNSURE_WEIGHT, HOLDS_WEIGHT = 3.0, 0.8, 0.1
"""Log-likelihood ratios of "different" where a claim does not hold, and of "same" where it does."""


class _GridQuestion(Saying):
    """A question about a grid, as terms and what they mean together."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__([term for term in prepare(text) if term.kind != "stop"])
        self.nouns = [term.sense for term in self.terms if term.kind == "noun"]
        self.groups = [group for group in self.groups if group.cells()]
        self.groups = [group for group in self.groups if len(group.cells()) < len(GRID_CELLS)] or self.groups
        if "hollow" in self.words and self.groups and "lines" not in self.kinds:
            self.text = "it has a hole"  # not that its border or inside is so
        self.axis = next((noun for noun in self.nouns if noun in OPPOSITE), "")
        self.number = next((term.number for term in self.terms if term.kind == "number"), None)
        self.is_denied = "not" in self.kinds
        self.says_empty = any((term.kind, term.sense) == ("value", "empty") for term in self.terms)
        self.is_empty = self.is_denied != self.says_empty
        self.is_placed = bool({"side", "half"} & self.kinds)
        is_about = "about" in self.words and bool(self.kinds & {"value", "full"})
        self.is_open = self.means("open_question") and not is_about
        """Whether it asks for more than yes or no; "what about row 2, is it full?" does not."""

    def find_line_state(self) -> str:
        """Return what rows or columns it asks for: (not) empty or full, with something, so many cells filled; or ""."""
        if self.says_empty or "full" in self.kinds:
            state = "empty" if self.says_empty else "full"
            return state if not self.is_denied else "full" if self.says_empty and self.means("has") else f"not {state}"
        if self.is_denied:
            return "empty"
        if self.number is not None:
            return str(self.number)
        is_filled = any(is_x(term) or term.sense == "filled" for term in self.terms)
        return ("some" if self.means("has") else "full") if is_filled else ""


class GridEvaluator:
    """Judges claims and answers questions about one grid."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def weigh(self, claims: Sequence[GridClaim]) -> list[Verdict]:
        """Return the verdicts on clauses: what one of them says is one piece of evidence.

        A claim that does not hold and contradicts those that do was read wrongly, or meant otherwise: it is not sure.
        Nor is a shape that the grid does not have, where all else fits: people see different shapes in one grid.
        """
        sure_fits = [claim.is_true_of(self.grid) for claim in claims if claim.is_sure and not claim.is_shape]
        is_backed = bool(sure_fits) and all(sure_fits)
        fitting_claims, verdicts = [claim for claim in claims if claim.is_true_of(self.grid)], dict[str, Verdict]()
        plain_claims = [claim for claim in fitting_claims if len(claim.readings) == 1 and not claim.is_negated]
        fitting = GridClaim((tuple(count for claim in plain_claims for count in claim.readings[0]),))
        for claim in claims:
            is_denied = claim.contradicts(fitting) or fitting.contradicts(claim)
            is_sure = claim.is_sure and (claim in fitting_claims or not is_denied)
            is_understood = claim.is_understood and not (claim.is_shape and is_backed)
            verdict = self.judge(replace(claim, is_sure=is_sure, is_understood=is_understood))
            verdicts[claim.text] = min(verdict, verdicts.get(claim.text, verdict), key=lambda verdict: verdict.weight)
        return list(verdicts.values())

    def judge(self, claim: GridClaim) -> Verdict:
        """Return whether a claim holds, and how much that says about the partner's grid being the same."""
        if claim.is_true_of(self.grid):
            return Verdict(Truth.YES, HOLDS_WEIGHT, f"“{claim.text}” fits")
        if not claim.is_understood and not claim.is_shape:
            return Verdict(Truth.UNKNOWN, 0.0, "")
        is_block = not {"block", "gap", "slopes"}.isdisjoint(claim.test[:1])
        weight = SURE_WEIGHT if claim.is_sure else UNSURE_WEIGHT * (1 + is_block)
        if claim.is_shape:
            is_near = shape_distance(self.grid, claim.test[1:]) <= 4 and not claim.is_negated
            is_plain = claim.is_understood and "diagonal" not in str(claim.test) and "variant" not in claim.test
            weight = 0.0 if is_near else UNSURE_WEIGHT * (1 + is_plain)
        return Verdict(Truth.NO, -weight, f"“{claim.text}” does not fit")

    def answer(self, question: str) -> Answer:
        """Return the answer to a question, or to each of several."""
        return answer_each(question, self._answer)

    def _answer(self, text: str) -> Answer:
        question = _GridQuestion(text)
        answerers = [self._note_limits, self._say_way, self._say_extent, self._most, self._say_number, self._read_out]
        answerers += [self._say_look, self._answer_open, self._say_diagonals]
        text = next((text for answer_question in answerers if (text := answer_question(question))), "")
        return Answer(text) if text else self._answer_yes_or_no(question)

    # ------------------------------------------------------------------ open questions
    def _note_limits(self, question: _GridQuestion) -> str:
        """Answer what is beyond its grid: row 7, and the grid of the partner."""
        lines = [
            term.sense
            for term, next_word in pairwise(question.terms)
            if term.kind == "noun" and next_word.number > GRID_SIZE
        ]
        if "row" in lines or "column" in lines:
            return f"there are only {lines[0]}s 1 to {GRID_SIZE}"
        is_comparison = question.means("ours") or {"same", "yours"} <= question.words
        return "I cannot tell yet, I only see my own" if is_comparison else ""

    def _most(self, question: _GridQuestion) -> str:
        """Answer "which row has the most filled cells", "how long is the longest row"."""
        if not question.means("fewest", "most") or "at" in question.words:
            return ""
        axis = question.axis or "row"
        sums = [sum(get_line(self.grid, axis, fill_count)) for fill_count in range(GRID_SIZE)]
        extreme = min(sums) if question.means("fewest") else max(sums)
        line_names = join_list([f"{axis} {n + 1}" for n, fill_count in enumerate(sums) if fill_count == extreme])
        return f"{line_names} {'has' if sums.count(extreme) == 1 else 'have'} {write_count(extreme, 'filled cell')}"

    def _say_number(self, question: _GridQuestion) -> str:
        """Answer "how many …": of lines, in parts, or altogether; and "how wide", "how tall"."""
        is_polar = any(term.text in words_for("polar") for term in question.terms[:1])
        if not question.means("amount") or (is_polar and "many" not in question.words):
            return ""
        if question.means("group"):
            return f"there {say_number(grids.count_components(self.grid), 'separate group')}"
        if question.axis:
            return self.describe_lines(question.axis, question.find_line_state() or "some")
        if question.groups:
            return join_list([self.describe_count(group, question.is_empty) for group in question.groups])
        n = len(GRID_CELLS) - self.grid.count if question.is_empty else self.grid.count
        is_understood = not question.is_placed and not find_unread(question.terms)
        return f"there {say_number(n, 'empty cell' if question.is_empty else 'filled cell')}" if is_understood else ""

    def describe_lines(self, axis: str, state: str) -> str:
        """Return which rows or columns are full, empty, not empty ("some") or have so many filled cells."""
        lines = find_lines(self.grid, axis, state.removeprefix("not "))
        line_numbers = [number for number in range(GRID_SIZE) if (number in lines) != state.startswith("not ")]
        is_plural = len(line_numbers) > 1
        names_text = f": the {join_list([ORDINALS[number] for number in line_numbers])}" if line_numbers else ""
        subject = f"{spell_out_number(len(line_numbers))} {axis}{'s' * is_plural}"
        if state.isdecimal():
            return f"{subject} {'have' if is_plural else 'has'} {spell_out_number(int(state))} filled cells{names_text}"
        state_text = {"some": "not empty", "line": "filled in a line"}.get(state, state)
        return f"{subject} {'are' if is_plural else 'is'} {state_text}{names_text}"

    def _answer_open(self, question: _GridQuestion) -> str:
        """Answer "what is in row 2", "row 3?", "which rows are empty", "where are the X's", "read the grid to me"."""
        statement_kinds = {"value", "full", "letter", "verb", "marks", "not", "same"} & question.kinds
        is_short = len(question.terms) <= 4 and not statement_kinds and not question.means("reach", "thing")
        if question.groups:
            return join_list([self.say(group) for group in question.groups]) if question.is_open or is_short else ""
        if question.axis and question.find_line_state():
            return self.describe_lines(question.axis, question.find_line_state()) if question.is_open else ""
        if question.means("further") and question.means("open_question", "thing"):
            return self.list_salient_facts()[0]
        asks_where = question.words & {"which", "where"} and not find_unread(question.terms)
        return self.say(CellGroup({"row": tuple(range(GRID_SIZE))})) if asks_where else ""

    def _read_out(self, question: _GridQuestion) -> str:
        """Read the whole grid out where that is asked for."""
        part_terms = [term for term in question.terms if term.is_part]
        is_whole = all(len(term.at) == GRID_SIZE or term.sense == "grid" for term in part_terms)
        names_grid = question.means("show") and question.words & {"grid", "board"}
        asks_for_all = bool(part_terms or names_grid) or {"row", "by"} <= question.words
        is_request = question.is_open or question.words & {"please", "me"}
        statement_kinds = {"value", "full", "same", "letter"} & question.kinds
        row_lines = [f"Row {number + 1}: {self.spell('row', number)}" for number in range(GRID_SIZE)]
        return "\n".join(row_lines) if is_whole and asks_for_all and is_request and not statement_kinds else ""

    def _say_way(self, question: _GridQuestion) -> str:
        """Answer "which way does it open", "does it point left or right"."""
        kind = next((kind for kind in ("opens", "points") if question.means(kind)), "")
        if not kind or not (question.is_open or "or" in question.words):
            return ""
        sides = [side for side in WAYS if TESTS_BY_KIND[kind](self.grid, side)]
        ways = [WAYS[side] for side in sides if OPPOSITE_SIDES[side] not in sides]
        return f"it {kind} {ways[0]}" if len(ways) == 1 else f"I am not sure; {self.describe_appearance()}"

    def _say_extent(self, question: _GridQuestion) -> str:
        """Answer "where is the plus", "is your shape in the upper left", "how tall is it"."""
        verb, subject, joint = [*question.terms, *[Term("stop")] * 3][:3]
        is_figure = subject.is_figure or subject.text in words_for("whole_shape")
        is_placed = is_figure and (verb.text, joint.kind) == ("is", "prep") and (question.is_placed or question.groups)
        asks_where = "where" in question.words and find_shapes(question.terms)
        asks_size = "how" in question.words and question.means("tall", "wide") and not question.groups
        lines = [(axis, find_lines(self.grid, axis, "some")) for axis in ("row", "column")]
        extents = [f"{write_count(len(numbers), axis)} ({_say_range(numbers)})" for axis, numbers in lines if numbers]
        is_asked = asks_where or asks_size or (is_placed and not question.kinds & {"value", "full"})
        return f"the filled cells are in {join_list(extents)}" if is_asked and extents else ""

    def _say_look(self, question: _GridQuestion) -> str:
        """Answer "what does it look like", "does it look like a letter", "is it an 8 or a B"."""
        pattern_names = find_shapes(question.terms)
        if question.groups or question.means("holes") or not ("or" in question.words or question.means("shape")):
            return ""
        is_choice = "or" in question.words and bool(pattern_names)
        distances = {name: shape_distance(self.grid, [name]) for name in pattern_names}
        closest = [name for name, distance in distances.items() if distance == min(distances.values())]
        if is_choice and 0 < min(distances.values()) <= 2:
            return f"of these it looks most like {join_list(closest, 'or')}, but not quite"
        is_open = question.is_open or (not pattern_names and question.words & {"letter", "shape", "pattern"})
        return self.describe_appearance() if is_choice or is_open else ""

    # ------------------------------------------------------------------ yes or no
    def _say_diagonals(self, question: _GridQuestion) -> str:
        """Answer whether there is a diagonal line, where one of the longest is full."""
        is_asked = set(question.nouns) == {"diagonal"} and not question.groups and not question.is_open
        full = [name for name, cells in DIAGONALS.items() if all(self.grid[cell] for cell in cells)]
        return f"yes, {join_list(full)} {'are' if full[1:] else 'is'} full" if is_asked and full else ""

    def _answer_yes_or_no(self, question: _GridQuestion) -> Answer:
        """Answer with yes or no, and with what is there; "not sure" where a word was not understood."""
        reading = read_grid_text(question.text)
        claims = [claim for claim in reading.claims if claim.is_sure or claim.test] or list(reading.claims)
        remark = self._state_facts(question, claims)
        is_vague = (question.is_placed and not any(claim.test for claim in claims)) or "portion" in question.kinds
        is_understood = all(claim.is_understood for claim in reading.claims) and not question.means("adjacent")
        if reading.unparsed_words or not claims or is_vague or not is_understood:
            return answer_unsure(reading.unparsed_words, remark)
        truths = {self._judge_truth(claim) for claim in claims}
        truth = next(truth for truth in (Truth.UNKNOWN, Truth.NO, Truth.YES) if truth in truths)
        if question.is_open:
            return Answer(remark)
        return Answer(f"I am not sure; {remark}" if truth is Truth.UNKNOWN else f"{truth.value}, {remark}", truth)

    def _judge_truth(self, claim: GridClaim) -> Truth:
        """Return whether a claim holds; a grid that is a known shape has no other one, else nobody can say."""
        if not claim.is_shape:
            return Truth.YES if claim.is_true_of(self.grid) else Truth.NO
        distance, pattern_name = shape_distance(self.grid, claim.test[1:]), grids.find_pattern_name(self.grid) or ""
        is_other_letter = pattern_name.startswith("the letter") and "the letter" in str(claim.test)
        is_far = distance >= 7 and "diagonal" not in str(claim.test)  # one of three cells may be there
        is_other = is_other_letter or pattern_name.startswith(("a solid", "a hollow"))
        if distance <= (0 if pattern_name else 2):
            return Truth.NO if claim.is_negated else Truth.YES
        return Truth.UNKNOWN if not (is_other or is_far) else Truth.YES if claim.is_negated else Truth.NO

    def _state_facts(self, question: _GridQuestion, claims: Sequence[GridClaim]) -> str:
        """Return what is so of the parts that a question names."""
        test_kinds = {str(claim.test[0]) for claim in claims if claim.test}
        if {"shape", "block", "gap"} & test_kinds:
            return self.describe_appearance()
        line_tests = [claim.test for claim in claims if claim.test[:1] == ("lines",)]
        if line_tests:
            return self.describe_lines(str(line_tests[0][1]), str(line_tests[0][2]))
        if "symmetric" in test_kinds:
            names = grids.symmetries(self.grid)
            return f"it stays the same when {join_list(names, 'or')}" if names else "it is not symmetric"
        if "hole" in test_kinds:
            has_hole = GridClaim(test=("hole",)).is_true_of(self.grid)
            return f"{'some' if has_hole else 'no'} empty cells are enclosed by filled ones"
        if "connected" in test_kinds:
            return f"there {say_number(grids.count_components(self.grid), 'group')} of filled cells"
        if question.number is not None and question.groups and all(group.is_line for group in question.groups):
            return join_list([self.describe_count(group, question.is_empty) for group in question.groups])
        return join_list([self.say(group) for group in question.groups[:4]]) or f"{say_cells(self.grid.count)} filled"

    # ------------------------------------------------------------------ words
    def spell(self, axis: str, number: int) -> str:
        """Return a row or column written out."""
        return " ".join(
            grids.FILLED_MARK if is_filled else grids.EMPTY_MARK for is_filled in get_line(self.grid, axis, number)
        )

    def say(self, group: CellGroup) -> str:
        """Return what is in a part of the grid."""
        cells = sorted(group.cells())
        filled = [cell for cell in cells if self.grid[cell]]
        if group.is_line:
            return "; ".join(f"{axis} {number + 1} is {self.spell(axis, number)}" for axis, number in lines_in([group]))
        if len(cells) == 1:
            return f"{name_cell(cells[0])} is {'filled' if filled else 'empty'}"
        if set(cells) <= set(CORNER_BY_NAME.values()):
            return self.describe_corners(cells)
        if len(cells) > 10 or len(filled) in (0, len(cells)):
            return f"{say_cells(len(filled))} filled of the {len(cells)} {_name_part(group, 'there')}"
        return f"of these, {join_list([name_cell(cell) for cell in filled])} {'are' if filled[1:] else 'is'} filled"

    def describe_corners(self, cells: Sequence[Cell]) -> str:
        """Return which corners are filled and which are empty."""
        filled_names = [CORNER_NAMES[cell] for cell in cells if self.grid[cell]]
        empty_names = [CORNER_NAMES[cell] for cell in cells if not self.grid[cell]]
        if len(cells) == len(CORNER_BY_NAME) and not (filled_names and empty_names):
            return f"all four corners are {'filled' if filled_names else 'empty'}"
        names_by_state = [("filled", filled_names), ("empty", empty_names)]
        parts = [(join_list(names), "s are" if names[1:] else " is", state) for state, names in names_by_state if names]
        return join_list([f"the {names} corner{verb_ending} {state}" for names, verb_ending, state in parts])

    def describe_count(self, group: CellGroup, is_empty: bool = False) -> str:
        """Return how many cells of a part are filled, or empty."""
        word = "empty" if is_empty else "filled"
        named_lines = [(f"{axis} {number + 1}", line_cells(axis, [number])) for axis, number in lines_in([group])]
        named_parts = named_lines or [(_name_part(group, "that part").removeprefix("in "), group.cells())]
        cell_counts = [sum(self.grid[cell] != is_empty for cell in cells) for _, cells in named_parts]
        if len(named_lines) == GRID_SIZE:
            return f"{group.line[0]}s 1 to {GRID_SIZE} have {join_list(list(map(str, cell_counts)))} {word} cells"
        pairs = zip(named_parts, cell_counts, strict=True)
        return join_list([f"{part_name} has {write_count(number, f'{word} cell')}" for (part_name, _), number in pairs])

    def describe_appearance(self) -> str:
        """Return what the grid looks like."""
        pattern, nearest_name = grids.find_pattern_name(self.grid), grids.find_nearest_pattern_name(self.grid)
        if pattern or nearest_name:
            return f"it looks like {pattern}" if pattern else f"it looks almost like {nearest_name}, but not quite"
        return f"it looks like no letter or shape that I know; {say_cells(self.grid.count)} filled"

    def list_salient_facts(self) -> list[str]:
        """Return the facts that a person would notice first, two of them."""
        facts: list[str] = []
        for line_state, axis in product(("full", "empty"), ("row", "column")):
            numbers = [str(number + 1) for number in find_lines(self.grid, axis, line_state)]
            verb_forms = ("s", "are") if numbers[1:] else ("", "is")
            facts += [f"{axis}{verb_forms[0]} {join_list(numbers)} {verb_forms[1]} {line_state}"] if numbers else []
        centre_fact = f"the centre cell is {'filled' if self.grid[CENTRE_CELL] else 'empty'}"
        return [*facts, self.describe_corners(sorted(CORNER_NAMES)), centre_fact][:2]


def _name_part(group: CellGroup, default: str) -> str:
    term_meaning = group.terms[0].sense
    return f"in the {term_meaning}" if term_meaning in ("diagonal", "border", "grid") else default


def answer_each(query: str, answer_question: Callable[[str], Answer]) -> Answer:
    """Return the answers to each of several questions, said one after the other."""
    answers = [answer_question(question) for question in split_questions(query)] or [Answer(UNSURE_TEXT, Truth.UNKNOWN)]
    answer_texts = dict.fromkeys(capitalise(each.text) for each in answers)
    return Answer(" ".join(each if "\n" in each else f"{each}." for each in answer_texts), answers[0].truth)


def _say_range(indices: Sequence[int]) -> str:
    """Return "2 to 4" for lines that follow each other, "1 and 3" for others, counted from 1."""
    if len(indices) > 1 and indices[-1] - indices[0] == len(indices) - 1:
        return f"{indices[0] + 1} to {indices[-1] + 1}"
    return join_list([str(index + 1) for index in indices])


def answer_unsure(words: Sequence[str], facts_text: str) -> Answer:
    """Return that some words were not understood, and what is so."""
    words_text = f" by {join_list([f'“{word}”' for word in words[:3]])}" if words else ""
    return Answer(f"{UNSURE_TEXT}{words_text}, but {facts_text}", Truth.UNKNOWN)


def split_questions(text: str) -> list[str]:
    """Return the questions of a text without ", right": cut at question marks, and at "and" before another question."""
    questions: list[str] = []
    for sentence in text.replace("?", ".").replace(";", ".").split("."):
        tokens = tokenize(sentence)
        sentence_ends = [*(token.start for token in tokens), len(sentence)]
        sentence = sentence[: sentence_ends[find_tag(tuple(token.text for token in tokens))]]
        for index, question in enumerate(sentence.split(", and ")):
            first_word = next(iter(question.lower().replace("’", "'").split()), "")
            if first_word.endswith("n't") and first_word.removesuffix("n't") in words_for("question_start"):
                first_word = first_word.removesuffix("n't")  # "isn't row 2 empty" asks whether it is
                question = f"{first_word} {question.lstrip().partition(' ')[2]}"
            if index and first_word not in words_for("question_start"):
                questions[-1] = f"{questions[-1]}, and {question}"
            elif any(map(str.isalnum, question)):  # not an emoji
                questions.append(question)
    return questions


def spell_out_number(number: int) -> str:
    """Return a small number as a word."""
    return NUMBER_NAMES[number] if number < len(NUMBER_NAMES) else str(number)


def write_count(number: int, noun: str) -> str:
    """Return "one group", "three groups"."""
    return f"{spell_out_number(number)} {noun}{'s' * (number != 1)}"


def say_number(number: int, noun: str) -> str:
    """Return "is one group", "are three groups"."""
    return f"{'is' if number == 1 else 'are'} {write_count(number, noun)}"


def say_cells(number: int) -> str:
    """Return "three cells are"."""
    return f"{spell_out_number(number)} cell{'s are' if number != 1 else ' is'}"


def name_cell(cell: Cell) -> str:
    """Return the name of a cell."""
    if cell in CORNER_NAMES:
        return f"the {CORNER_NAMES[cell]} corner"
    return "the centre cell" if cell == CENTRE_CELL else f"row {cell[0] + 1}, column {cell[1] + 1}"
