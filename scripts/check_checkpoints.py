#!/usr/bin/env python3
"""Checks that models and adapters with drawn settings mean here what they mean to the libraries "transformers" and "peft".

Usage: scripts/check_checkpoints.py [--configs N] [--adapters N] [--seed S] [--command PATH] [--verbose]
Tiny models of every family are made by the reference library, and their config.json is changed key by key: keys of the family
and of others, other values, names of older versions, files that hold more or other tensors. `paretofl generate --logits` and
`paretofl score` must then give the reference library's numbers or refuse the folder with one line. The same with settings of
LoRA adapters. Needs the packages torch, transformers (5.24), peft (0.21) and safetensors. Exits with 1 on any difference.
"""

import argparse
import json
import logging
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")
import torch
import transformers
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file

transformers.logging.set_verbosity(60)
transformers.logging.disable_progress_bar()
logging.disable(logging.CRITICAL)

SIZES = dict(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
             max_position_embeddings=64)
DEBERTA = dict(relative_attention=True, position_buckets=8, max_relative_positions=-1, share_att_key=True,
               pos_att_type=["p2c", "c2p"], position_biased_input=False, norm_rel_ebd="layer_norm", type_vocab_size=0)
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)
ABSENT = object()

# Values to draw for keys. Families share what is common; a key of one family in another's config is part of the test.
ROPES = [None, {}, {"rope_type": "default"}, {"type": "default"}, {"rope_theta": 500.0}, {"rope_type": "default", "rope_theta": 700.0},
         LLAMA3, {**LLAMA3, "rope_theta": 900.0}, {**LLAMA3, "factor": 2}, {k: v for k, v in LLAMA3.items() if k[:8] != "original"},
         {**LLAMA3, "type": "linear"}, {"type": "linear", "factor": 2.0}, {"rope_type": "dynamic", "factor": 2.0},
         {"rope_type": "linear", "factor": 3}, {"rope_type": "dynamic", "factor": 0.5}, {"rope_type": "linear"}, {"rope_type": "longrope", "factor": 2.0},
         {"rope_type": "yarn", "factor": 2.0}, {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16},
         {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "beta_fast": 8, "beta_slow": 2, "truncate": False},
         {"rope_type": "yarn", "factor": None, "original_max_position_embeddings": 16, "mscale": 1.0, "mscale_all_dim": 0.5},
         {"rope_type": "yarn", "factor": 4.0, "attention_factor": 1.4, "rope_theta": 700.0}, {"rope_type": "default", "factor": 3.0}, {"type": "llama3", **{k: v for k, v in LLAMA3.items() if k != "rope_type"}},
         {"rope_type": "default", "rope_theta": 300.0, "partial_rotary_factor": 0.5}, {"full_attention": {"rope_type": "default", "rope_theta": 50.0}}]
LONGROPE = {"rope_type": "longrope", "short_factor": [1.0, 1.2, 1.5, 2.0], "long_factor": [2.0, 5.0, 7.5, 9.0]}
LONGROPES = [LONGROPE, {**LONGROPE, "attention_factor": 1.3}, {**LONGROPE, "factor": 4.0}, {**LONGROPE, "original_max_position_embeddings": 8},
             {**LONGROPE, "rope_theta": 500.0}, {**LONGROPE, "partial_rotary_factor": 0.5, "short_factor": [1.0, 1.5], "long_factor": [2, 5]},
             {**{k: v for k, v in LONGROPE.items() if k != "rope_type"}, "type": "su"}, {**LONGROPE, "short_factor": [1.0]},
             {**LONGROPE, "rope_type": "yarn"}, {"rope_type": "default", "partial_rotary_factor": 0.5}, {"rope_type": "linear", "factor": 2.0}]
