#!/usr/bin/env bash
# Seconds per round and peak memory of fedcmoo on quadratics against the number of clients, objectives and
# parameters, with fitted exponents: results/scaling.csv and the tables of scaling.md. One thread.
# Usage: experiments/fedcmoo/scaling.sh [--small]   (--small leaves out the sizes that take minutes or gigabytes)
set -euo pipefail
cd "$(dirname "$0")/../.."
small=${1:-}

# measure AXIS VALUE ROUNDS SETTING...
measure() {
  local folder=runs/scaling/$1-$2 axis=$1 value=$2 rounds=$3
  shift 3
  local settings=()
  for setting in "$@"; do settings+=(--set "$setting"); done
  [[ -f $folder/summary.json ]] && return
  echo "scaling: $axis $value" >&2
  "${PARETOFL:-build/paretofl}" run experiments/fedcmoo/fedcmoo-quadratics.toml --overwrite --dir "$folder" --set runtime.threads=1 --set rounds="$rounds" \
    --set evaluation.every=100000 --set checkpoint.every=100000 --set strategy.local_steps=1 "${settings[@]}" >/dev/null
}

clients=(100 1000 10000) objectives=(2 4 8 16 32 64) parameters=(10000 100000 1000000)
if [[ $small != --small ]]; then clients+=(100000) parameters+=(10000000 100000000); fi

# A tenth of the clients in every round.
for n in "${clients[@]}"; do measure clients "$n" 3 workload.clients="$n" strategy.cohort_size=$((n / 10)) workload.dimension=1000; done
for m in "${objectives[@]}"; do measure objectives "$m" 5 workload.objectives="$m" workload.dimension=20000; done
for d in "${parameters[@]}"; do
  measure parameters "$d" "$((d < 100000000 ? 2 : 1))" workload.dimension="$d" workload.objectives=2 workload.clients=2 strategy.cohort_size=2
done
python3 experiments/fedcmoo/scaling_table.py runs/scaling experiments/fedcmoo/results/scaling.csv
