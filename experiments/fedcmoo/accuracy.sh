#!/usr/bin/env bash
# FedCMOO, FSMGDA and scalarized FedAvg on MNIST+FMNIST and MultiMNIST with the paper's settings, then
# results/accuracy.csv and the tables of README.md. Finished runs are kept and interrupted ones go on.
# Usage: PARETOFL_DATA=DIR experiments/fedcmoo/accuracy.sh [SEED]...   (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with mnist/ and fashion_mnist/ in PARETOFL_DATA}
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi
folder=runs/accuracy

resume=()
if [[ -f $folder/sweep.toml ]]; then resume=(--resume); fi
build/paretofl sweep experiments/fedcmoo/{fedcmoo,fsmgda,fedavg}-{mnist_fmnist,multimnist}.toml --set data.root="$data" \
  --seeds "$(IFS=,; echo "${seeds[*]}")" --dir "$folder" "${resume[@]}"
python3 experiments/fedcmoo/accuracy_table.py "$folder" experiments/fedcmoo/results/accuracy.csv
