#!/usr/bin/env python3
"""The same models here and in the transformers and PEFT libraries: logits, greedy tokens, adapters and classifiers' scores.

Makes models of random configurations and parameters with transformers, runs `paretofl generate` on their folders, and
compares the logits after a prompt and the most probable continuation. Then adapters: one that PEFT writes is used by
`paretofl generate`, and one in our format (the same folder through `paretofl convert`) is loaded by PEFT again. Classifiers
with one output (DeBERTa-v3, and a score head on the others) score texts of different lengths by `paretofl score`.
Prints one line per case and exits with 1 if a logit or score is more than 1e-4 off or a token differs where the two most
probable ones are further apart than that.

Usage: benchmarks/transformers_parity.py [--seeds 2] [--paretofl build/paretofl]
Needs: pip install transformers==5.24.0 peft==0.21.2 torch==2.15.0 safetensors
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import (DebertaV2Config, DebertaV2ForSequenceClassification, GPT2Config, GPT2ForSequenceClassification,
                          GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, LlamaForSequenceClassification, Qwen2Config, Qwen2ForCausalLM,
                          Qwen2ForSequenceClassification)

TOLERANCE = 1e-4
NEW = 24
PROJECTIONS = {"gpt2": ["c_attn", "c_proj", "c_fc"]}
LLAMA3_ROPE = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 32}


def shape(draw):
    pairs, group, width = draw.choice([1, 2, 3]), draw.choice([1, 2, 4]), draw.choice([8, 10, 16])
    heads = pairs * group
    return dict(vocab_size=draw.randint(60, 300), hidden_size=heads * width, intermediate_size=draw.randint(20, 150),
                num_hidden_layers=draw.randint(1, 4), num_attention_heads=heads, num_key_value_heads=pairs, max_position_embeddings=128,
                initializer_range=0.15, bos_token_id=None, eos_token_id=None)


def llama(draw):
    return LlamaForCausalLM(LlamaConfig(**shape(draw), tie_word_embeddings=draw.random() < 0.5, attention_bias=draw.random() < 0.3))


def llama3(draw):
    return LlamaForCausalLM(LlamaConfig(**shape(draw), rope_theta=5e5, rope_scaling=LLAMA3_ROPE, tie_word_embeddings=True))


def qwen2(draw):
    return Qwen2ForCausalLM(Qwen2Config(**shape(draw), rope_theta=1e6, tie_word_embeddings=draw.random() < 0.5))


def gpt2(draw):
    heads = draw.choice([1, 2, 5])
    return GPT2LMHeadModel(GPT2Config(vocab_size=draw.randint(60, 300), n_embd=heads * draw.choice([8, 12]), n_layer=draw.randint(1, 4),
                                      n_head=heads, n_positions=128, initializer_range=0.15, bos_token_id=None, eos_token_id=None))


FAMILIES = {"llama": llama, "llama3": llama3, "qwen2": qwen2, "gpt2": gpt2}


def deberta(draw):
    heads = draw.choice([1, 2, 4])
    return DebertaV2ForSequenceClassification(DebertaV2Config(
        vocab_size=draw.randint(60, 300), hidden_size=heads * draw.choice([8, 16]), num_hidden_layers=draw.randint(1, 3),
        num_attention_heads=heads, intermediate_size=draw.randint(20, 150), max_position_embeddings=128, relative_attention=True,
        position_buckets=draw.choice([8, 16, 64]), norm_rel_ebd="layer_norm", share_att_key=True, pos_att_type=["p2c", "c2p"],
        position_biased_input=False, type_vocab_size=0, layer_norm_eps=1e-7, initializer_range=0.15, num_labels=1))


def with_score_head(kind, make):
    def classifier(draw):
        config = make(draw).config
        config.num_labels, config.pad_token_id = 1, 0
        return kind(config)
    return classifier


CLASSIFIERS = {"deberta-v3": deberta, "llama with a score head": with_score_head(LlamaForSequenceClassification, llama),
               "qwen2 with a score head": with_score_head(Qwen2ForSequenceClassification, qwen2),
               "gpt2 with a score head": with_score_head(GPT2ForSequenceClassification, gpt2)}


def expected(model, prompt):
    ids, margins = list(prompt), []
    with torch.no_grad():
        first = model(torch.tensor([ids])).logits[0, -1]
        for _ in range(NEW):
            best = torch.topk(model(torch.tensor([ids])).logits[0, -1], 2)
            ids.append(int(best.indices[0]))
            margins.append(float(best.values[0] - best.values[1]))
    return first, ids[len(prompt):], min(margins)


def ours(program, prompt, *arguments):
    line = [program, "generate", "--prompt-ids", ",".join(map(str, prompt)), "--max-new-tokens", str(NEW), "--logits", *map(str, arguments)]
    return json.loads(subprocess.run(line, capture_output=True, check=True).stdout)


def compare(name, model, prompt, result):
    logits, ids, margin = expected(model.eval(), prompt)
    error = float((torch.tensor(result["logits"]) - logits).abs().max())
    good = error <= TOLERANCE and (result["ids"] == ids or margin < TOLERANCE)
    print(f"{name}: largest difference of a logit {error:.1e} (deviation {float(logits.std()):.2f}), "
          f"greedy tokens {'the same' if result['ids'] == ids else 'different'}{'' if good else '  FAILED'}", flush=True)
    return good


def adapters(program, name, model, prompt, folder):
    base, adapter, converted = folder / "model", folder / "adapter", folder / "converted"
    lora = get_peft_model(model, LoraConfig(r=4, lora_alpha=12, target_modules=PROJECTIONS.get(name, ["q_proj", "k_proj", "v_proj", "o_proj"]),
                                            init_lora_weights=False, fan_in_fan_out=name == "gpt2", task_type="CAUSAL_LM"))
    lora.save_pretrained(adapter)
    good = compare(f"{name} with PEFT's adapter", lora, prompt, ours(program, prompt, "--model", base, "--adapter", adapter))
    subprocess.run([program, "convert", "--from", "safetensors", adapter, converted, "--dtype", "float64"], check=True)
    again = PeftModel.from_pretrained(type(model).from_pretrained(base), converted)
    return compare(f"{name} with our adapter in PEFT", again, prompt, ours(program, prompt, "--model", base, "--adapter", converted)) and good


def classifies(program, name, model, texts, folder):
    model.eval().save_pretrained(folder)
    with torch.no_grad():
        theirs = [float(model(torch.tensor([ids])).logits[0, 0]) for ids in texts]
    rows = "".join(json.dumps({"ids": ids}) + "\n" for ids in texts)
    found = subprocess.run([program, "score", "--reward-model", folder, "-"], input=rows, capture_output=True, check=True, text=True).stdout
    error = max(abs(json.loads(line)["score"] - score) for line, score in zip(found.splitlines(), theirs, strict=True))
    print(f"{name}: largest difference of {len(texts)} scores {error:.1e} (deviation {float(torch.tensor(theirs).std()):.2f})"
          f"{'' if error <= TOLERANCE else '  FAILED'}", flush=True)
    return error <= TOLERANCE


def new_model(make, draw):
    torch.manual_seed(draw.randint(0, 2**31))
    model = make(draw)
    with torch.no_grad():  # biases and norms are not left at 0 and 1
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter += 0.2 * torch.randn_like(parameter)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--paretofl", default="build/paretofl")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    good = True
    for name, make in FAMILIES.items():
        for seed in range(arguments.seeds):
            draw = random.Random(f"{name} {seed}")
            model = new_model(make, draw)
            prompt = [draw.randrange(model.config.vocab_size) for _ in range(draw.randint(1, 60))]
            with tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                model.save_pretrained(folder / "model", max_shard_size="60KB" if seed % 2 else "5GB")
                good &= compare(f"{name} {seed}", model, prompt, ours(arguments.paretofl, prompt, "--model", folder / "model"))
                good &= adapters(arguments.paretofl, name, model, prompt, folder)
    for name, make in CLASSIFIERS.items():
        for seed in range(arguments.seeds):
            draw = random.Random(f"{name} {seed}")
            model = new_model(make, draw)
            texts = [[draw.randrange(1, model.config.vocab_size) for _ in range(length)] for length in [1, 2, 7, 30, 100]]
            with tempfile.TemporaryDirectory() as folder:
                good &= classifies(arguments.paretofl, f"{name} {seed}", model, texts, folder)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
