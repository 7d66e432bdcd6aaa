#!/usr/bin/env bash
# fedcmoo_theory on quadratics: the mean squared weighted gradient against the rounds T and the number of objectives M with the
# step sizes of Corollary 1.1, and against every other term of Theorem 1 with everything else held; T also on losses that are not
# convex and have bounded gradients, and on logistic regression. Then results/theory.csv and results/theory.md. Some ten CPU minutes for three seeds.
# SERIES names some of the series; the tables keep the others. Finished runs are kept.
# Usage: [SERIES="T M"] experiments/fedcmoo/theory.sh [SEED]...   (default: seeds 1 2 3)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/theory
source experiments/queue.sh
if (($#)); then seeds=("$@"); else seeds=(1 2 3); fi

# run SERIES VALUE [KEY=VALUE]...
run() {
  if [[ -n ${SERIES:-} && " $SERIES " != *" $1 "* ]]; then return; fi
  for seed in "${seeds[@]}"; do
    queue "$1/$2-$seed" "experiments/fedcmoo/fedcmoo_theory-${problem:-quadratics}.toml" "${@:3}" seed="$seed"
  done
}

for rounds in 64 128 256 512 1024 2048 4096; do
  run T "$rounds" rounds="$rounds" strategy.horizon="$rounds" strategy.local_steps=4 workload.gradient_noise=0.3
done
# Losses 10 log(1 + q / 10), whose gradients are bounded (Assumption 4) and which are not convex far from their minimizers.
for rounds in 64 128 256 512 1024 2048 4096; do
  run T_robust "$rounds" rounds="$rounds" strategy.horizon="$rounds" strategy.local_steps=4 workload.gradient_noise=0.3 \
    workload.robustness=0.1
done
# Logistic regression, whose gradients are bounded as well, and convex; its noise is that of minibatches. The steps are chosen
# by the smoothness of the clients' losses, which is at least that of their means, so that the rate takes longer to show.
for rounds in 64 128 256 512 1024 2048 4096 8192; do
  problem=logistic run T_logistic "$rounds" rounds="$rounds" strategy.horizon="$rounds" strategy.local_steps=4
done
# With 8 bits per entry for every M, so that q is the same.
for objectives in 2 4 8 16 32; do
  run M "$objectives" rounds=1024 strategy.horizon=1024 strategy.local_steps=4 workload.gradient_noise=0.3 workload.objectives="$objectives" \
    strategy.compressor.budget="$(python3 -c "print(8 * $objectives / 32)")"
done
# From here on 400 rounds with an effective rate eta_s eta_c tau of 0.1.
held=(rounds=400 strategy.client_lr=0.01)
for beta in 0 0.003 0.03 0.3 3; do
  run beta "$beta" "${held[@]}" strategy.local_steps=1 strategy.server_lr=10 strategy.beta="$beta" workload.gradient_noise=1
done
for n in 1 2 5 10 20; do
  run n "$n" "${held[@]}" strategy.local_steps=1 strategy.server_lr=10 strategy.beta=0 strategy.cohort_size="$n" \
    strategy.sketch_cohort_size=1 workload.gradient_noise=1
done
# Everyone takes part and there is no noise: what tau adds is drift. The curvatures of a client's objectives differ,
# so its local steps lead away.
for tau in 1 5 20 80; do
  run tau "$tau" "${held[@]}" strategy.local_steps="$tau" strategy.server_lr="$(python3 -c "print(10 / $tau)")" strategy.beta=0 \
    strategy.cohort_size=20 workload.gradient_noise=0 workload.heterogeneity=3
done
# A step size of lambda with which its error, beta M C_1^2, is most of the whole: what C_1 is made of shows.
weights=("${held[@]}" strategy.local_steps=1 strategy.server_lr=10 strategy.beta=0.3)
for bits in 2 3 4 8 16; do
  run bits "$bits" "${weights[@]}" workload.gradient_noise=1 strategy.compressor.budget="$(python3 -c "print(3 * $bits / 32)")"
done
for n in 1 2 5 10 20; do run n_sketch "$n" "${weights[@]}" workload.gradient_noise=1 strategy.sketch_cohort_size="$n"; done
for noise in 0 0.1 0.3 1 3; do run sigma "$noise" "${weights[@]}" workload.gradient_noise="$noise"; done
run_queue
keep experiments/fedcmoo/results/theory.md python3 experiments/fedcmoo/theory_table.py "$runs" experiments/fedcmoo/results/theory.csv
