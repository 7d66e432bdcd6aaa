#!/usr/bin/env bash
# FedMOA beside FedGRPO with enough seeds to tell a gain of a point: the main comparison of campaign.sh with 20 seeds, paired, 2000 test
# questions of each task and 1000 for the choice of the round. Where clients of a task have different rewards (homo_heter), all start with
# a weight of 0.5 of the accuracy, so that none counts more from the start, and take their cluster's weights (kept_weights = "shared").
# Then results/seeds.csv and results/seeds.md. `models.sh` makes the base model first; finished runs are kept.
# Usage: [MODEL=runs/fedmoa_models/base] [ROUNDS=16] [SEEDS="1 2 ..."] [JOBS=2] experiments/fedmoa/seeds.sh [homo_homo|homo_heter|heter_heter|table]...
set -euo pipefail
cd "$(dirname "$0")/../.."
model=${MODEL:-runs/fedmoa_models/base}
rounds=${ROUNDS:-16}
runs=runs/fedmoa_seeds
source experiments/queue.sh
source experiments/fedmoa/configurations.sh
read -ra seeds <<<"${SEEDS:-$(echo {1..20})}"

if (($#)); then data=("$@"); else data=(homo_homo homo_heter heter_heter); fi
for name in "${data[@]}"; do
  if [[ $name == table ]]; then continue; fi
  if [[ -z ${groups[$name]:-} ]]; then
    echo "seeds: expected homo_homo, homo_heter, heter_heter or table, found '$name'" >&2
    exit 2
  fi
  read -ra own <<<"${settings[$name]}"
  sizes=()
  for task in $(tasks_of "$name"); do sizes+=("workload.tasks.$task.test_questions=2000" "workload.tasks.$task.validation_questions=1000"); done
  for seed in "${seeds[@]}"; do
    for method in fedgrpo fedmoa; do
      both=$([[ $method == fedmoa ]] && echo true || echo false)
      queue "$name/$method-$seed" experiments/fedmoa/fedmoa-arithmetic.toml seed="$seed" rounds="$rounds" workload.model="$model" \
        strategy.cosine_rounds="$rounds" strategy.local_evaluation_every=0 "workload.groups=${groups[$name]}" \
        strategy.adaptive_weights="$both" strategy.accuracy_aggregation="$both" workload.evaluation_questions=2000 evaluation.every=4 \
        checkpoint.every=8 "${sizes[@]}" "${own[@]}"
    done
  done
done
run_queue
keep experiments/fedmoa/results/seeds.md python3 experiments/fedmoa/seeds_table.py "${RUNS:-$runs}" experiments/fedmoa/results/seeds.csv
