#!/usr/bin/env bash
# firm beside fedcmoo_a on tabular_mdp: regularizers, preferences, unlike clients, more clients; then results/comparison.csv
# and results/comparison.md. About half a minute of processor time.
# Usage: experiments/firm/comparison.sh [SEED]...   (default: seeds 1 to 5; a seed draws process, start and transitions)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/firm_comparison
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3 4 5); fi

# run NAME STRATEGY [KEY=VALUE]...
run() {
  for seed in "${seeds[@]}"; do queue "$1/$seed" "experiments/firm/$2-tabular_mdp.toml" strategy.record_steps=true "${@:3}" seed="$seed"; done
  names+=("$1")
}

names=()
run "FedCMOO-A" fedcmoo_a
for beta in 0 0.01 0.05 1; do run "FIRM, beta $beta" firm strategy.solver.beta="$beta"; done
for p in 0.25 0.5 1 2 4; do run "FIRM, p (1, $p)" firm strategy.preference="[1, $p]"; done
run "FIRM, heterogeneity 0.3" firm workload.heterogeneity=0.3
run "FIRM, 16 clients" firm workload.clients=16 strategy.cohort_size=16
run_queue
keep experiments/firm/results/comparison.md python3 experiments/firm/comparison_table.py "$runs" experiments/firm/results/comparison.csv "${names[@]}"
