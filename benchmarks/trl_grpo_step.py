#!/usr/bin/env python3
"""Steps of GRPO by the TRL library and by build/paretofl: processor time of a step and peak memory, each in a process of its own.

The two Llamas of transformers_speed.py with random parameters and LoRA of rank 16 on q, k, v and o. A step draws 8 completions of 64
tokens for each of 2 prompts of 64 tokens and computes their gradients at once, without a KL penalty, by AdamW or Adam. Both libraries read
the same folder. Ours is a round of a federation of one client, with its evaluation and checkpoint. The time of a step is that of a run of three steps less that of a run of one, halved. The memory is the peak of the process
with three steps; of TRL, also what is beyond Python and its libraries.
Both are run with gradient checkpointing, which is TRL's default, and without it; ours also with shared_prompts.

Usage: benchmarks/trl_grpo_step.py [--turns 3] [--sizes small,large] [--command build/paretofl]
Needs: pip install trl==1.16.0 peft==0.21.2 transformers==5.24.0 torch==2.15.0; `make build`
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROMPTS, COMPLETIONS, PROMPT, NEW = 2, 8, 64, 64

# A federation of one client, whose rounds are a step each.
CONFIG = f"""rounds = {{steps}}

[strategy]
name = "fedgrpo"
cohort_size = 1
local_steps = 1

[workload]
name = "reasoning"
model = "{{model}}"
clients = 1
groups = "mine:length"
instruction = "{{{{question}}}}"
lora_dropout = 0
gradient_checkpointing = {{checkpointing}}
shared_prompts = {{shared}}

[workload.tasks.mine]
name = "jsonl"
train = "{{questions}}"

[workload.rewards.length]
name = "length"

[workload.grpo]
prompts = {PROMPTS}
completions = {COMPLETIONS}
microbatch = {PROMPTS * COMPLETIONS}
max_new_tokens = {NEW}
"""


def write_model(folder, size):
    """A Llama of random parameters with a vocabulary of bytes, and of tokens that no text has, up to its size."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast
    from transformers_speed import SIZES, llama

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {"<pad>": 0, "<end>": 1, **{letter: 2 + i for i, letter in enumerate(letters)}}
    for i in range(len(vocabulary), SIZES[size][0]):
        vocabulary[f"unused {i}"] = i
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<end>").save_pretrained(folder)
    model = llama(*SIZES[size])
    model.config.eos_token_id = model.generation_config.eos_token_id = 1
    model.save_pretrained(folder)


def texts(count, length):
    generator = random.Random(1)
    return ["".join(generator.choices("abcdefghijklmnopqrstuvwxyz", k=length)) for _ in range(count)]


def peak_bytes():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def train_by_trl(folder, steps, checkpointing):
    """Prints the processor seconds of the training, the peak memory, and the peak before the model was read."""
    import torch
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    torch.set_num_threads(1)
    before = peak_bytes()
    settings = GRPOConfig(output_dir=f"{folder}/trl", max_steps=steps, per_device_train_batch_size=PROMPTS * COMPLETIONS, num_generations=COMPLETIONS,
                          max_completion_length=NEW, beta=0.0, use_cpu=True, bf16=False, gradient_checkpointing=checkpointing, report_to=[],
                          save_strategy="no", disable_tqdm=True, logging_strategy="no")
    lora = LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, target_modules=["q_proj", "k_proj", "v_proj", "o_proj"])
    trainer = GRPOTrainer(model=AutoModelForCausalLM.from_pretrained(folder), processing_class=AutoTokenizer.from_pretrained(folder),
                          args=settings, train_dataset=Dataset.from_dict({"prompt": texts(64, PROMPT)}), peft_config=lora,
                          reward_funcs=lambda completions, **_: [float(len(text) % 7) for text in completions])
    trainer.train()
    print(json.dumps([time.process_time(), peak_bytes(), before]))


def output_of(line):
    """What a process prints that computes on one thread. Exits with its errors where it fails."""
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"})
    output, errors = process.communicate()
    if process.returncode:
        sys.exit(f"{' '.join(map(str, line))}: {errors}")
    return output


def by_trl(folder, steps, checkpointing):
    output = output_of([sys.executable, __file__, "--trl", folder, str(steps), str(int(checkpointing))])
    return json.loads(output.splitlines()[-1])


def by_paretofl(command, folder, steps, checkpointing, shared):
    """The same of a run of CONFIG, without the peak of the libraries."""
    with tempfile.TemporaryDirectory() as runs:
        questions = Path(runs) / "questions.jsonl"
        rows = [{"prompt": text, "reference": "1", "split": "validation" if i == 64 else "test" if i == 65 else "train"}
                for i, text in enumerate(texts(66, PROMPT))]
        questions.write_text("".join(json.dumps(row) + "\n" for row in rows))
        config = Path(runs) / "config.toml"
        config.write_text(CONFIG.format(steps=steps, model=folder, questions=questions, checkpointing=str(checkpointing).lower(), shared=str(shared).lower()))
        output_of([command, "run", str(config), "--dir", f"{runs}/run"])
        summary = json.loads((Path(runs) / "run" / "summary.json").read_text())
        return [summary["cpu_seconds"], summary["peak_rss_bytes"], None]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--sizes", default="small,large")
    parser.add_argument("--command", default="build/paretofl")
    parser.add_argument("--trl", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.trl:
        return train_by_trl(arguments.trl[0], int(arguments.trl[1]), arguments.trl[2] == "1")
    for size in arguments.sizes.split(","):
        with tempfile.TemporaryDirectory() as folder:
            write_model(folder, size)
            sides = {"TRL": lambda steps: by_trl(folder, steps, True), "TRL without checkpointing": lambda steps: by_trl(folder, steps, False),
                     "paretofl": lambda steps: by_paretofl(arguments.command, folder, steps, True, False),
                     "paretofl without checkpointing": lambda steps: by_paretofl(arguments.command, folder, steps, False, False),
                     "paretofl without checkpointing, with shared prompts": lambda steps: by_paretofl(arguments.command, folder, steps, False, True)}
            seconds, memory = {name: [] for name in sides}, {}
            for _ in range(arguments.turns):
                for name, side in sides.items():
                    one, three = side(1), side(3)
                    seconds[name].append((three[0] - one[0]) / 2)
                    memory[name] = three[1:]
            for name in sides:
                print(f"{size}, {name}: {min(seconds[name]):.2f} CPU seconds per step, peak {memory[name][0] / 1e9:.2f} GB"
                      + (f" ({(memory[name][0] - memory[name][1]) / 1e9:.2f} beyond the libraries)" if memory[name][1] else ""), flush=True)


if __name__ == "__main__":
    main()
