#!/usr/bin/env bash
# Checks format, clang-tidy and the house rules, or formats every file in place.
# Usage: scripts/lint.sh [--jobs N] [--since REF] | --fix
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc) since="" fix=""
while (($#)); do
  case $1 in
    --jobs) jobs=$2 && shift 2 ;;
    --since) since=$2 && shift 2 ;;
    --fix) fix=yes && shift ;;
    *)
      echo "lint: expected --jobs N, --since REF or --fix, found '$1'" >&2
      exit 2
      ;;
  esac
done

sources() {
  if [[ $since ]]; then
    git diff --name-only --diff-filter=d "$since" -- '*.h' '*.cpp'
    git ls-files --others --exclude-standard -- '*.h' '*.cpp'
  else
    find paretofl apps python tests benchmarks examples -name '*.h' -o -name '*.cpp' | sort
  fi
}

if [[ $fix ]]; then
  sources | xargs -r clang-format -i
  exit 0
fi

status=0
sources | xargs -r clang-format --dry-run -Werror || status=1

# Headers are looked at where they are included. Tests are left to the compiler's warnings, which are errors, unless --since names
# them: GoogleTest's headers make them most of the time and the least of the findings. The Python bindings are left to warnings too: their
# build is that of the package.
tidied() {
  if [[ $since ]]; then sed '/^python\//d'; else sed '/\.cpp$/!d; /^tests\//d; /^python\//d'; fi
}

sources | tidied | xargs -r scripts/tidy.py --jobs "$jobs" || status=1

python3 -B scripts/check_house.py || status=1
exit $status
