"use strict";
// The charts: what a group looks like, and one function per kind of chart. A chart is a function that
// draws into a canvas; all are drawn again when the colour scheme or the hidden groups change.

const SHAPES = ["circle", "triangle", "rect", "rectRot"];
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2]];
const drawings = [];  // {canvas, configure, chart}
const hidden = new Set();

const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const groupColor = (group) => variable(`--series-${group.color % 8}`);
const groupShape = (group) => SHAPES[group.color % SHAPES.length];
const groupDash = (group) => DASHES[group.variant % DASHES.length];
// Without the strategy's name, which the colour tells, where settings tell its groups apart.
const shortLabel = (group) => (group.label.startsWith(`${group.strategy} `) ? group.label.slice(group.strategy.length + 1) : group.label);
const faded = (color, alpha) => color + Math.round(alpha * 255).toString(16).padStart(2, "0");

function significant(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(digits - 2);
  return value.toFixed(Math.max(0, digits - Math.max(1, Math.floor(Math.log10(size || 1)) + 1)));
}

function bytes(value) {
  if (value === null || value === undefined) return "–";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1000 && unit + 1 < units.length) { value /= 1000; ++unit; }
  return `${unit === 0 || value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${units[unit]}`;
}

// A tick's bytes, without the zeros that every tick would carry.
function shortBytes(value) {
  return bytes(value).replace(/\.0+ /, " ").replace(/(\.\d*[1-9])0+ /, "$1 ");
}

function draw(drawing) {
  if (drawing.chart) drawing.chart.destroy();
  Chart.defaults.color = variable("--quiet");
  Chart.defaults.borderColor = variable("--grid");
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  drawing.chart = new Chart(drawing.canvas, drawing.configure());
}

function addChart(canvas, configure) {
  const drawing = { canvas, configure };
  drawings.push(drawing);
  draw(drawing);
}

// Charts of elements that are no longer in the page are forgotten.
function redraw() {
  for (let i = drawings.length - 1; i >= 0; --i) {
    if (drawings[i].canvas.isConnected) continue;
    drawings[i].chart.destroy();
    drawings.splice(i, 1);
  }
  drawings.forEach(draw);
}

const axis = (text, ticks = Chart.Ticks.formatters.numeric, more = {}) => ({
  type: "linear", title: { display: true, text }, ticks: { callback: ticks, maxTicksLimit: innerWidth < 600 ? 5 : 7, maxRotation: 0, includeBounds: false }, grid: { drawTicks: false }, ...more,
});

function options(x, y, label, more = {}) {
  return {
    animation: false, responsive: true, maintainAspectRatio: false, normalized: true,
    interaction: { mode: "nearest", axis: "x", intersect: false },
    scales: { x, y },
    ...more,
    plugins: { legend: { display: false }, tooltip: { callbacks: { label }, filter: (item) => !item.dataset.silent, usePointStyle: true }, ...more.plugins },
  };
}