ACTIVATIONS = ["silu", "gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "quick_gelu", "swish", "gelu_fast", "tanh", "mish", ABSENT]
COMMON = {
    "tie_word_embeddings": [True, False, ABSENT], "bos_token_id": [1, None, 0, ABSENT], "eos_token_id": [2, [2, 3], None, ABSENT],
    "pad_token_id": [None, 0, 2, 5, -1, ABSENT], "use_cache": [True, False], "torch_dtype": ["float32", "bfloat16", "float16"],
    "dtype": ["float32", "bfloat16"], "_name_or_path": ["x"], "transformers_version": ["4.30.0"], "unsloth_version": ["1"],
    "architectures": [["Unknown"]], "auto_map": [{"AutoModel": "own.Model"}], "is_decoder": [True, False],
    "chunk_size_feed_forward": [0, 4], "output_hidden_states": [True], "return_dict": [False], "is_causal": [True, False],
    "logit_scale": [0.5, None], "embedding_multiplier": [2.0], "residual_multiplier": [0.5], "final_logit_softcapping": [30.0, 2.0, None],
    "attention_multiplier": [0.1], "quantization_config": [None, {}, {"quant_method": "bitsandbytes", "load_in_4bit": True}],
    "sliding_window": [None, 4, 0, 7], "sliding_window_pattern": [1, 2], "no_rope_layers": [None, [0, 1], [1, 1], [1]],
    "query_pre_attn_scalar": [16, 8], "rope_local_base_freq": [50.0], "attn_logit_softcapping": [None, 1.5, 50.0], "cache_implementation": ["hybrid"], "attention_chunk_size": [None, 4], "layer_types": [None, ["full_attention"] * 2, ["sliding_attention", "full_attention"]],
    "temperature": [0.7], "repetition_penalty": [1.1], "suppress_tokens": [[1, 2], None], "max_length": [20], "do_sample": [True],
    "pruned_heads": [{}, {"0": [1]}], "initializer_range": [0.5, 0.02], "num_labels": [1, 2, 3], "problem_type": ["regression", None],
    "id2label": [{"0": "a"}, {"0": "a", "1": "b"}, None], "label2id": [{"a": 0}], "head_dim": [8, 16, None, ABSENT],
    "rope_theta": [500.0, 10000.0, None, ABSENT], "rope_scaling": ROPES, "rope_parameters": ROPES + [ABSENT],
    "original_max_position_embeddings": [8, 32, None], "partial_rotary_factor": [0.5, 1.0], "qk_norm": [True], "use_qk_norm": [False],
    "a_key_of_tomorrow": [1, "x", None, False, [], 0], "tie_last_hidden_states": [True], "scale_embeddings": [True],
    "type_vocab_size": [0, 2], "_attn_implementation": ["eager", "sdpa", None], "per_layer_config": [{"0": {"hidden_act": "relu"}}, {}],
    "classifier_dropout": [0.3], "use_mrope": [False, True], "use_sliding_window": [False, True], "max_window_layers": [0, 1, 28],
    "max_position_embeddings": [64, 48, 32],
}
FAMILIES = {
    "llama": {"hidden_act": ACTIVATIONS, "rms_norm_eps": [1e-6, 1e-3, 0.1, ABSENT], "num_key_value_heads": [2, ABSENT, None],
              "attention_bias": [True, False, ABSENT], "mlp_bias": [True, False, ABSENT], "attention_dropout": [0.5],
              "pretraining_tp": [1, 2], "max_sequence_length": [16], "rope_interleaved": [False, True], "is_llama_config": [True]},
    "qwen2": {"hidden_act": ACTIVATIONS, "rms_norm_eps": [1e-6, 0.1, ABSENT], "num_key_value_heads": [2, ABSENT, None],
              "attention_bias": [True, False], "attention_dropout": [0.5]},
    "qwen3": {"hidden_act": ACTIVATIONS, "rms_norm_eps": [1e-6, 0.1, ABSENT], "num_key_value_heads": [2, ABSENT, None],
              "attention_bias": [True, False, ABSENT], "use_sliding_window": [True, False, ABSENT], "sliding_window": [3, None, ABSENT],
              "max_window_layers": [0, 1, 2, ABSENT], "layer_types": [ABSENT, None, ["sliding_attention", "full_attention"]]},
    "mistral": {"hidden_act": ACTIVATIONS, "num_key_value_heads": [2, ABSENT, None], "sliding_window": [3, 30, None, ABSENT],
                "attention_bias": [True, False], "layer_types": [["sliding_attention"] * 2, ["full_attention"] * 2]},
    "smollm3": {"hidden_act": ACTIVATIONS, "num_key_value_heads": [2, ABSENT, None], "use_sliding_window": [True, False],
                "sliding_window": [3, None], "no_rope_layers": [[0, 1], [1, 0, 1], None, ABSENT], "no_rope_layer_interval": [1, 2, 3],
                "layer_types": [ABSENT, None, ["sliding_attention", "full_attention"]], "mlp_bias": [True, False], "attention_bias": [True, False]},
    "gemma2": {"hidden_activation": ACTIVATIONS, "hidden_act": ACTIVATIONS, "sliding_window": [3, 9, None, ABSENT],
               "query_pre_attn_scalar": [8, 20, ABSENT], "final_logit_softcapping": [None, 2.0, ABSENT], "layer_types": [ABSENT, None, ["full_attention"] * 2],
               "attn_logit_softcapping": [None, 1.5, ABSENT], "attention_bias": [True, False], "use_bidirectional_attention": [True, None]},
    "gemma3_text": {"hidden_activation": ACTIVATIONS, "sliding_window": [3, 9, ABSENT], "query_pre_attn_scalar": [8, 20, ABSENT],
                    "final_logit_softcapping": [None, 2.0], "layer_types": [ABSENT, ["full_attention"] * 2, ["sliding_attention", "full_attention"]],
                    "attn_logit_softcapping": [None, 1.5], "sliding_window_pattern": [1, 2, 3], "rope_local_base_freq": [50.0, ABSENT],
                    "rope_parameters": [ABSENT, None, {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 500.0},
                                                       "sliding_attention": {"rope_theta": 90.0}}, {"full_attention": {"rope_type": "default"}}]},
    "gemma": {"hidden_act": ACTIVATIONS, "hidden_activation": ACTIVATIONS + [None], "rms_norm_eps": [1e-6, 0.1, ABSENT],
              "num_key_value_heads": [2, ABSENT, None], "attention_bias": [True, False, ABSENT], "layer_types": [ABSENT, None, ["full_attention"] * 2],
              "use_bidirectional_attention": [True, None, False]},
    "phi3": {"hidden_act": ACTIVATIONS, "rms_norm_eps": [1e-6, 0.1, ABSENT], "num_key_value_heads": [2, ABSENT, None],
             "sliding_window": [3, 30, None, ABSENT], "original_max_position_embeddings": [8, 32, 64, ABSENT],
             "rope_parameters": LONGROPES + [ABSENT], "rope_scaling": LONGROPES + [None], "partial_rotary_factor": [0.5, 0.75, 1.0, ABSENT],
             "interpolate_factor": [1, 2], "full_attn_mod": [1], "resid_pdrop": [0.0], "embd_pdrop": [0.1], "attention_bias": [False, True]},
    "gpt2": {"activation_function": ACTIVATIONS, "layer_norm_epsilon": [1e-5, 0.1, ABSENT], "n_inner": [48, None, ABSENT],
             "scale_attn_weights": [True, False, ABSENT], "scale_attn_by_inverse_layer_idx": [True, False, ABSENT],
             "reorder_and_upcast_attn": [True, False], "add_cross_attention": [True, False, ABSENT], "n_ctx": [64, 32],
             "attn_pdrop": [0.5], "resid_pdrop": [0.0], "summary_type": ["first"], "summary_use_proj": [False], "hidden_size": [32, 16],
             "n_positions": [64, ABSENT], "n_head": [4, ABSENT], "num_attention_heads": [4, 2], "n_layer": [2, 1], "hidden_act": ["relu"]},
    "deberta-v2": {"hidden_act": ACTIVATIONS, "pooler_hidden_act": ACTIVATIONS, "layer_norm_eps": [1e-7, 0.1, ABSENT],
                   "max_relative_positions": [-1, 16, 64, 0, ABSENT], "position_buckets": [8, 16, -1, ABSENT],
                   "pos_att_type": [["p2c", "c2p"], ["c2p", "p2c"], "p2c|c2p", "C2P|P2C", ["c2p"], [], ABSENT], "share_att_key": [True, False, ABSENT],
                   "position_biased_input": [False, True, ABSENT], "norm_rel_ebd": ["layer_norm", "none", ABSENT],
                   "relative_attention": [True, False, ABSENT], "embedding_size": [32, 16], "attention_head_size": [8, 4],
                   "conv_kernel_size": [0, 3], "conv_act": ["gelu"], "conv_groups": [2], "pooler_hidden_size": [32, 16, ABSENT],
                   "pooler_dropout": [0.5], "cls_dropout": [0.5], "hidden_dropout_prob": [0.5], "legacy": [False],
                   "attention_probs_dropout_prob": [0.9], "summary_type": ["first"], "z_steps": [1, 0]},
}


