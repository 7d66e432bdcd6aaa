#!/usr/bin/env python3
"""Records what the libraries "transformers" and "peft" compute with small decoders, for tests/language/recorded_decoder_test.cpp.

Usage: scripts/record_decoders.py > tests/language/recorded_decoders.json
Every case is a config.json in one of its published forms. Parameters and adapters are formulas of their names (`values` below, and the
same in the test), computed in float64. Recorded are, of a fixed sequence: the logits after two of its tokens with an adapter on all
projections; for the adapter's two matrices on every projection the sum over all layers of the gradient times the matrix itself, for the
mean negative log-likelihood of the last tokens; and the most probable continuation of the sequence's beginning. Needs torch, transformers (5.24) and peft (0.21).
"""

import json
import sys
import tempfile
from pathlib import Path

import torch
import transformers
from peft import LoraConfig, get_peft_model

SIZES = dict(vocab_size=31, hidden_size=16, intermediate_size=24, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2,
             max_position_embeddings=64, rms_norm_eps=1e-5, tie_word_embeddings=False, pad_token_id=None, bos_token_id=None, eos_token_id=None)
MIXED = ["sliding_attention", "full_attention", "full_attention", "sliding_attention"]
CASES = {
    "llama with head_dim": dict(model_type="llama", head_dim=6, attention_bias=True),
    "llama with linear rope": dict(model_type="llama", rope_theta=5000.0, rope_scaling={"type": "linear", "factor": 3.0}),
    "llama with dynamic rope": dict(model_type="llama", rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 5000.0}),
    "llama with llama3 rope": dict(model_type="llama", head_dim=8, rope_parameters={
        "rope_type": "llama3", "rope_theta": 5000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 32}),
    "qwen2 with yarn rope": dict(model_type="qwen2", head_dim=8, rope_theta=1e4, rope_scaling={
        "type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}),
    "llama with yarn rope": dict(model_type="llama", head_dim=12, rope_parameters={
        "rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 16, "beta_fast": 8.0, "beta_slow": 2.0,
        "truncate": False, "mscale": 1.0, "mscale_all_dim": 0.5}),
    "qwen2 with windows": dict(model_type="qwen2", use_sliding_window=True, sliding_window=5, max_window_layers=2),
    "qwen3": dict(model_type="qwen3", head_dim=6, rope_theta=1e6),
    "qwen3 with layer_types": dict(model_type="qwen3", head_dim=6, attention_bias=True, use_sliding_window=True, sliding_window=4,
                                   layer_types=MIXED),
    "mistral with a window": dict(model_type="mistral", sliding_window=6),
    "mistral without a window": dict(model_type="mistral", sliding_window=None, head_dim=10),
    "phi3": dict(model_type="phi3", sliding_window=6),
    "phi3 with a partial rotary factor": dict(model_type="phi3", num_attention_heads=2, num_key_value_heads=1, partial_rotary_factor=0.75),
    "phi3 with longrope": dict(model_type="phi3", original_max_position_embeddings=32, rope_scaling={
        "type": "longrope", "short_factor": [1.0, 1.3], "long_factor": [2.0, 4.5]}),
    "phi3 with longrope beyond the original length": dict(
        model_type="phi3", num_attention_heads=2, num_key_value_heads=1, original_max_position_embeddings=6, rope_parameters={
            "rope_type": "longrope", "rope_theta": 5000.0, "partial_rotary_factor": 0.75, "short_factor": [1.0, 1.3, 1.5],
            "long_factor": [2.0, 4.5, 3.0], "attention_factor": 1.3}),
    "gemma": dict(model_type="gemma", head_dim=6, hidden_act="gelu", tie_word_embeddings=True),
    "smollm3": dict(model_type="smollm3", no_rope_layers=[1, 0, 1, 0], use_sliding_window=True, sliding_window=7),
    "gemma2": dict(model_type="gemma2", head_dim=6, sliding_window=5, query_pre_attn_scalar=10, attn_logit_softcapping=2.0,
                   final_logit_softcapping=3.0, tie_word_embeddings=True, hidden_activation="gelu_pytorch_tanh"),
    "gemma2 without caps": dict(model_type="gemma2", head_dim=6, sliding_window=5, query_pre_attn_scalar=6, attn_logit_softcapping=None,
                                final_logit_softcapping=None, tie_word_embeddings=True),
    "gemma3 in its older form": dict(model_type="gemma3_text", head_dim=6, sliding_window=5, sliding_window_pattern=3, rope_theta=1e5,
                                     rope_local_base_freq=100.0, rope_scaling={"rope_type": "linear", "factor": 8.0},
                                     query_pre_attn_scalar=10, tie_word_embeddings=True),
    "gemma3 in its newer form": dict(model_type="gemma3_text", head_dim=6, sliding_window=4, layer_types=MIXED, final_logit_softcapping=4.0,
                                     query_pre_attn_scalar=10, tie_word_embeddings=True, rope_parameters={
                                         "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e5},
                                         "sliding_attention": {"rope_type": "default", "rope_theta": 100.0}}),
}
LENGTH, COMPLETION, BEGINNING, NEW = 18, 9, 8, 12
ALL = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]

