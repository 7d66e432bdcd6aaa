#!/usr/bin/env python3
"""Writes the folder of a language model of random parameters: config.json, model.safetensors (bfloat16) and tokenizer.json.

Usage: make_model.py FOLDER NAME        NAME: tinyllama, qwen2, tiny_llama, tiny_qwen2
The tokenizer reads bytes; the other ids of the vocabulary are words of filler, so that every token that is drawn has a text.
"""
import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

LLAMA = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
         "attention_bias": False, "mlp_bias": False, "tie_word_embeddings": False, "bos_token_id": -2, "eos_token_id": -1}
QWEN2 = {"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_act": "silu", "rms_norm_eps": 1e-6, "rope_theta": 1000000.0,
         "tie_word_embeddings": True, "bos_token_id": -2, "eos_token_id": -1}
SIZES = {
    "tinyllama": LLAMA | {"hidden_size": 2048, "num_hidden_layers": 22, "num_attention_heads": 32, "num_key_value_heads": 4,
                          "intermediate_size": 5632, "vocab_size": 32000, "max_position_embeddings": 2048},
    "qwen2": QWEN2 | {"hidden_size": 1536, "num_hidden_layers": 28, "num_attention_heads": 12, "num_key_value_heads": 2,
                      "intermediate_size": 8960, "vocab_size": 151936, "max_position_embeddings": 32768},
    "tiny_llama": LLAMA | {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
                           "intermediate_size": 128, "vocab_size": 512, "max_position_embeddings": 2048},
    "tiny_qwen2": QWEN2 | {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
                           "intermediate_size": 128, "vocab_size": 600, "max_position_embeddings": 2048},
}


def byte_alphabet():
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = iter(range(256, 512))
    return [chr(b) if b in shown else chr(next(rest)) for b in range(256)]


def tokenizer(vocab_size):
    vocabulary = {letter: b for b, letter in enumerate(byte_alphabet())}
    for i in range(256, vocab_size - 2):
        vocabulary[f"Ġword{i}"] = i
    special = [{"id": i, "content": text, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
               for i, text in ((vocab_size - 2, "<s>"), (vocab_size - 1, "</s>"))]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    sequence = [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": special, "normalizer": None, "pre_tokenizer": byte_level,
            "post_processor": {"type": "TemplateProcessing", "single": sequence, "pair": sequence,
                               "special_tokens": {"<s>": {"id": "<s>", "ids": [vocab_size - 2], "tokens": ["<s>"]}}},
            "decoder": byte_level, "model": {"type": "BPE", "vocab": vocabulary, "merges": []}}


def main(folder, name):
    config = SIZES[name]
    config = config | {key: config["vocab_size"] + config[key] for key in ("bos_token_id", "eos_token_id")}
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    width = hidden // config["num_attention_heads"]
    pairs = config["num_key_value_heads"] * width
    tensors = {}

    def normal(key, *shape):
        tensors[key] = (0.02 * torch.randn(*shape, device=device)).to(torch.bfloat16).cpu()

    def ones(key):
        tensors[key] = torch.ones(hidden, dtype=torch.bfloat16)

    normal("model.embed_tokens.weight", config["vocab_size"], hidden)
    for l in range(config["num_hidden_layers"]):
        p = f"model.layers.{l}."
        ones(p + "input_layernorm.weight")
        ones(p + "post_attention_layernorm.weight")
        for projection, out in (("q", hidden), ("k", pairs), ("v", pairs)):
            normal(f"{p}self_attn.{projection}_proj.weight", out, hidden)
            if config["model_type"] == "qwen2":
                normal(f"{p}self_attn.{projection}_proj.bias", out)
        normal(p + "self_attn.o_proj.weight", hidden, hidden)
        normal(p + "mlp.gate_proj.weight", inner, hidden)
        normal(p + "mlp.up_proj.weight", inner, hidden)
        normal(p + "mlp.down_proj.weight", hidden, inner)
    ones("model.norm.weight")
    if not config["tie_word_embeddings"]:
        normal("lm_head.weight", config["vocab_size"], hidden)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config | {"torch_dtype": "bfloat16"}, indent=1))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer(config["vocab_size"]), ensure_ascii=False))
    print(f"{folder}: {sum(t.numel() for t in tensors.values()):,} parameters")


main(*sys.argv[1:])