def rescale(model, seed):
    torch.manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            spread = 0.1 if parameter.dim() == 1 else 0.25
            parameter.copy_(torch.randn_like(parameter) * spread + (1.0 if parameter.dim() == 1 and name.endswith("weight") else 0.0))
    return model.eval()


def make_model(family, head, extra, folder, seed):
    names = {"llama": "Llama", "qwen2": "Qwen2", "gpt2": "GPT2", "deberta-v2": "DebertaV2", "qwen3": "Qwen3", "mistral": "Mistral",
             "smollm3": "SmolLM3", "phi3": "Phi3", "gemma": "Gemma", "gemma2": "Gemma2", "gemma3_text": "Gemma3Text"}[family]
    options = dict(SIZES, **extra)
    if family not in ("gpt2", "deberta-v2"):
        options.setdefault("num_key_value_heads", 2)
    if family in ("qwen3", "gemma", "gemma2", "gemma3_text"):
        options.setdefault("head_dim", 8)
    if family in ("mistral", "gemma2", "gemma3_text"):
        options.setdefault("sliding_window", 5)
    if family in ("smollm3", "phi3", "gemma", "gemma2", "gemma3_text"):
        options.setdefault("pad_token_id", None)
    if family == "gpt2":
        options.pop("intermediate_size")
        options["n_inner"] = options.get("n_inner", 48)
    if family == "deberta-v2":
        options = {**options, **DEBERTA, **extra}
    if head == "score":
        options["num_labels"] = 1
    config = getattr(transformers, names + "Config")(**options)
    kind = "ForSequenceClassification" if head == "score" else ("LMHeadModel" if family == "gpt2" else "ForCausalLM")
    if family == "gemma3_text" and head != "score":
        names = "Gemma3"
    model = rescale(getattr(transformers, names + kind)(config), seed)
    model.save_pretrained(folder)


