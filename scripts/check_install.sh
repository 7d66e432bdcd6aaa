#!/usr/bin/env bash
# Installs the build in build/ into a scratch folder, builds and runs examples/out_of_tree on it, and, where dist/ has Debian packages,
# unpacks them, looks at their dependencies and runs the demo with them. Usage: scripts/check_install.sh
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "check_install: $*" >&2
  exit 1
}

cmake --install build --prefix "$scratch/prefix" >"$scratch/log"
cmake -S examples/out_of_tree -B "$scratch/example" -DCMAKE_PREFIX_PATH="$scratch/prefix" >>"$scratch/log" || fail "expected find_package(paretofl) to work, found: $(tail -n 20 "$scratch/log")"
cmake --build "$scratch/example" >>"$scratch/log" || fail "expected the example to build, found: $(tail -n 20 "$scratch/log")"
"$scratch/example/own_parts" >"$scratch/found"
ninja -C build example_own_parts >>"$scratch/log"
build/examples/own_parts >"$scratch/expected"
cmp "$scratch/expected" "$scratch/found" || fail "expected the example to print the same inside and outside of the tree"
(cd "$scratch" && prefix/bin/paretofl list strategies) >"$scratch/strategies"
grep -q fedcmoo "$scratch/strategies" || fail "expected the installed command to list its strategies"
cmake -S examples/plugin -B "$scratch/plugin" -DCMAKE_PREFIX_PATH="$scratch/prefix" >>"$scratch/log" && cmake --build "$scratch/plugin" >>"$scratch/log" ||
  fail "expected the plugin to build, found: $(tail -n 20 "$scratch/log")"
"$scratch/prefix/bin/paretofl" list solvers loss_power --plugin "$scratch/plugin/loss_power.so" >/dev/null || fail "expected the plugin to load"
echo "installed: the command, a plugin and the example outside of the tree work"

packages=(dist/paretofl_*.deb)
[[ -f ${packages[0]} ]] || exit 0
for package in dist/*.deb; do
  dpkg-deb -x "$package" "$scratch/root-$(basename "${package%%_*}")"
  echo "$(basename "$package"): $(($(stat -c %s "$package") / 1000)) kB, depends on $(dpkg-deb -f "$package" Depends)"
done
for heavy in torch mujoco box2d; do
  if dpkg-deb -f "${packages[0]}" Depends | grep -q "$heavy"; then fail "expected the package paretofl without $heavy, found it among what it depends on"; fi
done
(cd "$scratch" && root-paretofl/usr/bin/paretofl-demo) >"$scratch/log" 2>&1 || fail "expected the packaged demo to run, found: $(tail -n 20 "$scratch/log")"
[[ -s $scratch/runs/demo/front.csv ]] || fail "expected the packaged demo to leave runs/demo/front.csv, found: $(tail -n 20 "$scratch/log")"
echo "packaged: the demo runs from the unpacked package"
