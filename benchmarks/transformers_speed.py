#!/usr/bin/env python3
"""Generation by the transformers library beside build/benchmarks/language_benchmark, in turns on this machine, one thread each.

The same two Llamas of random parameters, batch 16, prompts of 64 tokens, 64 new tokens each, sampled; `small_in_groups` draws
16 completions of each prompt, as GRPO does. Prints tokens per second of processor time of both and their ratio, for ours with
float32 and with int8 weights (generation_weights): the best of some turns, which other work on the machine disturbs least.

Usage: benchmarks/transformers_speed.py [--turns 3] [--sizes small,small_in_groups,large] [--benchmark build/benchmarks/language_benchmark]
Needs: pip install transformers==5.24.0 torch==2.15.0; `scripts/build.sh release 2 benchmarks`
"""

import argparse
import json
import os
import subprocess
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

BATCH, PROMPT, NEW = 16, 64, 64
SIZES = {"small": (2048, 160, 432, 5, 5), "large": (32000, 768, 2048, 12, 12)}
GROUP = {"small_in_groups": 16}


def llama(vocabulary, width, inner, layers, heads):
    return LlamaForCausalLM(LlamaConfig(vocab_size=vocabulary, hidden_size=width, intermediate_size=inner, num_hidden_layers=layers,
                                        num_attention_heads=heads, max_position_embeddings=256, tie_word_embeddings=True,
                                        bos_token_id=None, eos_token_id=None, pad_token_id=0)).eval()


def their_rate(model, group):
    prompts = torch.randint(1, model.config.vocab_size, (BATCH, PROMPT))
    begin = time.process_time()
    with torch.inference_mode():
        result = model.generate(prompts, attention_mask=torch.ones_like(prompts), do_sample=True, max_new_tokens=NEW, top_k=0,
                                num_return_sequences=group)
    assert result.shape == (group * BATCH, PROMPT + NEW)
    return group * BATCH * NEW / (time.process_time() - begin)


def our_figures(program, name):
    """What language_benchmark says of its case `name`."""
    line = [program, f"--benchmark_filter=^{name}$", "--benchmark_format=json"]
    result = subprocess.run(line, capture_output=True, check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    return json.loads(result.stdout)["benchmarks"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--sizes", default="small,small_in_groups,large")
    parser.add_argument("--benchmark", default="build/benchmarks/language_benchmark")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for size in arguments.sizes.split(","):
        model = llama(*SIZES[size.partition("_")[0]])
        group = GROUP.get(size, 1)
        their_rate(model, group)  # the first one prepares
        theirs, ours = [], {"float32": [], "int8": []}
        for _ in range(arguments.turns):
            theirs.append(their_rate(model, group))
            for weights, rates in ours.items():
                case = f"generate/{size}" + ("" if weights == "float32" else f"_{weights}")
                rates.append(our_figures(arguments.benchmark, case)["tokens"])
        parameters = sum(p.numel() for p in model.parameters())
        print(f"{size}: {parameters / 1e6:.1f}M parameters, tokens per CPU second: transformers {max(theirs):.0f}", end="")
        for weights, rates in ours.items():
            print(f", paretofl {weights} {max(rates):.0f}, ratio {max(rates) / max(theirs):.2f}", end="")
        print(flush=True)


if __name__ == "__main__":
    main()
