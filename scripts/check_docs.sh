#!/usr/bin/env bash
# Runs every ```sh block of README.md, CONTRIBUTING.md and the documents below docs/, each in its own shell, file by file in
# order. Blocks of another kind are left alone, and so is a block that opens with "```sh not-run". The working folder is a
# scratch one that shows the repository's own files, so that runs/ starts out empty, anew for each document. Without FILE, it is
# also checked that docs/parts.md is what `paretofl list` prints.
# Usage: scripts/check_docs.sh [FILE]...
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tree"
for entry in *; do
  [[ $entry == runs ]] || ln -s "$root/$entry" "$scratch/tree/$entry"
done

if (($#)); then files=("$@"); else
  python3 -B scripts/parts_page.py --check
  mapfile -t files < <(printf '%s\n' README.md CONTRIBUTING.md && find docs -name '*.md' | sort)
fi
count=0 failed=0
for file in "${files[@]}"; do
  if [[ ! -f $file ]]; then
    echo "check_docs: expected a document, found no file $file" >&2
    exit 2
  fi
  rm -rf "$scratch"/block-* "$scratch/tree/runs"
  awk -v folder="$scratch" '
    /^ *```sh *$/ { inside = 1; name = sprintf("%s/block-%04d", folder, NR); next }
    /^ *```/ { inside = 0 }
    inside { print > name }' "$file"
  for block in "$scratch"/block-*; do
    [[ -f $block ]] || continue
    line=$((10#${block##*-}))
    count=$((count + 1))
    if ! (cd "$scratch/tree" && PATH="$root/build:$PATH" timeout -k 10 600 bash -euo pipefail "$block") >"$scratch/log" 2>&1; then
      failed=$((failed + 1))
      echo "$file:$line: this block failed:" >&2
      sed 's/^/  | /' "$block" >&2
      tail -n 20 "$scratch/log" | sed 's/^/  > /' >&2
    fi
  done
done
echo "$count documentation blocks run, $failed failed"
((failed == 0))
