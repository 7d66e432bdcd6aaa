#!/usr/bin/env bash
# The FedCMOO paper's tables, group by group, then results/tables.csv and results/tables.md.
#   main     500 rounds: FedCMOO, FedCMOO-Pref, FSMGDA, Scalarized, single objective; Delta_M
#   presets  the same with what the presets have since: a fifth of the training images held out, FedCMOO-Pref's losses on
#            all of a client's images
#   mixed    200 rounds, MultiMNIST 500: the first objective on the squared error
#   fronts   200 rounds: FedCMOO-Pref for five preferences
#   nrmse    FedCMOO-Pref with every compressor, the Gramian's error measured: 30 rounds of the digits, 10 of faces,
#            1 of CIFAR10+MNIST
#   tau      200 rounds: FedCMOO and FSMGDA with 5, 20 and 40 local steps (10: group main)
#   longer   1000 rounds of FedCMOO on MultiMNIST
#   cifar    CIFAR10_ROUNDS rounds of CIFAR10+MNIST (default: FedCMOO 500, the others 50), first seed
# Finished runs are kept and interrupted ones go on; rows of earlier runs stay in the table.
# Usage: PARETOFL_DATA=DIR [ROUNDS=20] [SEEDS="1 2"] [JOBS=2] [THREADS=1] experiments/fedcmoo/tables.sh [GROUP]...   (default: all)
# ROUNDS takes the place of every group's rounds; set RUNS to another folder then, since finished runs of other settings are refused.
# JOBS runs at a time, of THREADS threads (default 1) each. WORKLOADS="multimnist" and STRATEGIES="fedcmoo" leave the groups' others out.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with mnist/ and fashion_mnist/ in PARETOFL_DATA}
runs=runs/fedcmoo
source experiments/queue.sh
read -ra seeds <<<"${SEEDS:-1 2}"
read -ra digits <<<"${WORKLOADS:-mnist_fmnist multimnist}"

# run FOLDER PRESET [KEY=VALUE]...: PRESET is STRATEGY-WORKLOAD. The recorded figures of all groups but `presets` are of settings that
# the presets no longer have.
run() {
  local recorded=()
  [[ " ${STRATEGIES:-${2%%-*}} " == *" ${2%%-*} "* ]] || return 0
  if [[ $1 != presets/* ]]; then
    recorded+=(workload.validation_fraction=0)
    if [[ $2 == fedcmoo_pref-* ]]; then recorded+=(strategy.losses=minibatch); fi
  fi
  if [[ -n ${ROUNDS:-} ]]; then recorded+=(rounds="$ROUNDS"); fi
  queue "$1" "experiments/fedcmoo/$2.toml" "${@:3}" "${recorded[@]}" data.root="$data"
}

main() { of_all_strategies main; }

presets() { of_all_strategies presets; }

# of_all_strategies GROUP
of_all_strategies() {
  for seed in "${seeds[@]}"; do
    for workload in "${digits[@]}"; do
      for strategy in fedcmoo fsmgda fedcmoo_pref fedavg; do
        run "$1/$strategy-$workload-$seed" "$strategy-$workload" seed="$seed" rounds=500
      done
      for objective in 0 1; do
        run "$1/single$objective-$workload-$seed" single_objective-mnist_fmnist \
          workload.name="$workload" strategy.objective="$objective" seed="$seed" rounds=500
      done
    done
  done
}

tau() {
  for seed in "${seeds[@]}"; do
    for workload in "${digits[@]}"; do
      for tau in 5 20 40; do
        for strategy in fedcmoo fsmgda; do
          run "tau/$strategy-$workload-$tau-$seed" "$strategy-$workload" \
            seed="$seed" rounds=200 strategy.local_steps="$tau" evaluation.every=20
        done
      done
    done
  done
}

mixed() {
  local rounds
  for seed in "${seeds[@]}"; do
    for workload in "${digits[@]}"; do
      rounds=$([[ $workload == multimnist ]] && echo 500 || echo 200)
      for strategy in fedavg fsmgda fedcmoo; do
        run "mixed/$strategy-$workload-$seed" "$strategy-$workload" \
          seed="$seed" rounds="$rounds" workload.losses=l2_first evaluation.every=20
      done
    done
  done
}

fronts() {
  for seed in "${seeds[@]}"; do
    for workload in "${digits[@]}"; do
      for preference in 1,4 1,2 1,1 2,1 4,1; do
        run "fronts/$workload-$preference-$seed" "fedcmoo_pref-$workload" \
          seed="$seed" rounds=200 "strategy.preference=[$preference]" strategy.solver.weight_floor=0 evaluation.every=20
      done
    done
  done
}

nrmse() {
  local workload preset rounds settings
  for workload in ${WORKLOADS:-mnist_fmnist multimnist faces cifar10_mnist}; do
    preset=fedcmoo_pref-$workload rounds=30 settings=()
    case $workload in
      faces) preset=fedcmoo-faces rounds=10 settings=(strategy.name=fedcmoo_pref strategy.solver.name=kl_preference strategy.client_lr=0.3) ;;
      cifar10_mnist) rounds=1 ;;
    esac
    settings+=(rounds="$rounds" evaluation.every="$rounds" strategy.measure_nrmse=true)
    for compressor in randomized_svd top_k random_mask; do
      for two_way in true false; do
        run "nrmse/$workload-$compressor-$two_way" "$preset" "${settings[@]}" \
          strategy.compressor.name="$compressor" strategy.compressor.two_way="$two_way"
      done
    done
    for two_way in true false; do
      run "nrmse/$workload-unscaled_mask-$two_way" "$preset" "${settings[@]}" \
        strategy.compressor.name=random_mask strategy.compressor.two_way="$two_way" strategy.compressor.scale=false
    done
    for compressor in quantizer client_grams exact; do
      run "nrmse/$workload-$compressor" "$preset" "${settings[@]}" strategy.compressor="$compressor"
    done
  done
}

longer() {
  for seed in "${seeds[@]}"; do
    run "longer/fedcmoo-multimnist-$seed" fedcmoo-multimnist seed="$seed" rounds=1000 evaluation.every=20
  done
}

cifar() {
  local rounds
  for strategy in fedcmoo fsmgda fedcmoo_pref; do
    rounds=$([[ $strategy == fedcmoo ]] && echo 500 || echo 50)
    run "cifar/$strategy-cifar10_mnist-${seeds[0]}" "$strategy-cifar10_mnist" \
      seed="${seeds[0]}" rounds="${CIFAR10_ROUNDS:-$rounds}" evaluation.every=10
  done
}

if (($#)); then groups=("$@"); else groups=(main presets mixed fronts nrmse tau longer cifar); fi
for group in "${groups[@]}"; do
  case $group in
    main | presets | mixed | fronts | nrmse | tau | longer | cifar) "$group" ;;
    table) ;;
    *)
      echo "tables: expected main, presets, mixed, fronts, nrmse, tau, longer, cifar or table, found '$group'" >&2
      exit 2
      ;;
  esac
done
run_queue
keep experiments/fedcmoo/results/tables.md python3 experiments/fedcmoo/tables.py "$runs" experiments/fedcmoo/results/tables.csv
