#!/usr/bin/env bash
# FIRM on dialogues, group by group, then results/alignment.csv, alignment_rounds.csv and alignment.md. models.sh makes the models first.
#   rq1      FIRM beside FedCMOO-A
#   rq2      beta 0 and 0.05, the disagreement drift measured
#   rq3      a front: five preference vectors
#   mixed    half of the clients with another helpfulness model
#   sources  prompts split by a Dirichlet draw over their sources, alpha 0.3
#   many     sixteen clients
# Finished runs are kept and interrupted ones go on. Seeds are the outermost loop, so that what is done is comparable.
# Usage: PARETOFL_DATA=DIR [MODELS=runs/firm_models] [ROUNDS=32] [SEEDS="1 2 3"] [JOBS=2] experiments/firm/alignment.sh [GROUP]...
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with hh/ in PARETOFL_DATA}
models=${MODELS:-runs/firm_models}
runs=runs/firm_alignment
source experiments/queue.sh
source experiments/firm/reward_settings.sh
read -ra seeds <<<"${SEEDS:-1 2 3}"

# run GROUP NAME STRATEGY SEED [KEY=VALUE]...
run() {
  local settings=(seed="$4" rounds="${ROUNDS:-32}" "data.root=$data" evaluation.every=8 "workload.model=$models/base"
    "workload.prompts=hh/helpful-pairs.jsonl.gz,hh/harmless-base-test.jsonl.gz" workload.max_prompt_tokens=64
    workload.ppo.max_new_tokens=24 workload.evaluation_prompts=128 strategy.client_lr=0.003
    strategy.record_steps=true
    workload.deal_by=pair workload.evaluation_choice=first) # with which the recorded figures were run
  reward objectives.helpful helpful
  reward objectives.harmless harmless
  queue "$1/$2-$4" "experiments/firm/$3-alignment.toml" "${settings[@]}" "${@:5}"
}

rq1() {
  run rq1 firm firm "$1"
  run rq1 fedcmoo_a fedcmoo_a "$1"
}

rq2() {
  for beta in 0 0.05; do run rq2 "beta_$beta" firm "$1" strategy.solver.beta="$beta" strategy.measure_drift=true; done
}

# (p_harmless, p_helpful): objective j is penalized by 1 / p_j, beside a Gramian whose mean diagonal is 1.
rq3() {
  for preference in 0.1,10 0.3,3 1,1 3,0.3 10,0.1; do run rq3 "p_$preference" firm "$1" "strategy.preference=[$preference]"; done
}

mixed() {
  local settings=()
  reward alternatives.helpful helpful_other
  run mixed mixed firm "$1" "${settings[@]}"
}

sources() { run sources dirichlet firm "$1" workload.split=dirichlet workload.alpha=0.3; }

many() { run many clients_16 firm "$1" workload.clients=16 strategy.cohort_size=16; }

if (($#)); then groups=("$@"); else groups=(rq1 rq2 rq3 mixed sources many); fi
for seed in "${seeds[@]}"; do
  for group in "${groups[@]}"; do
    case $group in
      rq1 | rq2 | rq3 | mixed | sources | many) "$group" "$seed" ;;
      table) ;;
      *)
        echo "alignment: expected rq1, rq2, rq3, mixed, sources, many or table, found '$group'" >&2
        exit 2
        ;;
    esac
  done
done
run_queue
results=experiments/firm/results
keep "$results/alignment.md" python3 experiments/firm/alignment_table.py "$runs" "$results/alignment.csv" "$results/alignment_rounds.csv"
