#!/usr/bin/env python3
"""Prints the values that tests/alignment/grpo_golden_test.cpp compares with: losses, gradients and advantages of the TRL library.

TRL's own functions are called on fixed numbers: the loss of GRPOTrainer for four completions of 3, 2, 4 and 1 tokens, under each
setting of the test, with its derivatives with respect to the log-probabilities; and the advantages of six completions with two rewards.
The second completion counts as cut off where the setting says so. Every row is one line of C++.

Usage: benchmarks/trl_grpo_losses.py
Needs: pip install trl==1.16.0 torch
"""

import ast
import inspect
import textwrap
from collections import defaultdict
from types import SimpleNamespace

import torch
from trl import GRPOTrainer
from trl.trainer import grpo_trainer

LENGTHS = [3, 2, 4, 1]
LOGPROBS = [-0.9, -1.5, -0.4, -1.9, -0.3, -2.1, -0.2, -1.1, -0.6, -0.8]
OLD = [-1.0, -1.1, -1.3, -1.2, -0.5, -1.0, -0.9, -1.6, -0.7, -1.5]
REFERENCE = [-1.2, -1.4, -0.9, -1.1, -0.4, -1.7, -0.5, -1.0, -0.8, -0.9]
ENTROPIES = [1.2, 0.3, 0.8, 1.5, 0.1, 0.9, 0.4, 1.1, 0.7, 0.2]
ADVANTAGES = [1.5, -0.8, -0.3, 0.6]
MAX_LENGTH = 6
REWARDS = [[1, 0.2], [0, 0.9], [0, 0.4], [1, 0.5], [1, 0.1], [0, 0.3]]  # two groups of three
WEIGHTS = [0.75, 0.25]

SETTINGS = [
    dict(loss_type="grpo"),
    dict(loss_type="grpo", beta=0.04),
    dict(loss_type="dr_grpo"),
    dict(loss_type="dapo", beta=0.04),
    dict(loss_type="bnpo"),
    dict(loss_type="cispo", epsilon_high=1.4, beta=0.04),
    dict(loss_type="grpo", epsilon_high=0.6),
    dict(loss_type="dapo", delta=1.5),
    dict(loss_type="grpo", importance_sampling_level="sequence"),
    dict(loss_type="dapo", importance_sampling_level="sequence", beta=0.04),
    dict(loss_type="cispo", importance_sampling_level="sequence", epsilon_high=1.1),
    dict(loss_type="grpo", masked=True),
    dict(loss_type="dapo", masked=True, beta=0.04),
    dict(loss_type="dr_grpo", masked=True),
    dict(loss_type="grpo", masked=True, entropy_coef=0.05),
]


def padded(values):
    table, at = torch.zeros(len(LENGTHS), max(LENGTHS), dtype=torch.float64), 0
    for row, length in enumerate(LENGTHS):
        table[row, :length] = torch.tensor(values[at:at + length], dtype=torch.float64)
        at += length
    return table


def flat(table):
    return [float(x) for row, length in enumerate(LENGTHS) for x in table[row, :length]]


def loss_of(setting):
    logprobs = padded(LOGPROBS).requires_grad_()
    mask = padded([1.0] * sum(LENGTHS))
    if setting.get("masked"):
        mask[1] = 0
    entropies = padded(ENTROPIES).requires_grad_()
    beta, epsilon, entropy_coef = setting.get("beta", 0.0), 0.2, setting.get("entropy_coef", 0.0)
    accelerator = SimpleNamespace(num_processes=1, reduce=lambda x, reduction: x, gather=lambda x: x, sync_gradients=False)
    trainer = SimpleNamespace(
        _get_per_token_logps_and_entropies=lambda *a, **k: (logprobs, entropies, None), aux_loss_enabled=False, top_entropy_quantile=1.0,
        off_policy_mask_threshold=None, importance_sampling_level=setting.get("importance_sampling_level", "token"), beta=beta,
        loss_type=setting["loss_type"], epsilon_low=epsilon, epsilon_high=setting.get("epsilon_high", epsilon), use_vllm=False,
        args=SimpleNamespace(delta=setting.get("delta"), use_bias_correction_kl=False, steps_per_generation=1),
        model=SimpleNamespace(training=True), current_gradient_accumulation_steps=1, max_completion_length=MAX_LENGTH,
        accelerator=accelerator, _entropy_bonus_enabled=entropy_coef != 0, use_adaptive_entropy=False, entropy_coef=entropy_coef,
        _metrics=defaultdict(lambda: defaultdict(list)))
    zeros = torch.zeros(len(LENGTHS), 1, dtype=torch.long)
    inputs = dict(prompt_ids=zeros, prompt_mask=zeros, completion_ids=torch.zeros(mask.shape, dtype=torch.long), completion_mask=mask,
                  advantages=torch.tensor(ADVANTAGES, dtype=torch.float64), old_per_token_logps=padded(OLD),
                  ref_per_token_logps=padded(REFERENCE), num_items_in_batch=mask.sum())
    loss = GRPOTrainer._compute_loss(trainer, model=None, inputs=inputs)
    loss.backward()
    gradient = flat(logprobs.grad)
    return float(loss), gradient, flat(entropies.grad) if entropy_coef else []


def advantages_of(mode, scale):
    """By the statements of TRL's trainer that turn rewards into advantages, found in its source by the name that they branch on."""
    source = textwrap.dedent(inspect.getsource(GRPOTrainer._generate_and_score_completions))
    branch = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.If) and "multi_objective_aggregation" in
                  ast.unparse(node.test))
    rewards = torch.tensor(REWARDS, dtype=torch.float64)
    names = dict(vars(grpo_trainer), rewards_per_func=rewards, num_generations=3, device="cpu",
                 unscorable_mask=torch.zeros(len(REWARDS), dtype=torch.bool),
                 self=SimpleNamespace(multi_objective_aggregation=mode, scale_rewards=scale, reward_funcs=[None, None],
                                      reward_weights=torch.tensor(WEIGHTS, dtype=torch.float64)))
    exec(compile(ast.unparse(branch), "trl", "exec"), names)
    return [float(x) for x in names["advantages"]]


def numbers(values):
    return "{" + ", ".join(f"{x:.10g}" for x in values) + "}"


def main():
    for setting in SETTINGS:
        loss, gradient, entropy = loss_of(setting)
        print(setting)
        print(f"    {loss:.10g}, {numbers(gradient)}, {numbers(entropy)}")
    for mode, scale in [("sum_then_normalize", "group"), ("sum_then_normalize", "batch"), ("sum_then_normalize", "none"),
                        ("normalize_then_sum", "group")]:
        print(f"{mode} {scale}\n    {numbers(advantages_of(mode, scale))}")


if __name__ == "__main__":
    main()
