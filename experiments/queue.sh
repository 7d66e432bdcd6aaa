# Sourced by the scripts of experiments/: `queue` names a run, `run_queue` does those that are not finished, JOBS
# (default 2) at a time with THREADS (default 1) each, and `keep` writes a table of them. PARETOFL is the command (default
# build/paretofl), RUNS the folder of runs (default: $runs).
# shellcheck shell=bash
command=${PARETOFL:-build/paretofl}
runs=${RUNS:-${runs:?expected the folder of runs}}
queued=()
declare -A known=()

# queue FOLDER CONFIG [KEY=VALUE]...: FOLDER below $runs; an interrupted run goes on. What was asked of it lies beside it, so that a
# run with other settings is not taken for this one.
queue() {
  local folder=$runs/$1 config=$2 settings=() asked
  shift 2
  if [[ -n ${known[$folder]:-} ]]; then return; fi
  known[$folder]=yes
  asked="$config $*"
  if [[ -f $folder/config.toml && $(cat "$folder.asked" 2>/dev/null || echo "$asked") != "$asked" ]]; then
    printf '%s\n' "queue: expected $folder to be a run of: $asked" "found one of: $(cat "$folder.asked")" "remove it, or name another folder in RUNS" >&2
    exit 1
  fi
  if [[ -f $folder/summary.json ]]; then
    return
  elif [[ -f $folder/config.toml ]]; then
    queued+=("$(printf '%q ' "$command" run --resume "$folder")")
    return
  fi
  mkdir -p "$(dirname "$folder")"
  printf '%s\n' "$asked" >"$folder.asked"
  for setting in runtime.threads="${THREADS:-1}" checkpoint.every=50 "$@"; do settings+=(--set "$setting"); done
  queued+=("$(printf '%q ' "$command" run "$config" "${settings[@]}" --dir "$folder")")
}

run_queue() {
  ((${#queued[@]})) || return 0
  printf '%s\0' "${queued[@]}" | xargs -0 -P "${JOBS:-2}" -I{} bash -c 'echo "{}" >&2; {} >/dev/null'
  queued=()
}

# keep FILE COMMAND [ARGUMENT]...: what the command prints, here and in FILE, which stays as it was where the command fails.
keep() {
  local file=$1
  shift
  "$@" >"$file.part" || {
    rm "$file.part"
    return 1
  }
  mv "$file.part" "$file"
  cat "$file"
}