def change_config(rng, family, folder):
    """Sets one to three keys; returns them."""
    path = folder / "config.json"
    config = json.loads(path.read_text())
    changes = {}
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        table = FAMILIES[family] if rng.random() < 0.5 else COMMON
        key = rng.choice(sorted(table))
        value = rng.choice(table[key])
        changes[key] = value
        if value is ABSENT:
            config.pop(key, None)
        else:
            config[key] = value
    if "rope_scaling" in changes and rng.random() < 0.5:
        config.pop("rope_parameters", None)
        changes["rope_parameters"] = ABSENT
    path.write_text(json.dumps(config))
    return {k: "(absent)" if v is ABSENT else v for k, v in changes.items()}


def change_files(rng, folder):
    """Changes what is stored; returns what was done."""
    path = folder / "model.safetensors"
    tensors = load_file(path)
    kind = rng.choice(["extra", "head", "same head", "no prefix", "bias", "half", "double", "unused u64", "unused f8"])
    embeddings = next(t for n, t in tensors.items() if n.split(".")[-2] in ("embed_tokens", "wte", "word_embeddings"))
    if kind == "head":
        tensors["lm_head.weight"] = torch.randn_like(embeddings)
    if kind == "same head":
        tensors["lm_head.weight"] = embeddings.clone()
    if kind == "no prefix":
        tensors = {n.removeprefix("model.").removeprefix("transformer.").removeprefix("deberta."): t for n, t in tensors.items()}
    if kind == "bias":
        name = rng.choice([n for n in tensors if n.endswith(".weight") and tensors[n].dim() == 2])
        tensors.setdefault(name.replace(".weight", ".bias"), torch.randn(tensors[name].shape[0]))
    if kind == "half":
        tensors = {n: t.half() for n, t in tensors.items()}
    if kind == "double":
        tensors = {n: t.double() for n, t in tensors.items()}
    if kind == "extra":
        tensors["model.layers.0.self_attn.rotary_emb.inv_freq"] = torch.randn(4)
    if kind == "unused u64":
        tensors["unused"] = torch.zeros(3, dtype=torch.uint64)
    if kind == "unused f8":
        tensors["unused"] = torch.zeros(5).to(torch.float8_e4m3fn)
    save_file({n: t.contiguous() for n, t in tensors.items()}, path, metadata={"format": "pt"})
    return kind


