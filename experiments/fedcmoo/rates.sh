#!/usr/bin/env bash
# Learning rates (server, client) of FedCMOO on MultiMNIST, chosen as the paper says (appendix D.3): on a fifth of the training images
# that is held out. The four pairs are those that the paper has for its image experiments. Then results/rates.csv and
# results/rates.md. Finished runs are kept and interrupted ones go on.
# Usage: PARETOFL_DATA=DIR [JOBS=2] experiments/fedcmoo/rates.sh [SEED]...      (default: seeds 21 22 23)
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with mnist/ in PARETOFL_DATA}
runs=runs/fedcmoo_rates
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(21 22 23); fi

for seed in "${seeds[@]}"; do
  for rates in "1.2 0.5" "1.6 0.3" "1 0.2" "2 0.1"; do
    read -r server client <<<"$rates"
    queue "$server-$client-$seed" experiments/fedcmoo/fedcmoo-multimnist.toml seed="$seed" data.root="$data" rounds=500 \
      evaluation.every=20 strategy.server_lr="$server" strategy.client_lr="$client"
  done
done
run_queue
keep experiments/fedcmoo/results/rates.md python3 experiments/fedcmoo/rates_table.py "$runs" experiments/fedcmoo/results/rates.csv
