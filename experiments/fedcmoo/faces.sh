#!/usr/bin/env bash
# FedCMOO, FSMGDA and scalarized FedAvg on procedural faces, with 40 objectives and with CelebA-5's five groups, then
# results/faces.csv and the tables of README.md. Finished runs are kept and interrupted ones go on.
# Usage: [PARETOFL_DATA=DIR] [ROUNDS=40] [JOBS=2] experiments/fedcmoo/faces.sh [SEED]...   (default: seeds 1 2)
# With DIR/celeba/attr_bits.bin(.xz) the faces' attributes are rows of the real table.
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/faces
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2); fi

for seed in "${seeds[@]}"; do
  for strategy in fsmgda fedcmoo fedavg; do
    for grouped in false true; do
      queue "$strategy-$grouped-$seed" "experiments/fedcmoo/$strategy-faces.toml" \
        seed="$seed" rounds="${ROUNDS:-40}" workload.grouped="$grouped" data.root="${PARETOFL_DATA:-data}"
    done
  done
done
run_queue
python3 experiments/fedcmoo/objectives_table.py "$runs" accuracy experiments/fedcmoo/results/faces.csv
