#!/usr/bin/env bash
# FedPref beside its baselines, group by group, then results/campaign.csv and a file of tables per workload.
#   comparison   every algorithm under three preference distributions (Table 1; the variants +FT come from the same runs)
#   ablation     beside them FedPref without its clustering and, under Dirichlet preferences, without its weighted aggregation; that with
#                the preset's thresholds, and with the paper's for Deep-Sea Treasure
#   sensitivity  FedPref with other top_r and s_min
#   clusters     CFL and FedPref under Dirichlet preferences, whose runs cluster_sizes_plot.py reads; not by default
#   short        every algorithm on the problems with continuous actions, with a fraction of the paper's local steps; not by default
#   targets      comparison, without no_communication, with send_target; on Deep-Sea Treasure with the paper's thresholds and mu; not by default
#   targets_ablation  FedPref's parts so, and the presets' thresholds; not by default
#   mu           FedProx with mu of 0.01, 0.1 and 1 under Dirichlet preferences, seeds 11 to 15; not by default
#   tuning       thresholds, patience, local steps and (FedPref) s_min, top_r on Deep-Sea Treasure, seeds 11 to 15; not by default
# What results/campaign.csv has is not run again; interrupted runs go on. Seeds are the outermost loop, so that what is done is
# comparable.
# Usage: [WORKLOADS="deep_sea_treasure"] [SEEDS="1 2 3 4 5 6 7 8 9 10"] [JOBS=2] experiments/fedpref/campaign.sh [GROUP]...
# DISTRIBUTIONS="dirichlet lattice gaussian" and STRATEGIES="fedpref fedavg" leave the others out of comparison and targets.
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/fedpref
source experiments/queue.sh
read -ra seeds <<<"${SEEDS:-1 2 3 4 5 6 7 8 9 10}"
read -ra workloads <<<"${WORKLOADS:-deep_sea_treasure}"
read -ra distributions <<<"${DISTRIBUTIONS:-dirichlet lattice gaussian}"
read -ra strategies <<<"${STRATEGIES:-no_communication fedavg fedprox cfl matfl fedpref}"

# run WORKLOAD GROUP NAME STRATEGY SEED [KEY=VALUE]...
run() {
  local every=5 # the others' runs take minutes to an hour
  if [[ $1 == deep_sea_treasure ]]; then every=50; fi
  grep -qs "^$1,$2,$3,$5,," experiments/fedpref/results/campaign.csv ||
    queue "$1/$2/$3-$5" "experiments/fedpref/$4-$1.toml" seed="$5" checkpoint.every="$every" evaluation.fine_tuned=true "${@:6}"
}

comparison() {
  for distribution in "${distributions[@]}"; do
    if [[ $1 == deep_sea_treasure && " ${strategies[*]} " == *" fedprox "* ]]; then # with the paper's mu, beside the preset's
      run "$1" comparison "fedprox_1.0-$distribution" fedprox "$2" "workload.preferences=\"$distribution\"" strategy.mu=1.0
    fi
    for strategy in "${strategies[@]}"; do
      run "$1" comparison "$strategy-$distribution" "$strategy" "$2" "workload.preferences=\"$distribution\""
    done
  done
}

ablation() {
  local distribution
  for distribution in dirichlet lattice gaussian; do
    run "$1" comparison "weighted_only-$distribution" fedpref "$2" "workload.preferences=\"$distribution\"" strategy.clustering=false
  done
  run "$1" comparison clustering_only-dirichlet fedpref "$2" strategy.weighted_aggregation=false
  if [[ $1 == deep_sea_treasure ]]; then
    run "$1" comparison clustering_only_5.0_2-dirichlet fedpref "$2" strategy.weighted_aggregation=false strategy.epsilon=5.0 strategy.patience=2
  fi
}

sensitivity() {
  for top_r in 0.2 0.4 0.6 0.8; do run "$1" sensitivity "top_r_$top_r" fedpref "$2" strategy.top_r="$top_r"; done
  for s_min in -0.8 -0.6 -0.4 -0.2 0.0 0.2 0.4 0.6 0.8; do
    run "$1" sensitivity "s_min_$s_min" fedpref "$2" strategy.s_min="$s_min"
  done
}

