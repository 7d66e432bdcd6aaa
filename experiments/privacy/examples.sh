#!/usr/bin/env bash
# Accuracy against the epsilon of single examples on mnist_fmnist with 10 clients of 6000 images: scalarized FedAvg, FSMGDA and FedCMOO at
# epsilon 1 and 4 and with clipping alone. Then results/examples.csv and results/examples.md. Finished runs are kept and interrupted ones
# go on. DATA is the folder of the data sets (default: data).
# Usage: [JOBS=2] [DATA=DIR] experiments/privacy/examples.sh [SEED]...      (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/privacy_of_examples
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi
rounds=60 local_steps=5 rate=0.085

# train STRATEGY GRADIENTS EPSILON SEED [KEY=VALUE]...: GRADIENTS of a client in a round, by which the noise multiplier reaches this epsilon.
train() {
  local strategy=$1 gradients=$2 epsilon=$3 seed=$4 noise=0
  shift 4
  if [[ $epsilon != none ]]; then
    noise=$("$command" epsilon --epsilon "$epsilon" --sampling-rate "$rate" --rounds $((rounds * gradients)) --delta 1e-5 --accountant rdp --json |
      python3 -c 'import json, sys; print(json.load(sys.stdin)["noise_multiplier"])')
  fi
  queue "$strategy-$epsilon-$seed" "experiments/fedcmoo/$strategy-mnist_fmnist.toml" seed="$seed" rounds="$rounds" evaluation.every="$rounds" \
    workload.validation_fraction=0 \
    data.root="${DATA:-data}" workload.clients=10 workload.samples_per_client=6000 strategy.cohort_size=10 strategy.local_steps="$local_steps" \
    strategy.client_lr=1.5 privacy.example_clip=1 privacy.example_rate="$rate" privacy.example_noise_multiplier="$noise" "$@"
}

for seed in "${seeds[@]}"; do
  for epsilon in 4 1 none; do
    train fedavg "$local_steps" "$epsilon" "$seed" strategy.server_optimizer.lr=1
    train fsmgda $((2 * local_steps)) "$epsilon" "$seed" strategy.server_lr=1
    train fedcmoo $((2 + local_steps)) "$epsilon" "$seed" strategy.server_lr=1 strategy.reuse_gradients=false
  done
done
run_queue
keep experiments/privacy/results/examples.md python3 experiments/privacy/examples_table.py "$runs" experiments/privacy/results/examples.csv
experiments/plots.sh experiments/privacy/privacy_plot.py
