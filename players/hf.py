"""Models that run on this machine: `hf/ORG/NAME` from the Hugging Face hub, or a local folder, `hf//models/name`.

Text models and models that see, through transformers, on a CPU, CUDA or MPS. A model is loaded once, in a process of
its own, at the first reply of anybody who names it (with the same device, dtype and quantisation), generates for all
who wait together, and leaves the memory when it was not asked for five minutes. Greedy unless `temperature` says
otherwise; a sampled reply's seed comes from the episode (or `seed`) and is recorded, so the same prompt has the same
reply, but for rounding that can differ with the company in the batch (`together` in the record).
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.core.events import Json, digest
from engine.core.player import (
    Address,
    ModelInfo,
    Player,
    PlayerFault,
    PlayerInfo,
    Provider,
    ProviderContext,
    Reply,
    UnknownPlayer,
)
from engine.core.tokens import cost_of
from engine.core.views import SeatView
from engine.storage.reply_cache import Cache
from players.common import parameters
from players.common.chat import Turn, digest_of, draws, turns
from players.local import host
from players.local.constraint import constraint_of
from players.local.folders import facts, missing
from players.local.wire import Answer, Prompt, Said, Spec

MAX_TOKENS = 400


def _device(text: str) -> str:
    if not re.fullmatch(r"auto|cpu|mps|cuda(:\d+)?", text):
        raise ValueError("one of auto, cpu, cuda, cuda:1, mps is wanted")
    return text


HOW: Mapping[str, parameters.Reader] = {
    "device": _device,
    "dtype": parameters.choice("auto", "float32", "bfloat16", "float16"),
    "quantize": parameters.choice("none", "8bit", "4bit"),
    "batch": parameters.whole(1),
}
"""Parameters that say how the model is loaded."""
PLAY: Mapping[str, parameters.Reader] = {
    "constrain": parameters.flag,
    "max_tokens": parameters.whole(1),
    "seed": parameters.whole(0),
    "stop": parameters.texts,
    "temperature": parameters.number(0),
    "thinking": parameters.flag,
    "top_k": parameters.whole(1),
    "top_p": parameters.number(0, 1),
}
"""Parameters of play. `thinking` is told to the chat template as `enable_thinking`."""
_SAMPLING = ("seed", "top_k", "top_p")


class Local(Player):
    """A local model at a seat. `values` are the address's parameters of play."""

    def __init__(
        self, address: Address, model: host.LocalModel, about: ModelInfo, values: Json, cache: Cache | None
    ) -> None:
        self._name, self._model, self._about = address.model, model, about
        self._values, self._cache = values, cache

    @property
    def load_progress(self) -> float | None:
        """How much of the model is loaded, 0 to 1; None when nothing is loading."""
        return self._model.state.loading

    async def reply(self, view: SeatView) -> Reply:
        """Have the model answer, loading it where it is not loaded. Raises `PlayerFault` with the cause."""
        try:
            said = await asyncio.to_thread(turns, view, self._about.pictures) if draws(view) else turns(view)
        except PlayerFault as fault:
            raise PlayerFault(f"{self._name}: {fault}") from None
        prompt = self._prompt(said, view)
        key = self._digest(said, prompt)
        if self._cache and (kept := await asyncio.to_thread(self._cache.find, key)):
            return kept
        started = time.monotonic()
        try:
            answer = await asyncio.wrap_future(self._model.ask(prompt))
        except host.ModelFailed as error:
            raise PlayerFault(f"{self._name} gave no answer: {error}") from None
        known = self._record(said, prompt, answer)
        known |= {"prompt": key, "seconds": round(time.monotonic() - started, 6)}
        reply = Reply(answer.text, known)
        if self._cache:
            await asyncio.to_thread(self._cache.keep, key, reply)
        return reply

    def _prompt(self, said: Sequence[Turn], view: SeatView) -> Prompt:
        values = self._values
        held = constraint_of(view.ask.format) if values.get("constrain") else None
        return Prompt(
            tuple(Said(turn.role, turn.text, tuple(one.data for one in turn.pictures)) for turn in said),
            max_tokens=values.get("max_tokens", MAX_TOKENS),
            temperature=values.get("temperature", 0),
            top_p=values.get("top_p", 1),
            top_k=values.get("top_k", 0),
            seed=values.get("seed", view.random.getrandbits(48)),
            stop=tuple(values.get("stop", ())),
            thinking=False if held else values.get("thinking"),  # thoughts would not fit the format
            constraint=held,
        )

    def _sent(self, prompt: Prompt) -> Json:
        """Return the parameters that have an effect, with their values."""
        spec = self._model.spec
        sent: Json = {"max_tokens": prompt.max_tokens, "temperature": prompt.temperature, "quantize": spec.quantize}
        if prompt.temperature:
            sent |= {name: self._values[name] for name in _SAMPLING if name in self._values} | {"seed": prompt.seed}
        if prompt.stop:
            sent["stop"] = list(prompt.stop)
        if prompt.thinking is not None:
            sent["thinking"] = prompt.thinking
        return sent

    def _digest(self, said: Sequence[Turn], prompt: Prompt) -> str:
        conversation = [[turn.role, turn.text, [digest_of(one.data) for one in turn.pictures]] for turn in said]
        spec, held = self._model.spec, prompt.constraint
        how = [spec.device, spec.dtype, spec.quantize]
        return digest([spec.name, how, conversation, self._sent(prompt), [held.kind, *held.said] if held else None])

    def _record(self, said: Sequence[Turn], prompt: Prompt, answer: Answer) -> Json:
        """Return what is known about a reply (`engine.core.player.Reply`)."""
        ready, sent = self._model.ready, self._sent(prompt)
        meta: Json = {
            "tokens_in": answer.tokens_in,
            "tokens_out": answer.tokens_out,
            "finish": answer.finish,
            "attempts": 1,
            "together": answer.together,
        }
        if ready:
            meta["model"] = ready.model
            sent |= {"device": ready.device, "dtype": ready.dtype}
        meta["sent"] = sent
        wanted = {name for name, value in self._values.items() if value is not False}
        taken = {*sent, "constrain"} if answer.constrained else set(sent)
        if dropped := sorted(wanted - taken):
            meta["dropped"] = dropped
        if answer.constrained:
            meta["constrained"] = answer.constrained
        if answer.reasoning:
            meta["reasoning"] = answer.reasoning
        if shown := [[one.width, one.height, one.media_type] for turn in said for one in turn.pictures]:
            meta["pictures"] = shown
        if self._about.price:
            meta["cost"] = round(cost_of(answer.tokens_in, answer.tokens_out, self._about.price), 9)
        return meta


