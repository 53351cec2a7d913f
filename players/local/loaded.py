"""A loaded model of transformers that continues many conversations at once, each with its own sampling parameters.

Prompts of different lengths are padded on the left. Temperature, top-p, top-k, seed, stop words, limits and constraints
are applied row by row inside one `generate` call, so that prompts of different players share a batch. Each row draws
random numbers from its own seed: the same prompt with the same seed gets the same reply, except for rounding, which can
differ with the other rows of the batch (recorded as `together`). Of the model's own generation_config only the
end-of-turn tokens apply: sampling follows the player's parameters.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.patterns import Pattern, compile_linear_pattern, escape
from engine.core.player import FaultCode
from players.local.folders import find_damaged_file, find_folder
from players.local.masks import ConstrainedReply, TokenMasks
from players.local.messages import GeneratedReply, LoadedModelDescription, ModelSpec, Prompt

PARTIAL_REPLY_INTERVAL_SECONDS = 0.2
"""Seconds between two parts of a reply that somebody watches."""
ReportStage = Callable[[str], None]


class LoadError(Exception):
    """A model cannot be loaded here; the message is the cause with the next step."""

    def __init__(self, cause: str, code: FaultCode = FaultCode.OTHER) -> None:
        super().__init__(cause)
        self.code = code


class GenerationError(Exception):
    """This model cannot process a prompt; the message is the cause."""

    def __init__(self, cause: str, code: FaultCode = FaultCode.OTHER) -> None:
        super().__init__(cause)
        self.code = code


GenerationResult = GeneratedReply | GenerationError
DeliverResult = Callable[[int, GenerationResult], None]


@dataclass
class _UnfinishedReply:
    """One reply in the making."""

    number: int
    prompt: Prompt
    constrained_reply: ConstrainedReply | None
    random: Any
    tokens_in: int
    tokens: list[int] = field(default_factory=list)
    finish_reason: str = ""
    partial_shown_at: float = 0.0
    """When its text was shown last, on the monotonic clock."""

    @property
    def remaining_tokens(self) -> int:
        return self.prompt.max_tokens - len(self.tokens)


class LoadedModel:
    """A model in this process's memory."""

    def __init__(
        self, model_spec: ModelSpec, model: Any, text_processor: Any, model_description: LoadedModelDescription
    ) -> None:
        import transformers

        self.show_partial_reply: Callable[[int, str], None] = lambda prompt_number, partial_text: None
        """Takes the text so far of prompts that stream, by number."""
        self.spec, self.info = model_spec, model_description
        self._model, self._processor = model, text_processor
        self._tokenizer = getattr(text_processor, "tokenizer", text_processor)
        self._tokenizer.padding_side = "left"
        self.end_tokens = _list_end_tokens(model, self._tokenizer)
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.convert_ids_to_tokens(self.end_tokens[0])
        vocabulary_size = model.config.get_text_config().vocab_size
        self.masks = TokenMasks(self._tokenizer, max(vocabulary_size, len(self._tokenizer)), self.end_tokens)
        self._max_batch = model_spec.batch
        self._control_tokens = _control_tokens(self._tokenizer, getattr(text_processor, "chat_template", None) or "")
        model.generation_config = transformers.GenerationConfig(
            eos_token_id=list(self.end_tokens), pad_token_id=self._tokenizer.pad_token_id
        )

    @classmethod
    def load(cls, spec: ModelSpec, report_stage: ReportStage = lambda loading_stage: None) -> LoadedModel:
        """Load a model; `report_stage` receives each stage. Raises `LoadError`."""
        report_stage("loading torch and transformers")
        try:
            import torch
            import transformers
        except ImportError as error:
            failure_cause = f"{error.name} is not installed: pip install 'ludens[local]'"
            raise LoadError(failure_cause, FaultCode.NOT_INSTALLED) from None
        device_name = _resolve_device(spec.device)
        report_stage("reading the configuration")
        try:
            code_option = {"trust_remote_code": spec.trust_remote_code}
            model_config = transformers.AutoConfig.from_pretrained(spec.name, **code_option)
            accepts_pictures = type(model_config) in transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING
            accepts_pictures |= spec.trust_remote_code and "AutoModelForImageTextToText" in getattr(
                model_config, "auto_map", {}
            )
            processor_class = transformers.AutoProcessor if accepts_pictures else transformers.AutoTokenizer
            text_processor = processor_class.from_pretrained(spec.name, **code_option)
            tokenizer = getattr(text_processor, "tokenizer", text_processor)
            if not (getattr(text_processor, "chat_template", None) or tokenizer.chat_template):
                raise LoadError(f"{spec.name} has no chat template: it is no model to talk to; take its -Instruct form")
            report_stage("loading weights")
            model_class = (
                transformers.AutoModelForImageTextToText if accepts_pictures else transformers.AutoModelForCausalLM
            )
            model, loading_report = model_class.from_pretrained(
                spec.name,
                config=model_config,
                output_loading_info=True,
                ignore_mismatched_sizes=True,  # refused below, with their names
                **code_option,
                **_make_loading_arguments(spec, device_name),
            )
            if incomplete_reason := _find_incomplete_reason(loading_report):
                raise LoadError(f"{spec.name} cannot be played with: {incomplete_reason}")
            if spec.quantize == "none":
                report_stage(f"moving the model to {device_name}")
                model = model.to(device_name)
        except LoadError:
            raise
        except torch.OutOfMemoryError:
            failure_cause = (
                f"{spec.name} does not fit into the memory of {device_name}: "
                "try dtype=bfloat16, quantize=4bit or a smaller model"
            )
            raise LoadError(failure_cause, FaultCode.OUT_OF_MEMORY) from None
        except Exception as error:  # packages raise errors of all kinds for damaged files
            raise LoadError(_describe_failure(spec, error)) from error
        revision = getattr(model_config, "_commit_hash", None)
        model_description = LoadedModelDescription(
            model=f"{spec.name}@{revision}" if revision else spec.name,
            device=str(model.device),
            dtype=str(model.dtype).removeprefix("torch."),
            sees_pictures=accepts_pictures,
            context=getattr(model_config.get_text_config(), "max_position_embeddings", None),
        )
        return cls(spec, model.eval(), text_processor, model_description)

    # ------------------------------------------------------------------ generating
    def generate_replies(self, prompts: Sequence[Prompt]) -> list[GenerationResult]:
        """Answer prompts, together as far as memory allows."""
        result_by_number: dict[int, GenerationResult] = {}
        self.answer(dict(enumerate(prompts)), result_by_number.__setitem__)
        return [result_by_number[prompt_number] for prompt_number in range(len(prompts))]

    def answer(
        self, prompts: dict[int, Prompt], deliver: DeliverResult, cancelled_numbers: Collection[int] = ()
    ) -> None:
        """Answer numbered prompts, together as far as memory allows; deliver each result as soon as it is complete.

        Prompts whose number is in `cancelled_numbers`, now or later, are dropped. Raises errors that make the
        model unusable.
        """
        import torch

        waiting_prompts = {number: prompt for number, prompt in prompts.items() if number not in cancelled_numbers}
        while waiting_prompts:
            thinking = next(iter(waiting_prompts.values())).thinking  # a batch has one setting of the chat template
            prompt_numbers = [number for number, prompt in waiting_prompts.items() if prompt.thinking == thinking]
            prompt_batch = {number: waiting_prompts[number] for number in prompt_numbers[: self._max_batch]}

            def deliver_result(
                number: int, result: GenerationResult, waiting_prompts: dict[int, Prompt] = waiting_prompts
            ) -> None:
                if waiting_prompts.pop(number, None):
                    deliver(number, result)

            try:
                with torch.inference_mode():
                    self._answer_batch(prompt_batch, deliver_result, cancelled_numbers)
            except torch.OutOfMemoryError:
                unanswered_prompt_numbers = [number for number in prompt_batch if number in waiting_prompts]
                if len(prompt_batch) == 1 and unanswered_prompt_numbers:
                    failure_cause = "the conversation does not fit into the memory of the device"
                    deliver_result(
                        unanswered_prompt_numbers[0], GenerationError(failure_cause, FaultCode.OUT_OF_MEMORY)
                    )
                self._max_batch = max(1, len(prompt_batch) // 2)
                _free_memory(torch)
                continue
            except torch.AcceleratorError:  # the device cannot continue
                raise
            except Exception as error:  # a processor or template rejects one of the prompts
                unanswered_prompt_numbers = [number for number in prompt_batch if number in waiting_prompts]
                if len(prompt_batch) == 1 and unanswered_prompt_numbers:
                    rejection = (
                        error
                        if isinstance(error, GenerationError)
                        else GenerationError(describe_error_in_one_line(error))
                    )
                    deliver_result(unanswered_prompt_numbers[0], rejection)
                else:  # answer the others one by one
                    for number in unanswered_prompt_numbers:
                        self.answer({number: prompt_batch[number]}, deliver_result, cancelled_numbers)
            for number in prompt_batch:
                waiting_prompts.pop(number, None)

    def _answer_batch(
        self, prompts: dict[int, Prompt], deliver_result: DeliverResult, cancelled_numbers: Collection[int]
    ) -> None:
        """Answer prompts in one batch."""
        import torch

        input_tensors = self._encode_prompts(list(prompts.values()))
        prompt_lengths = [int(prompt_length) for prompt_length in input_tensors["attention_mask"].sum(dim=1)]
        prompts_within_context = dict(prompts)
        for (prompt_number, prompt), prompt_length in zip(prompts.items(), prompt_lengths, strict=True):
            if self.info.context and prompt_length + prompt.max_tokens > self.info.context:
                del prompts_within_context[prompt_number]
                failure_cause = (
                    f"the conversation has {prompt_length} tokens and its reply {prompt.max_tokens} at most, "
                    f"more than the {self.info.context} of this model: lower max_tokens or take another model"
                )
                deliver_result(prompt_number, GenerationError(failure_cause, FaultCode.PROMPT_TOO_LONG))
        if len(prompts_within_context) < len(prompts):
            if prompts_within_context:
                self._answer_batch(prompts_within_context, deliver_result, cancelled_numbers)
            return
        batch_rows = [
            _UnfinishedReply(
                prompt_number,
                prompt,
                self._begin_constrained_reply(prompt),
                torch.Generator().manual_seed(prompt.seed),
                prompt_length,
            )
            for (prompt_number, prompt), prompt_length in zip(prompts.items(), prompt_lengths, strict=True)
        ]
        token_chooser = _TokenChooser(self, batch_rows, deliver_result, cancelled_numbers)
        self._model.generate(
            **input_tensors.to(self._model.device),
            max_new_tokens=max(prompt.max_tokens for prompt in prompts.values()),
            do_sample=False,  # `_TokenChooser` samples row by row
            logits_processor=[token_chooser.process_scores],
            stopping_criteria=[token_chooser.find_finished_rows],
        )

    def _encode_prompts(self, prompts: Sequence[Prompt]) -> Any:
        """Return conversations as one padded batch of tensors."""
        template_options = {} if prompts[0].thinking is None else {"enable_thinking": prompts[0].thinking}
        padding_options = {"processor_kwargs": {"padding": True}} if self.info.sees_pictures else {"padding": True}
        return self._processor.apply_chat_template(
            [self._make_conversation(prompt) for prompt in prompts],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            **padding_options,
            **template_options,
        )

    def _make_conversation(self, prompt: Prompt) -> list[dict[str, Any]]:
        from PIL import Image

        if not self.info.sees_pictures:
            if any(turn.pictures for turn in prompt.turns):
                fault_cause = f"{self.spec.name} is a text model and cannot see pictures"
                raise GenerationError(fault_cause, FaultCode.TOO_MANY_PICTURES)
            return [{"role": turn.role, "content": self._escape_control_tokens(turn.text)} for turn in prompt.turns]
        messages = []
        for turn in prompt.turns:
            pictures = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in turn.pictures]
            content_parts = [{"type": "image", "image": picture} for picture in pictures]
            messages.append(
                {
                    "role": turn.role,
                    "content": [*content_parts, {"type": "text", "text": self._escape_control_tokens(turn.text)}],
                }
            )
        return messages

    def _escape_control_tokens(self, turn_text: str) -> str:
        """Break up control tokens, so that a partner's words cannot end a turn or pass for a picture.

        (`sanitize_control_tokens` of transformers 5.23 does the same, but fails with the pictures of Idefics3.)
        """
        return self._control_tokens.sub(lambda match: f"{match[0][0]} {match[0][1:]}", turn_text)

    def decode_tokens(self, tokens: Sequence[int]) -> str:
        """Return tokens as text, without special ones."""
        return str(self._tokenizer.decode(tokens, skip_special_tokens=True))

    @staticmethod
    def cut_at_stop_word(reply_text: str, stop_words: Sequence[str]) -> tuple[str, bool]:
        """Return a text up to the first of its stop words, and whether it contains one."""
        stop_positions = [reply_text.index(stop_word) for stop_word in stop_words if stop_word in reply_text]
        return (reply_text[: min(stop_positions)], True) if stop_positions else (reply_text, False)

    def _begin_constrained_reply(self, prompt: Prompt) -> ConstrainedReply | None:
        if prompt.constraint is None:
            return None
        try:
            return self.masks.begin_reply(prompt.constraint)
        except ValueError:  # `GeneratedReply.constraint_kind` shows that the constraint was not applied
            return None


