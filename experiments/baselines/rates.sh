#!/usr/bin/env bash
# Client learning rates of FedCMOO, FSMGDA, FedAvg and the baselines on mnist_fmnist, chosen on a fifth of the training images that is held
# out: the same three for every method, seed 11, which is used in no comparison. Then results/rates.csv and results/rates.md, of which
# baselines.sh takes the best for the problem `tuned`. Finished runs are kept and interrupted ones go on.
# Usage: PARETOFL_DATA=DIR [SEEDS="11"] [ROUNDS=100] [STRATEGIES="afl qffl"] [JOBS=2] experiments/baselines/rates.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with mnist/ and fashion_mnist/ in PARETOFL_DATA}
runs=runs/baseline_rates
source experiments/queue.sh
source experiments/baselines/strategies.sh
read -ra seeds <<<"${SEEDS:-11}"
rounds=${ROUNDS:-100}

for seed in "${seeds[@]}"; do
  for strategy in "${strategies[@]}"; do
    if [[ $strategy == ditto ]]; then continue; fi # what is judged there is the clients' own models
    for rate in 0.1 0.25 0.5; do
      queue "$strategy-$rate-$seed" "$(folder_of "$strategy")/$strategy-mnist_fmnist.toml" seed="$seed" rounds="$rounds" evaluation.every="$rounds" data.root="$data" \
        workload.validation_fraction=0.2 "$(rate_of "$strategy")=$rate"
    done
  done
done
mkdir -p experiments/baselines/results
run_queue || echo "rates: some runs ended with an error; the table counts them" >&2
keep experiments/baselines/results/rates.md python3 experiments/baselines/rates_table.py "$runs" experiments/baselines/results/rates.csv
