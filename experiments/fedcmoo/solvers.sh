#!/usr/bin/env bash
# Every weight solver inside fedcmoo on quadratics and on glyphs, then results/solvers.csv and the tables of
# solvers.md. Finished runs are kept and interrupted ones go on.
# Usage: [ROUNDS=N] experiments/fedcmoo/solvers.sh [SEED]...   (default: seeds 1 2 3; 200 rounds of quadratics, 60 of glyphs)
# With build/benchmarks/solvers_benchmark built (make bench), the time of a solve is a column as well.
set -euo pipefail
cd "$(dirname "$0")/../.."
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

solvers=$(build/paretofl list solvers --json | python3 -c 'import json, sys; print(*(entry["name"] for entry in json.load(sys.stdin)["solvers"]))')
for seed in "${seeds[@]}"; do
  for solver in $solvers; do
    for workload in quadratics glyphs; do
      folder=runs/solvers/$solver-$workload-$seed
      rounds=${ROUNDS:-$([[ $workload == glyphs ]] && echo 60 || echo 200)}
      if [[ -f $folder/summary.json ]]; then
        continue
      elif [[ -f $folder/config.toml ]]; then
        build/paretofl run --resume "$folder" >/dev/null
      else
        build/paretofl run "experiments/fedcmoo/fedcmoo-$workload.toml" --set strategy.solver.name="$solver" --set seed="$seed" \
          --set rounds="$rounds" --set evaluation.every="$rounds" --dir "$folder" >/dev/null
      fi
    done
  done
done
if [[ -x build/benchmarks/solvers_benchmark ]]; then
  build/benchmarks/solvers_benchmark --benchmark_filter=every/ --benchmark_min_time=0.05 --benchmark_format=json >runs/solvers/times.json
fi
python3 experiments/fedcmoo/solvers_table.py runs/solvers experiments/fedcmoo/results/solvers.csv
