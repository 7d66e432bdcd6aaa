#!/usr/bin/env bash
# Installs the Debian packages that a group of targets needs, and only those that are missing.
# Usage: scripts/setup.sh [build|lint|fuzz|faults|ci|plots]...     (default: build)
set -euo pipefail

# libtorch-dev only recommends OpenBLAS; without it, matrix products run in the reference BLAS.
build=(build-essential cmake ninja-build ccache pkg-config libtorch-dev libopenblas0-pthread libeigen3-dev libfmt-dev
  nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libssl-dev zlib1g-dev libjpeg62-turbo-dev liblzma-dev libxxhash-dev
  libprotobuf-dev protobuf-compiler libbox2d-dev libmujoco-dev
  libonig-dev libicu-dev libgmp-dev libmpfi-dev bubblewrap python3
  libopenmpi-dev openmpi-bin libgtest-dev libgmock-dev libbenchmark-dev libjs-chart.js)
lint=(clang-format clang-tidy libomp-dev python3)
fuzz=(clang libclang-rt-14-dev libomp-dev)
faults=(python3 strace)
ci=(python3 python3-venv chromium)
plots=(python3-matplotlib)

wanted=()
for group in "${@:-build}"; do
  case $group in
    build) wanted+=("${build[@]}") ;;
    lint) wanted+=("${lint[@]}") ;;
    fuzz) wanted+=("${fuzz[@]}") ;;
    faults) wanted+=("${faults[@]}") ;;
    ci) wanted+=("${ci[@]}") ;;
    plots) wanted+=("${plots[@]}") ;;
    *)
      echo "setup: expected build, lint, fuzz, faults, ci or plots, found '$group'" >&2
      exit 2
      ;;
  esac
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup: no apt-get here, so nothing is installed; the build needs what Debian 12 calls: ${wanted[*]}" >&2
  exit 0
fi

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "setup: expected root or sudo to install with apt-get, found neither; missing packages: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
