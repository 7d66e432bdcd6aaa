#!/usr/bin/env bash
# Trains one model on two objectives that pull it apart: with FedCMOO-Pref and with FedAvg's weighted sum under five preferences
# each, and on each objective alone. Compares the Pareto fronts. Needs no data and takes a few seconds.
# Runs go to runs/demo, or to the folder that DEMO_DIR names, and replace those of an earlier demo there.
# Usage: scripts/demo.sh [SWEEP_OPTION]...
# (options for every `paretofl sweep`, such as --set rounds=20, or --seeds 1..5 for the same on five problems)
set -euo pipefail
if [[ -f $(dirname "$0")/../CMakeLists.txt ]]; then
  cd "$(dirname "$0")/.."
  paretofl=${PARETOFL:-build/paretofl}
else # installed as paretofl-demo: works in the current folder, with the command beside it
  paretofl=${PARETOFL:-$(dirname "$(realpath "$0")")/paretofl}
fi
folder=${DEMO_DIR:-runs/demo}

if ! command -v "$paretofl" >/dev/null; then
  echo "demo: expected the command at $paretofl, found none; build it with: make build" >&2
  exit 1
fi

start=$SECONDS
sweep() { # STRATEGY ARGUMENT...
  local config=$1-robust_quadratics
  rm -rf "${folder:?}/$1"
  echo "== paretofl sweep $config ${*:2}"
  "$paretofl" sweep "$config" --dir "$folder/$1" "${@:2}" >/dev/null
}
sweep fedcmoo_pref --preferences 5 "$@"
sweep fedavg --preferences 5 "$@"
sweep single_objective --over strategy.objective=0,1 "$@"
echo "== twelve models per seed in $((SECONDS - start)) s"
echo

"$paretofl" report --fronts --output "$folder/report.html" --front-csv "$folder/front.csv" \
  "$folder"/{fedcmoo_pref,fedavg,single_objective}
cat <<TEXT

Each letter is a trained model; down and to the left is better. No single model is best in both objectives, and the
dots join those that no other model beats: the Pareto front. This one is not convex. The minima of a weighted sum (B)
lie near the ends of such a front; FedCMOO-Pref (A) follows a preference to the middle as well. The hypervolume is the
area between a method's models and the reference point: the larger, the better they are together.

The same with curves, objective weights and times: $folder/report.html
The models on the front as a table:                $folder/front.csv
Next, a network on images of two digits:           $paretofl run fedcmoo-glyphs
TEXT
