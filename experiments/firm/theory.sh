#!/usr/bin/env bash
# tfirm on tabular_mdp: the exact squared weighted gradient against the local steps T, and the disagreement drift, the spread
# of lambda and that of the updates against beta, B, K and C with everything else held; then results/theory.csv and
# results/theory.md. About two minutes.
# Usage: experiments/firm/theory.sh [SEED]...   (default: seeds 1 to 5; a seed draws process, start and transitions)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/firm_theory
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3 4 5); fi

# run SERIES VALUE [KEY=VALUE]...
run() {
  for seed in "${seeds[@]}"; do
    queue "$1/$2-$seed" experiments/firm/tfirm-tabular_mdp.toml evaluation.every=1 "${@:3}" seed="$seed"
  done
}

for rounds in 16 32 64 128 256 512 1024; do
  run T "$((5 * rounds))" rounds="$rounds"
done
# From here on 500 local steps without smoothing, which hides with 1 / t what the clients disagree on.
held=(strategy.smoothing=off)
for beta in 0 0.0001 0.001 0.01 0.1 1; do
  run beta "$beta" "${held[@]}" rounds=100 strategy.beta="$beta"
done
for batch in 8 32 128 512; do
  run B "$batch" "${held[@]}" rounds=100 workload.batch_size="$batch"
done
for steps in 1 5 20 100; do
  run K "$steps" "${held[@]}" rounds="$((500 / steps))" strategy.local_steps="$steps"
done
for clients in 2 4 8 16; do
  run C "$clients" "${held[@]}" rounds=100 workload.clients="$clients" strategy.cohort_size="$clients"
done
run_queue
keep experiments/firm/results/theory.md python3 experiments/firm/theory_table.py "$runs" experiments/firm/results/theory.csv
