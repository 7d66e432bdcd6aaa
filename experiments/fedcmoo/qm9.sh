#!/usr/bin/env bash
# FedCMOO, FSMGDA and scalarized FedAvg on the geometries of QM9's small molecules, then results/qm9.csv and the tables
# of README.md. Finished runs are kept and interrupted ones go on. FSMGDA trains every client once per objective, so a
# round of it takes eleven times as long; it gets FSMGDA_ROUNDS.
# Usage: PARETOFL_DATA=DIR [ROUNDS=60] [FSMGDA_ROUNDS=20] experiments/fedcmoo/qm9.sh [SEED]...   (default: seeds 1 2)
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PARETOFL_DATA:?expected the folder with qm9/ in PARETOFL_DATA}
if (($#)); then seeds=("$@"); else seeds=(1 2); fi

for seed in "${seeds[@]}"; do
  for strategy in fedavg fedcmoo fsmgda; do
    rounds=${ROUNDS:-60}
    if [[ $strategy == fsmgda ]]; then rounds=${FSMGDA_ROUNDS:-20}; fi
    folder=runs/qm9/$strategy-$seed
    if [[ -f $folder/summary.json ]]; then
      continue
    elif [[ -f $folder/config.toml ]]; then
      build/paretofl run --resume "$folder"
    else
      build/paretofl run "experiments/fedcmoo/$strategy-qm9_geometries.toml" --set seed="$seed" --set rounds="$rounds" \
        --set data.root="$data" --dir "$folder"
    fi
  done
done
python3 experiments/fedcmoo/qm9_table.py runs/qm9 experiments/fedcmoo/results/qm9.csv
