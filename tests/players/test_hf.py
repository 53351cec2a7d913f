"""Local models, for real: tiny ones with random weights, in this process and in the child that serves all seats.

Their replies are noise. What is tested: loading, pictures, batches, sampling, constraints, what is recorded, and that a
process that dies or is not needed does as promised.
"""

import asyncio
import io
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine.core.events import Kind
from engine.core.player import Address, FaultCode, ModelInfo, PlayerFault, ProviderContext, UnknownPlayer
from engine.core.replies import (
    NotInFormat,
    OneOf,
    ReplyFormat,
    Tagged,
    Text,
    Violation,
    either,
    json_object,
    one_of,
    thought,
)
from engine.play.runner import play
from games.mapworld.replies import MapSketch, Move
from players import hf
from players.common.constraint import make_constraint
from players.local import host, loaded
from players.local.loaded import GenerationError, LoadedModel, LoadError
from players.local.messages import GeneratedReply, ModelSpec, Prompt, PromptTurn
from tests.players import random_models
from tests.players.seats import make_picture, make_view, user_message

ROOT = Path(__file__).resolve().parents[2]
WAIT = 300  # seconds, on a loaded machine; what is waited for takes about six
pytestmark = [
    pytest.mark.models,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]


@pytest.fixture(scope="module")
def vision(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_models.vision(tmp_path_factory.mktemp("vision"))


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_models.text(tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def seeing(vision: Path) -> LoadedModel:
    return LoadedModel.load(ModelSpec(str(vision)))


@pytest.fixture(scope="module")
def reading(text: Path) -> LoadedModel:
    return LoadedModel.load(ModelSpec(str(text)))


@pytest.fixture(autouse=True, scope="module")
def frugal() -> Iterator[None]:
    """One thread for what is so tiny, here and in the child; threads that wait for each other only spin."""
    import torch

    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        yield
    host.close_all()


def prompt(words: str, *pictures: bytes, **rest: Any) -> Prompt:
    return Prompt((PromptTurn("user", words, pictures),), **{"max_tokens": 12, **rest})


def shown(number: int) -> list[bytes]:
    """So many pictures that differ much."""
    made = []
    for colour in ("black", "white", "red", "blue")[:number]:
        data = io.BytesIO()
        Image.new("RGB", (48, 36), colour).save(data, "PNG")
        made.append(data.getvalue())
    return made


def answers(outcomes: list[Any]) -> list[tuple[str, str, int]]:
    """What must not depend on who else was in the batch."""
    assert all(isinstance(one, GeneratedReply) for one in outcomes), outcomes
    return [(one.text, one.finish_reason, one.tokens_out) for one in outcomes]


# ---------------------------------------------------------------------- in this process
def test_two_pictures_of_one_prompt_are_seen(seeing: LoadedModel):
    one, two = shown(2)
    told = [prompt("same?", *pictures, max_tokens=30) for pictures in ((one, two), (two, one), (one,))]
    both, swapped, alone = seeing.generate_replies(told)
    assert isinstance(both, GeneratedReply) and isinstance(alone, GeneratedReply)
    assert both.tokens_in > alone.tokens_in
    assert len(set(answers([both, swapped, alone]))) == 3  # a picture, and which is first, makes a difference


def test_a_batch_of_eight_equals_one_by_one(seeing: LoadedModel):
    prompts = [prompt("word " * place, *shown(place % 4), max_tokens=6 + place) for place in range(8)]
    prompts[3] = replace(prompts[3], constraint=make_constraint(Move()))
    prompts[5] = replace(prompts[5], temperature=1.0, top_p=0.9, seed=7)
    together = seeing.generate_replies(prompts)
    assert [one.batch_size for one in together if isinstance(one, GeneratedReply)] == [8] * 8
    assert answers(together) == answers([seeing.generate_replies([one])[0] for one in prompts])


def test_a_batch_of_text_equals_one_by_one(reading: LoadedModel):
    talk = (PromptTurn("user", "hello"), PromptTurn("assistant", "DESCRIPTION: a line"), PromptTurn("user", "go on"))
    prompts = [prompt("a"), prompt("a long one, " * 9), Prompt(talk, max_tokens=20), prompt("b", max_tokens=3)]
    assert answers(reading.generate_replies(prompts)) == answers(
        [reading.generate_replies([one])[0] for one in prompts]
    )


def test_sampling_is_the_seeds(reading: LoadedModel):
    once, again, other, greedy, sharp = reading.generate_replies(
        [prompt("x", temperature=1.5, seed=seed) for seed in (1, 1, 2)]
        + [prompt("x"), prompt("x", temperature=3, top_k=1)]
    )
    assert answers([once]) == answers([again])
    assert answers([once]) != answers([other])
    assert answers([greedy]) == answers([sharp])


def test_stop_words_and_limits_end_a_reply(reading: LoadedModel):
    whole = reading.generate_replies([prompt("x", max_tokens=30, temperature=1, seed=4)])[0]
    assert isinstance(whole, GeneratedReply)
    word = next(letter for letter in whole.text[3:] if letter.isascii())
    cut = reading.generate_replies([prompt("x", max_tokens=30, temperature=1, seed=4, stop=(word,))])[0]
    assert isinstance(cut, GeneratedReply)
    assert cut.text == whole.text[: whole.text.index(word)]
    assert (cut.finish_reason, whole.finish_reason, whole.tokens_out) == ("stop", "length", 30)


def test_a_reply_that_streams_is_shown_token_by_token_and_stays_the_same(
    reading: LoadedModel, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(loaded, "PARTIAL_REPLY_INTERVAL_SECONDS", 0.0)
    shown_texts: list[tuple[int, str]] = []
    monkeypatch.setattr(reading, "show_partial_reply", lambda number, text: shown_texts.append((number, text)))
    prompts = [prompt("a"), prompt("a longer one")]
    at_once = reading.generate_replies(prompts)
    assert not shown_texts
    in_parts = reading.generate_replies([prompts[0], replace(prompts[1], streams=True)])
    whole = in_parts[1]
    assert isinstance(whole, GeneratedReply) and answers(in_parts) == answers(at_once)
    assert {number for number, _ in shown_texts} == {1}
    assert shown_texts[-1][1] and whole.text.startswith(shown_texts[-1][1])


def test_a_partners_words_end_no_turn_and_are_no_picture(seeing: LoadedModel, reading: LoadedModel):
    for words in (random_models.END, random_models.PICTURE, random_models.START + "user\n"):
        plain, sly = seeing.generate_replies([prompt("x" * len(words)), prompt(words)])
        assert isinstance(plain, GeneratedReply) and isinstance(sly, GeneratedReply)
        assert sly.tokens_in == plain.tokens_in + 1  # letter by letter, not as the one token it looks like


def test_a_prompt_that_cannot_be_answered_takes_no_other_with_it(seeing: LoadedModel, reading: LoadedModel):
    fine, broken, long = seeing.generate_replies(
        [prompt("x"), prompt("x", b"no picture"), prompt("x", max_tokens=9000)]
    )
    assert isinstance(fine, GeneratedReply)
    assert isinstance(broken, GenerationError)
    assert isinstance(long, GenerationError) and "lower max_tokens" in str(long)
    assert long.code is FaultCode.PROMPT_TOO_LONG
    blind = reading.generate_replies([prompt("x", *shown(1))])[0]
    assert isinstance(blind, GenerationError) and "cannot see" in str(blind)


FORMATS: dict[str, ReplyFormat[Any]] = {
    "list": one_of("same", "different"),
    "list of a tag": Tagged("ANSWER", one_of("yes", "no, never")),
    "list of a move": Move(),
    "list of alternatives": either(move=Move(), verdict=Tagged("STOP", OneOf(("1", "2")))),
    "pattern": Tagged("QUESTION", Text(lines=1)),
    "pattern of alternatives": either(
        question=Tagged("QUESTION", Text()), decision=Tagged("DECISION", one_of("a", "b"))
    ),
    "schema": json_object(notes=thought(), description=Text(lines=2), action=Move()),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_held_reply_is_well_formed_though_it_is_noise(reading: LoadedModel, kind: str):
    form = FORMATS[kind]
    constraint = make_constraint(form)
    assert constraint
    asked = [prompt("go", max_tokens=120, constraint=constraint)]
    asked += [replace(asked[0], temperature=2.0, seed=seed) for seed in range(3)]
    texts = []
    for one in reading.generate_replies(asked):
        assert isinstance(one, GeneratedReply)
        assert one.constraint_kind == kind.partition(" ")[0]
        form.parse(one.text)
        texts.append(one.text)
    with pytest.raises(Violation):
        form.parse(reading.generate_replies([replace(asked[0], constraint=None)])[0].text)  # type: ignore[union-attr]


def test_a_held_map_is_closed_in_time(reading: LoadedModel):
    form = json_object(graph=MapSketch(), action=Move())
    held = prompt("go", max_tokens=200, constraint=make_constraint(form), temperature=2.0)
    for one in reading.generate_replies([replace(held, seed=seed) for seed in range(3)]):
        assert isinstance(one, GeneratedReply)
        assert one.finish_reason == "stop"
        try:
            form.parse(one.text)
        except NotInFormat as fault:  # no schema can say that an edge's rooms are among the nodes
            assert "among the nodes" in str(fault) or "joined to itself" in str(fault)


def test_what_cannot_be_loaded_says_why(tmp_path: Path, text: Path):
    with pytest.raises(LoadError, match=str(tmp_path)):
        LoadedModel.load(ModelSpec(str(tmp_path)))
    for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).symlink_to(text / name)
    with pytest.raises(LoadError, match="no chat template"):
        LoadedModel.load(ModelSpec(str(tmp_path)))


def copy_model(model: Path, folder: Path) -> Path:
    """Copy a model into a folder that a test may change."""
    return Path(shutil.copytree(model, folder / "model"))


def change_weights(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the tensors of a model."""
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 123\n"
TRUNCATED_HEADER = b"\x10" + b"\0" * 7 + b'{"a": {'


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        (
            "model.safetensors",
            lambda data: data[: len(data) // 2],
            "is damaged or incomplete: copy or download it again",
        ),
        ("model.safetensors", lambda data: b"\xff" * 1000, "is damaged or incomplete"),
        ("model.safetensors", lambda data: data[:5], "is damaged or incomplete"),
        ("model.safetensors", lambda data: TRUNCATED_HEADER, "is "),
        ("model.safetensors", lambda data: b"", "is empty"),
        ("model.safetensors", lambda data: LFS_POINTER, "is only a pointer of Git LFS: run git lfs pull"),
        ("pytorch_model.bin", lambda data: b"nonsense", "is not a file of PyTorch weights"),
        ("tokenizer.json", lambda data: data[:100], "cannot be read: Expecting value"),
        ("tokenizer.json", lambda data: LFS_POINTER, "is only a pointer of Git LFS"),
    ],
)
def test_a_damaged_file_is_named_with_what_is_wrong(
    text: Path, tmp_path: Path, name: str, content: Callable[[bytes], bytes], cause: str
):
    folder = copy_model(text, tmp_path)
    weights = (folder / name).read_bytes() if (folder / name).exists() else b""
    if name.endswith(".bin"):
        (folder / "model.safetensors").unlink()
    (folder / name).write_bytes(content(weights))
    with pytest.raises(LoadError, match=f"{folder / name} {cause}"):
        LoadedModel.load(ModelSpec(str(folder)))


@pytest.mark.parametrize(("content", "is_seen_before"), [(LFS_POINTER, True), (b"", True), (TRUNCATED_HEADER, False)])
def test_a_damaged_file_is_seen_before_the_model_is_loaded_if_that_is_quick(
    text: Path, tmp_path: Path, content: bytes, is_seen_before: bool
):
    folder = copy_model(text, tmp_path)
    (folder / "model.safetensors").write_bytes(content)
    info = hf.PROVIDER.info(Address("hf", str(folder)), make_context())
    assert (str(folder / "model.safetensors") in str(info.unusable_reason)) == is_seen_before


@pytest.mark.slow
def test_a_process_whose_model_is_damaged_says_so(text: Path, tmp_path: Path):
    folder = copy_model(text, tmp_path)
    (folder / "model.safetensors").write_bytes(TRUNCATED_HEADER)
    with pytest.raises(PlayerFault, match=r"gave no answer: .*model\.safetensors is ") as fault:
        ask_folder(folder)
    assert "SIGABRT" not in str(fault.value)


def test_weights_that_lack_tensors_are_refused(text: Path, tmp_path: Path):
    norm, down = "model.norm.weight", "model.layers.1.mlp.down_proj.weight"
    folder = copy_model(text, tmp_path)

    def cut(tensors: dict[str, Any]) -> None:
        tensors[norm] = tensors[norm][:5].clone()

    change_weights(folder, cut)
    with pytest.raises(LoadError, match=rf"{norm} \[5\], not \[64\]"):
        LoadedModel.load(ModelSpec(str(folder)))
    change_weights(folder, lambda tensors: [tensors.pop(name) for name in (norm, down)])
    with pytest.raises(LoadError, match=rf"lack 2 tensors \({down}, {norm}\)"):
        LoadedModel.load(ModelSpec(str(folder)))


def test_tied_weights_that_are_stored_once_are_complete(text: Path, tmp_path: Path):
    folder = copy_model(text, tmp_path)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"tie_word_embeddings": True}))
    change_weights(folder, lambda tensors: tensors.pop("lm_head.weight"))
    assert LoadedModel.load(ModelSpec(str(folder))).generate_replies([prompt("x")])


def add_own_code(folder: Path) -> None:
    """Make a folder one of a model that brings its own code, which asks a question and leaves the answer in `ran`."""
    config = json.loads((folder / "config.json").read_text())
    auto_map = {"AutoConfig": "mine.MineConfig", "AutoModelForCausalLM": "mine.MineModel"}
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "mine", "auto_map": auto_map}))
    (folder / "mine.py").write_text(
        "from pathlib import Path\nfrom transformers import LlamaConfig, LlamaForCausalLM\n"
        "try:\n    answer = input('Do you wish to run the custom code? [y/N] ')\n"
        "except EOFError:\n    answer = 'nobody is there'\n"
        f"Path({str(folder / 'ran')!r}).write_text(answer)\n"
        "class MineConfig(LlamaConfig):\n    model_type = 'mine'\n"
        "class MineModel(LlamaForCausalLM):\n    config_class = MineConfig\n"
    )


def ask_folder(folder: Path, **parameters: str) -> Any:
    """Return the reply of the model in a folder, in a child process."""
    address = Address("hf", str(folder), {"max_tokens": "3", **parameters})
    return asyncio.run(asyncio.wait_for(hf.PROVIDER.make_player(address, "A", make_context()).reply(make_view()), WAIT))


def test_a_process_sends_what_it_has_written_so_far(text: Path):
    partials: list[str] = []
    view = replace(make_view(), show_partial_reply=partials.append)
    player = hf.PROVIDER.make_player(Address("hf", str(text), {"max_tokens": "400"}), "A", make_context())
    reply = asyncio.run(asyncio.wait_for(player.reply(view), WAIT))
    assert partials and reply.text.startswith(partials[0])


@pytest.mark.slow
def test_the_code_of_a_model_runs_only_if_it_is_allowed_and_gets_no_answer(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HF_MODULES_CACHE", str(tmp_path / "modules"))
    folder = copy_model(text, tmp_path)
    add_own_code(folder)
    with pytest.raises(LoadError, match=r"needs code of its own \(auto_map.*set trust_remote_code=true"):
        LoadedModel.load(ModelSpec(str(folder)))
    with pytest.raises(PlayerFault, match=r"needs code of its own \(auto_map.*set trust_remote_code=true"):
        ask_folder(folder, trust_remote_code="false")
    assert not (folder / "ran").exists()
    reply = ask_folder(folder, trust_remote_code="true")
    assert (folder / "ran").read_text() == "nobody is there"  # a question of a library takes none of our messages
    assert reply.meta["sent"]["trust_remote_code"] is True
    assert "trust_remote_code" not in ask_folder(text).meta["sent"]


# ---------------------------------------------------------------------- the provider
def make_context(**models: ModelInfo) -> ProviderContext:
    return ProviderContext(lambda episode: [], models=models)


def test_about_reads_the_folder_only(vision: Path, text: Path, tmp_path: Path):
    def about(name: str, **models: ModelInfo) -> Any:
        return hf.PROVIDER.info(Address("hf", name), ProviderContext(lambda episode: [], models=models))

    seen, blind = about(str(vision)), about(str(text))
    assert (seen.unusable_reason, seen.max_pictures, seen.is_local, seen.is_paid) == (None, None, True, False)
    assert (blind.unusable_reason, blind.max_pictures) == (None, 0)
    assert about(str(vision), **{f"hf/{vision}": ModelInfo(pictures=2)}).max_pictures == 2
    assert "does not exist" in about(str(tmp_path / "none")).unusable_reason
    assert "config.json" in about(str(tmp_path)).unusable_reason
    assert "HF_HUB_OFFLINE" in about("nobody/nothing").unusable_reason
    assert "hf/ORG/NAME" in about("what").unusable_reason
    assert about("").unusable_reason is None


def test_an_extra_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "torch and transformers are not installed" in str(
        hf.PROVIDER.info(Address("hf"), make_context()).unusable_reason
    )


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("hf", "ORG/NAME"),
        ("hf/a/b?dtype=int3", "bfloat16"),
        ("hf/a/b?device=tpu", "cuda"),
        ("hf/a/b?quantize=2bit", "4bit"),
        ("hf/a/b?temprature=1", "did you mean 'temperature'"),
        ("hf/a/b?constrain=yes", "true or false"),
    ],
)
def test_parameters_are_checked(address: str, said: str):
    with pytest.raises(UnknownPlayer, match=said):
        hf.PROVIDER.make_player(Address.parse(address), "A", make_context())


def test_a_reply_tells_how_it_came_about(vision: Path, tmp_path: Path):
    at = Address("hf", str(vision), {"max_tokens": "9", "temperature": "1", "constrain": "true", "top_p": "0.5"})
    home = ProviderContext(lambda episode: [], cache=tmp_path / "cache.db")
    shown = {"one": make_picture("PNG"), "two": make_picture("WEBP")}

    async def ask() -> list[Any]:
        one = hf.PROVIDER.make_player(at, "A", home)
        sampled = make_view(user_message("Which?", "one", "two"), form=one_of("left", "right"), pictures=shown)
        first = await one.reply(sampled)
        kept = await one.reply(replace(sampled))  # with a generator of the same seed
        plain = await hf.PROVIDER.make_player(
            replace(at, parameters={"max_tokens": "4", "seed": "3"}), "A", home
        ).reply(sampled)
        return [first, kept, plain]

    first, kept, plain = asyncio.run(ask())
    meta = first.meta
    assert first.text in ("left", "right")
    assert meta["constrained"] == "list"
    assert meta["model"] == str(vision)
    assert meta["sent"]["temperature"] == 1
    assert {"seed", "top_p", "device", "dtype", "quantize", "max_tokens", "thinking"} <= set(meta["sent"])
    assert meta["pictures"] == [[40, 30, "image/png"], [40, 30, "image/jpeg"]]
    assert (meta["finish"], meta["attempts"], meta["together"]) == ("stop", 1, 1)
    assert meta["tokens_in"] > 8 and meta["tokens_out"] <= 9 and meta["seconds"] > 0 and len(meta["prompt"]) == 64
    assert kept.text == first.text and kept.meta["cached"]
    assert plain.meta["dropped"] == ["seed"]  # greedy: no random number is used
    assert plain.meta["prompt"] != meta["prompt"] and "constrained" not in plain.meta


def test_noise_at_pictures_is_a_documented_violation(vision: Path):
    """MatchIt's photos and Map World's rooms, each with models at every seat, all at once, in one child."""
    noise, held = f"hf/{vision}?max_tokens=12", f"hf/{vision}?max_tokens=60&constrain=true"

    async def games() -> list[Any]:
        return await asyncio.gather(
            play("matchit", "picture/photos-same/0", {"all": noise}),
            play("mapworld", "ee-picture/small/0", {"all": noise}),
            play("mapworld", "ee-picture/small/1", {"all": held}),
            play("matchit", "picture/pentomino-same/0", {"A": held, "B": "scripted"}),
        )

    played = asyncio.run(games())
    assert len({model.spec for model in host.list_model_states() if model.spec.name == str(vision)}) == 1
    for episode in played:
        assert episode.outcome, episode.stall_cause
    for episode in played[:2]:
        assert (episode.outcome.kind, episode.outcome.reason) == ("aborted", "format")
        assert [event.data["fault"] for event in episode.log if event.kind is Kind.VIOLATION] == ["format"]
    for episode in played[2:]:
        assert not any(event.data.get("fault") == "format" for event in episode.log if event.kind is Kind.VIOLATION)
        replies = [event.data["meta"] for event in episode.log if event.kind is Kind.REPLY]
        assert any(meta.get("constrained") for meta in replies)
        assert any(meta.get("pictures") for meta in replies)


# ---------------------------------------------------------------------- the child process
@pytest.mark.slow
def test_a_killed_child_is_a_fault_and_the_next_ask_starts_another(vision: Path):
    how = {"dtype": "float32"}
    model = host.find_or_add_model(ModelSpec(str(vision), **how))

    def ask(tokens: int) -> Any:
        return hf.PROVIDER.make_player(
            Address("hf", str(vision), {"max_tokens": str(tokens), **how}), "A", make_context()
        ).reply(make_view())

    async def asked() -> None:
        waiting, given_up = asyncio.create_task(ask(8000)), asyncio.create_task(ask(8000))
        quick = await ask(2)
        assert (quick.meta["tokens_out"], quick.meta["together"]) == (2, 3)  # and did not wait for the long ones
        given_up.cancel()
        assert model.process
        model.process.kill()
        with pytest.raises(PlayerFault, match=r"SIGKILL.*the next try starts it again"):
            await waiting
        assert given_up.cancelled()
        assert (await ask(2)).text == quick.text

    asyncio.run(asyncio.wait_for(asked(), WAIT))
    asyncio.run(hf.PROVIDER.close())
    assert model.process is None
    asyncio.run(hf.PROVIDER.close())


@pytest.mark.slow
def test_memory_is_given_back_when_nobody_asks(text: Path):
    model = host.LocalModel(ModelSpec(str(text)))
    assert model.state.loading_stage == "not loaded"
    answered = model.queue_prompt(prompt("x"))
    assert model.state.progress is not None
    assert answered.result(WAIT).tokens_out
    assert (model.state.loading_stage, model.state.progress) == ("ready", None)
    process, model.idle_seconds = model.process, 0
    model.queue_prompt(prompt("x")).result(WAIT)
    assert process and process.wait(WAIT) is not None
    assert model.state.loading_stage == "not loaded"


@pytest.mark.slow
def test_a_model_that_cannot_be_loaded_is_a_fault_with_the_reason(tmp_path: Path):
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    with pytest.raises(host.ModelFailed, match="could not be loaded"):
        host.LocalModel(ModelSpec(str(tmp_path))).queue_prompt(prompt("x")).result(WAIT)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_child_ends_with_its_parent(text: Path, how: signal.Signals):
    code = (
        "import sys\nfrom players.local.host import LocalModel\nfrom players.local.messages import *\n"
        "model = LocalModel(ModelSpec(sys.argv[1]))\n"
        "answer = model.queue_prompt(Prompt((PromptTurn('user', 'x'),), max_tokens=8000))\n"
        "while not model.process: pass\n"
        "print(model.process.pid, flush=True)\nanswer.result()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(text)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert parent.stdout
    with parent.stdout:
        child = os.pidfd_open(int(parent.stdout.readline()))
    parent.send_signal(how)
    parent.wait(WAIT)
    try:
        assert select.select([child], [], [], WAIT)[0]
    finally:
        os.close(child)
