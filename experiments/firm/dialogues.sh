#!/usr/bin/env bash
# FIRM on dialogues with today's settings: prompts that no two clients share, distinct held-out prompts of both files, completions of up
# to 64 tokens that end where the human would speak, and a KL controller that acts, so that runs are compared at about equal KL. Then
# results/dialogues.csv, dialogues_rounds.csv and dialogues.md. models.sh makes the models first.
#   rates    FIRM and FedCMOO-A with three learning rates, on seed 11, which is used in no comparison
#   before   the policy before training (one round whose steps are too small to count)
#   rq1      FIRM beside FedCMOO-A
#   rq2      FIRM without its regularizer, and with the paper's larger one
#   rq3      two preferences
#   large    rq1 with a policy of five million parameters and 80 rounds, an evaluation every eighth, after LARGE=yes models.sh; not by default
# Finished runs are kept and interrupted ones go on. Seeds are the outermost loop, so that what is done is comparable.
# Usage: PARETOFL_DATA=DIR [MODELS=runs/firm_models] [ROUNDS=24] [SEEDS="1 .. 8"] [JOBS=2] experiments/firm/dialogues.sh [GROUP]...
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with hh/ in PARETOFL_DATA}
models=${MODELS:-runs/firm_models}
runs=runs/firm_dialogues
source experiments/queue.sh
source experiments/firm/reward_settings.sh
read -ra seeds <<<"${SEEDS:-1 2 3 4 5 6 7 8}"

# run GROUP NAME STRATEGY SEED [KEY=VALUE]...
run() {
  local settings=(seed="$4" rounds="${ROUNDS:-24}" "data.root=$data" evaluation.every=4 "workload.model=$models/base" strategy.client_lr=0.003
    "workload.prompts=hh/helpful-pairs.jsonl.gz,hh/harmless-base-test.jsonl.gz" workload.evaluation_prompts=256
    workload.ppo.max_new_tokens=64 'workload.stop_strings="\n\nHuman:"'
    workload.ppo.kl_target=0.03 workload.ppo.kl_coefficient=0.05 workload.ppo.kl_horizon=80 strategy.record_steps=true)
  local name
  for name in helpful harmless; do reward "objectives.$name" "$name"; done
  queue "$1/$2-$4" "experiments/firm/$3-alignment.toml" "${settings[@]}" "${@:5}"
}

rates() {
  for rate in 0.001 0.003 0.01; do
    for strategy in firm fedcmoo_a; do run rates "${strategy}_$rate" $strategy 11 strategy.client_lr=$rate evaluation.every=8; done
  done
}

before() { run before before firm "$1" rounds=1 strategy.client_lr=1e-12 evaluation.every=1; }

rq1() {
  run rq1 firm firm "$1"
  run rq1 fedcmoo_a fedcmoo_a "$1"
}

rq2() {
  for beta in 0 0.05; do run rq2 "beta_$beta" firm "$1" strategy.solver.beta="$beta"; done
}

large() {
  local strategy
  run large before_large firm "$1" "workload.model=$models/base_large" rounds=1 strategy.client_lr=1e-12 evaluation.every=1
  for strategy in firm fedcmoo_a; do
    run large "${strategy}_large" $strategy "$1" "workload.model=$models/base_large" rounds="${ROUNDS:-80}" evaluation.every=8 checkpoint.every=8
  done
}

# (p_harmless, p_helpful): objective j is penalized by 1 / p_j, beside a Gramian whose mean diagonal is 1.
rq3() {
  for preference in 0.3,3 3,0.3; do run rq3 "p_$preference" firm "$1" "strategy.preference=[$preference]"; done
}

if (($#)); then groups=("$@"); else groups=(rates before rq1 rq2 rq3); fi
for group in "${groups[@]}"; do
  if [[ $group == rates ]]; then rates; fi
done
for seed in "${seeds[@]}"; do
  for group in "${groups[@]}"; do
    case $group in
      before | rq1 | rq2 | rq3 | large) "$group" "$seed" ;;
      rates | table) ;;
      *)
        echo "dialogues: expected rates, before, rq1, rq2, rq3, large or table, found '$group'" >&2
        exit 2
        ;;
    esac
  done
done
run_queue
results=experiments/firm/results
keep "$results/dialogues.md" python3 experiments/firm/alignment_table.py "$runs" "$results/dialogues.csv" "$results/dialogues_rounds.csv"
