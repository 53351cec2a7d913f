"""Models that run on this machine: `hf/ORG/NAME` from the Hugging Face hub, or a local folder, `hf//models/name`.

Text and vision models run through transformers on a CPU, CUDA or MPS. A model is loaded once, in a process of its own,
at the first reply of any player that names it (with the same device, dtype and quantisation). It generates for all
waiting prompts together, and leaves memory after five minutes without a prompt. It is greedy unless `temperature` says
otherwise. The seed of a sampled reply comes from the episode (or `seed`) and is recorded, so the same prompt gets the
same reply, except for rounding, which can differ with the other prompts of the batch (`together` in the record).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from engine.core.events import Json, digest
from engine.core.patterns import compile_linear_pattern
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
from engine.core.tokens import compute_cost
from engine.core.views import SeatView
from engine.storage.reply_cache import ReplyCache
from players.common.chat import Turn, digest_turns, list_picture_sizes, read_turns
from players.common.constraint import make_constraint
from players.common.parameters import (
    Reader,
    make_choice_reader,
    make_integer_reader,
    make_number_reader,
    read_boolean,
    read_parameters,
    read_strings,
)
from players.local import host
from players.local.folders import inspect_model, list_missing_packages
from players.local.messages import GeneratedReply, ModelSpec, Prompt, PromptTurn

MAX_TOKENS = 400


_DEVICE_PATTERN = compile_linear_pattern(r"auto|cpu|mps|cuda(:\d+)?", reason="literals, then digits to the end")


def _read_device(parameter_text: str) -> str:
    if not _DEVICE_PATTERN.fullmatch(parameter_text):
        raise ValueError("must be one of auto, cpu, cuda, cuda:1, mps")
    return parameter_text


LOADING_PARAMETERS: Mapping[str, Reader] = {
    "device": _read_device,
    "dtype": make_choice_reader("auto", "float32", "bfloat16", "float16"),
    "quantize": make_choice_reader("none", "8bit", "4bit"),
    "trust_remote_code": read_boolean,
    "batch": make_integer_reader(1),
}
"""Parameters of how the model is loaded. `trust_remote_code` runs Python code that comes with the model."""
REPLY_PARAMETERS: Mapping[str, Reader] = {
    "constrain": read_boolean,
    "max_tokens": make_integer_reader(1),
    "seed": make_integer_reader(0),
    "stop": read_strings,
    "temperature": make_number_reader(0),
    "thinking": read_boolean,
    "top_k": make_integer_reader(1),
    "top_p": make_number_reader(0, 1),
}
"""Parameters of each reply. The chat template receives `thinking` as `enable_thinking`."""
_SAMPLING_PARAMETERS = ("seed", "top_k", "top_p")
"""Parameters that have no effect at temperature 0."""


class LocalPlayer(Player):
    """A local model at a seat. `values` are the address's reply parameters."""

    streams = True

    def __init__(
        self, address: Address, model: host.LocalModel, model_info: ModelInfo, values: Json, cache: ReplyCache | None
    ) -> None:
        self._name, self._model, self._player_info = address.model, model, model_info
        self._parameter_values, self._cache = values, cache

    @property
    def load_progress(self) -> float | None:
        """The share of the model that is loaded, 0 to 1; None while nothing is being loaded."""
        return self._model.state.progress

    async def reply(self, view: SeatView) -> Reply:
        """Return the model's reply, loading the model if necessary. Raises `PlayerFault` with the cause."""
        turns = await read_turns(view, self._name, self._player_info.pictures)
        prompt = self._make_prompt(turns, view)
        prompt_digest = self._compute_prompt_digest(turns, prompt)
        if self._cache and (cached_reply := await asyncio.to_thread(self._cache.find_reply, prompt_digest)):
            return cached_reply
        started_at = time.monotonic()
        try:
            generated_reply = await asyncio.wrap_future(
                self._model.queue_prompt(prompt, _make_threadsafe(view.show_partial_reply))
            )
        except host.ModelFailed as error:
            raise PlayerFault(f"{self._name} gave no answer: {error}", error.code) from None
        reply_meta = self._make_reply_meta(turns, prompt, generated_reply)
        reply_meta |= {"prompt": prompt_digest, "seconds": round(time.monotonic() - started_at, 6)}
        model_reply = Reply(generated_reply.text, reply_meta)
        if self._cache:
            await asyncio.to_thread(self._cache.add_reply, prompt_digest, model_reply)
        return model_reply

    def _make_prompt(self, turns: Sequence[Turn], view: SeatView) -> Prompt:
        parameters = self._parameter_values
        constraint = make_constraint(view.ask.format) if parameters.get("constrain") else None
        return Prompt(
            tuple(PromptTurn(turn.role, turn.text, tuple(picture.data for picture in turn.pictures)) for turn in turns),
            max_tokens=parameters.get("max_tokens", MAX_TOKENS),
            temperature=parameters.get("temperature", 0),
            top_p=parameters.get("top_p", 1),
            top_k=parameters.get("top_k", 0),
            seed=parameters.get("seed", view.random.getrandbits(48)),
            stop=tuple(parameters.get("stop", ())),
            thinking=False if constraint else parameters.get("thinking"),  # thoughts would not fit the format
            constraint=constraint,
            streams=view.show_partial_reply is not None,
        )

    def _list_sent_parameters(self, prompt: Prompt) -> Json:
        """Return the parameters that have an effect, with their values."""
        model_spec = self._model.spec
        sent_parameters: Json = {
            "max_tokens": prompt.max_tokens,
            "temperature": prompt.temperature,
            "quantize": model_spec.quantize,
        }
        if model_spec.trust_remote_code:
            sent_parameters["trust_remote_code"] = True
        if prompt.temperature:
            sent_parameters |= {
                key: self._parameter_values[key] for key in _SAMPLING_PARAMETERS if key in self._parameter_values
            } | {"seed": prompt.seed}
        if prompt.stop:
            sent_parameters["stop"] = list(prompt.stop)
        if prompt.thinking is not None:
            sent_parameters["thinking"] = prompt.thinking
        return sent_parameters

    def _compute_prompt_digest(self, turns: Sequence[Turn], prompt: Prompt) -> str:
        model_spec, constraint = self._model.spec, prompt.constraint
        loading_values = [model_spec.device, model_spec.dtype, model_spec.quantize]
        constraint_rules = [constraint.kind, *constraint.rules] if constraint else None
        return digest(
            [model_spec.name, loading_values, digest_turns(turns), self._list_sent_parameters(prompt), constraint_rules]
        )

    def _make_reply_meta(self, turns: Sequence[Turn], prompt: Prompt, generated_reply: GeneratedReply) -> Json:
        """Return what is known about a reply, as `Reply.meta` stores it."""
        model_description, sent_parameters = self._model.info, self._list_sent_parameters(prompt)
        reply_meta: Json = {
            "tokens_in": generated_reply.tokens_in,
            "tokens_out": generated_reply.tokens_out,
            "finish": generated_reply.finish_reason,
            "attempts": 1,
            "together": generated_reply.batch_size,
        }
        if model_description:
            reply_meta["model"] = model_description.model
            sent_parameters |= {"device": model_description.device, "dtype": model_description.dtype}
        reply_meta["sent"] = sent_parameters
        requested_parameters = {key for key, setting in self._parameter_values.items() if setting is not False}
        applied_parameters = (
            {*sent_parameters, "constrain"} if generated_reply.constraint_kind else set(sent_parameters)
        )
        if dropped_parameters := sorted(requested_parameters - applied_parameters):
            reply_meta["dropped"] = dropped_parameters
        if generated_reply.constraint_kind:
            reply_meta["constrained"] = generated_reply.constraint_kind
        if generated_reply.reasoning:
            reply_meta["reasoning"] = generated_reply.reasoning
        if pictures := list_picture_sizes(turns):
            reply_meta["pictures"] = pictures
        if self._player_info.price:
            reply_meta["cost"] = round(
                compute_cost(generated_reply.tokens_in, generated_reply.tokens_out, self._player_info.price), 9
            )
        return reply_meta