def reference_numbers(folder, head, rows, adapter=None):
    """The library's numbers for each row of ids, or the exception that it refuses the folder with."""
    try:
        auto = transformers.AutoModelForSequenceClassification if head == "score" else transformers.AutoModelForCausalLM
        model, report = auto.from_pretrained(folder, output_loading_info=True, dtype=torch.float32, attn_implementation="eager")
        if report["missing_keys"] or report["mismatched_keys"]:
            return ValueError(f"missing or mismatched tensors: {sorted(report['missing_keys'])[:3]}")
        if adapter is not None:
            model = PeftModel.from_pretrained(model, adapter)
        model = model.eval().float()
        with torch.no_grad():
            outputs = [model(torch.tensor([row]), return_dict=True).logits for row in rows]
        return [o[0].tolist() if head == "score" else o[0, -1].tolist() for o in outputs]
    except Exception as error:  # whatever the library raises is a refusal
        return error


def own_numbers(command, folder, head, rows, adapter=None):
    if head == "score":
        (folder / "rows.jsonl").write_text("".join(json.dumps({"ids": row}) + "\n" for row in rows))
        done = subprocess.run([command, "score", "--reward-model", folder, folder / "rows.jsonl"], capture_output=True, text=True)
        if done.returncode == 0:
            return [[json.loads(line)["score"]] for line in done.stdout.splitlines()], None
        return None, done
    numbers = []
    for row in rows:
        extra = ["--adapter", adapter] if adapter else []
        done = subprocess.run([command, "generate", "--model", folder, "--prompt-ids", ",".join(map(str, row)), "--logits",
                               "--max-new-tokens", "1"] + extra, capture_output=True, text=True)
        if done.returncode != 0:
            return None, done
        numbers.append(json.loads(done.stdout)["logits"])
    return numbers, None


class Tally:
    def __init__(self, verbose):
        self.counts, self.differences, self.verbose = Counter(), [], verbose

    def judge(self, kind, what, reference, own, done):
        if done is not None:
            one_line = done.returncode == 1 and done.stderr.startswith("paretofl: ") and done.stderr.count("\n") == 1 and "expected" in done.stderr
            outcome = "refused" if one_line else "crashed"
            if isinstance(reference, Exception) and one_line:
                outcome = "both refuse"
            if self.verbose:
                print(f"{kind} {what}: {outcome}: {done.stderr.strip()[-150:]}")
        elif isinstance(reference, Exception):
            outcome = "only the library refuses"
        else:
            pairs = [(a, b) for x, y in zip(reference, own) for a, b in zip(x, y)]
            far = max(abs(a - b) for a, b in pairs) if all(len(x) == len(y) for x, y in zip(reference, own)) else float("inf")
            outcome = "equal" if far < 2e-3 else "DIFFERENT"  # and not where either is not a number
        self.counts[kind, outcome] += 1
        if outcome in ("DIFFERENT", "crashed", "only the library refuses"):
            text = f"{kind} {what}: {outcome}"
            if outcome == "DIFFERENT":
                text += f" by {far:.3g}"
            print(text, str(reference)[:160].replace("\n", " ") if isinstance(reference, Exception) else "", done.stderr if done else "")
        if outcome in ("DIFFERENT", "crashed"):
            self.differences.append(what)


