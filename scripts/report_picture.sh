#!/usr/bin/env bash
# Makes the README's picture, docs/report.png, of the demo's page: the part that a window of 1180 x 1950 pixels shows.
# Usage: scripts/report_picture.sh [PAGE.html [PICTURE.png]]     (without a page: runs the demo first)
set -euo pipefail
cd "$(dirname "$0")/.."
page=${1:-} picture=${2:-docs/report.png}

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ -z $browser ]]; then
  echo "report_picture: expected Chromium, found none; Debian's package is called chromium" >&2
  exit 1
fi
if [[ -z $page ]]; then
  scripts/demo.sh
  page=runs/demo/report.html
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --disable-dev-shm-usage --user-data-dir="$scratch/profile" --hide-scrollbars \
  --window-size=1180,1950 --virtual-time-budget=10000 --screenshot="$scratch/page.png" "file://$(realpath "$page")" 2>"$scratch/log" || true
if [[ ! -s $scratch/page.png ]]; then
  echo "report_picture: expected a picture of $page, found none: $(tail -n 1 "$scratch/log")" >&2
  exit 1
fi
mv "$scratch/page.png" "$picture"
echo "$picture"
