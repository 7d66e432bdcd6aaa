#!/usr/bin/env bash
# FedCMOO on celeba5 with files in CelebA's format: 3000 drawn faces, small_cnn, 40 rounds, then results/celeba_format.csv
# and tables beside the constant predictor. A finished run is kept and an interrupted one goes on.
# Usage: experiments/fedcmoo/celeba_format.sh [SEED]...      (default: seed 1)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/celeba_format
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1); fi

scripts/build.sh release "$(nproc)" paretofl_command example_write_celeba_files >&2
for seed in "${seeds[@]}"; do
  data=$runs/data-$seed
  # The partition list is written last.
  [[ -f $data/celeba/list_eval_partition.txt ]] || build/examples/write_celeba_files "$data/celeba" 3000 "$seed"
  queue "fedcmoo-$seed" experiments/fedcmoo/fedcmoo-celeba5.toml seed="$seed" data.root="$data" rounds=40 evaluation.every=5 \
    strategy.client_lr=5 strategy.server_lr=1 \
    workload.model=small_cnn workload.clients=20 workload.samples_per_client=120 workload.batch_size=40
done
OPENBLAS_NUM_THREADS=1 run_queue
python3 experiments/fedcmoo/objectives_table.py "$runs" accuracy experiments/fedcmoo/results/celeba_format.csv