FUSED = ["qkv_proj", "o_proj", "gate_up_proj", "down_proj"]


def values(name, shape, gemma):
    i = torch.arange(torch.Size(shape).numel(), dtype=torch.float64)
    wave = torch.sin(sum(map(ord, name)) % 1000 + 0.7 * i + 0.013 * i * i)
    scale = 0.2 if "norm" in name or "lora" in name else 0.1 if name.endswith("bias") else 0.4
    return ((1 if "norm" in name and not gemma else 0) + scale * wave).float().double().view(shape)


def record(config):
    gemma = config["model_type"].startswith("gemma")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps(config))
        model = transformers.AutoModelForCausalLM.from_config(transformers.AutoConfig.from_pretrained(folder), attn_implementation="eager").double()
    lora = get_peft_model(model, LoraConfig(r=2, lora_alpha=3, target_modules=FUSED if config["model_type"] == "phi3" else ALL, task_type="CAUSAL_LM")).double().eval()
    with torch.no_grad():
        for name, parameter in lora.named_parameters():
            stored = name.replace(".default", "") if "lora_" in name else name.removeprefix("base_model.model.").replace(".base_layer", "")
            parameter.copy_(values(stored, parameter.shape, gemma))
    ids = [(7 * t * t + 3 * t + 1) % 31 for t in range(LENGTH)]
    logits = lora(torch.tensor([ids])).logits[0]
    targets = torch.tensor(ids[-COMPLETION:])
    loss = -torch.log_softmax(logits[-COMPLETION - 1:-1], -1).gather(1, targets[:, None]).mean()
    loss.backward()
    gradients = {}
    for name, parameter in lora.named_parameters():
        if parameter.grad is not None:
            matrix = ".".join(name.split(".")[-4:-2])  # such as q_proj.lora_A
            gradients[matrix] = gradients.get(matrix, 0.0) + float((parameter.grad * parameter).detach().sum())
    greedy, margin = ids[:BEGINNING], 1.0
    with torch.no_grad():
        for _ in range(NEW):
            best = torch.topk(lora(torch.tensor([greedy])).logits[0, -1], 2)
            margin = min(margin, float(best.values[0] - best.values[1]))
            greedy.append(int(best.indices[0]))
    if margin < 1e-4:
        sys.exit(f"expected a continuation without ties, found a margin of {margin}")
    rounded = lambda numbers: [round(float(x), 7) for x in numbers]
    return {"config": config, "ids": ids, "completion": COMPLETION, "beginning": BEGINNING, "logits": {t: rounded(logits[t]) for t in (9, LENGTH - 1)},
            "loss": round(float(loss), 7), "gradients": {name: round(value, 7) for name, value in gradients.items()},
            "continuation": greedy[BEGINNING:]}


def main():
    cases = {name: record({**SIZES, **config}) for name, config in CASES.items()}
    print("{" + ",\n".join(f"{json.dumps(name)}: {json.dumps(case)}" for name, case in cases.items()) + "}")


if __name__ == "__main__":
    main()
