#!/usr/bin/env python3
"""Generation by the transformers library beside build/benchmarks/language_benchmark, in turns on this machine, one thread each by default.

The same two Llamas of random parameters, batch 16, prompts of 64 tokens, 64 new tokens each, sampled; `small_in_groups` draws
16 completions of each prompt, as GRPO does. Prints tokens per second of processor time of both and their ratio, for ours with
float32 and with int8 weights (generation_weights): the best of some turns, which other work on the machine disturbs least.

With `--threads 2` rates are per second of wall time, and both sides have two such batches to draw: the library one after the other, each on
two threads; ours at once, each on one thread, as two clients of a run do. Other work on the machine then slows both.

Usage: benchmarks/transformers_speed.py [--turns 3] [--threads 2] [--sizes small,large] [--benchmark build/benchmarks/language_benchmark]
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


def their_rate(model, group, clock):
    prompts = torch.randint(1, model.config.vocab_size, (BATCH, PROMPT))
    begin = clock()
    with torch.inference_mode():
        result = model.generate(prompts, attention_mask=torch.ones_like(prompts), do_sample=True, max_new_tokens=NEW, top_k=0,
                                num_return_sequences=group)
    assert result.shape == (group * BATCH, PROMPT + NEW)
    return group * BATCH * NEW / (clock() - begin)


def our_figures(program, name):
    """What language_benchmark says of its case `name`."""
    line = [program, f"--benchmark_filter=^{name}$", "--benchmark_format=json"]
    result = subprocess.run(line, capture_output=True, check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    return json.loads(result.stdout)["benchmarks"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--threads", type=int, choices=[1, 2], default=1)
    parser.add_argument("--sizes", help="of small, small_in_groups (with one thread) and large (default: all)")
    parser.add_argument("--benchmark", default="build/benchmarks/language_benchmark")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    clock, second = (time.process_time, "CPU second") if arguments.threads == 1 else (time.perf_counter, "second on two threads")
    for size in (arguments.sizes or ("small,small_in_groups,large" if arguments.threads == 1 else "small,large")).split(","):
        model = llama(*SIZES[size.partition("_")[0]])
        group = GROUP.get(size, 1)
        their_rate(model, group, clock)  # the first one prepares
        theirs, ours = [], {"float32": [], "int8": []}
        for _ in range(arguments.turns):
            theirs.append(their_rate(model, group, clock))
            for weights, rates in ours.items():
                case = f"generate/{size}" + ("" if arguments.threads == 1 else "_on_threads") + ("" if weights == "float32" else f"_{weights}")
                case += "" if arguments.threads == 1 else "/real_time/threads:2"
                rates.append(our_figures(arguments.benchmark, case)["tokens"])
        parameters = sum(p.numel() for p in model.parameters())
        print(f"{size}: {parameters / 1e6:.1f}M parameters, tokens per {second}: transformers {max(theirs):.0f}", end="")
        for weights, rates in ours.items():
            print(f", paretofl {weights} {max(rates):.0f}, ratio {max(rates) / max(theirs):.2f}", end="")
        print(flush=True)


if __name__ == "__main__":
    main()
