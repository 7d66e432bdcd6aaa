#!/usr/bin/env bash
# Two rounds of fedmoa-gsm8k_math_mbpp.toml with the small model of three_sets_model.sh: all 15 clients, the published files, smaller batches.
# Prints seconds and peak memory, and of each round the weights and rewards by client and what local models answer.
# Usage: PARETOFL_DATA=DIR [RUNS=runs/fedmoa_three_sets] [MODEL=runs/fedmoa_models/three_sets] experiments/fedmoa/three_sets.sh [KEY=VALUE]...
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=${RUNS:-runs/fedmoa_three_sets}
model=${MODEL:-runs/fedmoa_models/three_sets}
[[ -f $model/base/training.json ]] || experiments/fedmoa/three_sets_model.sh "$model"
settings=()
for setting in "data.root=${PARETOFL_DATA:?expected the folder of real data sets in PARETOFL_DATA}" "workload.model=$model/base" rounds=2 \
  strategy.cosine_rounds=2 strategy.local_steps=2 strategy.client_lr=0.002 strategy.hypergradient=cosine workload.evaluation_questions=16 \
  workload.log_completions_every=1 workload.grpo.prompts=2 workload.grpo.completions=8 workload.grpo.max_new_tokens=256 "$@"; do
  settings+=(--set "$setting")
done
"${PARETOFL:-build/paretofl}" run experiments/fedmoa/fedmoa-gsm8k_math_mbpp.toml "${settings[@]}" --dir "$runs" --overwrite >/dev/null
python3 - "$runs" <<'PYTHON'
import json, sys

folder = sys.argv[1]
summary = json.load(open(f"{folder}/summary.json"))
names = summary["objectives"]
print(f"{summary['wall_seconds']:.0f} s, {summary['cpu_seconds']:.0f} s of processor time, {summary['peak_rss_bytes'] / 2**30:.2f} GiB at most;",
      "test:", {name: round(value, 3) for name, value in summary["overall"].items()})
for line in open(f"{folder}/metrics.jsonl"):
    row = json.loads(line)
    metrics = row["metrics"]
    print(f"round {row['round']}: {row['seconds']['train']:.0f} s to train, {row['seconds']['evaluate']:.0f} s to evaluate;",
          round(metrics["truncated"], 2), "of the completions cut off")
    for task, first in (("gsm8k", 0), ("math", 5), ("mbpp", 10)):
        # Rows are those of the clients that answered: a client that failed has none.
        rows = [m for m, client in enumerate(metrics["cohort"]) if first <= client < first + 5]
        def mean(name):
            table = [metrics[name][m * len(names):(m + 1) * len(names)] for m in rows]
            return {key: round(sum(of) / len(rows), 3) for key, of in zip(names, zip(*table)) if any(of)}
        print(f"  {task}: weights {mean('client_lambda')}, rewards {mean('client_reward')}, local models {mean('local_rewards')}")
lines = [json.loads(line) for line in open(f"{folder}/training_completions.jsonl")]
print(len(lines), "completions in training_completions.jsonl")
PYTHON
