#!/usr/bin/env bash
# Two rounds of FedMOA on GSM8K, MATH, MBPP, and MBPP tested on HumanEval, from the published files, with a tiny model of random
# parameters: loading, prompting, generation, scoring, aggregation and evaluation are those of any model, the accuracy is not.
# Usage: PARETOFL_DATA=DIR [RUNS=runs/fedmoa_published] experiments/fedmoa/published.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=${RUNS:-runs/fedmoa_published}

# round_trip WORKLOAD [KEY=VALUE]...
round_trip() {
  local settings=()
  for setting in workload.model= rounds=2 "workload.name=$1" workload.clients=4 strategy.cohort_size=4 strategy.local_steps=2 \
    strategy.local_evaluation_every=2 workload.grpo.prompts=2 workload.grpo.completions=4 workload.max_prompt_tokens=512 \
    workload.evaluation_questions=16 "data.root=${PARETOFL_DATA:?expected the folder of real data sets in PARETOFL_DATA}" "${@:2}"; do
    settings+=(--set "$setting")
  done
  "${PARETOFL:-build/paretofl}" run experiments/fedmoa/fedmoa-arithmetic.toml "${settings[@]}" --dir "$runs/$1" --overwrite >/dev/null
  python3 - "$runs/$1" <<'PYTHON'
import json, sys
rounds = [json.loads(line) for line in open(sys.argv[1] + "/metrics.jsonl")]
overall = rounds[-1]["overall"]
print(sys.argv[1].rpartition("/")[2], {name: round(value, 3) for name, value in overall.items()},
      "train", {name: round(value, 3) for name, value in rounds[-1]["metrics"].items() if name.startswith("reward_")})
PYTHON
}

round_trip gsm8k workload.groups=gsm8k:accuracy+format+tag_count,gsm8k:accuracy+format,gsm8k:accuracy+tag_count
round_trip math workload.groups=math:accuracy+format+tag_count,math:accuracy+format,math:accuracy+tag_count
programs=(workload.rewards.accuracy.name=code_accuracy workload.rewards.code_format.name=code_format
  workload.rewards.tag_count.name=tag_count workload.rewards.length.name=length
  workload.rewards.repetition.name=repetition_penalty
  workload.groups=mbpp:accuracy+code_format+tag_count,mbpp:accuracy+code_format+length,mbpp:accuracy+code_format+repetition)
round_trip mbpp "${programs[@]}"
round_trip humaneval "${programs[@]}"
