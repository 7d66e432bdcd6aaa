#!/usr/bin/env bash
# FedPref's clusters beside the true ones (Section 4.5): four groups of clients, each with a preference of its own, in
# balanced (5,5,5,5) and unbalanced (2,3,6,9) numbers; then results/validation.csv and results/validation.md. With a
# patience of 9 rounds two generations of splits, and no third, fit into the 28 rounds; the paper's 2 and 1 split on until
# every client is alone. Rows of earlier runs stay in the table; what results/validation.csv has is not run again.
# Usage: [WORKLOADS="deep_sea_treasure lunar_lander"] [JOBS=2] experiments/fedpref/validation.sh [SEED]...   (default: 1 2 3 4 5)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/fedpref_validation
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3 4 5); fi
read -ra workloads <<<"${WORKLOADS:-deep_sea_treasure lunar_lander}"

for workload in "${workloads[@]}"; do
  for sizes in 5,5,5,5 2,3,6,9; do
    for seed in "${seeds[@]}"; do
      grep -qs "^$workload,\"$sizes\",$seed," experiments/fedpref/results/validation.csv && continue
      queue "$workload-$sizes-$seed" "experiments/fedpref/fedpref-$workload.toml" seed="$seed" strategy.epsilon=5.0 strategy.patience=9 \
        'workload.preferences.name="groups"' "workload.preferences.sizes=[$sizes]" evaluation.every=28 checkpoint.every=5
    done
  done
done
run_queue
keep experiments/fedpref/results/validation.md python3 experiments/fedpref/validation_table.py "$runs" experiments/fedpref/results/validation.csv
