#!/usr/bin/env bash
# FedCMOO, FSMGDA, FSMGDA with top-k at FedCMOO's upload, and scalarized FedAvg on procedural faces, with 40 objectives and with CelebA-5's
# five groups, then results/faces.csv and results/faces.md. Finished runs are kept and interrupted ones go on.
# Usage: [PARETOFL_DATA=DIR] [ROUNDS=40] [JOBS=2] experiments/fedcmoo/faces.sh [SEED]...   (default: seeds 1 2 3)
# With DIR/celeba/attr_bits.bin(.xz) the faces' attributes are rows of the real table.
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/faces
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

# The presets' learning rates are for 40 objectives.
declare -A five=([fsmgda]="strategy.client_lr=2.0 strategy.server_lr=2.0" [fsmgda_top_k]="strategy.client_lr=2.0 strategy.server_lr=2.0" [fedcmoo]="strategy.client_lr=5.0" [fedavg]="strategy.client_lr=5.0")
for seed in "${seeds[@]}"; do
  for strategy in fsmgda fsmgda_top_k fedcmoo fedavg; do
    settings=(seed="$seed" rounds="${ROUNDS:-40}" data.root="${PARETOFL_DATA:-data}")
    queue "$strategy-40-$seed" "experiments/fedcmoo/$strategy-faces.toml" "${settings[@]}"
    read -ra rates <<<"${five[$strategy]}"
    queue "$strategy-5-$seed" "experiments/fedcmoo/$strategy-faces.toml" "${settings[@]}" workload.grouped=true "${rates[@]}"
  done
done
run_queue
keep experiments/fedcmoo/results/faces.md python3 experiments/fedcmoo/objectives_table.py "$runs" accuracy experiments/fedcmoo/results/faces.csv
