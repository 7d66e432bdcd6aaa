#!/usr/bin/env bash
# Compiles the kernels, the dense networks and the optimization for 64-bit ARM, whose vector registers (NEON) hold four floats, and runs
# their tests in an emulator, in about five minutes. `scripts/setup.sh arm` installs the cross compiler and the emulator.
# Usage: scripts/check_arm.sh [JOBS]
set -euo pipefail
cd "$(dirname "$0")/.."
export jobs=${1:-$(nproc)} folder=build/arm
mkdir -p "$folder"

gtest=/usr/src/googletest
export compile="aarch64-linux-gnu-g++ -std=c++20 -O2 -Wall -Wextra -Werror -DFMT_HEADER_ONLY -DEIGEN_NO_CPUID -DEIGEN_DEFAULT_L1_CACHE_SIZE=32768
  -DEIGEN_DEFAULT_L2_CACHE_SIZE=524288 -I. -isystem $gtest/googletest/include -isystem $gtest/googlemock/include -isystem $gtest/googletest
  -isystem $gtest/googlemock -isystem /usr/include/eigen3 -idirafter /usr/include"
sources=(paretofl/kernels/*.cpp paretofl/optimization/*.cpp paretofl/core/{layout,random}.cpp paretofl/models/dense_net.cpp
  paretofl/solvers/{min_norm,regularized_min_norm,simplex_qp,weight_solver}.cpp tests/kernels/*.cpp tests/optimization/*.cpp
  tests/models/dense_net_test.cpp $gtest/googletest/src/gtest-all.cc $gtest/googletest/src/gtest_main.cc $gtest/googlemock/src/gmock-all.cc)

object() { echo "$folder/$(tr / _ <<<"${1#/}").o"; }
one() { $compile -c "$1" -o "$(object "$1")"; }
export -f object one
printf '%s\n' "${sources[@]}" | xargs -P "$jobs" -I{} bash -c 'one {}'

objects=()
for source in "${sources[@]}"; do objects+=("$(object "$source")"); done
aarch64-linux-gnu-g++ "${objects[@]}" -o "$folder/tests" -pthread
qemu-aarch64-static -L /usr/aarch64-linux-gnu "$folder/tests" --gtest_brief=1
