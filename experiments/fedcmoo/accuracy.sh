#!/usr/bin/env bash
# FedCMOO, FSMGDA and scalarized FedAvg on MNIST+FMNIST and MultiMNIST with the paper's settings, then
# results/accuracy.csv and the tables of README.md. Finished runs are kept and interrupted ones go on.
# Usage: PARETOFL_DATA=DIR experiments/fedcmoo/accuracy.sh [SEED]...   (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with mnist/ and fashion_mnist/ in PARETOFL_DATA}
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

for seed in "${seeds[@]}"; do
  for workload in mnist_fmnist multimnist; do
    for strategy in fedcmoo fsmgda fedavg; do
      folder=runs/accuracy/$strategy-$workload-$seed
      if [[ -f $folder/summary.json ]]; then
        continue
      elif [[ -f $folder/config.toml ]]; then
        build/paretofl run --resume "$folder"
      else
        build/paretofl run "experiments/fedcmoo/$strategy-$workload.toml" --set seed="$seed" --set data.root="$data" --dir "$folder"
      fi
    done
  done
done
python3 experiments/fedcmoo/accuracy_table.py runs/accuracy experiments/fedcmoo/results/accuracy.csv
