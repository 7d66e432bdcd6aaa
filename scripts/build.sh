#!/usr/bin/env bash
# Configures a preset where that is needed and builds targets of it.
# Usage: scripts/build.sh PRESET JOBS TARGET...
# PARETOFL_ARCH in the environment is what -march gets in core and release builds (default: native).
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1 jobs=$2
shift 2

settings=()
case $preset in
  core | release) folder=build settings=(${PARETOFL_ARCH:+"-DPARETOFL_ARCH=$PARETOFL_ARCH"}) ;;
  *) folder=build/$preset ;;
esac
# ninja itself configures again when a CMakeLists.txt changed, but does not know the presets.
configured=$(cat "$folder/preset.txt" 2>/dev/null || true)
if [[ $preset == core && $configured == release ]]; then
  preset=release # which has all of it
fi
if [[ $configured != "$preset" || CMakePresets.json -nt $folder/preset.txt ]]; then
  cmake --preset "$preset" "${settings[@]}"
  echo "$preset" >"$folder/preset.txt"
fi
exec ninja -C "$folder" -j "$jobs" "$@"
