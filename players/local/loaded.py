"""A loaded model of transformers that continues many conversations at once, each with its own way of choosing words.

Prompts of different lengths are padded on the left. Temperature, top-p, top-k, seed, stop words, limits and constraints
are handled row by row inside one `generate`, so that prompts of different players share a batch. A row's random numbers
come from its own seed: the same prompt with the same seed has the same reply, but for rounding, which can differ with
the company in the batch (recorded as `together`). The model's own generation_config is not applied except for its
end-of-turn tokens: what is sampled is what the player's parameters say.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from players.local.masks import Held, Masks
from players.local.wire import Answer, Prompt, Ready, Spec

Say = Callable[[str], None]


class Unloadable(Exception):
    """A model that cannot be loaded here; the message is the cause with the next step."""


class Unanswerable(Exception):
    """A prompt that this model cannot take; the message is the cause."""


Outcome = Answer | Unanswerable
Deliver = Callable[[int, Outcome], None]


@dataclass
class _Row:
    """One reply in the making."""

    number: int
    prompt: Prompt
    held: Held | None
    random: Any
    tokens_in: int
    tokens: list[int] = field(default_factory=list)
    finish: str = ""

    @property
    def left(self) -> int:
        return self.prompt.max_tokens - len(self.tokens)


class Loaded:
    """A model in this process's memory."""

    def __init__(self, spec: Spec, model: Any, processor: Any, ready: Ready) -> None:
        import transformers

        self.spec, self.ready = spec, ready
        self._model, self._processor = model, processor
        self._tokenizer = getattr(processor, "tokenizer", processor)
        self._tokenizer.padding_side = "left"
        self.ends = _ends(model, self._tokenizer)
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.convert_ids_to_tokens(self.ends[0])
        width = model.config.get_text_config().vocab_size
        self.masks = Masks(self._tokenizer, max(width, len(self._tokenizer)), self.ends)
        self._most = spec.batch
        self._control = _control_tokens(self._tokenizer, getattr(processor, "chat_template", None) or "")
        model.generation_config = transformers.GenerationConfig(
            eos_token_id=list(self.ends), pad_token_id=self._tokenizer.pad_token_id
        )

    @classmethod
    def load(cls, spec: Spec, say: Say = lambda stage: None) -> Loaded:
        """Load a model; `say` hears what is being done. Raises `Unloadable`."""
        say("loading torch and transformers")
        try:
            import torch
            import transformers
        except ImportError as error:
            raise Unloadable(f"{error.name} is not installed: pip install 'ludens[local]'") from None
        device = _device(spec.device)
        say("reading the configuration")
        try:
            config = transformers.AutoConfig.from_pretrained(spec.name)
            sees = type(config) in transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING
            processors = transformers.AutoProcessor if sees else transformers.AutoTokenizer
            processor = processors.from_pretrained(spec.name)
            if not (
                getattr(processor, "chat_template", None) or getattr(processor, "tokenizer", processor).chat_template
            ):
                raise Unloadable(
                    f"{spec.name} has no chat template: it is no model to talk to; take its -Instruct form"
                )
            say("loading weights")
            kind = transformers.AutoModelForImageTextToText if sees else transformers.AutoModelForCausalLM
            model = kind.from_pretrained(spec.name, config=config, **_how(spec, device))
            if spec.quantize == "none":
                say(f"moving the model to {device}")
                model = model.to(device)
        except Unloadable:
            raise
        except torch.OutOfMemoryError:
            raise Unloadable(
                f"{spec.name} does not fit into the memory of {device}: "
                "try dtype=bfloat16, quantize=4bit or a smaller model"
            ) from None
        except (OSError, ValueError, ImportError, KeyError, RuntimeError) as error:
            raise Unloadable(f"{spec.name} could not be loaded: {_step(error) or one_line(error)}") from error
        revision = getattr(config, "_commit_hash", None)
        ready = Ready(
            model=f"{spec.name}@{revision}" if revision else spec.name,
            device=str(model.device),
            dtype=str(model.dtype).removeprefix("torch."),
            sees=sees,
            context=getattr(config.get_text_config(), "max_position_embeddings", None),
        )
        return cls(spec, model.eval(), processor, ready)

    # ------------------------------------------------------------------ generating
    def generate(self, prompts: Sequence[Prompt]) -> list[Outcome]:
        """Answer prompts, together as far as memory allows."""
        answers: dict[int, Outcome] = {}
        self.answer(dict(enumerate(prompts)), answers.__setitem__)
        return [answers[number] for number in range(len(prompts))]

    def answer(self, prompts: dict[int, Prompt], deliver: Deliver, given_up: Collection[int] = ()) -> None:
        """Answer numbered prompts, together as far as memory allows; each answer is delivered as soon as it is whole.

        Prompts whose number is, or comes to be, in `given_up` are dropped. Raises what makes the whole model useless.
        """
        import torch

        waiting = {number: prompt for number, prompt in prompts.items() if number not in given_up}
        while waiting:
            thinking = next(iter(waiting.values())).thinking  # one template setting for a batch
            alike = [number for number, prompt in waiting.items() if prompt.thinking == thinking]
            together = {number: waiting[number] for number in alike[: self._most]}

            def done(number: int, outcome: Outcome, waiting: dict[int, Prompt] = waiting) -> None:
                if waiting.pop(number, None):
                    deliver(number, outcome)

            try:
                with torch.inference_mode():
                    self._together(together, done, given_up)
            except torch.OutOfMemoryError:
                left = [number for number in together if number in waiting]
                if len(together) == 1 and left:
                    done(left[0], Unanswerable("the conversation does not fit into the memory of the device"))
                self._most = max(1, len(together) // 2)
                _free_memory(torch)
                continue
            except torch.AcceleratorError:  # the device is in no state to go on
                raise
            except Exception as error:  # whatever a processor or template finds wrong with one prompt
                left = [number for number in together if number in waiting]
                if len(together) == 1 and left:
                    done(left[0], Unanswerable(one_line(error)))
                else:  # must not take the others with it
                    for number in left:
                        self.answer({number: together[number]}, done, given_up)
            for number in together:
                waiting.pop(number, None)

    def _together(self, prompts: dict[int, Prompt], done: Deliver, given_up: Collection[int]) -> None:
        """Answer prompts in one batch."""
        import torch

        inputs = self._encode(list(prompts.values()))
        lengths = [int(length) for length in inputs["attention_mask"].sum(dim=1)]
        fitting = dict(prompts)
        for (number, prompt), length in zip(prompts.items(), lengths, strict=True):
            if self.ready.context and length + prompt.max_tokens > self.ready.context:
                del fitting[number]
                done(
                    number,
                    Unanswerable(
                        f"the conversation has {length} tokens and its reply {prompt.max_tokens} at most, "
                        f"more than the {self.ready.context} of this model: lower max_tokens or take another model"
                    ),
                )
        if len(fitting) < len(prompts):
            if fitting:
                self._together(fitting, done, given_up)
            return
        rows = [
            _Row(number, prompt, self._hold(prompt), torch.Generator().manual_seed(prompt.seed), length)
            for (number, prompt), length in zip(prompts.items(), lengths, strict=True)
        ]
        choosing = _Choosing(self, rows, done, given_up)
        self._model.generate(
            **inputs.to(self._model.device),
            max_new_tokens=max(prompt.max_tokens for prompt in prompts.values()),
            do_sample=False,  # what is sampled is chosen by `_Choosing`, row by row
            logits_processor=[choosing.limit],
            stopping_criteria=[choosing.stop],
        )

    def _encode(self, prompts: Sequence[Prompt]) -> Any:
        """Return conversations as one padded batch of tensors."""
        template = {} if prompts[0].thinking is None else {"enable_thinking": prompts[0].thinking}
        padding = {"processor_kwargs": {"padding": True}} if self.ready.sees else {"padding": True}
        return self._processor.apply_chat_template(
            [self._conversation(prompt) for prompt in prompts],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            **padding,
            **template,
        )

    def _conversation(self, prompt: Prompt) -> list[dict[str, Any]]:
        from PIL import Image

        if not self.ready.sees:
            if any(turn.pictures for turn in prompt.turns):
                raise Unanswerable(f"{self.spec.name} is a text model and cannot see pictures")
            return [{"role": turn.role, "content": self._harmless(turn.text)} for turn in prompt.turns]
        said = []
        for turn in prompt.turns:
            pictures = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in turn.pictures]
            parts = [{"type": "image", "image": picture} for picture in pictures]
            said.append({"role": turn.role, "content": [*parts, {"type": "text", "text": self._harmless(turn.text)}]})
        return said

    def _harmless(self, text: str) -> str:
        """Break up control tokens: a partner's words must not end a turn or claim to be a picture.

        (`sanitize_control_tokens` of transformers 5.23 would do, but fails with the pictures of Idefics3.)
        """
        return self._control.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)

    def text(self, tokens: Sequence[int]) -> str:
        """Return tokens as text, without special ones."""
        return str(self._tokenizer.decode(tokens, skip_special_tokens=True))

    @staticmethod
    def cut(text: str, stop: Sequence[str]) -> tuple[str, bool]:
        """Return a text up to the first of its stop words, and whether there was one."""
        found = [text.index(word) for word in stop if word in text]
        return (text[: min(found)], True) if found else (text, False)

    def _hold(self, prompt: Prompt) -> Held | None:
        if prompt.constraint is None:
            return None
        try:
            return self.masks.hold(prompt.constraint)
        except ValueError:  # told by `Answer.constrained`
            return None


