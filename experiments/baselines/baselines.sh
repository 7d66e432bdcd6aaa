#!/usr/bin/env bash
# FedCMOO, FSMGDA, scalarized FedAvg and the baselines of federated learning for one loss, on three problems: mnist_fmnist, multimnist, and
# mnist_fmnist whose first objective is the squared error ("mixed"); "tuned" is mnist_fmnist with the client learning rates that rates.sh
# found, of the strategies whose preset has another. Then results/baselines.csv and results/baselines.md: accuracy of each
# objective on the test set; the mean, the worst client's and the standard deviation of the clients' accuracies on what each holds out;
# bytes; CPU seconds. Finished runs are kept and interrupted ones go on.
# Usage: PARETOFL_DATA=DIR [SEEDS="1 2 3"] [ROUNDS=150] [STRATEGIES="afl qffl"] [PROBLEMS="mnist_fmnist"] [JOBS=2] experiments/baselines/baselines.sh
# A fifth of every client's images is held out for the figures by client, so that a client trains on 480 of its 600 images, and nothing for
# validation (workload.validation_fraction=0), since no round is chosen.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with mnist/ and fashion_mnist/ in PARETOFL_DATA}
runs=runs/baselines
source experiments/queue.sh
source experiments/baselines/strategies.sh
read -ra seeds <<<"${SEEDS:-1 2 3}"
read -ra problems <<<"${PROBLEMS:-mnist_fmnist multimnist mixed}"
rounds=${ROUNDS:-150}

for seed in "${seeds[@]}"; do
  for problem in "${problems[@]}"; do
    case $problem in
      mnist_fmnist | tuned) settings=() ;;
      multimnist) settings=(workload.name=multimnist) ;;
      mixed) settings=(workload.losses=l2_first) ;;
      *)
        echo "baselines: expected mnist_fmnist, multimnist, mixed or tuned in PROBLEMS, found '$problem'" >&2
        exit 2
        ;;
    esac
    for strategy in "${strategies[@]}"; do
      preset=$(folder_of "$strategy")/$strategy-mnist_fmnist.toml
      if [[ $problem == tuned ]]; then
        if [[ $strategy == ditto ]]; then continue; fi
        rate=$(experiments/baselines/rates_table.py --best "$strategy" experiments/baselines/results/rates.csv)
        key=$(rate_of "$strategy")
        if grep -q "^${key#strategy.} = $rate\$" "$preset"; then continue; fi
        settings=("$key=$rate")
      fi
      queue "$strategy-$problem-$seed" "$preset" seed="$seed" rounds="$rounds" evaluation.every="$rounds" \
        evaluation.federated=true evaluation.by_client=true workload.held_out_fraction=0.2 workload.validation_fraction=0 data.root="$data" \
        ${settings[@]+"${settings[@]}"}
    done
  done
done
mkdir -p experiments/baselines/results
run_queue || echo "baselines: some runs ended with an error; the table counts them" >&2
keep experiments/baselines/results/baselines.md python3 experiments/baselines/baselines_table.py "$runs" \
  experiments/baselines/results/baselines.csv