def _make_threadsafe(show_partial_reply: Callable[[str], None] | None) -> Callable[[str], None] | None:
    """Return a function that other threads may call, too."""
    if show_partial_reply is None:
        return None
    event_loop = asyncio.get_running_loop()

    def show_threadsafe(partial_text: str) -> None:
        event_loop.call_soon_threadsafe(show_partial_reply, partial_text)

    return show_threadsafe


class LocalProvider(Provider):
    """Makes players of models that run in a process on this machine."""

    summary = "a model on this machine: hf/ORG/NAME, or hf//FOLDER"

    def make_player(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return a local model's player. Raises `UnknownPlayer`; nothing is loaded yet."""
        if not address.name:
            raise UnknownPlayer("which model? write hf/ORG/NAME, or hf//FOLDER with the whole path of a folder")
        parameters = read_parameters(address, {**LOADING_PARAMETERS, **REPLY_PARAMETERS})
        spec = ModelSpec(address.name, **{key: parameters.pop(key) for key in LOADING_PARAMETERS if key in parameters})
        cache = ReplyCache(context.cache) if context.cache else None
        return LocalPlayer(address, host.find_or_add_model(spec), context.model(address), parameters, cache)

    def info(self, address: Address, context: ProviderContext) -> PlayerInfo:
        """Return what is known about a local model; at most its configuration is read."""
        configured_model = context.model(address)
        if not address.name:
            return PlayerInfo(self.summary, list_missing_packages(), is_local=True)
        model_info = inspect_model(address.name)
        summary = f"a {model_info.architecture} model on this machine" if model_info.architecture else self.summary
        return PlayerInfo(
            configured_model.summary or summary,
            unusable_reason=model_info.unusable_reason,
            max_pictures=0 if model_info.sees_pictures is False else configured_model.pictures,
            is_local=True,
            price=configured_model.price,
        )

    def list_loading_models(self) -> list[str]:
        """Return a line for each model that is being loaded now."""
        model_states = [model_state for model_state in host.list_model_states() if model_state.progress is not None]
        return [f"{Path(model_state.spec.name).name}: {model_state.loading_stage}" for model_state in model_states]

    async def close(self) -> None:
        """Free the memory of all local models."""
        await asyncio.to_thread(host.close_all)


PROVIDER = LocalProvider()