class _Choosing:
    """Chooses the next token of every row, and says which rows are whole; `generate` calls both once a step."""

    def __init__(self, loaded: Loaded, rows: Sequence[_Row], done: Deliver, given_up: Collection[int]) -> None:
        self._loaded, self._rows, self._done, self._given_up = loaded, rows, done, given_up
        self._sampled = [place for place, row in enumerate(rows) if row.prompt.temperature > 0]

    def limit(self, input_ids: Any, scores: Any) -> Any:
        """Return the scores with what may not follow at -inf, and where a row is sampled all but the chosen token."""
        import numpy as np
        import torch

        held = [(place, row) for place, row in enumerate(self._rows) if row.held and not row.finish]
        if held:
            masks = np.zeros((len(held), scores.shape[1]), dtype=bool)
            for at, (_, row) in enumerate(held):
                mask = row.held.allowed(row.left)[: scores.shape[1]] if row.held else ()
                masks[at, : len(mask)] = mask
            places = torch.tensor([place for place, _ in held], device=scores.device)
            barred = ~torch.from_numpy(masks).to(scores.device)
            scores[places] = scores[places].masked_fill(barred, float("-inf"))
        return self._sample(scores) if self._sampled else scores

    def _sample(self, scores: Any) -> Any:
        """Draw from each sampled row's own distribution with its own random number."""
        import torch

        def column(values: list[float]) -> Any:
            return torch.tensor(values, device=scores.device)[:, None]

        rows = [self._rows[place] for place in self._sampled]
        places = torch.tensor(self._sampled, device=scores.device)
        drawn = column([float(torch.rand(1, generator=row.random)) for row in rows])
        chances, order = torch.softmax(scores[places] / column([row.prompt.temperature for row in rows]), dim=-1).sort(
            descending=True, stable=True
        )
        before = chances.cumsum(dim=-1) - chances
        kept = before < column([row.prompt.top_p for row in rows])
        most = column([float(row.prompt.top_k or scores.shape[1]) for row in rows])
        kept &= torch.arange(scores.shape[1], device=scores.device)[None, :] < most
        reached = (chances * kept).cumsum(dim=-1)
        chosen = order.gather(1, (reached > drawn * reached[:, -1:]).int().argmax(dim=-1, keepdim=True))
        scores[places] = torch.full_like(scores[places], float("-inf")).scatter(1, chosen, 0.0)
        return scores

    def stop(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """Take in the chosen tokens and return which rows are whole."""
        import torch

        for row, token in zip(self._rows, input_ids[:, -1].tolist(), strict=True):
            if not row.finish:
                self._take(row, token)
        return torch.tensor([bool(row.finish) for row in self._rows], device=input_ids.device)

    def _take(self, row: _Row, token: int) -> None:
        if row.number in self._given_up:
            row.finish = "given up"
            return
        row.tokens.append(token)
        if token in self._loaded.ends:
            row.finish = "stop"
        elif row.held:
            row.held.take(token)
        if not row.finish:
            stopped = row.prompt.stop and self._loaded.cut(self._loaded.text(row.tokens), row.prompt.stop)[1]
            row.finish = "stop" if stopped or (row.held and row.held.over) else "" if row.left else "length"
        if row.finish:
            self._done(row.number, self._answer(row))

    def _answer(self, row: _Row) -> Answer:
        text = self._loaded.text([token for token in row.tokens if token not in self._loaded.ends])
        reasoning, text = _split(text)
        text, _ = self._loaded.cut(text, row.prompt.stop)
        constraint = row.prompt.constraint
        return Answer(
            text=text,
            reasoning=reasoning,
            tokens_in=row.tokens_in,
            tokens_out=len(row.tokens),
            finish=row.finish,
            constrained=constraint.kind if constraint and row.held else None,
            together=len(self._rows),
        )


def _split(text: str) -> tuple[str, str]:
    """Return the thoughts and the reply of a model that thinks aloud in <think>…</think>."""
    before, closed, after = text.partition("</think>")
    if closed:
        return before.replace("<think>", "", 1).strip(), after
    if text.lstrip().startswith("<think>"):  # cut short while thinking
        return text.replace("<think>", "", 1).strip(), ""
    return "", text


def _control_tokens(tokenizer: Any, template: object) -> re.Pattern[str]:
    """Return a pattern of all that a tokenizer reads as something else than text in a conversation."""
    written = str(template) + str(tokenizer.chat_template or "")
    added = tokenizer.added_tokens_decoder.values()
    control = {token.content for token in added if token.special or token.content in written}
    longest = sorted((text for text in control if len(text) > 1 and not text.isspace()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest)) or r"(?!)")


