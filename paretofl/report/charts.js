"use strict";
// The charts: what a group looks like, and one function per kind of chart. A chart is a function that
// draws into a canvas; all are drawn again when the colour scheme or the hidden groups change.

const SHAPES = ["circle", "triangle", "rect", "rectRot"];
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2]];
const drawings = [];  // {canvas, configure, chart}
const hidden = new Set();

const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Between the colours of --ramp-0 .. --ramp-3, at a share of 0 to 1.
function rampColor(share) {
  const at = Math.min(share * 3, 2.999), step = Math.floor(at);
  const channels = (i) => [1, 3, 5].map((begin) => parseInt(variable(`--ramp-${i}`).slice(begin, begin + 2), 16));
  const from = channels(step), to = channels(step + 1);
  return `#${from.map((value, c) => Math.round(value + (at - step) * (to[c] - value)).toString(16).padStart(2, "0")).join("")}`;
}

// A colour per strategy; where there is only one, a ramp over its groups.
const groupColor = (group) => (group.ramp === undefined ? variable(`--series-${group.color % 8}`) : rampColor(group.ramp));
const groupShape = (group) => SHAPES[shapeIndex(group)];
const shapeIndex = (group) => (group.ramp === undefined ? group.color : group.variant) % SHAPES.length;
const groupDash = (group) => (group.ramp === undefined ? DASHES[group.variant % DASHES.length] : []);
const faded = (color, alpha) => color + Math.round(alpha * 255).toString(16).padStart(2, "0");
const narrow = () => innerWidth < 600;

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
  type: "linear", title: { display: true, text }, ticks: { callback: ticks, maxTicksLimit: narrow() ? 5 : 7, maxRotation: 0, includeBounds: false }, grid: { drawTicks: false }, ...more,
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

const points = (xs, ys) => xs.map((x, i) => ({ x, y: ys[i] }));
const shown = (groups) => groups.filter((group) => !hidden.has(group.label));

// One series of a curve for every group: the mean over seeds, in a band from the lowest to the highest.
function lineDatasets(groups, quantity, series, alongUpload, factor) {
  const datasets = [];
  for (const group of shown(groups)) {
    const curve = group.curves[quantity];
    const index = curve ? curve.series.indexOf(series) : -1;
    if (index < 0) continue;
    const xs = alongUpload ? curve.bytes_up : curve.rounds;
    const scaled = (values) => (factor === 1 ? values : values.map((value) => (value === null ? null : factor * value)));
    const color = groupColor(group);
    const line = { borderWidth: 2, borderColor: color, backgroundColor: color, borderDash: groupDash(group), pointStyle: groupShape(group), spanGaps: true };
    datasets.push({ ...line, label: group.label, data: points(xs, scaled(curve.mean[index])), pointRadius: xs.length > 25 ? 0 : 2.5, pointHoverRadius: 5 });
    if (!curve.low) continue;
    const band = { ...line, silent: true, borderWidth: 0, pointRadius: 0, pointHoverRadius: 0, backgroundColor: faded(color, 0.15) };
    datasets.push({ ...band, data: points(xs, scaled(curve.low[index])) });
    datasets.push({ ...band, data: points(xs, scaled(curve.high[index])), fill: "-1" });
  }
  return datasets;
}

// `more`: {yTitle, logX, factor (of the values)}.
function lineChart(groups, quantity, series, alongUpload, { yTitle = "", logX = false, factor = 1 } = {}) {
  const upload = logX ? { type: "logarithmic", ticks: { callback: (value) => (/^[125]/.test(String(value)) ? shortBytes(value) : ""), maxRotation: 0, autoSkipPadding: 16 } } : { min: 0 };
  const x = alongUpload ? axis("uploaded by all clients", shortBytes, upload) : axis("round", (value) => (Number.isInteger(value) ? value : ""));
  const y = axis(yTitle, undefined, { title: { display: yTitle !== "", text: yTitle } });
  const title = ([item]) => (item ? (alongUpload ? bytes(item.parsed.x) : `round ${item.parsed.x}`) : "");
  const more = { plugins: { tooltip: { callbacks: { label: (item) => ` ${item.dataset.label}: ${significant(item.parsed.y)}`, title },
    filter: (item) => !item.dataset.silent, usePointStyle: true } } };
  return { type: "line", data: { datasets: lineDatasets(groups, quantity, series, alongUpload, factor) }, options: options(x, y, undefined, more) };
}

function phaseChart(workload, phases) {
  const groups = shown(workload.groups);
  const total = Math.max(...groups.map((group) => Object.values(group.seconds).reduce((sum, seconds) => sum + seconds, 0)));
  const [factor, unit] = total < 0.1 ? [1000, "milliseconds"] : [1, "seconds"];
  const datasets = phases.map((phase, i) => ({ label: phase, data: groups.map((group) => factor * (group.seconds[phase] ?? 0)), maxBarThickness: 26,
    backgroundColor: variable(`--phase-${i % 6}`) }));
  const x = axis(`${unit} per round`, undefined, { stacked: true });
  const y = { stacked: true, grid: { display: false } };
  const more = { indexAxis: "y", interaction: { mode: "index", axis: "y", intersect: false },
    plugins: { legend: { display: true, position: "bottom", labels: { boxWidth: 12, boxHeight: 12 } },
      tooltip: { callbacks: { label: (item) => ` ${item.dataset.label}: ${significant(item.parsed.x)} ${unit}` } } } };
  const labels = groups.map((group) => (workload.key === "strategy" ? group.label : group.name));
  return { type: "bar", data: { labels, datasets }, options: options(x, y, undefined, more) };
}
