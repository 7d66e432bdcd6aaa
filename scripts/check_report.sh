#!/usr/bin/env bash
# Opens report pages in headless Chromium: every chart must have drawn something, every control must work,
# nothing may reach the console, and nothing outside the page may be asked for.
# Usage: scripts/check_report.sh [PAGE.html]...     (without pages: one of short runs made for it)
set -euo pipefail
cd "$(dirname "$0")/.."
paretofl=${PARETOFL:-build/paretofl}

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ -z $browser ]]; then
  echo "check_report: expected Chromium, found none; Debian's package is called chromium" >&2
  exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
pages=("$@")
if ((!$#)); then
  for strategy in fedcmoo fsmgda fedavg; do
    "$paretofl" run "experiments/fedcmoo/$strategy-glyphs.toml" --dir "$scratch/runs/$strategy" --set rounds=4 --set evaluation.every=1 >/dev/null
  done
  "$paretofl" report "$scratch/runs" >/dev/null
  pages=("$scratch/runs/report.html")
fi

# Added to a copy of the page: uses every control, then counts the charts that hold coloured points.
cat >"$scratch/probe.js" <<'PROBE'
<script>
const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const colourful = (canvas) => {
  Object.assign(copy.canvas, { width: canvas.width, height: canvas.height });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += data[i + 3] > 200 && Math.max(...data.slice(i, i + 3)) - Math.min(...data.slice(i, i + 3)) > 40;
  return count > 20;
};
const state = () => { const all = [...document.querySelectorAll("canvas")]; return `${all.filter(colourful).length} of ${all.length}`; };
const first = state();
document.querySelectorAll("select").forEach((box) => [...box.options, box.options[0]].forEach((option) => {
  box.value = option.value;
  box.dispatchEvent(new Event("change"));
}));
document.querySelectorAll(".choice").forEach((box) => [...box.children].reverse().forEach((button) => button.click()));
document.querySelectorAll(".legend button").forEach((button) => { button.click(); button.click(); });
document.querySelectorAll(".more").forEach((button) => button.click());
document.querySelectorAll("summary").forEach((summary) => summary.click());
document.title = `probe: ${document.documentElement.dataset.charts} drawn, ${first} painted, then ${state()}`;
</script>
PROBE

failed=0
for page in "${pages[@]}"; do
  sed -e "/<\/body>/{
    r $scratch/probe.js
  }" "$page" >"$scratch/probed.html"
  for size in 1280,900 390,800; do
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
      --disable-component-update --disable-sync --disable-dev-shm-usage --user-data-dir="$scratch/profile" --window-size="$size" \
      --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "file://$(realpath "$scratch/probed.html")" \
      >"$scratch/dom" 2>"$scratch/log" || true
    probe=$(grep -o '<title>probe: [^<]*' "$scratch/dom" || echo "no answer from the page")
    complaint=$(grep -E 'CONSOLE' "$scratch/log" | head -n 3 || true)
    echo "$page at $size: ${probe#<title>}"
    if ! [[ $probe =~ probe:\ ([0-9]+)\ drawn,\ ([0-9]+)\ of\ ([0-9]+)\ painted,\ then\ ([0-9]+)\ of\ ([0-9]+)$ ]] ||
      ((BASH_REMATCH[1] == 0 || BASH_REMATCH[1] != BASH_REMATCH[3] || BASH_REMATCH[2] != BASH_REMATCH[3] || BASH_REMATCH[4] != BASH_REMATCH[5])) ||
      [[ -n $complaint ]]; then
      echo "check_report: $page: a chart is blank or the page complained: $complaint" >&2
      failed=1
    fi
  done
  if grep -qE "https?://" "$page"; then
    echo "check_report: $page: expected no address, found one" >&2
    failed=1
  fi
done
exit "$failed"
