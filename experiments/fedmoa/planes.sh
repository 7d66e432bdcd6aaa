#!/usr/bin/env bash
# Where FedMOA and FedGRPO go in the planes of accuracy and each other reward (Figure 3 of the FedMOA paper): the global model after every
# round, and the clients' own models after every fourth, on 500 test questions. The configurations and the base model are those of seeds.sh;
# models.sh makes the model first. Then results/planes.csv and results/planes.md. Finished runs are kept.
# Usage: [MODEL=runs/fedmoa_models/base] [ROUNDS=16] [SEEDS="1 2 3"] [JOBS=2] experiments/fedmoa/planes.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
model=${MODEL:-runs/fedmoa_models/base}
rounds=${ROUNDS:-16}
runs=runs/fedmoa_planes
source experiments/queue.sh
source experiments/fedmoa/configurations.sh
read -ra seeds <<<"${SEEDS:-1 2 3}"

for seed in "${seeds[@]}"; do
  for name in homo_homo homo_heter heter_heter; do
    read -ra own <<<"${settings[$name]}"
    for task in $(tasks_of "$name"); do own+=("workload.tasks.$task.test_questions=500"); done
    for method in fedgrpo fedmoa; do
      both=$([[ $method == fedmoa ]] && echo true || echo false)
      queue "$name/$method-$seed" experiments/fedmoa/fedmoa-arithmetic.toml seed="$seed" rounds="$rounds" workload.model="$model" \
        strategy.cosine_rounds="$rounds" strategy.local_evaluation_every=4 strategy.adaptive_weights="$both" \
        strategy.accuracy_aggregation="$both" "workload.groups=${groups[$name]}" workload.evaluation_questions=500 evaluation.every=1 checkpoint.every=8 "${own[@]}"
    done
  done
done
run_queue
keep experiments/fedmoa/results/planes.md python3 experiments/fedmoa/planes_table.py "$runs" experiments/fedmoa/results/planes.csv
