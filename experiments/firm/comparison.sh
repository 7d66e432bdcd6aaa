#!/usr/bin/env bash
# firm beside fedcmoo_a on tabular_mdp: regularizers, preferences, unlike clients, more clients, and regularizers where the objectives are
# nearly parallel; then results/comparison.csv and results/comparison.md. Two and a half minutes of processor time.
# Usage: experiments/firm/comparison.sh [SEED]...   (default: seeds 1 to 20; a seed draws process, start and transitions)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/firm_comparison
source experiments/queue.sh
if (($#)); then seeds=("$@"); else mapfile -t seeds < <(seq 1 20); fi

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
for beta in 0 0.01 0.05 1; do
  run "FIRM, 2 clients, parallel, beta $beta" firm workload.reward_correlation=0.999 workload.clients=2 strategy.cohort_size=2 strategy.solver.beta="$beta"
done
run_queue
keep experiments/firm/results/comparison.md python3 experiments/firm/comparison_table.py "$runs" experiments/firm/results/comparison.csv "${names[@]}"
