#!/usr/bin/env bash
# mnist_fmnist with 10 clients, all of them in every round, of whom two lie in one of five ways or none does: FedCMOO, FSMGDA and
# scalarized FedAvg with each aggregator. Then results/robustness.csv, robustness.md and robustness.svg. Finished runs are kept and interrupted ones
# go on. DATA is the folder of the data sets (default: data).
# Usage: [JOBS=2] [DATA=DIR] experiments/robustness/robustness.sh [SEED]...      (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/robustness
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

# cells AGGREGATOR... -- ADVERSARY...: queues these under each other for every seed and strategy.
cells() {
  local aggregators=() adversary aggregator seed strategy settings
  while [[ $1 != -- ]]; do
    aggregators+=("$1")
    shift
  done
  shift
  for adversary in "$@"; do
    for aggregator in "${aggregators[@]}"; do
      for seed in "${seeds[@]}"; do
        for strategy in fedcmoo fsmgda fedavg; do
          settings=(strategy.aggregator.name="$aggregator" adversary.name="$adversary")
          [[ $aggregator == trimmed_mean ]] && settings+=(strategy.aggregator.trim=0.2)
          [[ $aggregator == multi_krum ]] && settings+=(strategy.aggregator.bad_clients=2)
          [[ $adversary != none ]] && settings+=(adversary.share=0.2)
          queue "$strategy-$adversary-$aggregator-$seed" "experiments/fedcmoo/$strategy-mnist_fmnist.toml" seed="$seed" rounds=12 \
            evaluation.every=12 data.root="${DATA:-data}" workload.validation_fraction=0 workload.clients=10 strategy.cohort_size=10 workload.batch_size=32 \
            workload.dirichlet_alpha=1 "${settings[@]}"
        done
      done
    done
  done
}

# Messages that cannot be used never reach the aggregator, so that these liars meet the mean alone.
cells mean coordinate_median -- none sign_flip scale poison_objective
cells mean -- not_finite oversized
cells multi_krum geometric_median trimmed_mean norm_clipping -- none sign_flip scale poison_objective
run_queue || echo "robustness: some runs ended with an error; the table counts them" >&2
keep experiments/robustness/results/robustness.md python3 experiments/robustness/robustness_table.py "$runs" \
  experiments/robustness/results/robustness.csv
experiments/plots.sh experiments/robustness/robustness_plot.py
