"""Builds tiny models with random weights, offline: one that sees and one of text alone. What they say is noise.

They go through everything that a real one does (processor, chat template, weights in a folder), in half a megabyte.
`vision(folder, mid_size=True)` is as large as a small real one, for figures on a GPU.
"""

from pathlib import Path
from typing import Any

END, START, PAD = "<|end|>", "<|start|>", "<|pad|>"
PICTURE, AROUND, WHOLE = "<image>", "<fake_token_around_image>", "<global-img>"
TEMPLATE = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}"
    "{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)


def tokenizer(*further: str) -> Any:
    """Return a tokenizer of single bytes, so that any text can be read and written, with our template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    core = Tokenizer(models.BPE(vocab=letters, merges=[]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=core,
        bos_token=START,
        eos_token=END,
        pad_token=PAD,
        additional_special_tokens=list(further),
    )
    made.chat_template = TEMPLATE
    return made


def sizes(words: Any, *, layers: int = 2, width: int = 64, heads: int = 4) -> dict[str, Any]:
    """Return the configuration of a Llama that fits a tokenizer."""
    return {
        "vocab_size": len(words),
        "hidden_size": width,
        "intermediate_size": 2 * width,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": heads // 2,
        "max_position_embeddings": 8192,
        "bos_token_id": words.bos_token_id,
        "eos_token_id": words.eos_token_id,
        "pad_token_id": words.pad_token_id,
    }


def text(folder: Path) -> Path:
    """Write a text model into a folder."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    words = tokenizer()
    torch.manual_seed(1)
    LlamaForCausalLM(LlamaConfig(**sizes(words))).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def vision(folder: Path, *, mid_size: bool = False) -> Path:
    """Write a model that sees (Idefics3): a picture is 4 tokens; `mid_size`: 1.9 billion weights, 169 tokens."""
    import torch
    from transformers import (
        Idefics3Config,
        Idefics3ForConditionalGeneration,
        Idefics3ImageProcessorPil,
        Idefics3Processor,
    )

    edge, patch, shrink = (364, 14, 2) if mid_size else (32, 8, 2)
    words = tokenizer(PICTURE, AROUND, WHOLE)
    pictures = Idefics3ImageProcessorPil(
        size={"longest_edge": 2 * edge}, max_image_size={"longest_edge": edge}, do_image_splitting=False
    )
    tokens = (edge // patch // shrink) ** 2
    processor = Idefics3Processor(pictures, words, image_seq_len=tokens, chat_template=TEMPLATE)
    language = sizes(words, layers=24, width=2048, heads=32) | {"intermediate_size": 8192} if mid_size else sizes(words)
    config = Idefics3Config(
        text_config={"model_type": "llama", **language},
        vision_config={
            "hidden_size": 1152 if mid_size else 32,
            "intermediate_size": 4304 if mid_size else 64,
            "num_hidden_layers": 27 if mid_size else 2,
            "num_attention_heads": 16 if mid_size else 4,
            "image_size": edge,
            "patch_size": patch,
        },
        scale_factor=shrink,
        image_token_id=words.convert_tokens_to_ids(PICTURE),
        pad_token_id=words.pad_token_id,
    )
    torch.manual_seed(0)
    with torch.device("cuda" if mid_size and torch.cuda.is_available() else "cpu"):
        model = Idefics3ForConditionalGeneration(config)
    (model.to(torch.bfloat16) if mid_size else model).save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
