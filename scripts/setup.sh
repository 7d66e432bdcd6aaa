#!/usr/bin/env bash
# Installs the Debian packages that a group of targets needs, and only those that are missing.
# Usage: scripts/setup.sh [core|build|pip-torch|python|flower|deployment|package|lint|sanitize|faults|arm|ci|plots|site]...     (default: build)
set -euo pipefail

# What make demo builds with.
core=(build-essential cmake ninja-build ccache pkg-config libeigen3-dev libfmt-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev
  libssl-dev zlib1g-dev libjpeg62-turbo-dev liblzma-dev libxxhash-dev libasio-dev libprotobuf-dev protobuf-compiler libonig-dev libjs-chart.js
  libcpp-httplib-dev)
# What language models need beside it, for tokenizers and exact answers.
language=(libicu-dev libgmp-dev libmpfi-dev)
# What make build needs; libtorch-dev only recommends OpenBLAS; without it, matrix products run in the reference BLAS.
without_torch=("${core[@]}" "${language[@]}" libmozjs-102-dev libbox2d-dev libmujoco-dev libopenmpi-dev openmpi-bin bubblewrap python3 libgtest-dev libgmock-dev
  libbenchmark-dev)
build=("${without_torch[@]}" libtorch-dev libopenblas0-pthread)
pip_torch=("${without_torch[@]}" python3-venv)
# PyTorch of Debian is for the tests, as are the simulators; the package takes any, and does without.
python=("${core[@]}" "${language[@]}" libmozjs-102-dev libbox2d-dev libmujoco-dev python3 python3-venv python3-dev python3-numpy python3-torch python3-threadpoolctl python3-pytest python3-pandas)
# The keys and certificates of a federation on this machine.
flower=(openssl openssh-client)
# The machines that scripts/check_deployment.py imitates.
deployment=(iproute2 nginx-light curl util-linux)
package=(dpkg-dev file)
lint=(clang-format clang-tidy libomp-dev python3)
sanitize=(clang libclang-rt-14-dev libomp-dev)
faults=(python3 strace)
# For scripts/check_arm.sh.
arm=(g++-aarch64-linux-gnu qemu-user-static googletest libeigen3-dev libfmt-dev nlohmann-json3-dev)
ci=(python3 python3-venv chromium)
plots=(python3-matplotlib)
site=(python3 python3-sphinx python3-myst-parser python3-breathe doxygen furo)

wanted=()
for group in "${@:-build}"; do
  case $group in
    core) wanted+=("${core[@]}") ;;
    build) wanted+=("${build[@]}") ;;
    pip-torch) wanted+=("${pip_torch[@]}") ;;
    python) wanted+=("${python[@]}") ;;
    flower) wanted+=("${flower[@]}") ;;
    deployment) wanted+=("${deployment[@]}") ;;
    package) wanted+=("${package[@]}") ;;
    lint) wanted+=("${lint[@]}") ;;
    sanitize) wanted+=("${sanitize[@]}") ;;
    faults) wanted+=("${faults[@]}") ;;
    arm) wanted+=("${arm[@]}") ;;
    ci) wanted+=("${ci[@]}") ;;
    plots) wanted+=("${plots[@]}") ;;
    site) wanted+=("${site[@]}") ;;
    *)
      echo "setup: expected core, build, pip-torch, python, flower, deployment, package, lint, sanitize, faults, arm, ci, plots or site, found '$group'" >&2
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
"${as_root[@]}" apt-get update -q
read -r count bytes < <(apt-get install --print-uris -qq -y --no-install-recommends "${missing[@]}" |
  awk '{ count++; bytes += $3 } END { print count + 0, bytes + 0 }')
echo "setup: installing ${missing[*]}"
echo "setup: $count Debian packages with what they depend on, $((bytes / 1000000)) MB to download"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
