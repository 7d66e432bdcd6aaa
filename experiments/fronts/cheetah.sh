#!/usr/bin/env bash
# One model for every preference, trained by 5 clients with the agent capql under FedAvg, beside 5 models for one preference each, trained
# with ddpg by each client alone (no_communication) and under FedPref, on MO-HalfCheetah. Then results/cheetah.csv and cheetah.md.
# Finished runs are kept and interrupted ones go on.
# Usage: [JOBS=2] experiments/fronts/cheetah.sh [SEED]...      (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/front_cheetah
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

common=(rounds=30 strategy.local_steps=1000 workload.clients=5 workload.preferences=lattice evaluation.every=10)
of_agent=(buffer_size=200000 batch_size=128 learning_starts=1000 gamma=0.99 hidden=[128,128])
for seed in "${seeds[@]}"; do
  settings=(seed="$seed" "${common[@]}" "${of_agent[@]/#/workload.agent.}")
  queue "capql-$seed" experiments/fronts/capql-half_cheetah.toml "${settings[@]}" workload.agent.front_preferences=17
  for strategy in no_communication fedpref; do
    queue "$strategy-$seed" "experiments/fedpref/$strategy-half_cheetah.toml" "${settings[@]}"
  done
done
run_queue
keep experiments/fronts/results/cheetah.md python3 experiments/fronts/agents_table.py half_cheetah "$runs" experiments/fronts/results/cheetah.csv
