"""The image game: formats, scores by hand, what a follower understands, and published episodes as judge."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.events import Ending, Kind, to_json
from engine.core.log import Log
from engine.core.master import GameMaster, build_start_event
from engine.core.replies import NotInFormat
from engine.core.scores import score_episode
from engine.play.registry import Registry
from games.common.grids import EMPTY_MARK, GRID_CELLS
from games.imagegame import clembench, grid, instances
from games.imagegame.board import make_board_panels
from games.imagegame.follower import GridDrawer, find_offered_letters
from games.imagegame.replies import DONE_VALUE, Command, Drawing
from games.imagegame.scores import score
from games.imagegame.scripted import plan_commands
from tests.games.made_pictures import write_grid

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT.parent / "shared" / "published" / "imagegame"
REGISTRY = Registry(ROOT)
GAME = REGISTRY.game("imagegame")
SHIPPED = REGISTRY.experiments("imagegame", "grid")


ROW = write_grid("XXXXX ..... ..... ..... .....")


def begin(target=ROW, **rest):
    start = build_start_event(
        GAME,
        ludens="test",
        variant="grid",
        experiment="compact",
        instance=instances.Instance(target=target).model_dump(mode="json"),
        instance_id="test",
        seats=dict.fromkeys(GAME.seats, "recorded/test"),
        **rest,
    )
    return GameMaster.begin_episode(GAME, start)


def play(replies, target=ROW, **rest):
    master, log = begin(target, **rest)
    for text in replies:
        log += master.reply(min(master.open), text)
    return master, log


# Replies


@pytest.mark.parametrize("text", ["DONE", "done.", "Command: DONE", "command:Done.", " COMMAND: done \n"])
def test_done_is_said_in_many_ways(text):
    assert Command().parse(text) == DONE_VALUE


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Command: fill row 1 with X", "fill row 1 with X"),
        ("COMMAND:fill row 1", "fill row 1"),
        ("Command: I am done", "I am done"),
        ("Command: DONE!", "DONE!"),
    ],
)
def test_a_command_is_one_line_after_its_tag(text, value):
    assert Command().parse(text) == value


@pytest.mark.parametrize(
    "text", ["fill row 1", "Command:", "Command: a\nCommand: b", "So:\nCommand: DONE", "I am done", "Instruction: x"]
)
def test_what_is_no_command(text):
    with pytest.raises(NotInFormat):
        Command().parse(text)


@given(
    st.lists(st.sampled_from(["▢", "A", "Q"]), min_size=25, max_size=25), st.sampled_from(["", " ", "\n\n", " \t\n"])
)
def test_any_grid_is_read_whatever_blanks_are_around_it(terms, around):
    rows = [" ".join(terms[start : start + 5]) for start in range(0, 25, 5)]
    assert Drawing().parse(around + " \n".join(rows) + around) == "\n".join(rows)
    assert grid.format_grid(grid.parse_grid("\r\n".join(rows))) == "\n".join(rows)


@pytest.mark.parametrize(
    "text",
    [
        ROW.replace("X", "x"),
        ROW + "\nX X X X X",
        ROW + "\nDone.",
        "Here it is:\n" + ROW,
        ROW.replace("X X", "XX", 1),
        ROW.replace("\n", "\n\n", 1),
        ROW.replace("\n", "\n ", 1),
        ROW.replace("X", "Ä", 1),
        ROW.replace("X", "1", 1),
        f"```\n{ROW}\n```",
        "\n".join(ROW.splitlines()[:4]),
    ],
)
def test_what_is_no_grid(text):
    with pytest.raises(NotInFormat):
        Drawing().parse(text)


def test_a_form_starts_from_the_last_drawing_and_offers_the_letters_named():
    master, _ = play(
        ["Command: put an A in row 1 and a B in row 2", write_grid("AAAAA BBBBB ..... ..... ....."), "Command: Q"]
    )
    [request] = [waiting.request for waiting in master.open.values()]
    field = request.reply.describe_form()["fields"][0]
    assert request.seat == "follower"
    assert field["before"] == write_grid("AAAAA BBBBB ..... ..... .....")
    assert field["offered"] == ["Q", "A", "B"]
    assert request.reply.compose_reply({"grid": field["before"]}) == field["before"]


# Scores


def test_an_empty_drawing_after_a_perfect_one_gives_nothing():
    master, log = play(["Command: a", ROW, "Command: b", grid.BLANK_GRID, "DONE"])
    scores = score_episode(Log(log), GAME)
    assert master.outcome.kind is Ending.LOSE
    assert [turn["f1"] for turn in scores["turns"]] == [100, 0]
    assert (scores["main_score"], scores["precision"], scores["recall"]) == (0, 0, 0)
    assert scores["monotone"] is False and scores["changed_cells"] == 5


def test_done_first_is_lost_with_nothing():
    master, log = play(["DONE"])
    scores = score_episode(Log(log), GAME)
    assert master.outcome.kind is Ending.LOSE
    assert (scores["main_score"], scores["lose"], scores["played"], scores["commands"]) == (0, 1, 1, 0)
    assert scores["changed_cells"] is None and scores["monotone"] is True


@pytest.mark.parametrize(
    ("drawing", "precision", "recall", "f1"),
    [
        ("XXXXX ..... ..... ..... .....", 100, 100, 100),
        ("XX... ..... ..... ..... .....", 100, 40, 400 / 7),
        ("XXXXX XXXXX ..... ..... .....", 50, 100, 200 / 3),
        ("YYYYY ..... ..... ..... .....", 0, 0, 0),
        ("XXXYY ..... ..... ..... .....", 60, 60, 60),
        ("..... XXXXX ..... ..... .....", 0, 0, 0),
        ("XXXXX ..... ..... ..... ....Z", 500 / 6, 100, 1000 / 11),
    ],
)
def test_agreement_by_hand(drawing, precision, recall, f1):
    master, log = play(["Command: two words", write_grid(drawing), "Command: DONE"])
    scores = score(Log(log))
    assert [scores.precision, scores.recall, scores.f1] == pytest.approx([precision, recall, f1])
    assert scores.main_score == scores.f1 == scores.turns[0].f1
    assert (master.outcome.kind is Ending.SUCCESS) == (f1 == 100)
    assert (scores.command_length, scores.command_tokens) == (9, 2)


def test_the_last_turn_there_may_be_is_not_followed_by_an_ask():
    master, log = play(["Command: x", ROW] * 25)
    assert master.outcome.kind is Ending.SUCCESS and not master.open
    assert score(Log(log)).commands == 25 and score(Log(log)).changed_cells == 5 / 25
    master, _ = play(["Command: x", ROW] * 25, settings={"turns": 50})
    assert master.open


def test_the_giver_is_not_told_that_anything_was_drawn():
    _, log = play(["Command: nothing yet", grid.BLANK_GRID])
    asks = [event.data["said"] for event in log if event.seat == "giver" and event.kind is Kind.ASK]
    assert asks[-1] == [{"text": "What is your next command?"}]


def test_the_giver_is_told_nothing_of_the_drawing_and_the_follower_nothing_of_the_grid():
    drawing = write_grid("..... ..Z.. ..... ..... .....")
    _, log = play(
        ["Command: put an X in row 1", drawing, "Command: more", drawing],
        target=write_grid("Q.Q.Q Q.... ..... ..... ....."),
    )
    told = {seat: to_json([e.data for e in log if e.seat == seat and e.kind is Kind.ASK]) for seat in GAME.seats}
    as_sent = {seat: told[seat].encode().decode("unicode_escape") for seat in told}
    assert "Z" not in as_sent["giver"].replace("A-Z", "")
    assert "Q ▢ Q" in as_sent["giver"] and "Q ▢ Q" not in as_sent["follower"]


def test_spectators_see_both_grids_and_what_was_just_changed():
    _, log = play(
        [
            "Command: x",
            write_grid("XX... ..... ..... ..... ....."),
            "Command: y",
            write_grid("X.... Y.... ..... ..... ....."),
        ]
    )
    target, drawing, numbers, curve = make_board_panels(Log(log))
    assert target["grid"] == ROW and drawing["marks"] == [[0, 1], [1, 0]]
    assert {row["label"]: row["value"] for row in numbers["numbers"]}["F1"] == 29
    assert [round(value) for value in curve["curves"][0]["values"]] == [57, 29]
    assert [panel["title"] for panel in make_board_panels(Log(log[:2]))] == ["The grid to draw", "The drawing"]


def test_the_debriefing_says_what_its_marks_mean():
    drawings = ("XX... ..... ..... ..... .....", "XX... ..... ..... ..... ....Y", "X.... ..... ..... ..... .....")
    _, log = play([reply for drawing in drawings for reply in ("Command: x", write_grid(drawing))] + ["Command: DONE"])
    title, steps = GAME.debrief(Log(log), score_episode(Log(log), GAME)).steps
    assert title == "The commands, one by one (✓: F1 rose, ✗: F1 fell)"
    assert [step.good for step in steps] == [True, False, False]


# Players


UNDERSTOOD = [
    ("Put an A in the top row", "AAAAA ..... ..... ..... ....."),
    ("put an X in the top left", "X.... ..... ..... ..... ....."),
    ("Put an E in second row third column", "..... ..E.. ..... ..... ....."),
    ("Fill the last row with X", "..... ..... ..... ..... XXXXX"),
    ("row 2: ▢ A ▢ A ▢", "..... .A.A. ..... ..... ....."),
    ("Row 2: ▢ A ▢ A ▢, row 4: A A A A A", "..... .A.A. ..... AAAAA ....."),
    ("fill column 3 with X", "..X.. ..X.. ..X.. ..X.. ..X.."),
    ("Fill columns 2 and 4 with X", ".X.X. .X.X. .X.X. .X.X. .X.X."),
    ("Put Xs in row 1, columns 1 to 3", "XXX.. ..... ..... ..... ....."),
    ("Put X in row 3, columns 2, 3 and 5", "..... ..... .XX.X ..... ....."),
    ("Put X at (1,1), (2,2) and (3,3)", "X.... .X... ..X.. ..... ....."),
    ("X in 2,3", "..... ..X.. ..... ..... ....."),
    ("Fill the diagonal from the top left to the bottom right with B", "B.... .B... ..B.. ...B. ....B"),
    ("Draw a diagonal from top right to bottom left with B", "....B ...B. ..B.. .B... B...."),
    ("Put Q in all four corners", "Q...Q ..... ..... ..... Q...Q"),
    ("Fill the border with Z", "ZZZZZ Z...Z Z...Z Z...Z ZZZZZ"),
    ("Fill the whole grid with M", "MMMMM MMMMM MMMMM MMMMM MMMMM"),
    ("Fill everything with m", "MMMMM MMMMM MMMMM MMMMM MMMMM"),
    ("put a b in the centre", "..... ..... ..B.. ..... ....."),
    ("Put an A in the middle cell", "..... ..... ..A.. ..... ....."),
    ("A in the middle of row 2", "..... ..A.. ..... ..... ....."),
    ("Fill row 1 with X except the middle cell", "XX.XX ..... ..... ..... ....."),
    ("Fill the first row with X except column 3", "XX.XX ..... ..... ..... ....."),
    ("Fill rows 1 and 5 with H", "HHHHH ..... ..... ..... HHHHH"),
    ("Fill rows 2-4 of column 1 with H", "..... H.... H.... H.... ....."),
    ("Put an H in the first three cells of row 2", "..... HHH.. ..... ..... ....."),
    ("Put an H in the last two cells of column 4", "..... ..... ..... ...H. ...H."),
    ("Put A in row 1 column 1 and B in row 5 column 5", "A.... ..... ..... ..... ....B"),
    ("Fill row 1 with A and row 2 with B", "AAAAA BBBBB ..... ..... ....."),
    ("Place a K in the fourth row, fifth column.", "..... ..... ..... ....K ....."),
    ("Fill the top left 2x2 square with Xs", "XX... XX... ..... ..... ....."),
    ("Put a 3x3 block of X in the middle", "..... .XXX. .XXX. .XXX. ....."),
    ("r2c3 X", "..... ..X.. ..... ..... ....."),
    ("Put X in row 2 column 1, row 3 column 4 and row 5 column 5", "..... X.... ...X. ..... ....X"),
    ("Put an X in row 1 column 2, column 3 and column 5", ".XX.X ..... ..... ..... ....."),
    ("Put an X in columns 1 and 5 of rows 2 to 4", "..... X...X X...X X...X ....."),
    ("Fill the left column with L", "L.... L.... L.... L.... L...."),
    ("Fill the rightmost column with L", "....L ....L ....L ....L ....L"),
    ("make the bottom row all L's", "..... ..... ..... ..... LLLLL"),
    ("Put the letter 't' in the second to last row, first column", "..... ..... ..... T.... ....."),
    ("Draw a big T", "TTTTT ..T.. ..T.. ..T.. ..T.."),
    ("Draw a big letter T with X", "XXXXX ..X.. ..X.. ..X.. ..X.."),
    ("Put A in every cell of row 3", "..... ..... AAAAA ..... ....."),
    ("Put A in every other cell of row 3", "..... ..... A.A.A ..... ....."),
    ("Put A from row 1 column 2 to row 4 column 2", ".A... .A... .A... .A... ....."),
    ("Fill both diagonals with X", "X...X .X.X. ..X.. .X.X. X...X"),
    ("I want a C in the bottom right corner", "..... ..... ..... ..... ....C"),
    ("A row of X at the top", "XXXXX ..... ..... ..... ....."),
    ("Fill row 3 and column 3 with P", "..P.. ..P.. PPPPP ..P.. ..P.."),
    ("Fill the second and fourth columns with X", ".X.X. .X.X. .X.X. .X.X. .X.X."),
    ("In the second row, put X in the first and last cell", "..... X...X ..... ..... ....."),
    ("Put X in the first, third and fifth cell of the first row", "X.X.X ..... ..... ..... ....."),
    ("Put X in the top right corner and the bottom left corner", "....X ..... ..... ..... X...."),
    ("Put an X in the cell below row 2 column 2", "..... ..... .X... ..... ....."),
    ("Put X in the third column of the first and last row", "..X.. ..... ..... ..... ..X.."),
    ("Fill the first two rows with O", "OOOOO OOOOO ..... ..... ....."),
    ("Fill the middle column with D, rows 2 to 4", "..... ..D.. ..D.. ..D.. ....."),
    ("Put an F in the top left corner, then an F in the centre", "F.... ..... ..F.. ..... ....."),
    ("1st row, 2nd column: G", ".G... ..... ..... ..... ....."),
    ("Put G in the 3rd cell of column 5", "..... ..... ....G ..... ....."),
    ("Fill the middle three cells of the middle row with R", "..... ..... .RRR. ..... ....."),
    ("Fill row 2 with X but leave the middle empty", "..... XX.XX ..... ..... ....."),
    ("Put an X at the left end of row 4", "..... ..... ..... X.... ....."),
    ("Draw a plus term with X in the centre", "..X.. ..X.. XXXXX ..X.. ..X.."),
    ("Put X in rows 1 and 3, column 2", ".X... ..... .X... ..... ....."),
    ("put letter J into column 2, rows 2, 3 and 4", "..... .J... .J... .J... ....."),
    ("Fill the middle row (third row) with Xs, starting from the second column", "..... ..... .XXXX ..... ....."),
    ("Fill the first column with E, starting from the second row", "..... E.... E.... E.... E...."),
    ("Fill the remaining empty square in the third row, fourth column with an X", "..... ..... ...X. ..... ....."),
    ("Fill the first two rows of the fourth column with E", "...E. ...E. ..... ..... ....."),
    ("Fill all but the middle row with F", "FFFFF FFFFF ..... FFFFF FFFFF"),
    ("Draw X in the first column and the last row", "X.... X.... X.... X.... XXXXX"),
    ("Put A in the first column, second to fourth rows", "..... A.... A.... A.... ....."),
    ("Put X's in the corners and in the centre", "X...X ..... ..X.. ..... X...X"),
    ("X in column two row five", "..... ..... ..... ..... .X..."),
    ("What a nice day", "..... ..... ..... ..... ....."),
]


@pytest.mark.parametrize(("command", "drawn"), UNDERSTOOD, ids=[command for command, _ in UNDERSTOOD])
def test_the_follower_understands(command, drawn):
    assert grid.format_grid(GridDrawer.start_empty().apply_command(command)) == write_grid(drawn)


@pytest.mark.parametrize(
    ("commands", "drawn"),
    [
        (["Fill row 1 with X", "Now row 2 too", "Erase row 1", "and column 3"], "..X.. XXXXX ..X.. ..X.. ..X.."),
        (["Put an X in row 1 column 1", "and below it"], "X.... X.... ..... ..... ....."),
        (["Fill row 1 with X", "undo that"], "..... ..... ..... ..... ....."),
        (["Fill row 1 with X", "Replace all X by Y"], "YYYYY ..... ..... ..... ....."),
        (["Fill row 1 with X", "Fill the remaining cells with Y"], "XXXXX YYYYY YYYYY YYYYY YYYYY"),
        (
            ["Put an X in the centre", "and another one to the right of that", "clear the grid"],
            "..... ..... ..... ..... .....",
        ),
        (["Fill row 1 with X", "remove the X from row 1 column 3"], "XX.XX ..... ..... ..... ....."),
    ],
)
def test_the_follower_keeps_in_mind_what_was_said(commands, drawn):
    grid_drawer = GridDrawer.start_empty()
    for command in commands:
        grid_drawer.apply_command(command)
    assert grid.format_grid(grid_drawer.drawing) == write_grid(drawn)


@given(st.text(max_size=200))
def test_whatever_is_said_the_follower_draws_a_grid(text):
    assert set(GridDrawer.start_empty().apply_command(text)) == set(GRID_CELLS)
    find_offered_letters(text, grid.BLANK_GRID)


@given(st.dictionaries(st.sampled_from(GRID_CELLS), st.sampled_from("AIX"), min_size=1))
def test_the_follower_understands_the_giver(letters):
    target = {cell: letters.get(cell, EMPTY_MARK) for cell in GRID_CELLS}
    grid_drawer = GridDrawer.start_empty()
    for command in plan_commands(target):
        grid_drawer.apply_command(command)
    assert grid_drawer.drawing == target


def test_shipped_grids_are_what_their_experiments_say_and_take_few_commands():
    assert {name: len(found) for name, found in SHIPPED.items()} == {"compact": 20, "random": 20}
    assert json.loads(instances.make_file("grid"))["experiments"] == SHIPPED
    every = [instances.load(data) for found in SHIPPED.values() for data in found]
    assert len({instance.target for instance in every}) == 40
    for name, found in SHIPPED.items():
        for data in found:
            assert instances.check(name, instances.load(data)) is None
    assert all(len(plan_commands(instance.grid)) <= 5 for instance in every)


@pytest.mark.parametrize(
    ("target", "experiment", "why"),
    [
        ("XXXX. ..... ..... ..... .....", "compact", "at least 5"),
        ("XXXXY ..... ..... ..... .....", "compact", "one letter"),
        ("XXXXX ..... ..... ..... .....", "random", "in no pattern"),
        ("X.X.. ..X.X ..... X.... .X...", "compact", "not a pattern"),
        ("XXXXX ..... ..... ..... .....", "other", "no experiment"),
    ],
)
def test_an_instance_that_does_not_belong_is_named(target, experiment, why):
    assert why in instances.check(experiment, instances.Instance(target=write_grid(target)))


# Published episodes


def published():
    return sorted(PUBLISHED.iterdir()) if PUBLISHED.exists() else []


def test_the_published_episodes_are_there():
    if not PUBLISHED.exists():
        pytest.skip(f"{PUBLISHED} is not beside this checkout")
    assert len(published()) == 3


@pytest.mark.parametrize("folder", published(), ids=lambda folder: folder.name)
def test_a_published_episode_reproduces(folder):
    theirs = json.loads((folder / "instance.json").read_text())
    said = json.loads((folder / "interactions.json").read_text())["turns"]
    start = build_start_event(
        GAME,
        ludens="test",
        variant="grid",
        experiment="imported",
        instance=clembench.instance(theirs),
        instance_id=folder.name,
        seats=dict.fromkeys(GAME.seats, "recorded/published"),
        settings=clembench.settings(theirs),
    )
    master, log = GameMaster.begin_episode(GAME, start)
    for event in (event for turn in said for event in turn if event["action"]["type"] == "get message"):
        assert master.open, "they went on and we stopped"
        log += master.reply(min(master.open), event["action"]["content"])
    assert master.outcome is not None, "all their replies were taken and we still ask"
    ours, scores = score_episode(Log(log), GAME), json.loads((folder / "scores.json").read_text())
    episode = scores["episode scores"]
    assert [ours["success"], ours["lose"]] == [episode["Success"], episode["Lose"]]
    assert (master.outcome.kind is Ending.ABORTED) == bool(episode["Aborted"])
    assert len(ours["turns"]) == len(scores["turn scores"])
    for turn, theirs in zip(ours["turns"], scores["turn scores"].values(), strict=True):
        precision, recall = round(turn["precision"] / 100, 4), round(turn["recall"] / 100, 4)
        assert [round(100 * precision), round(100 * recall)] == [theirs["Precision"], theirs["Recall"]]
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
        assert round(100 * f1) == theirs["F1"]
        assert abs(turn["f1"] - theirs["F1"]) <= 0.51
        assert turn["changed_cells"] == theirs["Changed Cell Count"]
        assert turn["command_length"] == theirs["Generated Expression Length"]
        assert turn["command_tokens"] == theirs["Generated Expression Number of Tokens"]
    if not episode["Aborted"]:
        assert round(ours["main_score"]) == episode["Main Score"]
