#!/usr/bin/env bash
# FedCMOO on glyphs with a fifth of the clients ten times slower than the others, by the simulated clock: without limits, with a deadline,
# with additional clients, and with both. Then results/stragglers.csv and results/stragglers.md. Finished runs are kept and interrupted ones
# go on.
# Usage: [JOBS=2] experiments/stragglers/stragglers.sh [SEED]...      (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/stragglers
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

for seed in "${seeds[@]}"; do
  for limits in "0 0" "2 0" "0 0.5" "2 0.5"; do
    read -r deadline over_sample <<<"$limits"
    queue "$deadline-$over_sample-$seed" experiments/fedcmoo/fedcmoo-glyphs.toml seed="$seed" workload.clients=40 rounds=60 \
      evaluation.every=1 runtime.simulated_seconds=1 runtime.simulated_spread=0.5 runtime.straggler_share=0.2 \
      runtime.straggler_slowdown=10 runtime.deadline_seconds="$deadline" runtime.over_sample="$over_sample"
  done
done
run_queue
keep experiments/stragglers/results/stragglers.md python3 experiments/stragglers/stragglers_table.py "$runs" experiments/stragglers/results/stragglers.csv
