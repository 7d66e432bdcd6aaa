#!/usr/bin/env bash
# Trains with FedCMOO, FSMGDA and scalarized FedAvg on procedural images, one seed each, and compares them.
# Runs go to runs/demo and replace those of an earlier demo. Usage: scripts/demo.sh [RUN_OPTION]...
# (options for every `paretofl run`, such as --set rounds=20)
set -euo pipefail
cd "$(dirname "$0")/.."
paretofl=${PARETOFL:-build/paretofl}
folder=runs/demo
strategies=(fedcmoo fsmgda fedavg)

if [[ ! -x $paretofl ]]; then
  echo "demo: expected the command at $paretofl, found none; build it with: make build" >&2
  exit 1
fi

start=$SECONDS
for strategy in "${strategies[@]}"; do
  echo "== paretofl run experiments/fedcmoo/$strategy-glyphs.toml"
  "$paretofl" run "experiments/fedcmoo/$strategy-glyphs.toml" --dir "$folder/$strategy" --overwrite \
    --set runtime.threads="$(nproc)" "$@" >/dev/null
done
echo "== three runs in $((SECONDS - start)) s"
echo
"$paretofl" report --terminal --output "$folder/report.html" "${strategies[@]/#/$folder/}"
echo
echo "The same with curves, objective weights and times: $folder/report.html"
