#!/usr/bin/env bash
# Says what make demo is about to install, build and run. Usage: scripts/announce_demo.sh JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ $(cat build/preset.txt 2>/dev/null) == release* ]]; then
  echo "demo: brings build/paretofl up to date with all parts, as make build made it, then trains for a few seconds."
  exit 0
fi
echo "demo: installs what is missing of 21 Debian packages and of what they depend on (about 90 packages, 100 MB, on a bare system),"
echo "demo: compiles the command without language models, LibTorch, MuJoCo, Box2D and MPI: about five CPU minutes, $1 files at a time, on a processor of 2024,"
echo "demo: then trains for a few seconds. make build adds what is left out."
