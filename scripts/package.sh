#!/usr/bin/env bash
# Makes Debian packages of a build in dist/, for processors with AVX2 (x86-64-v3).
# Usage: scripts/package.sh [PRESET] [JOBS]      (default: portable; release takes what is in build/, which must be of x86-64-v3)
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-portable} jobs=${2:-$(nproc)}
case $preset in
  release) folder=build ;;
  *) folder=build/$preset ;;
esac
scripts/build.sh "$preset" "$jobs" paretofl_command
if ! grep -qx 'PARETOFL_ARCH:[A-Z]*=x86-64-v3' "$folder/CMakeCache.txt"; then
  echo "package: expected a build for x86-64-v3 in $folder, found $(grep PARETOFL_ARCH "$folder/CMakeCache.txt")" >&2
  exit 1
fi
rm -rf dist
cpack --config "$folder/CPackConfig.cmake" -B dist
rm -rf dist/_CPack_Packages
ls -l dist