// Writes each group's name beside its final point, where the names before it leave room.
const nameLabels = {
  id: "nameLabels",
  afterDatasetsDraw(chart) {
    const { ctx, chartArea: area } = chart;
    const height = 14, gap = 12;
    const taken = chart.data.datasets.map((dataset, i) => [dataset, chart.getDatasetMeta(i).data[0]]).filter(([dataset]) => dataset.name)
      .map(([, point]) => ({ left: point.x - 8, right: point.x + 8, top: point.y - 8, bottom: point.y + 8 }));
    const free = (box) => box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom
      && taken.every((other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom);
    ctx.save();
    ctx.font = `600 12px ${Chart.defaults.font.family}`;
    ctx.textBaseline = "middle";
    ctx.lineJoin = "round";
    ctx.lineWidth = 3;
    ctx.strokeStyle = variable("--card");
    chart.data.datasets.forEach((dataset, i) => {
      if (!dataset.name) return;
      const { x, y } = chart.getDatasetMeta(i).data[0];
      const width = ctx.measureText(dataset.name).width;
      const places = [[x + gap, y], [x - gap - width, y], [x - width / 2, y - 18], [x - width / 2, y + 18], [x + gap, y - 14], [x - gap - width, y - 14],
        [x + gap, y + 14], [x - gap - width, y + 14]].map(([left, middle]) => ({ left, right: left + width, top: middle - height / 2, bottom: middle + height / 2 }));
      const box = places.find(free);
      if (!box) return;
      taken.push(box);
      ctx.fillStyle = dataset.backgroundColor;
      ctx.strokeText(dataset.name, box.left, (box.top + box.bottom) / 2);
      ctx.fillText(dataset.name, box.left, (box.top + box.bottom) / 2);
    });
    ctx.restore();
  },
};

const points = (xs, ys) => xs.map((x, i) => ({ x, y: ys[i] }));
const shown = (groups) => groups.filter((group) => !hidden.has(group.label));

// One series of a curve for every group: the mean over seeds, in a band from the lowest to the highest.
function lineDatasets(groups, quantity, series, alongUpload) {
  const datasets = [];
  for (const group of shown(groups)) {
    const curve = group.curves[quantity];
    const index = curve ? curve.series.indexOf(series) : -1;
    if (index < 0) continue;
    const xs = alongUpload ? curve.bytes_up : curve.rounds;
    const color = groupColor(group);
    const line = { borderWidth: 2, borderColor: color, backgroundColor: color, borderDash: groupDash(group), pointStyle: groupShape(group), spanGaps: true };
    datasets.push({ ...line, label: group.label, data: points(xs, curve.mean[index]), pointRadius: xs.length > 25 ? 0 : 2.5, pointHoverRadius: 5 });
    if (!curve.low) continue;
    const band = { ...line, silent: true, borderWidth: 0, pointRadius: 0, pointHoverRadius: 0, backgroundColor: faded(color, 0.15) };
    datasets.push({ ...band, data: points(xs, curve.low[index]) });
    datasets.push({ ...band, data: points(xs, curve.high[index]), fill: "-1" });
  }
  return datasets;
}

function lineChart(groups, quantity, series, alongUpload, yTitle = "") {
  const x = alongUpload ? axis("uploaded by all clients", shortBytes, { min: 0 }) : axis("round", (value) => (Number.isInteger(value) ? value : ""));
  const y = axis(yTitle, undefined, { title: { display: yTitle !== "", text: yTitle } });
  const title = ([item]) => (item ? (alongUpload ? bytes(item.parsed.x) : `round ${item.parsed.x}`) : "");
  const more = { plugins: { tooltip: { callbacks: { label: (item) => ` ${item.dataset.label}: ${significant(item.parsed.y)}`, title },
    filter: (item) => !item.dataset.silent, usePointStyle: true } } };
  return { type: "line", data: { datasets: lineDatasets(groups, quantity, series, alongUpload) }, options: options(x, y, undefined, more) };
}

// The corners of the region that the points dominate, from the first objective's lowest point on.
function staircase(front, higher) {
  const sorted = [...front].sort((a, b) => a.x - b.x);
  return sorted.flatMap((point, i) => {
    const next = sorted[i + 1];
    return next ? [point, higher ? { x: point.x, y: next.y } : { x: next.x, y: point.y }] : [point];
  });
}

function frontChart(workload, metric, wholePath) {
  const groups = shown(workload.groups).filter((group) => group.final[metric].objectives.every(([mean]) => mean !== null));
  const higher = workload.metrics[metric];
  const center = (group) => ({ x: group.final[metric].objectives[0][0], y: group.final[metric].objectives[1][0] });
  const finals = [], paths = [], visible = [];
  for (const group of groups) {
    const color = groupColor(group);
    const style = { label: group.label, pointStyle: groupShape(group), borderColor: color, backgroundColor: color };
    finals.push({ ...style, data: [center(group)], pointRadius: 8, pointHoverRadius: 10, name: groups.length <= 8 ? shortLabel(group) : "" });
    if (group.runs.length > 1) {
      const runs = group.runs.filter((run) => run.final[metric]).map((run) => ({ x: run.final[metric][0], y: run.final[metric][1], seed: run.seed }));
      finals.push({ ...style, data: runs, pointRadius: 4, backgroundColor: faded(color, 0.35), borderColor: faded(color, 0.6) });
      visible.push(...runs);
    }
    visible.push(center(group));
    const curve = group.curves[`test/${metric}`];
    if (!curve) continue;
    const path = points(curve.mean[0], curve.mean[1]).map((point, i) => ({ ...point, round: curve.rounds[i] }));
    paths.push({ ...style, data: path, showLine: true, borderColor: faded(color, 0.35), backgroundColor: faded(color, 0.35), borderWidth: 1.5,
      borderDash: groupDash(group), pointRadius: 1.5, pointHoverRadius: 4 });
    visible.push(...path.slice(wholePath ? 0 : Math.floor(path.length / 2)));
  }
  const front = groups.filter((group) => group.on_front).map(center);
  const line = { data: staircase(front, higher), silent: true, showLine: true, borderColor: variable("--quiet"), borderWidth: 1, borderDash: [4, 4], pointRadius: 0,
    pointHoverRadius: 0 };
  const range = (key) => {
    const values = visible.map((point) => point[key]).filter((value) => value !== null);
    const low = Math.min(...values), high = Math.max(...values), margin = 0.06 * (high - low || Math.abs(high) || 1);
    return values.length ? { min: low - margin, max: high + margin } : {};
  };
  const name = (k) => `${workload.objectives[k]}: test ${metric} (${higher ? "higher" : "lower"} is better)`;
  const label = (item) => {
    const { x, y, round, seed } = item.raw;
    const what = round !== undefined ? `, round ${round}` : seed !== undefined ? `, seed ${seed}` : "";
    return ` ${item.dataset.label}${what}: ${significant(x)}, ${significant(y)}`;
  };
  return {
    type: "scatter", data: { datasets: [...finals, ...paths, line] }, plugins: [nameLabels],
    options: options(axis(name(0), undefined, range("x")), axis(name(1), undefined, range("y")), label, { interaction: { mode: "nearest", axis: "xy", intersect: true } }),
  };
}

// More than two objectives: one line per group across them.
function parallelChart(workload, metric) {
  const datasets = shown(workload.groups).map((group) => {
    const color = groupColor(group);
    return { label: group.label, data: group.final[metric].objectives.map(([mean]) => mean), borderColor: color, backgroundColor: color, borderWidth: 2,
      borderDash: groupDash(group), pointStyle: groupShape(group), pointRadius: 5, pointHoverRadius: 7 };
  });
  const x = { type: "category", offset: true, grid: { drawTicks: false } };
  const y = axis(`test ${metric} (${workload.metrics[metric] ? "higher" : "lower"} is better)`);
  return { type: "line", data: { labels: workload.objectives, datasets },
    options: options(x, y, (item) => ` ${item.dataset.label}: ${significant(item.parsed.y)}`, { interaction: { mode: "index", intersect: false } }) };
}

function phaseChart(workload, phases) {
  const groups = shown(workload.groups);
  const datasets = phases.map((phase, i) => ({ label: phase, data: groups.map((group) => group.seconds[phase] ?? 0), maxBarThickness: 26,
    backgroundColor: variable(`--phase-${i % 6}`) }));
  const x = axis("seconds per round", undefined, { stacked: true });
  const y = { stacked: true, grid: { display: false } };
  const more = { indexAxis: "y", interaction: { mode: "index", axis: "y", intersect: false },
    plugins: { legend: { display: true, position: "bottom", labels: { boxWidth: 12, boxHeight: 12 } },
      tooltip: { callbacks: { label: (item) => ` ${item.dataset.label}: ${significant(item.parsed.x)} s` } } } };
  return { type: "bar", data: { labels: groups.map((group) => group.label), datasets }, options: options(x, y, undefined, more) };
}
