#!/usr/bin/env bash
# FedMOA and FedGRPO where clients differ: three configurations of rewards that conflict, and wrong references in half of the training
# questions of every second client. All start with a weight of 0.7 of the accuracy. Twelve clients, expressions, 2000 test questions and
# 1000 for the choice of the round. Methods: fedgrpo, adaptive (weights only), fedmoa (weights and aggregation), fedmoa_cosine (the same with
# cosines instead of inner products of gradients), fedgrpo_right (no wrong references). Aggregation by accuracy weights alone is FedGRPO's, as
# all weights are the same. Eight seeds, paired. Then results/unequal.csv and results/unequal.md.
# `models.sh runs/fedmoa_conflicting conflicting` makes the base model first; finished runs are kept.
# Usage: [MODEL=runs/fedmoa_conflicting/base] [ROUNDS=16] [SEEDS="1 2 ..."] [JOBS=2] experiments/fedmoa/unequal.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
model=${MODEL:-runs/fedmoa_conflicting/base}
rounds=${ROUNDS:-16}
runs=runs/fedmoa_unequal
source experiments/queue.sh
read -ra seeds <<<"${SEEDS:-1 2 3 4 5 6 7 8}"

# run NAME ADAPTIVE_WEIGHTS ACCURACY_AGGREGATION [KEY=VALUE]...
run() {
  queue "$1-$seed" experiments/fedmoa/fedmoa-arithmetic.toml seed="$seed" rounds="$rounds" workload.model="$model" \
    strategy.cosine_rounds="$rounds" strategy.local_evaluation_every=0 strategy.accuracy_weight=0.7 strategy.kept_weights=shared \
    strategy.adaptive_weights="$2" strategy.accuracy_aggregation="$3" strategy.cohort_size=12 workload.clients=12 \
    workload.groups=expressions:accuracy+format+length,expressions:accuracy+format,expressions:accuracy+length \
    workload.grpo.scale_rewards=batch workload.rewards.accuracy.name=gsm8k_accuracy workload.rewards.format.name=format \
    workload.rewards.length.name=length workload.rewards.length.target=34 workload.rewards.length.tolerance=2 workload.rewards.length.width=25 \
    workload.evaluation_questions=2000 workload.tasks.expressions.test_questions=2000 workload.tasks.expressions.validation_questions=1000 \
    evaluation.every=4 checkpoint.every=8 "${@:4}"
}

wrong="workload.wrong_references=[0, 0.5]"
for seed in "${seeds[@]}"; do
  run fedgrpo false false "$wrong"
  run adaptive true false "$wrong" strategy.hypergradient_rate=20
  run fedmoa true true "$wrong" strategy.hypergradient_rate=20
  run fedmoa_cosine true true "$wrong" strategy.hypergradient=cosine strategy.hypergradient_rate=0.02
done
for seed in "${seeds[@]}"; do run fedgrpo_right false false; done
run_queue
keep experiments/fedmoa/results/unequal.md python3 experiments/fedmoa/unequal_table.py "${RUNS:-$runs}" experiments/fedmoa/results/unequal.csv
