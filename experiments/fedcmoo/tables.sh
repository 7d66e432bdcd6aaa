#!/usr/bin/env bash
# The FedCMOO paper's tables, group by group, then results/tables.csv and results/tables.md.
#   main     500 rounds: FedCMOO, FedCMOO-Pref, FSMGDA, Scalarized, single objective; Delta_M
#   tau      200 rounds: FedCMOO and FSMGDA with 5, 10, 20 and 40 local steps
#   mixed    200 rounds: the first objective on the squared error
#   fronts   200 rounds: FedCMOO-Pref for five preferences
#   nrmse    30 rounds: FedCMOO-Pref with every compressor, the Gramian's error measured
#   cifar    CIFAR10_ROUNDS (default 60) rounds of CIFAR10+MNIST
# Finished runs are kept and interrupted ones go on.
# Usage: PARETOFL_DATA=DIR [SEEDS="1 2"] [THREADS=2] experiments/fedcmoo/tables.sh [GROUP]...   (default: all)
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with mnist/ and fashion_mnist/ in PARETOFL_DATA}
runs=${RUNS:-runs/fedcmoo}
command=${PARETOFL:-build/paretofl}
read -ra seeds <<<"${SEEDS:-1 2}"
cifar_rounds=${CIFAR10_ROUNDS:-60}
digits=(mnist_fmnist multimnist)

# run FOLDER PRESET [KEY=VALUE]...
run() {
  local folder=$runs/$1 preset=experiments/fedcmoo/$2.toml settings=()
  shift 2
  if [[ -f $folder/summary.json ]]; then
    return
  elif [[ -f $folder/config.toml ]]; then
    "$command" run --resume "$folder"
    return
  fi
  for setting in "$@" data.root="$data" runtime.threads="${THREADS:-2}" checkpoint.every=50; do settings+=(--set "$setting"); done
  "$command" run "$preset" "${settings[@]}" --dir "$folder"
}

main() {
  for seed in "${seeds[@]}"; do
    for workload in "${digits[@]}"; do
      for strategy in fedcmoo fsmgda fedcmoo_pref fedavg; do
        run "main/$strategy-$workload-$seed" "$strategy-$workload" seed="$seed" rounds=500
      done
    done
  done
  for workload in "${digits[@]}"; do
    for objective in 0 1; do
      run "main/single$objective-$workload-${seeds[0]}" single_objective-mnist_fmnist \
        workload.name="$workload" strategy.objective="$objective" seed="${seeds[0]}" rounds=500
    done
  done
}

tau() {
  for workload in "${digits[@]}"; do
    for tau in 5 10 20 40; do
      for strategy in fedcmoo fsmgda; do
        run "tau/$strategy-$workload-$tau-${seeds[0]}" "$strategy-$workload" \
          seed="${seeds[0]}" rounds=200 strategy.local_steps="$tau" evaluation.every=20
      done
    done
  done
}

mixed() {
  for seed in "${seeds[@]}"; do
    for workload in "${digits[@]}"; do
      for strategy in fedavg fsmgda fedcmoo; do
        run "mixed/$strategy-$workload-$seed" "$strategy-$workload" \
          seed="$seed" rounds=200 workload.losses=l2_first evaluation.every=20
      done
    done
  done
}

fronts() {
  for workload in "${digits[@]}"; do
    for preference in 1,4 1,2 1,1 2,1 4,1; do
      run "fronts/$workload-$preference-${seeds[0]}" "fedcmoo_pref-$workload" \
        seed="${seeds[0]}" rounds=200 "strategy.preference=[$preference]" strategy.solver.weight_floor=0 evaluation.every=20
    done
  done
}

nrmse() {
  local sketch
  for workload in "${digits[@]}"; do
    for sketch in randomized_svd top_k random_mask; do
      for two_way in true false; do
        run "nrmse/$workload-$sketch-$two_way" "fedcmoo_pref-$workload" rounds=30 evaluation.every=30 \
          strategy.measure_nrmse=true strategy.compressor.name="$sketch" strategy.compressor.two_way="$two_way"
      done
    done
    for sketch in quantizer client_grams exact; do
      run "nrmse/$workload-$sketch" "fedcmoo_pref-$workload" rounds=30 evaluation.every=30 \
        strategy.measure_nrmse=true strategy.compressor="$sketch"
    done
  done
}

cifar() {
  for strategy in fedcmoo fsmgda fedcmoo_pref; do
    run "cifar/$strategy-cifar10_mnist-${seeds[0]}" "$strategy-cifar10_mnist" \
      seed="${seeds[0]}" rounds="$cifar_rounds" evaluation.every=10
  done
}

if (($#)); then groups=("$@"); else groups=(main tau mixed fronts nrmse cifar); fi
for group in "${groups[@]}"; do
  case $group in
    main | tau | mixed | fronts | nrmse | cifar) "$group" ;;
    table) ;;
    *)
      echo "tables: expected main, tau, mixed, fronts, nrmse, cifar or table, found '$group'" >&2
      exit 2
      ;;
  esac
done
python3 experiments/fedcmoo/tables.py "$runs" experiments/fedcmoo/results/tables.csv | tee experiments/fedcmoo/results/tables.md
