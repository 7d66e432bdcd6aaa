#!/usr/bin/env bash
# Opens report pages in headless Chromium, as wide as a desktop's window and as a phone: every chart must have drawn
# something, every control must work, nothing may reach the console, nothing may be wider than the page, and nothing
# outside the page may be asked for.
# Usage: scripts/check_report.sh [PAGE.html]...     (without pages: those of short sweeps made for it)
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
  presets=experiments/fedcmoo
  sweep() { # NAME ARGUMENT...
    "$paretofl" sweep "${@:2}" --dir "$scratch/$1" >/dev/null
    pages+=("$scratch/$1/report.html")
  }
  # Two objectives: several strategies and seeds; then one strategy's preferences; then 40 objectives.
  sweep images "$presets"/{fedcmoo,fsmgda,fedavg}-glyphs.toml --seeds 1,2 --set rounds=4 --set evaluation.every=1 \
    --set workload.train_images=600 --set workload.test_images=200 --set workload.samples_per_client=30
  sweep preferences "$presets/fedavg-quadratics.toml" --set workload.objectives=2 --set rounds=20 --preferences 4 --seeds 1,2
  # Three objectives, whose front is a scatter of each pair.
  sweep three "$presets"/{fedcmoo,fsmgda}-quadratics.toml --set workload.objectives=3 --set rounds=10 --set evaluation.every=2 --seeds 1,2
  sweep many "$presets"/{fedcmoo,fsmgda}-quadratics.toml --set workload.objectives=40 --set rounds=10 --set evaluation.every=2 --seeds 1,2
  # Strategies that record figures of every client's local training.
  sweep training experiments/firm/{firm,fedcmoo_a}-quadratics.toml --set rounds=30
  # A language model's completions.
  sweep told experiments/firm/{firm,fedcmoo_a}-alignment.toml --set rounds=2 --set workload.clients=2 --set strategy.cohort_size=2 --set workload.ppo.max_new_tokens=8
  # Personalized strategies: clusters, similarities and the clients' own figures, of one run and of several.
  sweep clients experiments/fedpref/{fedpref,cfl,matfl,fedavg}-quadratics.toml --set rounds=20
  "$paretofl" run experiments/fedpref/fedpref-quadratics.toml --set rounds=45 --dir "$scratch/fedpref" >/dev/null 2>&1
  pages+=("$scratch/fedpref/report.html")
  "$paretofl" report "$scratch"/{images,preferences,many} --output "$scratch/all.html" >/dev/null
  pages+=("$scratch/all.html")
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
drawAll();
const first = state();
document.querySelectorAll("select").forEach((box) => [...box.options, box.options[0]].forEach((option) => {
  box.value = option.value;
  box.dispatchEvent(new Event("change"));
}));
document.querySelectorAll(".choice").forEach((box) => [...box.children].reverse().forEach((button) => button.click()));
document.querySelectorAll(".legend button").forEach((button) => { button.click(); button.click(); });
document.querySelectorAll(".more").forEach((button) => button.click());
document.querySelectorAll("summary").forEach((summary) => summary.click());
drawAll();
const wide = document.documentElement.scrollWidth > innerWidth ? `, ${document.documentElement.scrollWidth} wide` : "";
parent.postMessage(`probe: ${document.documentElement.dataset.charts} drawn, ${first} painted, then ${state()}${wide}`, "*");
</script>
PROBE

failed=0
for page in "${pages[@]}"; do
  sed -e "/<\/body>/{
    r $scratch/probe.js
  }" "$page" >"$scratch/probed.html"
  for size in 1280,900 390,800; do
    # In a frame, since a browser's own window can't be as narrow as a phone.
    cat >"$scratch/frame.html" <<FRAME
<!doctype html><title>no answer</title>
<script>addEventListener("message", (event) => { document.title = event.data; });</script>
<iframe src="probed.html" width="${size%,*}" height="${size#*,}"></iframe>
FRAME
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
      --disable-component-update --disable-sync --disable-dev-shm-usage --user-data-dir="$scratch/profile" --window-size=1400,1000 \
      --enable-logging=stderr --virtual-time-budget=10000 --dump-dom "file://$(realpath "$scratch/frame.html")" \
      >"$scratch/dom" 2>"$scratch/log" || true
    probe=$(grep -o '<title>probe: [^<]*' "$scratch/dom" || echo "no answer from the page")
    complaint=$(grep -E 'CONSOLE' "$scratch/log" | head -n 3 || true)
    echo "$page at $size: ${probe#<title>}"
    if ! [[ $probe =~ probe:\ ([0-9]+)\ drawn,\ ([0-9]+)\ of\ ([0-9]+)\ painted,\ then\ ([0-9]+)\ of\ ([0-9]+)$ ]] ||
      ((BASH_REMATCH[1] == 0 || BASH_REMATCH[1] != BASH_REMATCH[3] || BASH_REMATCH[2] != BASH_REMATCH[3] || BASH_REMATCH[4] != BASH_REMATCH[5])) ||
      [[ -n $complaint ]]; then
      echo "check_report: $page: a chart is blank, the page is too wide or it complained: $complaint" >&2
      failed=1
    fi
  done
  if grep -qE "https?://" "$page"; then
    echo "check_report: $page: expected no address, found one" >&2
    failed=1
  fi
done
exit "$failed"
