#!/usr/bin/env bash
# Installs PyPI's torch for a build with its LibTorch, where that is not yet done, and prints the folder of the package.
# Usage: scripts/pip_torch.sh FOLDER
# The virtual environment is made in FOLDER. PARETOFL_TORCH_VENV in the environment names one to use instead, with any torch in it.
set -euo pipefail
# Of what torch depends on, only the two CUDA libraries that libtorch_cpu.so itself is linked with: all of them take gigabytes.
packages=(torch==2.11.0 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cupti==13.0.85)

venv=${PARETOFL_TORCH_VENV:-$1}
if [[ -z ${PARETOFL_TORCH_VENV:-} ]]; then
  [[ -x $venv/bin/pip ]] || /usr/bin/python3 -m venv "$venv" >&2
  "$venv/bin/pip" install -q --no-deps "${packages[@]}" >&2
fi
for package in "$venv"/lib/python3*/site-packages/torch; do
  if [[ -f $package/lib/libtorch_cpu.so ]]; then
    echo "$package"
    exit 0
  fi
done
echo "pip_torch: expected the package torch in $venv, found none" >&2
exit 1
