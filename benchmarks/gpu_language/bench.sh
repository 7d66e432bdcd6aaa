#!/usr/bin/env bash
# A round of FIRM on a Llama of 1.1 billion parameters (two clients, LoRA, batches of 32 prompts of 128 tokens, 32 new ones) and a step of GRPO
# on a Qwen2 of 1.5 billion (8 prompts, 8 completions each), of random weights, and their figures. PARETOFL is the command of a build with
# PyPI's torch (default build-pip-torch/paretofl; make build TORCH=pip), PYTHON one with torch and safetensors, and TORCH the folder of a
# package torch with CUDA, whose libraries are then loaded in the place of those that the command was built with.
# Usage: bench.sh [cuda|cpu] [OUT]       SIZE=tiny takes tiny models (the default on the CPU), DTYPE=float32 another number format
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
device=${1:-cuda} out=${2:-/tmp/paretofl_bench}
command=${PARETOFL:-$here/../../build-pip-torch/paretofl} python=${PYTHON:-python3}
own=(env PYTORCH_ALLOC_CONF=expandable_segments:True)
if [[ -n ${TORCH:-} ]]; then own+=("LD_LIBRARY_PATH=$TORCH/lib:${LD_LIBRARY_PATH:-}"); fi
size=${SIZE:-$([[ $device == cpu ]] && echo tiny || echo full)}
if [[ $size == tiny ]]; then llama=tiny_llama qwen=tiny_qwen2; else llama=tinyllama qwen=qwen2; fi
mkdir -p "$out"
for model in $llama $qwen; do
  [[ -f $out/$model/tokenizer.json ]] || "$python" "$here/make_model.py" "$out/$model" "$model"
done
"$python" "$here/make_prompts.py" "$out/prompts.jsonl" 127

# run NAME CONFIG SETTING...: one run, and the most memory that nvidia-smi shows meanwhile.
run() {
  local name=$1 config=$2 poll=0 start=$SECONDS
  shift 2
  rm -rf "${out:?}/$name"
  if command -v nvidia-smi >/dev/null; then
    (while :; do nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits; sleep 0.1; done >"$out/$name.memory" 2>/dev/null) &
    poll=$!
  fi
  "${own[@]}" "$command" run "$here/$config.toml" --dir "$out/$name" --set "workload.device=$device" --set "workload.dtype=${DTYPE:-bfloat16}" \
    --set "data.root=$out" "$@" >"$out/$name.log" 2>&1 || {
    tail -5 "$out/$name.log"
    [[ $poll == 0 ]] || kill "$poll"
    return 1
  }
  [[ $poll == 0 ]] || kill "$poll"
  echo "$name: $((SECONDS - start)) s in all, peak $(sort -n "$out/$name.memory" 2>/dev/null | tail -1) MiB"
}

for dropout in 0.05 0; do
  common=(--set "workload.model=$out/$llama" --set "workload.lora_dropout=$dropout")
  run "firm1-$dropout" firm "${common[@]}"
  run "firm3-$dropout" firm "${common[@]}" --set strategy.local_steps=3 --set workload.ppo.epochs=3
  common=(--set "workload.model=$out/$qwen" --set "workload.lora_dropout=$dropout")
  run "grpo1-$dropout" grpo "${common[@]}"
  run "grpo3-$dropout" grpo "${common[@]}" --set strategy.local_steps=3 --set workload.grpo.iterations=3
  "$python" "$here/figures.py" "$out" "$dropout" "$llama" "$qwen"
done
