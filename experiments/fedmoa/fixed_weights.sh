#!/usr/bin/env bash
# Whether any fixed weights of the rewards beat equal ones on generated expressions, before adaptive weights are compared with them:
# where none does, no rule that adapts weights can be expected to. Accuracy, format and tag count for all ten clients; the
# accuracy's weight is a third, 0.5, 0.7 or 0.9, and the other two share the rest. Ten seeds, 2000 test questions and 1000 for validation.
# Then results/fixed_weights.csv and results/fixed_weights.md. models.sh makes the base model first; finished runs are kept.
# Usage: [MODEL=runs/fedmoa_models/base] [ROUNDS=16] [SEEDS="1 2 ..."] [JOBS=2] experiments/fedmoa/fixed_weights.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
model=${MODEL:-runs/fedmoa_models/base}
rounds=${ROUNDS:-16}
runs=runs/fedmoa_fixed_weights
source experiments/queue.sh
read -ra seeds <<<"${SEEDS:-1 2 3 4 5 6 7 8 9 10}"

declare -A named_weights=(
  [third]='["accuracy=1", "format=1", "tag_count=1"]'
  [0.5]='["accuracy=0.5", "format=0.25", "tag_count=0.25"]'
  [0.7]='["accuracy=0.7", "format=0.15", "tag_count=0.15"]'
  [0.9]='["accuracy=0.9", "format=0.05", "tag_count=0.05"]')

for seed in "${seeds[@]}"; do
  for weight in third 0.5 0.7 0.9; do
    queue "$weight-$seed" experiments/fedmoa/fedmoa-arithmetic.toml seed="$seed" rounds="$rounds" workload.model="$model" \
      strategy.cosine_rounds="$rounds" strategy.adaptive_weights=false strategy.accuracy_aggregation=false \
      strategy.local_evaluation_every=0 "strategy.named_weights=${named_weights[$weight]}" \
      workload.groups=expressions:accuracy+format+tag_count workload.evaluation_questions=2000 \
      workload.tasks.expressions.test_questions=2000 workload.tasks.expressions.validation_questions=1000 checkpoint.every=8
  done
done
run_queue
keep experiments/fedmoa/results/fixed_weights.md python3 experiments/fedmoa/fixed_weights_table.py "${RUNS:-$runs}" experiments/fedmoa/results/fixed_weights.csv
