#!/usr/bin/env bash
# Weights of rewards that conflict: short completions are rewarded, and a small model that leaves out its steps answers wrongly. Accuracy,
# format and length for all ten clients, on expressions. Equal weights, larger fixed ones of the accuracy, and weights that adapt, all with
# rewards scaled over the batch; equal weights and the largest also with rewards scaled within each group of completions, the default.
# Six seeds, 1000 test questions and 500 for validation. Then results/conflict.csv and results/conflict.md.
# `models.sh runs/fedmoa_conflicting conflicting` makes the base model first; finished runs are kept.
# Usage: [MODEL=runs/fedmoa_conflicting/base] [ROUNDS=16] [SEEDS="1 2 ..."] [JOBS=2] experiments/fedmoa/conflict.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
model=${MODEL:-runs/fedmoa_conflicting/base}
rounds=${ROUNDS:-16}
runs=runs/fedmoa_conflict
source experiments/queue.sh
read -ra seeds <<<"${SEEDS:-1 2 3 4 5 6}"

declare -A named_weights=(
  [third]='["accuracy=1", "format=1", "length=1"]'
  [0.5]='["accuracy=0.5", "format=0.25", "length=0.25"]'
  [0.7]='["accuracy=0.7", "format=0.15", "length=0.15"]'
  [0.9]='["accuracy=0.9", "format=0.05", "length=0.05"]')

# run NAME WEIGHTS SCALE [KEY=VALUE]...
run() {
  queue "$1-$seed" experiments/fedmoa/fedmoa-arithmetic.toml seed="$seed" rounds="$rounds" workload.model="$model" \
    strategy.cosine_rounds="$rounds" strategy.accuracy_aggregation=false strategy.local_evaluation_every=0 \
    "strategy.named_weights=${named_weights[$2]}" workload.grpo.scale_rewards="$3" workload.groups=expressions:accuracy+format+length \
    workload.rewards.accuracy.name=gsm8k_accuracy workload.rewards.format.name=format workload.rewards.length.name=length \
    workload.rewards.length.target=34 workload.rewards.length.tolerance=2 workload.rewards.length.width=25 \
    workload.evaluation_questions=1000 workload.tasks.expressions.test_questions=1000 workload.tasks.expressions.validation_questions=500 \
    evaluation.every=4 checkpoint.every=8 "${@:4}"
}

for seed in "${seeds[@]}"; do
  for weight in third 0.5 0.7 0.9; do run "batch_$weight" "$weight" batch strategy.adaptive_weights=false; done
  run batch_inner_product third batch strategy.adaptive_weights=true strategy.hypergradient=inner_product
  run batch_cosine third batch strategy.adaptive_weights=true strategy.hypergradient=cosine strategy.hypergradient_rate=0.02
  for weight in third 0.9; do run "group_$weight" "$weight" group strategy.adaptive_weights=false; done
done
run_queue
keep experiments/fedmoa/results/conflict.md python3 experiments/fedmoa/conflict_table.py "${RUNS:-$runs}" experiments/fedmoa/results/conflict.csv