def _ends(model: Any, tokenizer: Any) -> tuple[int, ...]:
    """Return the tokens that end a turn."""
    said = model.generation_config.eos_token_id
    ends = [*(said if isinstance(said, list) else [said]), tokenizer.eos_token_id]
    found = tuple(dict.fromkeys(int(token) for token in ends if token is not None))
    if not found:
        raise Unloadable("the model names no token that ends a turn (eos_token)")
    return found


def _device(wanted: str) -> str:
    import torch

    if wanted != "auto":
        return wanted
    return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"


def _how(spec: Spec, device: str) -> dict[str, Any]:
    """Return the arguments of `from_pretrained` that say how weights are held."""
    import torch
    import transformers

    dtype: Any = "auto"  # as the weights are; on a CPU float32, which is quicker and rounds less there
    if spec.dtype != "auto":
        dtype = getattr(torch, spec.dtype)
    elif device == "cpu":
        dtype = torch.float32
    if spec.quantize == "none":
        return {"dtype": dtype}
    compute = torch.bfloat16 if dtype == "auto" else dtype
    config = transformers.BitsAndBytesConfig(
        load_in_4bit=spec.quantize == "4bit",
        load_in_8bit=spec.quantize == "8bit",
        bnb_4bit_compute_dtype=compute,
        bnb_4bit_quant_type="nf4",
    )
    return {"dtype": compute, "quantization_config": config, "device_map": {"": device}}


def _step(error: Exception) -> str:
    """Say what to install where that is what an error is about."""
    for package, what in (
        (
            "torchvision",
            "its picture processor needs torchvision: install the one built for your torch (0.28.0 for 2.13.0)",
        ),
        ("bitsandbytes", "quantize needs two packages: pip install bitsandbytes accelerate"),
        ("accelerate", "quantize needs two packages: pip install bitsandbytes accelerate"),
    ):
        if package in str(error).lower():
            return what
    return ""


def _free_memory(torch: Any) -> None:
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def one_line(error: Exception) -> str:
    """Return an error as one line of at most 300 characters."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}"[:300] if not isinstance(error, Unanswerable) else said
