#!/usr/bin/env bash
# FedMOA, FedGRPO and what lies between them on generated arithmetic in the configurations of configurations.sh, then results/campaign.csv, results/trajectories.csv and
# results/campaign.md. models.sh makes the base model first.
# Methods: fedgrpo, adaptive (weights only), aggregation (by accuracy weights only), fedmoa (both). Where all clients of a
# task have the same fixed weights and as many questions, aggregation by weights is FedGRPO's: left out but for homo_heter.
# Finished runs are kept and interrupted ones go on. Seeds are the outermost loop, so that what is done is comparable.
# Usage: [MODEL=runs/fedmoa_models/base] [ROUNDS=16] [SEEDS="1 2 3"] [JOBS=2] experiments/fedmoa/campaign.sh [DATA]...
set -euo pipefail
cd "$(dirname "$0")/../.."
model=${MODEL:-runs/fedmoa_models/base}
rounds=${ROUNDS:-16}
runs=runs/fedmoa
source experiments/queue.sh
source experiments/fedmoa/configurations.sh
read -ra seeds <<<"${SEEDS:-1 2 3}"

declare -A methods=(
  [fedgrpo]="false false" [adaptive]="true false" [aggregation]="false true" [fedmoa]="true true")

if (($#)); then data=("$@"); else data=(homo_homo homo_heter heter_heter); fi
for seed in "${seeds[@]}"; do
  for name in "${data[@]}"; do
    if [[ $name == table ]]; then continue; fi
    if [[ -z ${groups[$name]:-} ]]; then
      echo "campaign: expected homo_homo, homo_heter, heter_heter or table, found '$name'" >&2
      exit 2
    fi
    for method in fedgrpo adaptive aggregation fedmoa; do
      if [[ $method == aggregation && $name != homo_heter ]]; then continue; fi
      read -r weights aggregation <<<"${methods[$method]}"
      queue "$name/$method-$seed" experiments/fedmoa/fedmoa-arithmetic.toml seed="$seed" rounds="$rounds" workload.model="$model" \
        strategy.cosine_rounds="$rounds" "workload.groups=${groups[$name]}" strategy.adaptive_weights="$weights" \
        strategy.accuracy_aggregation="$aggregation" checkpoint.every=4
    done
  done
done
run_queue
python3 experiments/fedmoa/campaign_table.py "${RUNS:-$runs}" experiments/fedmoa/results
