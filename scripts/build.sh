#!/usr/bin/env bash
# Configures a preset where that is needed and builds targets of it.
# Usage: scripts/build.sh PRESET JOBS TARGET...
# PARETOFL_ARCH in the environment is what -march gets in core, release and pip-torch builds (default: native).
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1 jobs=$2
shift 2

settings=() arch="" package=""
case $preset in
  core | release) folder=build arch=${PARETOFL_ARCH:-native} settings=("-DPARETOFL_ARCH=$arch") ;;
  pip-torch)
    folder=build-$preset arch=${PARETOFL_ARCH:-native}
    package=$(scripts/pip_torch.sh "$PWD/$folder/venv")
    settings=("-DPARETOFL_ARCH=$arch" "-DPARETOFL_TORCH_PACKAGE=$package")
    ;;
  *) folder=build/$preset ;;
esac
# ninja itself configures again when a CMakeLists.txt changed, but does not know the presets.
configured=$(cat "$folder/preset.txt" 2>/dev/null || true)
if [[ $preset == core && $configured == "release $arch" ]]; then
  preset=release # which has all of it
fi
wanted="$preset${arch:+ $arch}${package:+ $package}"
if [[ $configured != "$wanted" || CMakePresets.json -nt $folder/preset.txt ]]; then
  rm -f "$folder/preset.txt" # where configuring fails, the folder is of no preset
  cmake --preset "$preset" "${settings[@]}"
  echo "$wanted" >"$folder/preset.txt"
fi
exec ninja -C "$folder" -j "$jobs" "$@"
