"""Widgets that games bring: a game that is no part of Ludens draws its own field and panel, with no edit in `ui/`.

The game is that of docs/add-a-game.md with the widgets of docs/extend-a-game.md, in a checkout of its own.
"""

import json
import re
import shutil
import subprocess
import sys

import httpx
import pytest
from playwright.sync_api import expect

from engine.play.registry import Registry
from tests.test_guide import FILES, MORE, ROOT
from ui.server.widgets import BadManifest, combine_manifests, find_web_folders, read_manifest

BLOCKS = re.findall(
    r"^```(json|python|js)\n([^`]*(?:`[^`]+`[^`]*)*)^```$",
    MORE.partition("## Add a form field or panel of your own")[2],
    re.M,
)
MANIFEST, FORMAT, DIAL, STACK = (text for _, text in BLOCKS)
CSS = ".ludens .dial { outline: 7px solid rgb(1, 2, 3); }\n"


def replace_once(text: str, *replacements: tuple[str, str]) -> str:
    """Replace parts of a file of the guide, each of which occurs in it exactly once."""
    for before, after in replacements:
        assert text.count(before) == 1, f"the guide has {before!r} {text.count(before)} times"
        text = text.replace(before, after)
    return text


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with one game, which brings a field of kind "dial" and an exhibit of kind "stack"."""
    for folder in ("engine", "players", "cli", "ui", "games/common"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ("app.py", "pyproject.toml", "games/__init__.py"):
        shutil.copy(ROOT / path, tmp_path / path)
    rules = replace_once(
        FILES["games/mygame/rules.py"],
        ('CHOICE = Tagged("CHOICE", one_of(*PLACES,', 'CHOICE = Tagged("CHOICE", Dialled(PLACES,'),
        ("from games.mygame import", "from games.mygame.replies import Dialled\nfrom games.mygame import"),
    )
    debrief = replace_once(
        FILES["games/mygame/debrief.py"],
        (
            '"grid": instance.listing()}]',
            '"grid": instance.listing()}, {"title": "Stacked", "seat": None, "stack": ["top"]}]',
        ),
    )
    game = {name.removeprefix("games/mygame/"): text for name, text in FILES.items()} | {
        "rules.py": rules,
        "debrief.py": debrief,
        "replies.py": FORMAT,
        "web/widgets.json": MANIFEST,
        "web/dial.js": DIAL,
        "web/stack.js": STACK,
        "web/mygame.css": CSS,
    }
    for name, text in game.items():
        path = tmp_path / "games" / "mygame" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    command = [sys.executable, "-c", "from cli.main import main; main()", "instances", "make", "mygame"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


@pytest.mark.browser
def test_a_new_game_draws_its_own_field_and_panel(checkout, server, new_page):
    house = server()
    page = new_page(house.url)
    loaded = []
    page.on("request", lambda request: loaded.append(request.url.removeprefix(house.url)))
    made = page.request.post(
        f"{house.url}/api/tables",
        data={"game": "mygame", "variant": "text", "seats": {"speaker": "scripted", "listener": "person"}},
    )
    page.goto(house.url + made.json()["go"])
    dial = page.get_by_role("button", name="Turn")
    expect(dial).to_have_css("outline-width", "7px")
    assert [path for path in loaded if re.fullmatch(r"/web/v/\w+/games/mygame/dial.js", path)]
    assert not [path for path in loaded if path.endswith("stack.js")]
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert").filter(has_text="Turn the dial first.")).to_be_visible()
    clue = re.search(r"the ((red|blue|green|yellow) \w+)", page.get_by_role("log").inner_text())[1]
    things = page.locator(".pins").inner_text().splitlines()
    place = next(line.partition(":")[0] for line in things if line.endswith(clue))
    dial.click()
    while not page.get_by_role("button", name=place, exact=True).is_visible():
        page.locator("button.dial").click()
    page.reload()
    expect(page.locator("button.dial")).to_have_text(place)  # the draft came back
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="The score")).to_be_visible()
    expect(page.get_by_role("list", name="Stacked")).to_have_text("top")
    for path in ("rules.py", "web/dial.js", "..%2frules.py", "", "prompts/native.toml"):  # that folder, nothing else
        assert httpx.get(f"{house.url}/web/games/mygame/{path}").status_code == 404, path
    assert set(httpx.get(f"{house.url}/web/widgets.json").json()["fields"]) == {"dial"}


@pytest.mark.browser
def test_a_widget_that_does_not_load_is_said_and_the_page_goes_on(checkout, server, new_page):
    (checkout / "games" / "mygame" / "web" / "dial.js").write_text("not JavaScript")
    house = server()
    page = new_page(house.url)
    made = page.request.post(
        f"{house.url}/api/tables",
        data={"game": "mygame", "variant": "text", "seats": {"speaker": "scripted", "listener": "person"}},
    )
    page.goto(house.url + made.json()["go"])
    expect(page.locator("form.ask").get_by_text("could not be loaded")).to_be_visible()
    expect(page.get_by_text("Which of the three objects is the target?").first).to_be_visible()


def test_the_lists_of_our_games_can_be_used():
    folders = find_web_folders(Registry(ROOT).folders)
    manifests = [read_manifest(folder) for folder in folders.values()]
    assert {"mapworld", "imagegame", "tofukingdom"} <= set(folders)
    known = combine_manifests(folders)
    for part in ("fields", "exhibits"):
        kinds = [kind for manifest in manifests for kind in getattr(manifest, part)]
        assert len(kinds) == len(set(kinds)) == len(known[part])
    for family, folder in folders.items():
        listed = json.loads((folder / "widgets.json").read_text())
        files = {
            "widgets.json",
            *listed.get("styles", ()),
            *listed.get("fields", {}).values(),
            *listed.get("exhibits", {}).values(),
        }
        for file in [file for file in files if file.endswith(".js")]:  # and what they import from their own folder
            files.update(re.findall(rf"/web/games/{family}/(\w+\.js)", (folder / file).read_text()))
        assert {path.name for path in folder.iterdir()} == files, family


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "Invalid JSON"),
        ('{"fields": {"dial": "../secret.js"}}', "is not a file of this folder"),
        ('{"fields": {"dial": "missing.js"}}', "is not a file of this folder"),
        ('{"field": {}}', "Extra inputs"),
    ],
)
def test_a_list_that_cannot_be_used_costs_only_its_own_game(tmp_path, caplog, text, why):
    for family, manifest in {"good": '{"fields": {"knob": "knob.js"}}', "half": text}.items():
        (tmp_path / family / "web").mkdir(parents=True)
        (tmp_path / family / "web" / "widgets.json").write_text(manifest)
    (tmp_path / "good" / "web" / "knob.js").touch()
    with pytest.raises(BadManifest, match=why):
        read_manifest(tmp_path / "half" / "web")
    known = combine_manifests(find_web_folders({name: tmp_path / name for name in ("good", "half", "none")}))
    assert known["fields"] == {"knob": {"module": "/web/games/good/knob.js", "styles": []}}
    assert "The widgets of half are missing" in caplog.text
