#!/usr/bin/env bash
# FedCMOO on mnist_fmnist where every exchange takes 5 s by the simulated clock: with three exchanges a round (two-way sketches), with two
# (one-way sketches), and with one, where lambda follows the Gramian of the round before. Then results/exchanges.csv,
# exchanges.md and exchanges.svg. Finished runs are kept and interrupted ones go on. DATA is the folder of the data sets (default: data).
# Usage: [JOBS=2] [DATA=DIR] experiments/exchanges/exchanges.sh [SEED]...      (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/exchanges
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

for seed in "${seeds[@]}"; do
  for mode in "all true" "all false" "one false"; do
    read -r exchanges two_way <<<"$mode"
    queue "$exchanges-$two_way-$seed" experiments/fedcmoo/fedcmoo-mnist_fmnist.toml seed="$seed" rounds=100 evaluation.every=5 workload.validation_fraction=0 \
      data.root="${DATA:-data}" strategy.exchanges="$exchanges" strategy.compressor.two_way="$two_way" runtime.simulated_seconds=5
  done
done
run_queue
keep experiments/exchanges/results/exchanges.md python3 experiments/exchanges/exchanges_table.py "$runs" experiments/exchanges/results/exchanges.csv
experiments/plots.sh experiments/exchanges/exchanges_plot.py
