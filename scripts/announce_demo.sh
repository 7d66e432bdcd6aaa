#!/usr/bin/env bash
# Says what make demo is about to install, build and run. Usage: scripts/announce_demo.sh JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
echo "demo: installs what is missing of about 25 Debian packages, compiles the command without LibTorch, MuJoCo, Box2D and MPI"
echo "demo: (about five minutes of one core of 2024 and twice that of one of 2017; ${1} at a time here), then trains for under a minute."
echo "demo: make build adds those libraries later."
