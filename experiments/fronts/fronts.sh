#!/usr/bin/env bash
# One run of pareto_manifold beside sweeps of five preferences with FedCMOO-Pref and with FedAvg's weighted sum, at equal rounds of each run,
# on robust_quadratics and on mnist_fmnist with 10 clients. Then results/fronts.csv and fronts.md. Finished runs are kept and interrupted
# ones go on. PARETOFL_DATA is the folder of the data sets (default: data); DATA is its earlier name.
# Usage: [PARETOFL_DATA=DIR] [JOBS=2] experiments/fronts/fronts.sh [SEED]...      (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/fronts
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi
preferences=("[0.9,0.1]" "[0.7,0.3]" "[0.5,0.5]" "[0.3,0.7]" "[0.1,0.9]")

# fronts WORKLOAD MANIFOLD_SETTING... -- SETTING...: queues all methods on a workload for every seed; settings in the second list are for all.
fronts() {
  local workload=$1 own=() seed solver index option
  shift
  while [[ $1 != -- ]]; do
    own+=("$1")
    shift
  done
  shift
  for seed in "${seeds[@]}"; do
    for solver in linear smooth_tchebycheff kl_preference; do
      queue "$workload-manifold_$solver-$seed" "experiments/fronts/pareto_manifold-$workload.toml" seed="$seed" strategy.solver.name="$solver" \
        "${own[@]}" "$@"
    done
    for index in 0 1 2 3 4; do
      for option in fedcmoo_pref:preference fedavg:objective_weights; do
        queue "$workload-${option%:*}-$seed-$index" "experiments/fedcmoo/${option%:*}-$workload.toml" seed="$seed" \
          "strategy.${option#*:}=${preferences[index]}" "$@"
      done
    done
  done
}

fronts robust_quadratics strategy.front_preferences=21 -- rounds=100 evaluation.every=25
fronts mnist_fmnist strategy.front_preferences=9 -- rounds=40 evaluation.every=10 data.root="${PARETOFL_DATA:-${DATA:-data}}" workload.validation_fraction=0 \
  workload.clients=10 workload.batch_size=32 workload.dirichlet_alpha=1
run_queue
keep experiments/fronts/results/fronts.md python3 experiments/fronts/fronts_table.py "$runs" experiments/fronts/results/fronts.csv
