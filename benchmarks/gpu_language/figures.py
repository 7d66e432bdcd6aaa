#!/usr/bin/env python3
"""Seconds of generation and of an update, tokens per second and model FLOP utilization.

A run of one batch and one step a round, and one of one batch and three steps on it: the difference is two updates. Each round but the first
counts. Usage: figures.py OUT DROPOUT LLAMA QWEN
"""
import json
import sys
from pathlib import Path

PEAK = 989e12  # dense bfloat16 of an H100 SXM


def rows(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()][1:]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def projection_parameters(config):
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    pairs = hidden // config["num_attention_heads"] * config["num_key_value_heads"]
    return config["num_hidden_layers"] * (2 * hidden * hidden + 2 * hidden * pairs + 3 * hidden * inner)


def report(name, one, three, config, batch, prompt, clients, losses):
    seconds = [mean(row["seconds"]["train"] for row in of) / clients for of in (one, three)]
    update = (seconds[1] - seconds[0]) / 2
    generation = seconds[0] - update
    length = mean(value for row in one + three for value in [row["metrics"]["response_length"]]) if not isinstance(
        one[0]["metrics"]["response_length"], list) else mean(row["metrics"]["response_length"][0] for row in one + three)
    drawn = batch * length
    tokens = batch * (prompt + length)
    parameters = projection_parameters(config)
    head = config["vocab_size"] * config["hidden_size"]
    attention = 2 * config["num_hidden_layers"] * config["hidden_size"] * (prompt + length)  # per token: two products, half of them masked
    # Forward, and one pass back per loss to the activations (the base has no gradient). The head: its logits and the mean row.
    flops = (1 + losses) * tokens * (2 * parameters + attention) + losses * tokens * attention + 4 * drawn * head
    print(f"{name}: per client {generation:.3f} s of generation ({drawn:.0f} tokens drawn, {drawn / generation:.0f} tokens/s), "
          f"{update:.3f} s an update ({tokens:.0f} tokens, {tokens / update:.0f} tokens/s, {flops / 1e12:.2f} TFLOP, "
          f"{flops / update / 1e12:.1f} TFLOP/s, model FLOP utilization {100 * flops / update / PEAK:.1f} %)")


out, dropout, llama, qwen = Path(sys.argv[1]), *sys.argv[2:]
for name, model, batch, prompt, clients, losses in (("firm", llama, 32, 128, 2, 2), ("grpo", qwen, 64, 135, 1, 1)):
    config = json.loads((out / model / "config.json").read_text())
    report(f"{name}, dropout {dropout}", rows(out / f"{name}1-{dropout}"), rows(out / f"{name}3-{dropout}"), config, batch, prompt, clients,
           losses)
