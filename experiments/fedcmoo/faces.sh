#!/usr/bin/env bash
# FedCMOO and FSMGDA on procedural faces, with 40 objectives and with CelebA-5's five groups.
# Finished runs are kept. Usage: experiments/fedcmoo/faces.sh [SEED]...   (default: seeds 1 2)
set -euo pipefail
cd "$(dirname "$0")/../.."
if (($#)); then seeds=("$@"); else seeds=(1 2); fi

for seed in "${seeds[@]}"; do
  for strategy in fedcmoo fsmgda; do
    for grouped in false true; do
      folder=runs/faces/$strategy-$grouped-$seed
      if [[ -f $folder/summary.json ]]; then continue; fi
      build/paretofl run "experiments/fedcmoo/$strategy-faces.toml" --set seed="$seed" --set workload.grouped="$grouped" --dir "$folder" --overwrite
    done
  done
done
build/paretofl report --terminal runs/faces