class _TokenChooser:
    """Chooses the next token of every row and decides which rows are complete; `generate` calls both once per step."""

    def __init__(
        self,
        model: LoadedModel,
        unfinished_replies: Sequence[_UnfinishedReply],
        deliver_result: DeliverResult,
        cancelled_numbers: Collection[int],
    ) -> None:
        self._model, self._replies, self._deliver_result, self._cancelled_numbers = (
            model,
            unfinished_replies,
            deliver_result,
            cancelled_numbers,
        )
        self._sampled_row_indices = [
            row_index for row_index, row in enumerate(unfinished_replies) if row.prompt.temperature > 0
        ]

    def process_scores(self, input_ids: Any, scores: Any) -> Any:
        """Return the scores with forbidden tokens at -inf; in a sampled row, only the chosen token is left."""
        import numpy as np
        import torch

        constrained_rows = [
            (row_index, unfinished_reply, unfinished_reply.constrained_reply)
            for row_index, unfinished_reply in enumerate(self._replies)
            if unfinished_reply.constrained_reply is not None and not unfinished_reply.finish_reason
        ]
        if constrained_rows:
            allowed_tokens = np.zeros((len(constrained_rows), scores.shape[1]), dtype=bool)
            for mask_index, (_, unfinished_reply, constrained_reply) in enumerate(constrained_rows):
                token_mask = constrained_reply.allowed_tokens(unfinished_reply.remaining_tokens)[: scores.shape[1]]
                allowed_tokens[mask_index, : len(token_mask)] = token_mask
            indices = torch.tensor([row_index for row_index, _, _ in constrained_rows], device=scores.device)
            forbidden_tokens = ~torch.from_numpy(allowed_tokens).to(scores.device)
            scores[indices] = scores[indices].masked_fill(forbidden_tokens, float("-inf"))
        return self._sample_tokens(scores) if self._sampled_row_indices else scores

    def _sample_tokens(self, scores: Any) -> Any:
        """Draw from each sampled row's own distribution with its own random number."""
        import torch

        def column(column_values: list[float]) -> Any:
            return torch.tensor(column_values, device=scores.device)[:, None]

        sampled_rows = [self._replies[row_index] for row_index in self._sampled_row_indices]
        indices = torch.tensor(self._sampled_row_indices, device=scores.device)
        random_shares = column([float(torch.rand(1, generator=sampled_reply.random)) for sampled_reply in sampled_rows])
        temperatures = column([sampled_reply.prompt.temperature for sampled_reply in sampled_rows])
        probabilities, token_order = torch.softmax(scores[indices] / temperatures, dim=-1).sort(
            descending=True, stable=True
        )
        preceding_mass = probabilities.cumsum(dim=-1) - probabilities
        is_eligible = preceding_mass < column([sampled_reply.prompt.top_p for sampled_reply in sampled_rows])
        top_k = column([float(sampled_reply.prompt.top_k or scores.shape[1]) for sampled_reply in sampled_rows])
        is_eligible &= torch.arange(scores.shape[1], device=scores.device)[None, :] < top_k
        cumulative_mass = (probabilities * is_eligible).cumsum(dim=-1)
        chosen_indices = token_order.gather(
            1, (cumulative_mass > random_shares * cumulative_mass[:, -1:]).int().argmax(dim=-1, keepdim=True)
        )
        scores[indices] = torch.full_like(scores[indices], float("-inf")).scatter(1, chosen_indices, 0.0)
        return scores

    def find_finished_rows(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """Append the chosen tokens and return which rows are complete."""
        import torch

        for reply, token in zip(self._replies, input_ids[:, -1].tolist(), strict=True):
            if not reply.finish_reason:
                self._append_token(reply, token)
        return torch.tensor([bool(reply.finish_reason) for reply in self._replies], device=input_ids.device)

    def _append_token(self, reply: _UnfinishedReply, token: int) -> None:
        if reply.number in self._cancelled_numbers:
            reply.finish_reason = "given up"
            return
        reply.tokens.append(token)
        if token in self._model.end_tokens:
            reply.finish_reason = "stop"
        elif reply.constrained_reply:
            reply.constrained_reply.append(token)
        if not reply.finish_reason:
            has_stop_word = (
                reply.prompt.stop
                and self._model.cut_at_stop_word(self._model.decode_tokens(reply.tokens), reply.prompt.stop)[1]
            )
            if has_stop_word or (reply.constrained_reply and reply.constrained_reply.is_complete):
                reply.finish_reason = "stop"
            elif not reply.remaining_tokens:
                reply.finish_reason = "length"
        if reply.finish_reason:
            self._deliver_result(reply.number, self._make_generated_reply(reply))
        elif reply.prompt.streams and time.monotonic() - reply.partial_shown_at >= PARTIAL_REPLY_INTERVAL_SECONDS:
            reply.partial_shown_at = time.monotonic()
            self._model.show_partial_reply(reply.number, self._decode_partial_reply(reply))

    def _decode_partial_reply(self, unfinished_reply: _UnfinishedReply) -> str:
        """Return the reply so far, without thoughts and without a character of which only some bytes are there."""
        _, partial_text = _split_thoughts(self._model.decode_tokens(unfinished_reply.tokens).removesuffix("\ufffd"))
        return partial_text

    def _make_generated_reply(self, reply: _UnfinishedReply) -> GeneratedReply:
        reply_text = self._model.decode_tokens([token for token in reply.tokens if token not in self._model.end_tokens])
        reasoning_text, reply_text = _split_thoughts(reply_text)
        reply_text, _ = self._model.cut_at_stop_word(reply_text, reply.prompt.stop)
        constraint = reply.prompt.constraint
        return GeneratedReply(
            text=reply_text,
            reasoning=reasoning_text,
            tokens_in=reply.tokens_in,
            tokens_out=len(reply.tokens),
            finish_reason=reply.finish_reason,
            constraint_kind=constraint.kind if constraint and reply.constrained_reply else None,
            batch_size=len(self._replies),
        )


def _split_thoughts(reply_text: str) -> tuple[str, str]:
    """Return the thoughts and the reply of a model that writes its thoughts in <think>…</think>."""
    thoughts_text, closing_tag, final_reply = reply_text.partition("</think>")
    if closing_tag:
        return thoughts_text.replace("<think>", "", 1).strip(), final_reply
    if reply_text.lstrip().startswith("<think>"):  # cut short while thinking
        return reply_text.replace("<think>", "", 1).strip(), ""
    return "", reply_text


def _control_tokens(tokenizer: Any, chat_template: object) -> Pattern[str]:
    """Return a pattern of everything that a tokenizer reads as something other than text in a conversation."""
    templates = str(chat_template) + str(tokenizer.chat_template or "")
    added_tokens = tokenizer.added_tokens_decoder.values()
    control_tokens = {token.content for token in added_tokens if token.special or token.content in templates}
    tokens_by_length = sorted(
        (text for text in control_tokens if len(text) > 1 and not text.isspace()), key=len, reverse=True
    )
    return compile_linear_pattern("|".join(map(escape, tokens_by_length)) or r"(?!)", reason="literals only")


def _list_end_tokens(model: Any, tokenizer: Any) -> tuple[int, ...]:
    """Return the tokens that end a turn."""
    configured_end_tokens = model.generation_config.eos_token_id
    candidates = [
        *(configured_end_tokens if isinstance(configured_end_tokens, list) else [configured_end_tokens]),
        tokenizer.eos_token_id,
    ]
    end_tokens = tuple(dict.fromkeys(int(token) for token in candidates if token is not None))
    if not end_tokens:
        raise LoadError("the model names no token that ends a turn (eos_token)")
    return end_tokens


def _resolve_device(device_name: str) -> str:
    import torch

    if device_name != "auto":
        return device_name
    return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"


def _make_loading_arguments(model_spec: ModelSpec, device_name: str) -> dict[str, Any]:
    """Return the arguments of `from_pretrained` for the weights."""
    import torch
    import transformers

    weight_dtype: Any = "auto"  # as the weights are; on a CPU float32, which is faster and rounds less there
    if model_spec.dtype != "auto":
        weight_dtype = getattr(torch, model_spec.dtype)
    elif device_name == "cpu":
        weight_dtype = torch.float32
    if model_spec.quantize == "none":
        return {"dtype": weight_dtype}
    compute_dtype = torch.bfloat16 if weight_dtype == "auto" else weight_dtype
    quantization_config = transformers.BitsAndBytesConfig(
        load_in_4bit=model_spec.quantize == "4bit",
        load_in_8bit=model_spec.quantize == "8bit",
        bnb_4bit_compute_dtype=compute_dtype,
        bnb_4bit_quant_type="nf4",
    )
    return {"dtype": compute_dtype, "quantization_config": quantization_config, "device_map": {"": device_name}}


INSTALL_HINTS = {
    "torchvision": (
        "its picture processor needs torchvision: install the one built for your torch (0.28.0 for 2.13.0)"
    ),
    "bitsandbytes": "quantize needs two packages: pip install bitsandbytes accelerate",
    "accelerate": "quantize needs two packages: pip install bitsandbytes accelerate",
}
"""What to install if the message of an error mentions a package."""


def _find_incomplete_reason(loading_report: Mapping[str, Any]) -> str | None:
    """Return which tensors transformers filled with random numbers, None if the weights are complete."""
    if missing_keys := sorted(loading_report["missing_keys"]):
        missing_text = _summarise_names(missing_keys)
        return f"its weights lack {missing_text}. Is the download complete, and config.json of this model?"
    wrong_sizes = [
        f"{tensor_name} {list(actual_shape)}, not {list(expected_shape)}"
        for tensor_name, actual_shape, expected_shape in loading_report["mismatched_keys"]
    ]
    if wrong_sizes:
        return f"its weights do not fit its config.json: {_summarise_names(sorted(wrong_sizes))}"
    return None


def _summarise_names(names: Sequence[str]) -> str:
    """Return a count and the first three of some names."""
    shown_names = ", ".join(names[:3])
    unit_word = "tensor" if len(names) == 1 else "tensors"
    return f"{len(names)} {unit_word} ({shown_names}{', …' if len(names) > 3 else ''})"


def _describe_failure(model_spec: ModelSpec, error: Exception) -> str:
    """Return why a model could not be loaded, as what its folder and the error tell."""
    if not model_spec.trust_remote_code and "trust_remote_code" in str(error):
        return (
            f"{model_spec.name} needs code of its own (auto_map in its configuration), which is not run: take a "
            "model that transformers itself knows, or set trust_remote_code=true if you trust its authors"
        )
    damage_text = find_damaged_file(folder) if (folder := find_folder(model_spec.name)) else None
    failure_cause = damage_text or _find_install_hint(error) or describe_error_in_one_line(error)
    return f"{model_spec.name} could not be loaded: {failure_cause}"


def _find_install_hint(error: Exception) -> str:
    return next((package_hint for package, package_hint in INSTALL_HINTS.items() if package in str(error).lower()), "")


def _free_memory(torch_module: Any) -> None:
    if torch_module.cuda.is_available():
        torch_module.cuda.empty_cache()


def describe_error_in_one_line(error: Exception) -> str:
    """Return an error as one line of at most 300 characters."""
    error_text = " ".join(str(error).split())
    return error_text if isinstance(error, GenerationError) else f"{type(error).__name__}: {error_text}"[:300]
