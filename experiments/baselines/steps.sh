#!/usr/bin/env bash
# The step size of the weights of FAMO (beta), MoCo and MoDo (gamma) on mnist_fmnist, chosen on a fifth of the training images that is held
# out, with seed 11, which is used in no comparison. Then results/steps.csv and results/steps.md. Finished runs are kept and interrupted ones
# go on.
# Usage: PARETOFL_DATA=DIR [SEEDS="11"] [ROUNDS=100] [JOBS=2] experiments/baselines/steps.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with mnist/ and fashion_mnist/ in PARETOFL_DATA}
runs=runs/baseline_steps
source experiments/queue.sh
read -ra seeds <<<"${SEEDS:-11}"
rounds=${ROUNDS:-100}

# try METHOD KEY VALUE...
try() {
  local method=$1 key=$2 value seed
  shift 2
  for seed in "${seeds[@]}"; do
    for value in "$@"; do
      queue "$method-$value-$seed" "experiments/baselines/$method-mnist_fmnist.toml" seed="$seed" rounds="$rounds" evaluation.every="$rounds" \
        data.root="$data" workload.validation_fraction=0.2 "strategy.solver.$key=$value"
    done
  done
}

try famo beta 0.025 1.0 5.0 25.0
try moco gamma 0.01 0.1 1.0
try modo gamma 0.001 0.01 0.1
mkdir -p experiments/baselines/results
run_queue || echo "steps: some runs ended with an error; the table counts them" >&2
keep experiments/baselines/results/steps.md python3 experiments/baselines/steps_table.py "$runs" experiments/baselines/results/steps.csv
