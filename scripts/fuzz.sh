#!/usr/bin/env bash
# Runs every built fuzz target for a bounded number of inputs, starting from its corpus, JOBS (default: as many as there are cores) at a
# time.
# Usage: [JOBS=N] scripts/fuzz.sh [INPUTS]      (default 100000; 10 seconds each at most)
set -euo pipefail
cd "$(dirname "$0")/.."
inputs=${1:-100000}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fuzz() {
  local program=$1 inputs=$2 scratch=$3 name
  name=$(basename "$program" _fuzz)
  mkdir "$scratch/$name"
  if ! "$program" -seed=1 -runs="$inputs" -max_total_time=10 -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$scratch/$name-" \
    "$scratch/$name" "tests/fuzz/corpus/$name" >"$scratch/$name.log" 2>&1; then
    tail -n 40 "$scratch/$name.log" >&2
    mkdir -p build/asan/failures && cp "$scratch/$name"-* build/asan/failures/
    echo "fuzz: $name failed; the input is in build/asan/failures/" >&2
    return 1
  fi
  echo "$name: $(grep -E '^Done|^DONE' "$scratch/$name.log" | tail -n 1)"
}
export -f fuzz

programs=(build/asan/tests/fuzz/*_fuzz)
printf '%s\0' "${programs[@]}" | xargs -0 -P "${JOBS:-$(nproc)}" -I{} bash -c 'fuzz "$@"' _ {} "$inputs" "$scratch"
echo "${#programs[@]} fuzz targets, none failed"