def check_configs(rng, count, command, root, tally):
    rows = [[rng.randrange(64) for _ in range(length)] for length in (7, 20, 30)]
    rows.append(rows[0] + [2])  # ends with a padding token of some configs
    rows.append(rows[0][:3] + [2, 5, 0] + rows[0] + [0, 0])
    for i in range(count):
        family = rng.choice(sorted(FAMILIES))
        head = "score" if family == "deberta-v2" or rng.random() < 0.25 else "logits"
        extra = {}
        if family != "deberta-v2":
            extra["tie_word_embeddings"] = rng.random() < 0.4
        if family == "llama":
            extra.update(attention_bias=rng.random() < 0.3, mlp_bias=rng.random() < 0.1)
        folder = root / f"config{i}"
        make_model(family, head, extra, folder, rng.randrange(10**6))
        what = {"family": family, "head": head, **extra}
        if rng.random() < 0.85:
            what["changes"] = change_config(rng, family, folder)
        if rng.random() < 0.3:
            what["files"] = change_files(rng, folder)
        some = rows if head == "score" else rows[1:3]  # a process each
        tally.judge("config", what, reference_numbers(folder, head, some), *own_numbers(command, folder, head, some))
        shutil.rmtree(folder)


ADAPTER_KEYS = {
    "r": [1, 4, 16], "lora_alpha": [1, 8, 32.5], "lora_dropout": [0.0, 0.5], "bias": ["none", "all", "lora_only"], "use_rslora": [True],
    "use_dora": [True], "lora_bias": [True], "fan_in_fan_out": [True, False], "inference_mode": [True, False],
    "init_lora_weights": [True, False, "gaussian", "orthogonal", "eva", "pissa", "pissa_niter_2", "olora", "mica", "corda", "loftq"],
    "rank_pattern": [{"q_proj": 2, "c_attn": 2}, {"1.*_proj": 3, "q_proj": 2, "attn": 5}, {}],
    "alpha_pattern": [{"q_proj": 3, "c_attn": 3}, {"layers.0.*v_proj": 2, "(q|v)_proj": 5.5}, {}], "layers_to_transform": [0, [1], []],
    "modules_to_save": [["lm_head"], []], "exclude_modules": [["layers.0.self_attn.q_proj", "h.0.attn.c_attn"], []],
    "layer_replication": [[[0, 2], [1, 2]]], "trainable_token_indices": [[1, 2]], "alora_invocation_tokens": [[3, 4], []],
    "kasa_config": [{"beta": 1e-4, "gamma": 1e-3}], "velora_config": [{"num_groups": 4}], "eva_config": [{"rho": 2.0}], "qalora_group_size": [8],
    "megatron_core": ["other"], "auto_mapping": [{"base_model_class": "X", "parent_library": "y"}], "revision": ["main", None],
    "task_type": ["CAUSAL_LM", None], "corda_config": [{}], "loftq_config": [{"loftq_bits": 4}], "ensure_weight_tying": [False, True],
    "use_bdlora": [{"target_modules_bd_a": ["q_proj", "c_attn"], "nblocks": 2, "match_strict": False}],
}
# Set in the file after it was made; the library reads or ignores them.
ADAPTER_FILE_KEYS = {
    "a_key_of_tomorrow": [1, None, False], "runtime_config": [{"ephemeral_gpu_offload": True}], "enable_lora": [None], "merge_weights": [False],
    "lora_alpha": [4, 100], "alpha_pattern": [{"q_proj": 3, "c_attn": 3}], "use_rslora": [True], "init_lora_weights": ["pissa", "olora", "gaussian", "mica", "eva"],
    "fan_in_fan_out": [True, False], "inference_mode": [False], "base_model_name_or_path": ["elsewhere", None], "peft_version": ["9.9"],
    "alora_invocation_tokens": [[3, 4]], "lora_dropout": [0.9], "layers_to_transform": [[0]], "use_dora": [True], "bias": ["all"],
    "megatron_config": [None, {"x": 1}], "task_type": ["CAUSAL_LM", "SEQ_CLS", "FEATURE_EXTRACTION"],
}
TARGETS = {"llama": [["q_proj", "v_proj"], ["down_proj"], ["mlp.up_proj", "self_attn.k_proj"], ["lm_head", "q_proj"], ["embed_tokens"],
                     "all-linear", ["model.layers.0.self_attn.q_proj"], ".*q_proj", r"model\.layers\.1\.(self_attn|mlp)\.(q|up)_proj", ["layers.1.self_attn.q_proj"], ["q_proj", "c_attn"]],
           "gpt2": [["c_attn"], ["c_proj"], ["mlp.c_proj"], ["c_fc", "attn.c_proj"], ["wte"], ["lm_head", "c_attn"], "all-linear"]}
