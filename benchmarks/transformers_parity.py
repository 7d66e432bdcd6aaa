#!/usr/bin/env python3
"""The same models here and in the transformers and PEFT libraries: logits, greedy tokens and adapters.

Makes models of random configurations and parameters with transformers, runs `paretofl generate` on their folders, and
compares the logits after a prompt and the most probable continuation. Then adapters: one that PEFT writes is used by
`paretofl generate`, and one in our format (the same folder through `paretofl convert`) is loaded by PEFT again.
Prints one line per case and exits with 1 if a logit is more than 1e-4 off or a token differs where the two most probable ones
are further apart than that.

Usage: benchmarks/transformers_parity.py [--seeds 2] [--paretofl build/paretofl]
Needs: pip install transformers==4.48.3 peft torch safetensors
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
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM

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
            torch.manual_seed(draw.randint(0, 2**31))
            model = make(draw)
            with torch.no_grad():  # biases and norms are not left at 0 and 1
                for parameter in model.parameters():
                    if parameter.dim() == 1:
                        parameter += 0.2 * torch.randn_like(parameter)
            prompt = [draw.randrange(model.config.vocab_size) for _ in range(draw.randint(1, 60))]
            with tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                model.save_pretrained(folder / "model", max_shard_size="60KB" if seed % 2 else "5GB")
                good &= compare(f"{name} {seed}", model, prompt, ours(arguments.paretofl, prompt, "--model", folder / "model"))
                good &= adapters(arguments.paretofl, name, model, prompt, folder)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
