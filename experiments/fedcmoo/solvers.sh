#!/usr/bin/env bash
# Every weight solver inside fedcmoo on quadratics and on glyphs, then results/solvers.csv and the tables of
# solvers.md. Finished runs are kept and interrupted ones go on.
# Usage: [SOLVERS="moco famo"] [ROUNDS=N] [JOBS=2] experiments/fedcmoo/solvers.sh [SEED]...   (default: seeds 1 2 3; 200 rounds of quadratics, 60 of glyphs)
# With build/benchmarks/solvers_benchmark built (make bench), the time of a solve is a column as well.
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/solvers
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

solvers=${SOLVERS:-$("$command" list solvers --json | python3 -c 'import json, sys; print(*(entry["name"] for entry in json.load(sys.stdin)["solvers"]))')}
for seed in "${seeds[@]}"; do
  for solver in $solvers; do
    for workload in quadratics glyphs; do
      rounds=${ROUNDS:-$([[ $workload == glyphs ]] && echo 60 || echo 200)}
      settings=()
      if [[ $solver == modo ]]; then settings=(strategy.reuse_gradients=false strategy.compressor=exact); fi # for its two samples
      queue "$solver-$workload-$seed" "experiments/fedcmoo/fedcmoo-$workload.toml" strategy.solver.name="$solver" seed="$seed" \
        rounds="$rounds" evaluation.every="$rounds" ${settings[@]+"${settings[@]}"}
    done
  done
done
run_queue
if [[ -x build/benchmarks/solvers_benchmark ]]; then
  build/benchmarks/solvers_benchmark --benchmark_filter=every/ --benchmark_min_time=0.05 --benchmark_format=json >"$runs"/times.json
fi
python3 experiments/fedcmoo/solvers_table.py "$runs" experiments/fedcmoo/results/solvers.csv
