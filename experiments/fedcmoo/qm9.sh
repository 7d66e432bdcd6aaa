#!/usr/bin/env bash
# FedCMOO, FSMGDA and scalarized FedAvg on the geometries of QM9's small molecules, then results/qm9.csv and
# results/qm9.md. Finished runs are kept and interrupted ones go on. FSMGDA trains every client once per objective, so a
# round of it takes eleven times as long; it gets FSMGDA_ROUNDS.
# Usage: PARETOFL_DATA=DIR [ROUNDS=60] [FSMGDA_ROUNDS=20] [JOBS=2] experiments/fedcmoo/qm9.sh [SEED]...   (default: seeds 1 2)
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with qm9/ in PARETOFL_DATA}
runs=runs/qm9
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2); fi

for seed in "${seeds[@]}"; do
  for strategy in fsmgda fedcmoo fedavg; do
    rounds=${ROUNDS:-60}
    if [[ $strategy == fsmgda ]]; then rounds=${FSMGDA_ROUNDS:-20}; fi
    queue "$strategy-$seed" "experiments/fedcmoo/$strategy-qm9_geometries.toml" seed="$seed" rounds="$rounds" data.root="$data"
  done
done
run_queue
keep experiments/fedcmoo/results/qm9.md python3 experiments/fedcmoo/objectives_table.py "$runs" loss experiments/fedcmoo/results/qm9.csv
