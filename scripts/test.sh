#!/usr/bin/env bash
# Runs the tests of a preset that is already built; further arguments go to ctest.
# Usage: scripts/test.sh PRESET JOBS [CTEST ARGUMENT]...
set -uo pipefail
cd "$(dirname "$0")/.."
preset=$1 jobs=$2
shift 2

case $preset in
  release) folder=build ;;
  pip-torch) folder=build-$preset ;;
  *) folder=build/$preset ;;
esac
reports=$PWD/$folder/test-reports/
rm -rf "$reports"
GTEST_OUTPUT=xml:$reports ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$jobs" "$@"
status=$?

# Once more at the end, where it is found: what failed in which case, and the first reports of the sanitizers.
if ((status)); then
  awk '
    /<testcase / { match($0, / classname="[^"]*"/); class = substr($0, RSTART + 12, RLENGTH - 13)
                   match($0, / name="[^"]*"/); name = substr($0, RSTART + 7, RLENGTH - 8) }
    /<failure message="/ { sub(/.*<failure message="/, ""); sub(/" type="">?.*/, ""); gsub(/&#x0A;/, "\n  ")
                           gsub(/&quot;/, "\""); gsub(/&apos;/, "\047"); gsub(/&lt;/, "<"); gsub(/&gt;/, ">"); gsub(/&amp;/, "\\&")
                           printf "failed: %s.%s\n  %s\n", class, name, $0 }' "$reports"*.xml 2>/dev/null | cut -c 1-400 | head -n 40
  awk '/WARNING: ThreadSanitizer|ERROR: [A-Za-z]*Sanitizer/ { inside = 1 }
       inside || /runtime error: / { print }
       /^SUMMARY: / { inside = 0 }' "$folder/Testing/Temporary/LastTest.log" 2>/dev/null | cut -c 1-300 | head -n 80
fi

# ctest counts programs; this counts the cases in them. A program that crashed left no report.
cat "$reports"*.xml 2>/dev/null | awk -v status=$status '
  /<testsuites / {
    match($0, / tests="[0-9]+"/); tests += substr($0, RSTART + 8, RLENGTH - 9)
    match($0, / failures="[0-9]+"/); failed += substr($0, RSTART + 11, RLENGTH - 12)
  }
  /result="skipped"/ { skipped++ }
  END {
    if (status && !failed) failed = 1
    printf "%d passed, %d failed, %d skipped\n", tests - failed - skipped, failed, skipped
  }'
exit $status
