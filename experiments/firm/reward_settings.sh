# Sourced by alignment.sh and dialogues.sh: the reward models in the folder $models as settings.
# shellcheck shell=bash

# Center and scale of a reward model: mean and standard deviation of its scores of held-out answers.
statistic() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["epochs"][-1][sys.argv[2]])' "$models/$1/training.json" "$2"; }

# reward KEY MODEL: adds one objective's reward model to the array `settings`.
reward() {
  settings+=("workload.$1.name=reward_model" "workload.$1.model=$models/$2"
    "workload.$1.center=$(statistic "$2" score_mean)" "workload.$1.scale=$(statistic "$2" score_deviation)")
}