TARGETS["qwen2"] = TARGETS["qwen3"] = TARGETS["gemma"] = TARGETS["gemma2"] = TARGETS["llama"]


def check_adapters(rng, count, command, root, tally):
    rows = [[rng.randrange(64) for _ in range(12)], [5, 3, 4, 9, 17]]
    for i in range(count):
        family = rng.choice(sorted(TARGETS))
        base, adapter = root / "base", root / "adapter"
        for folder in (base, adapter):
            shutil.rmtree(folder, ignore_errors=True)
        make_model(family, "logits", {"tie_word_embeddings": rng.random() < 0.3}, base, rng.randrange(10**6))
        options = dict(r=4, target_modules=TARGETS[family][0], task_type="CAUSAL_LM")
        if rng.random() < 0.3:
            options["target_modules"] = rng.choice(TARGETS[family])
        for _ in range(rng.choice([0, 1, 1, 1, 2])):
            key = rng.choice(sorted(ADAPTER_KEYS))
            options[key] = rng.choice(ADAPTER_KEYS[key])
        what = {"family": family, **options}
        try:
            model = get_peft_model(transformers.AutoModelForCausalLM.from_pretrained(base), LoraConfig(**options))
            torch.manual_seed(i)
            with torch.no_grad():
                for name, parameter in model.named_parameters():
                    if "lora_" in name or "modules_to_save" in name or "trainable_tokens" in name:
                        parameter.add_(0.2 * torch.randn_like(parameter))
            model.save_pretrained(adapter)
        except Exception as error:  # not a combination that the library can make
            tally.counts["adapter", "not made by the library"] += 1
            if tally.verbose:
                print("adapter", what, "not made:", str(error)[:100])
            continue
        if rng.random() < 0.5:
            path = adapter / "adapter_config.json"
            config = json.loads(path.read_text())
            key = rng.choice(sorted(ADAPTER_FILE_KEYS))
            config[key] = rng.choice(ADAPTER_FILE_KEYS[key])
            path.write_text(json.dumps(config))
            what["file"] = {key: config[key]}
        if rng.random() < 0.15:
            path = adapter / "adapter_model.safetensors"
            tensors = load_file(path)
            kind = rng.choice(["missing", "extra", "half", "embeddings"])
            if kind == "missing":
                tensors.pop(rng.choice(sorted(tensors)))
            if kind == "extra":
                tensors["base_model.model.other.lora_A.weight"] = torch.randn(4, 32)
            if kind == "embeddings":
                tensors["base_model.model.model.embed_tokens.weight"] = torch.randn(64, 32)
            if kind == "half":
                tensors = {n: t.half() for n, t in tensors.items()}
            save_file(tensors, path, metadata={"format": "pt"})
            what["tensors"] = kind
        tally.judge("adapter", what, reference_numbers(base, "logits", rows, adapter), *own_numbers(command, base, "logits", rows, adapter))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--configs", type=int, default=300)
    parser.add_argument("--adapters", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", default=str(Path(__file__).resolve().parent.parent / "build" / "paretofl"))
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rng, tally, started = random.Random(arguments.seed), Tally(arguments.verbose), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        check_configs(rng, arguments.configs, arguments.command, Path(folder), tally)
        check_adapters(rng, arguments.adapters, arguments.command, Path(folder), tally)
    for (kind, outcome), count in sorted(tally.counts.items()):
        print(f"{kind}: {outcome}: {count}")
    print(f"{len(tally.differences)} differences in {time.monotonic() - started:.0f} s")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