# Dirichlet preferences alone. The paper's rounds, shorter ones: a fortieth of the steps of MO-HalfCheetah, a twentieth of continuous
# MO-Lunar Lander's, of its random first steps too.
short() {
  local strategy steps part=40 settings=()
  if [[ $1 == lunar_lander_continuous ]]; then part=20 settings=(workload.agent.learning_starts=500); fi
  for strategy in no_communication fedavg fedprox cfl matfl fedpref; do
    steps=$(sed -n 's/^local_steps = //p' "experiments/fedpref/$strategy-$1.toml")
    run "$1" short "$strategy-dirichlet" "$strategy" "$2" strategy.local_steps=$((steps / part)) "${settings[@]}"
  done
}

targets() {
  local distribution strategy settings
  for distribution in "${distributions[@]}"; do
    for strategy in "${strategies[@]}"; do
      settings=()
      case $1/$strategy in # the other problems' presets have the paper's
        */no_communication) continue ;;
        deep_sea_treasure/cfl) settings=(strategy.patience=2) ;;
        deep_sea_treasure/fedprox) settings=(strategy.mu=1.0) ;;
        deep_sea_treasure/fedpref) settings=(strategy.epsilon=5.0 strategy.patience=2) ;;
      esac
      run "$1" targets "$strategy-$distribution" "$strategy" "$2" "workload.preferences=\"$distribution\"" \
        workload.agent.send_target=true "${settings[@]}"
    done
  done
}

targets_ablation() {
  local send=workload.agent.send_target=true
  run "$1" targets_ablation fedpref_1.0_6 fedpref "$2" $send
  run "$1" targets_ablation cfl_5.0_4 cfl "$2" $send
  run "$1" targets_ablation weighted_only fedpref "$2" $send strategy.clustering=false
  run "$1" targets_ablation clustering_only_5.0_2 fedpref "$2" $send strategy.weighted_aggregation=false strategy.epsilon=5.0 strategy.patience=2
}

mu() {
  local value
  for value in 0.01 0.1 1.0; do run "$1" mu "fedprox_$value" fedprox "$2" strategy.mu="$value"; done
}

clusters() {
  local strategy
  for strategy in cfl fedpref; do run "$1" clusters "$strategy" "$strategy" "$2"; done
}

tuning() {
  local setting threshold patience key value
  for setting in "0.5 2" "0.85 4" "1.0 2" "1.0 4" "1.0 6" "1.0 8" "2.0 2" "2.0 4" "5.0 2"; do
    read -r threshold patience <<<"$setting"
    run "$1" tuning "fedpref_${threshold}_$patience" fedpref "$2" strategy.epsilon="$threshold" strategy.patience="$patience"
  done
  for setting in "s_min -0.4" "s_min 0.0" "top_r 0.2" "top_r 0.5"; do
    read -r key value <<<"$setting"
    run "$1" tuning "fedpref_1.0_6_${key}_$value" fedpref "$2" strategy.epsilon=1.0 strategy.patience=6 "strategy.$key=$value"
  done
  run "$1" tuning fedpref_1.0_3_steps_1000 fedpref "$2" strategy.epsilon=1.0 strategy.patience=3 strategy.local_steps=1000 rounds=14
  for setting in "1.0 2" "5.0 2" "5.0 4" "5.0 6"; do
    read -r threshold patience <<<"$setting"
    run "$1" tuning "cfl_${threshold}_$patience" cfl "$2" strategy.threshold="$threshold" strategy.patience="$patience"
  done
  run "$1" tuning cfl_5.0_8_steps_500 cfl "$2" strategy.threshold=5.0 strategy.patience=8 strategy.local_steps=500 rounds=28
}

if (($#)); then groups=("$@"); else groups=(comparison ablation sensitivity); fi
for seed in "${seeds[@]}"; do
  for workload in "${workloads[@]}"; do
    for group in "${groups[@]}"; do
      case $group in
        comparison | ablation | sensitivity | short | targets | targets_ablation | mu | clusters | tuning) "$group" "$workload" "$seed" ;;
        table) ;;
        *)
          echo "campaign: expected comparison, ablation, sensitivity, short, targets, targets_ablation, mu, clusters, tuning or table, found '$group'" >&2
          exit 2
          ;;
      esac
    done
  done
done
run_queue
python3 experiments/fedpref/campaign_table.py "$runs" experiments/fedpref/results
