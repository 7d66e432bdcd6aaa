#!/usr/bin/env bash
# How far clients come in their local steps with FedCMOO and with FSMGDA (the paper's Figure 11): in every round of FedCMOO the cohort also
# trains each objective alone from the same model, and the fall of the losses on all of a client's data is measured after both. 100 rounds
# of the presets, three seeds; the separate steps with FedCMOO's rate (same) and with that of FSMGDA's presets (own). Then results/local_progress.csv, results/local_progress.md; local_progress_plot.py draws them.
# Finished runs are kept and interrupted ones go on; rows of earlier runs stay in the table.
# Usage: PARETOFL_DATA=DIR [SEEDS="1 2 3"] [JOBS=2] experiments/fedcmoo/local_progress.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with mnist/ and fashion_mnist/ in PARETOFL_DATA}
runs=runs/fedcmoo_local_progress
source experiments/queue.sh
read -ra seeds <<<"${SEEDS:-1 2 3}"

for seed in "${seeds[@]}"; do
  for workload in mnist_fmnist multimnist; do
    for rate in own same; do
      separate=()
      if [[ $rate == own ]]; then separate=(strategy.separate_client_lr=0.1); fi
      queue "$rate-$workload-$seed" "experiments/fedcmoo/fedcmoo-$workload.toml" seed="$seed" rounds=100 strategy.measure_local_progress=true \
        data.root="$data" "${separate[@]}"
    done
  done
done
run_queue
keep experiments/fedcmoo/results/local_progress.md python3 experiments/fedcmoo/local_progress_table.py "${RUNS:-$runs}" \
  experiments/fedcmoo/results/local_progress.csv
