#!/usr/bin/env bash
# Configures a preset where that is needed and builds targets of it.
# Usage: scripts/build.sh PRESET JOBS TARGET...
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1 jobs=$2
shift 2

case $preset in
  release) folder=build ;;
  *) folder=build/$preset ;;
esac
# ninja itself configures again when a CMakeLists.txt changed, but does not know the presets.
if [[ ! -f $folder/build.ninja || CMakePresets.json -nt $folder/build.ninja ]]; then
  cmake --preset "$preset"
  touch "$folder/build.ninja"
fi
exec ninja -C "$folder" -j "$jobs" "$@"
