#!/usr/bin/env bash
# One model for every preference, trained by 20 clients with the agent envelope_dqn under FedAvg, beside 20 models for one preference each,
# trained with dqn by each client alone (no_communication) and under FedPref, on Deep-Sea Treasure. Then results/agents.csv and agents.md.
# Finished runs are kept and interrupted ones go on.
# Usage: [JOBS=2] experiments/fronts/agents.sh [SEED]...      (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/front_agents
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

for seed in "${seeds[@]}"; do
  settings=(seed="$seed" workload.preferences=lattice evaluation.every=7)
  queue "envelope_dqn-$seed" experiments/fronts/envelope_dqn-deep_sea_treasure.toml "${settings[@]}" workload.agent.front_preferences=20
  for strategy in no_communication fedpref; do
    queue "$strategy-$seed" "experiments/fedpref/$strategy-deep_sea_treasure.toml" "${settings[@]}"
  done
done
run_queue
keep experiments/fronts/results/agents.md python3 experiments/fronts/agents_table.py deep_sea_treasure "$runs" experiments/fronts/results/agents.csv
