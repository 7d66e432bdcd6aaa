# Sourced by the scripts of experiments/: `queue` names a run, `run_queue` does those that are not finished, JOBS
# (default 2) at a time. PARETOFL is the command (default build/paretofl), RUNS the folder of runs (default: $runs).
# shellcheck shell=bash
command=${PARETOFL:-build/paretofl}
runs=${RUNS:-${runs:?expected the folder of runs}}
queued=()

# queue FOLDER CONFIG [KEY=VALUE]...: FOLDER below $runs; an interrupted run goes on.
queue() {
  local folder=$runs/$1 config=$2 settings=()
  shift 2
  if [[ -f $folder/summary.json ]]; then
    return
  elif [[ -f $folder/config.toml ]]; then
    queued+=("$(printf '%q ' "$command" run --resume "$folder")")
    return
  fi
  for setting in runtime.threads=1 checkpoint.every=50 "$@"; do settings+=(--set "$setting"); done
  queued+=("$(printf '%q ' "$command" run "$config" "${settings[@]}" --dir "$folder")")
}

run_queue() {
  ((${#queued[@]})) || return 0
  printf '%s\0' "${queued[@]}" | xargs -0 -P "${JOBS:-2}" -I{} bash -c 'echo "{}" >&2; {} >/dev/null'
  queued=()
}
