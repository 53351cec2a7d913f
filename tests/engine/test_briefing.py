"""Briefings and example games: what their files may hold, what is selected, and what is refused."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from engine.core.briefing import BadBriefing, Briefings
from engine.core.example import BadExample, ExampleGame
from engine.core.game import Game
from engine.play.registry import BadInstances, Registry

ROOT = Path(__file__).resolve().parents[2]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><text>{}</text></svg>'
TOML = """
diagram = "one.svg"
diagram_text = "One"
lines = ["First.", "Second.", "Third."]

[[questions]]
question = "Which one?"
choices = ["This", "That"]
right = "That"
feedback = "That one."

[[questions]]
variants = ["other"]
seats = ["B"]
question = "And for B?"
choices = ["Yes", "No"]
right = "Yes"
feedback = "B does."

[[differences]]
variants = ["other"]
diagram = "two.svg"

[[differences]]
seats = ["B"]
lines = ["For B.", "Second.", "Third."]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.svg").write_text(SVG.format("one"), encoding="utf-8")
    (tmp_path / "two.svg").write_text(SVG.format("two"), encoding="utf-8")
    return tmp_path


def write(folder: Path, text: str = TOML) -> Briefings:
    (folder / "briefing.toml").write_text(dedent(text), encoding="utf-8")
    return Briefings(folder)


def test_what_differs_for_a_variant_or_a_seat_replaces_only_that(folder: Path) -> None:
    briefings = write(folder)
    plain, other = briefings.select_briefing("text"), briefings.select_briefing("other")
    assert plain.lines == other.lines == ("First.", "Second.", "Third.")
    assert plain.diagram and other.diagram
    assert ("one" in plain.diagram.svg, "two" in other.diagram.svg, other.diagram.text) == (True, True, "One")
    assert (
        briefings.select_briefing("other", "B").lines[0] == "For B."
        and briefings.select_briefing("text", "A").lines == plain.lines
    )
    assert briefings.mentioned_names == (frozenset({"other"}), frozenset({"B"}))


def test_a_question_is_asked_only_where_it_holds(folder: Path) -> None:
    briefings = write(folder)
    counts = [len(briefings.select_briefing(*place).questions) for place in (("text",), ("other",), ("text", "B"))]
    assert counts == [1, 1, 1] and len(briefings.select_briefing("other", "B").questions) == 2
    question = briefings.select_briefing("text").questions[0]
    assert [question.is_correct_choice(choice) for choice in (0, 1)] == [False, True]
    for choice in (-1, 2):
        with pytest.raises(IndexError):
            question.is_correct_choice(choice)


def test_everything_that_a_person_reads_is_listed(folder: Path) -> None:
    assert {"First.", "That", "That one.", "One", "one"} <= set(write(folder).select_briefing("text").list_texts())


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('right = "That"', 'right = "Neither"', "must be exactly one of the choices"),
        ('choices = ["This", "That"]', 'choices = ["That", "That"]', "must be exactly one of the choices"),
        ('choices = ["This", "That"]', 'choices = ["This", "This", "That"]', "two of them are the same"),
        ('feedback = "That one."', "", "questions.0.feedback"),
        ('diagram = "one.svg"', 'diagram = "none.svg"', "none.svg"),
        ('diagram_text = "One"', 'colour = "red"', "diagram_text"),
        ("lines = [", "lines = ", "briefing.toml"),
    ],
)
def test_a_fault_is_reported_with_its_file_and_field(folder: Path, old: str, new: str, why: str) -> None:
    assert old in TOML
    with pytest.raises(BadBriefing, match="(?s)" + why.replace(".", r"\.")):
        write(folder, TOML.replace(old, new, 1)).select_briefing("text")


@pytest.mark.parametrize(
    "part",
    [
        "<script>alert(1)</script>",
        '<image href="x.png"/>',
        '<rect onclick="alert(1)"/>',
        '<rect fill="url(https://example.org)"/>',
        "<foreignObject/>",
    ],
)
def test_a_diagram_can_only_be_looked_at(folder: Path, part: str) -> None:
    (folder / "bad.svg").write_text(SVG.replace("<text>{}</text>", part), encoding="utf-8")
    with pytest.raises(BadBriefing, match=r"bad\.svg: a diagram has no"):
        write(folder, TOML.replace("one.svg", "bad.svg")).select_briefing("text")


def test_the_example_in_the_docs_is_a_briefing(folder: Path) -> None:
    page = (ROOT / "docs" / "briefing.md").read_text(encoding="utf-8")
    text = page.split("```toml\n")[1].split("```")[0]
    (folder / "briefing.svg").write_text(SVG.format("cards"), encoding="utf-8")
    briefings = write(folder, text)
    assert briefings.select_briefing("blind").lines[1] == "Say which one has the star."
    assert briefings.select_briefing("text").questions[0].is_correct_choice(0)


def test_a_game_without_a_briefing_shows_its_rules() -> None:
    class Plain(Game):
        """A game."""

        seats = ("A",)
        rules = ("Do this.", "Then that.")

    briefing = Plain().briefing("text")
    assert (briefing.lines, briefing.diagram, briefing.questions) == (("Do this.", "Then that."), None, ())
    with pytest.raises(KeyError):
        Plain().briefing("picture")


# ---------------------------------------------------------------------- the shipped ones
def test_every_shipped_game_has_a_briefing_an_example_and_practice_games() -> None:
    registry = Registry(ROOT)
    for name, game in registry.games.items():
        assert game.briefings and (registry.folders[name] / "example.toml").is_file()
        for variant in game.variants:
            assert 1 <= len(registry.read_practice_instances(name, variant.name)) <= 2, (name, variant.name)
    assert [role.role for role in registry.game("tofukingdom").briefing("roles").roles][:2] == ["Prince", "Princess"]


def test_practice_games_are_in_no_selection() -> None:
    registry = Registry(ROOT)
    practice = registry.read_practice_instances("matchit", "text")
    assert [item.instance_id for item in practice] == ["matchit/text/practice/0", "matchit/text/practice/1"]
    assert not {item.instance_id for item in practice} & {
        item.instance_id for item in registry.select_instances("matchit")
    }
    assert "practice" not in registry.experiments("matchit", "text")


def test_a_file_of_practice_games_with_faults_is_reported(tmp_path: Path) -> None:
    (tmp_path / "matchit").mkdir()
    registry = Registry(ROOT, instances=tmp_path)
    assert registry.read_practice_instances("matchit", "text") == []
    for text in ("[]", '{"variants": {"text": 3}}', "{"):
        (tmp_path / "matchit" / "practice.json").write_text(text, encoding="utf-8")
        with pytest.raises(BadInstances, match=r"practice\.json is not a file of practice instances"):
            Registry(ROOT, instances=tmp_path).read_practice_instances("matchit", "text")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('seat = "listener"', 'seat = "speaker"', "reply 2 is of speaker, but listener is asked"),
        ("Answer: second", "Answer: fourth", "reply 2 of listener"),
        ('[[replies]]\nseat = "listener"\ntext = "Answer: second"', "", "after the last reply, listener is asked"),
        ("about =", "around =", "about"),
    ],
)
def test_an_example_that_does_not_follow_the_rules_is_refused(tmp_path: Path, old: str, new: str, why: str) -> None:
    registry = Registry(ROOT)
    text = (registry.folders["reference"] / "example.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "example.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadExample, match=why):
        ExampleGame.load(path).play(registry.game("reference"))