class LocalProvider(Provider):
    """Makes players of models that run in a process on this machine."""

    summary = "a model on this machine: hf/ORG/NAME, or hf//FOLDER"

    def make(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return a local model's player. Raises `UnknownPlayer`; nothing is loaded."""
        if not address.name:
            raise UnknownPlayer("which model? write hf/ORG/NAME, or hf//FOLDER with the whole path of a folder")
        values = parameters.read(address, {**HOW, **PLAY})
        how = {name: values.pop(name) for name in HOW if name in values}
        cache = Cache(context.cache) if context.cache else None
        return Local(address, host.model(Spec(address.name, **how)), context.model(address), values, cache)

    def info(self, address: Address, context: ProviderContext) -> PlayerInfo:
        """Return what is known about a local model; at most its configuration is read."""
        model = context.model(address)
        if not address.name:
            return PlayerInfo(self.summary, missing(), is_local=True)
        found = facts(address.name)
        return PlayerInfo(
            model.summary or (f"a {found.kind} model on this machine" if found.kind else self.summary),
            unusable_reason=found.lacks,
            max_pictures=0 if found.sees is False else model.pictures,
            is_local=True,
            price=model.price,
        )

    def loading(self) -> list[str]:
        """Return a line for each model that is being loaded now."""
        return [f"{Path(state.spec.name).name}: {state.stage}" for state in host.states() if state.loading is not None]

    async def close(self) -> None:
        """Free the memory of all local models."""
        await asyncio.to_thread(host.close_all)


PROVIDER = LocalProvider()
