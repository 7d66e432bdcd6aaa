#!/usr/bin/env python3
"""A PPO minibatch by the transformers and PEFT libraries beside build/benchmarks/language_benchmark, in turns.

The two Llamas of transformers_speed.py with LoRA of rank 16 on q, k, v and o: 8 sequences of 128 tokens, half of them
completions, two objectives' clipped losses, and the gradient of each with respect to the adapter: one forward pass, whose
logits are those of the completions alone, and two backward passes of its graph. Prints seconds of processor time per
minibatch of both and their ratio: the best of some turns, which other work on the machine disturbs least. Before that it
checks the same gradients against those of the summed loss. OPENBLAS_CORETYPE should not be set: it may keep OpenBLAS from the
processor's own kernels, which the other library takes in any case.

Then a whole PPO step as in FIRM's experiments: 16 prompts of 64 tokens completed by 64 sampled ones, their log-probabilities
under the reference (the adapter off; here in the same pass as the completions), and three epochs over two minibatches, added
up from the best rollout and the best minibatch.

And a GRPO group: 8 completions of one prompt, one clipped loss and its gradient; ours without and with shared_prompts, which computes
the prompt once.

With --threads 2 the seconds are those on the clock: PyTorch computes one minibatch on two threads, we two at a time, one on each, as two
clients of a run do, and our time is per minibatch.

Usage: benchmarks/transformers_ppo_step.py [--turns 5] [--threads 1|2] [--sizes small,large] [--benchmark build/benchmarks/language_benchmark]
Needs: pip install transformers==5.24.0 peft==0.21.2 torch==2.15.0; `scripts/build.sh release 2 benchmarks`
"""

import argparse
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers_speed import SIZES, llama, our_figures

BATCH, MINIBATCH, PROMPT, NEW, OBJECTIVES, EPOCHS = 16, 8, 64, 64, 2, 3


class Step:
    """One minibatch: ids and each objective's advantages, and the log-probabilities that the completions were drawn with."""

    def __init__(self, size):
        lora = LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, target_modules=["q_proj", "k_proj", "v_proj", "o_proj"])
        self.model = get_peft_model(llama(*SIZES[size]), lora).train()
        self.adapter = [p for p in self.model.parameters() if p.requires_grad]
        self.ids = torch.randint(1, SIZES[size][0], (MINIBATCH, PROMPT + NEW))
        self.group = torch.cat([self.ids[:1, :PROMPT].expand(MINIBATCH, -1), self.ids[:, PROMPT:]], 1)
        self.advantages = (torch.arange(OBJECTIVES * MINIBATCH * NEW) % 7 - 3.0).view(OBJECTIVES, MINIBATCH, NEW)
        with torch.no_grad():
            self.old = {ids: self.logprobs(ids) for ids in (self.ids, self.group)}

    def logprobs(self, ids):
        logits = self.model(ids, use_cache=False, logits_to_keep=NEW + 1).logits[:, :-1]
        chosen = torch.gather(logits, 2, ids[:, -NEW:, None]).squeeze(2)
        return chosen - torch.logsumexp(logits, 2)

    def rollout(self):
        prompts = torch.randint(1, self.model.config.vocab_size, (BATCH, PROMPT))
        with torch.inference_mode():
            ids = self.model.generate(input_ids=prompts, attention_mask=torch.ones_like(prompts), do_sample=True, max_new_tokens=NEW,
                                      top_k=0)
            with self.model.disable_adapter():
                self.logprobs(ids)

    def losses(self, ids):
        ratio = torch.exp(self.logprobs(ids) - self.old[ids])
        return [-torch.min(ratio * a, ratio.clamp(0.8, 1.2) * a).mean() for a in self.advantages]

    def gradients(self):
        losses = self.losses(self.ids)
        return [torch.autograd.grad(loss, self.adapter, retain_graph=loss is not losses[-1]) for loss in losses]

    def group_update(self):
        torch.autograd.grad(self.losses(self.group)[0], self.adapter)


def seconds(work, clock):
    begin = clock()
    work()
    return clock() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--threads", type=int, choices=[1, 2], default=1)
    parser.add_argument("--sizes", default="small,large")
    parser.add_argument("--benchmark", default="build/benchmarks/language_benchmark")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    clock, unit = (time.process_time, "CPU seconds") if arguments.threads == 1 else (time.perf_counter, "seconds on two threads")
    for size in arguments.sizes.split(","):
        step = Step(size)
        together = torch.autograd.grad(sum(step.losses(step.ids)), step.adapter)
        for rows in zip(*step.gradients(), together):
            assert torch.allclose(sum(rows[:-1]), rows[-1], atol=1e-6)
        parts = {name: ([], []) for name in ("minibatch", "rollout", "group", "group with shared_prompts")}
        for _ in range(arguments.turns):
            for name, theirs, tokens, case in (("minibatch", step.gradients, MINIBATCH * (PROMPT + NEW), f"ppo_step/{size}"),
                                               ("rollout", step.rollout, BATCH * NEW, f"generate/{size}_with_adapter_and_reference"),
                                               ("group", step.group_update, MINIBATCH * (PROMPT + NEW), f"group_update/{size}"),
                                               ("group with shared_prompts", step.group_update, MINIBATCH * (PROMPT + NEW),
                                                f"group_update/{size}_with_shared_prompts")):
                parts[name][0].append(seconds(theirs, clock))
                case += "" if arguments.threads == 1 else "_on_threads/real_time/threads:2"
                parts[name][1].append(tokens / our_figures(arguments.benchmark, case)["tokens"])
        best = {name: [min(side) for side in sides] for name, sides in parts.items()}
        minibatches = EPOCHS * BATCH // MINIBATCH
        best["PPO step"] = [rollout + minibatches * minibatch for rollout, minibatch in zip(best["rollout"], best["minibatch"])]
        parameters = sum(p.numel() for p in step.model.parameters() if not p.requires_grad)
        for name, (theirs, ours) in best.items():
            print(f"{size}: {parameters / 1e6:.1f}M parameters, {unit} per {name}: transformers {theirs:.3f}, paretofl {ours:.3f}, "
                  f"ratio {theirs / ours:.2f}", flush=True)


if __name__ == "__main__":
    main()
