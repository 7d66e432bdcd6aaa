#!/usr/bin/env bash
# Accuracy against epsilon on mnist_fmnist with 1000 clients: FedCMOO with a small sketch, FSMGDA and scalarized FedAvg, for epsilon in 1, 2,
# 4, 8 and clipping without noise; and ways to clip FedCMOO's sketch at epsilon 4. Then results/privacy.csv, privacy.md and privacy.svg. Finished
# runs are kept and interrupted ones go on. DATA is the folder of the data sets (default: data).
# Usage: [JOBS=2] [DATA=DIR] experiments/privacy/privacy.sh [SEED]...      (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/privacy
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi
rounds=150

# By epsilon and the number of sums in a round: the noise multiplier that reaches this epsilon in so many rounds; and the clipping, 1 at
# epsilon 8 and otherwise what leaves the noise of a mean as it is there, so that a smaller epsilon means smaller steps and not noisier ones.
declare -A noise=([none,1]=0 [none,2]=0) clip=([none,1]=1.0 [none,2]=1.0)
for releases in 1 2; do
  for epsilon in 8 4 2 1; do
    noise[$epsilon,$releases]=$("$command" epsilon --epsilon "$epsilon" --sampling-rate 0.1 --rounds "$rounds" --releases "$releases" \
      --delta 1e-4 --accountant rdp --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["noise_multiplier"])')
    clip[$epsilon,$releases]=$(python3 -c 'import sys; print(float(sys.argv[1]) / float(sys.argv[2]))' \
      "${noise[8,$releases]}" "${noise[$epsilon,$releases]}")
  done
done

# train NAME STRATEGY EPSILON RELEASES SEED [KEY=VALUE]...
train() {
  local name=$1 strategy=$2 epsilon=$3 releases=$4 seed=$5
  shift 5
  if [[ $epsilon != none ]]; then set -- "$@" privacy.sampling=poisson; fi
  queue "$name-$epsilon-$seed" "experiments/fedcmoo/$strategy-mnist_fmnist.toml" seed="$seed" rounds="$rounds" evaluation.every="$rounds" \
    workload.validation_fraction=0 \
    data.root="${DATA:-data}" workload.clients=1000 workload.samples_per_client=60 workload.batch_size=20 strategy.cohort_size=100 \
    strategy.local_steps=3 strategy.client_lr=0.2 strategy.client_weighting=uniform privacy.clip="${clip[$epsilon,$releases]}" privacy.delta=1e-4 \
    privacy.noise_multiplier="${noise[$epsilon,$releases]}" "$@"
}

sketch=(strategy.server_lr=1 strategy.compressor.name=random_projection strategy.compressor.two_way=false strategy.compressor.budget=0.005)
for seed in "${seeds[@]}"; do
  for epsilon in 8 4 2 1 none; do
    train fedavg fedavg "$epsilon" 1 "$seed"
    train fsmgda fsmgda "$epsilon" 1 "$seed" strategy.server_lr=1
    train fedcmoo fedcmoo "$epsilon" 2 "$seed" "${sketch[@]}"
  done
  train whole fedcmoo 4 2 "$seed" "${sketch[@]}" privacy.clip_jacobian_by=whole
  train adaptive fedcmoo 4 2 "$seed" "${sketch[@]}" privacy.adaptive_clip=true
done
run_queue
keep experiments/privacy/results/privacy.md python3 experiments/privacy/privacy_table.py "$runs" experiments/privacy/results/privacy.csv
experiments/plots.sh experiments/privacy/privacy_plot.py
