"use strict";
// The charts: what a group looks like, and one function per kind of chart. A chart is a function that
// draws into a canvas; all are drawn again when the colour scheme or the hidden groups change.

const SHAPES = ["circle", "triangle", "rect", "rectRot"];
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2]];
const drawings = [];  // {canvas, configure, name, titled, chart}
const hidden = new Set();

let theme = null;  // the colours of a figure, by variable; else those of the page
const variable = (name) => theme?.get(name) ?? getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const dark = () => theme === null && matchMedia("(prefers-color-scheme: dark)").matches;

// The colours of the page on light ground: the first that its style sheet gives each variable.
function lightColors() {
  const colors = new Map();
  for (const [, name, color] of document.querySelector("style").textContent.matchAll(/(--[a-z0-9-]+): (#[0-9a-f]{3,6});/g)) {
    if (!colors.has(name)) colors.set(name, color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join("")}` : color);
  }
  return colors;
}

// A colour of the circle of hues, in degrees, as dark as text needs on the page's ground.
function hueColor(hue) {
  const lightness = dark() ? 0.62 : 0.42, reach = 0.62 * Math.min(lightness, 1 - lightness);
  const channel = (n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)))).toString(16).padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

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

// In the unit of a time `like` it.
function duration(seconds, like = seconds) {
  if (seconds === null || seconds === undefined) return "–";
  return like < 1 ? `${significant(1000 * seconds, 3)} ms` : `${significant(seconds, 3)} s`;
}

// A tick's bytes, without the zeros that every tick would carry.
function shortBytes(value) {
  return bytes(value).replace(/\.0+ /, " ").replace(/(\.\d*[1-9])0+ /, "$1 ");
}

function useTheme(font) {
  Chart.defaults.color = variable("--quiet");
  Chart.defaults.borderColor = variable("--grid");
  Chart.defaults.font.family = font;
}

// Ends axes that are to `fit` where their data do, and gives those on which all points lie at one place some room around it.
function settled(config) {
  const { data: { labels, datasets }, options: { scales, indexAxis } } = config;
  for (const [key, scale] of Object.entries(scales)) {
    if (scale.type !== "linear" || (scale.min !== undefined && !scale.fit) || (labels && key === (indexAxis === "y" ? "y" : "x"))) continue;
    const values = new Set();
    for (const set of datasets) for (const point of set.data) values.add(labels ? point : point[key]);
    values.delete(null);
    values.delete(undefined);
    if (scale.fit && values.size > 1 && scale.max === undefined) {
      const known = [...values, ...(scale.min === undefined ? [] : [scale.min])];
      Object.assign(scale, { min: known.reduce((a, b) => Math.min(a, b)), max: known.reduce((a, b) => Math.max(a, b)) });
      for (const set of datasets) set.clip = 5;  // markers at the ends stay whole
    }
    if (values.size !== 1 || config.type === "bar" || scale.min !== undefined) continue;
    const [only] = values;
    const room = scale.whole ? 0.5 : 0.05 * Math.abs(only) || 0.5;
    Object.assign(scale, { min: only - room, max: only + room });
  }
  return config;
}

function draw(drawing) {
  drawing.chart?.destroy();
  useTheme(getComputedStyle(document.body).fontFamily);
  const config = configured(drawing);
  const curves = config.type === "line" && !config.data.labels && drawing.chart === undefined;
  drawing.chart = new Chart(drawing.canvas, config);
  if (curves) watchZoom(drawing);
}

// A chart is drawn when it comes near the window. A page without a window, as that of paper.js, draws none.
const watcher = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const drawing = isIntersecting && drawings.find(({ canvas }) => canvas === target);
    if (!drawing) continue;
    watcher.unobserve(target);
    if (!drawing.chart) draw(drawing);
  }
}, { rootMargin: "300px" });

function addChart(drawing) {
  drawings.push(drawing);
  watcher?.observe(drawing.canvas);
}

// Charts of elements that are no longer in the page are forgotten.
function forget(isGone = ({ canvas }) => !canvas.isConnected) {
  for (let i = drawings.length - 1; i >= 0; --i) {
    if (!isGone(drawings[i])) continue;
    drawings[i].chart?.destroy();
    watcher?.unobserve(drawings[i].canvas);
    drawings.splice(i, 1);
  }
}

// Draws the charts again that have been drawn.
function redraw() {
  forget();
  drawings.filter(({ chart }) => chart).forEach(draw);
}

// Draws those that have not been looked at yet, too, as printing needs.
function drawAll() {
  forget();
  drawings.filter(({ chart }) => !chart).forEach(draw);
}
addEventListener("beforeprint", drawAll);

// What a mark of ordinary size covers.
const markBox = ({ x, y }) => ({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 });

// A box for a label of that width beside marks that belong together: within the area, and clear of the boxes taken. `far` where there is
// no room beside the marks, so that a line has to lead to it; no box where there is none at all.
function placeLabel(area, taken, marks, width) {
  const height = 14, gap = 12;
  const left = Math.min(...marks.map(({ x }) => x)), right = Math.max(...marks.map(({ x }) => x)), x = (left + right) / 2;
  const top = Math.min(...marks.map(({ y }) => y)), bottom = Math.max(...marks.map(({ y }) => y)), y = (top + bottom) / 2;
  const near = [[right + gap, y], [left - gap - width, y], [x - width / 2, top - 18], [x - width / 2, bottom + 18], [right + gap, y - 14], [left - gap - width, y - 14],
    [right + gap, y + 14], [left - gap - width, y + 14]];
  const far = [34, 52, 72, 96, 124, 156, 190].flatMap((distance) => [...Array(12).keys()].map((k) => [x + distance * Math.cos(k * Math.PI / 6) - width / 2, y + distance * Math.sin(k * Math.PI / 6)]));
  const places = [...near, ...far].map(([start, middle]) => ({ left: start, right: start + width, top: middle - height / 2, bottom: middle + height / 2 }));
  const free = (box) => box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom
    && taken.every((other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom);
  const found = places.findIndex(free);
  return { box: places[found], far: found >= near.length };
}

// Titles in lines that a phone has room for; `plain` is what files say.
function axisTitle(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (narrow() && lines.at(-1).length + word.length > 36) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return { display: true, text: lines, plain: text };
}

// A row's name where a phone has little room: a vector without its option's name, and the middle left out of what is still long.
function rowTitle(text) {
  if (!narrow()) return text;
  const short = text.replace(/(^| )[\w.]+=\[/g, "$1[");
  return short.length > 26 ? `${short.slice(0, 12)}…${short.slice(-13)}` : short;
}

const axis = (text, ticks = Chart.Ticks.formatters.numeric, more = {}) => ({
  type: "linear", title: axisTitle(text), ticks: { callback: ticks, maxTicksLimit: narrow() ? 5 : 7, maxRotation: 0, includeBounds: false }, grid: { drawTicks: false }, ...more,
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

const wholeNumbers = (value) => (Number.isInteger(value) ? value : "");
const roundAxis = (more = {}) => axis("round", wholeNumbers, { whole: true, fit: true, ...more });

// The edges of the cells of a row of rounds: each cell reaches halfway to its neighbours.
function cellEdges(rounds) {
  const middle = (i) => (rounds[i - 1] + rounds[i]) / 2;
  return rounds.map((round, i) => [i === 0 ? round - 0.5 : middle(i), i + 1 === rounds.length ? round + 0.5 : middle(i + 1)]);
}

// Draws a bar of the colours right of a chart of cells, from `low` at its foot to `high`; `color` of a value.
const colorBar = (low, high, color) => ({
  id: "colorBar",
  afterDraw({ ctx, chartArea: { right, top, bottom } }) {
    const steps = 40, height = (bottom - top) / steps, left = right + 10;
    ctx.save();
    for (let i = 0; i < steps; ++i) {
      ctx.fillStyle = color(low + ((i + 0.5) / steps) * (high - low));
      ctx.fillRect(left, bottom - (i + 1) * height, 10, height + 0.3);
    }
    ctx.strokeStyle = variable("--quiet");
    ctx.lineWidth = 0.5;
    ctx.strokeRect(left, top, 10, bottom - top);
    ctx.fillStyle = variable("--quiet");
    ctx.font = `10px ${Chart.defaults.font.family}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    for (const share of [0, 0.5, 1]) ctx.fillText(significant(low + share * (high - low), 2), left + 14, bottom - share * (bottom - top));
    ctx.restore();
  },
});
const besideBar = { layout: { padding: { right: 52 } } };

const points = (xs, ys) => xs.map((x, i) => ({ x, y: ys[i] }));
const shown = (groups) => groups.filter((group) => !hidden.has(group.label));

// A moving average over the values before, each of which counts half of one that is `halfLife` rounds newer; 0: as they are.
function smoothed(rounds, values, halfLife) {
  if (!halfLife) return values;
  let sum = 0, weight = 0, last = null;
  return values.map((value, i) => {
    if (value === null) return null;
    const kept = last === null ? 0 : 0.5 ** ((rounds[i] - last) / halfLife);
    [sum, weight, last] = [sum * kept + value, weight * kept + 1, rounds[i]];
    return sum / weight;
  });
}

// The markers of a line of so many points: all of a short one, about ten of a long one, so that lines differ without their colours.
function markerSizes(count) {
  const step = count > 25 ? Math.ceil(count / 10) : 1;
  return Array.from({ length: count }, (_, i) => (i % step === 0 ? 2.5 : 0));
}

// One series of a curve for every group: the mean over seeds, in a band from the lowest to the highest.
function lineDatasets(groups, quantity, series, alongUpload, factor, halfLife) {
  const datasets = [];
  const bandAlpha = Math.max(0.03, Math.min(0.15, 0.6 / shown(groups).length));  // many bands would hide each other
  for (const group of shown(groups)) {
    const curve = group.curves[quantity];
    const index = curve ? curve.series.indexOf(series) : -1;
    if (index < 0) continue;
    const xs = alongUpload ? curve.bytes_up : curve.rounds;
    const scaled = (values) => smoothed(curve.rounds, factor === 1 ? values : values.map((value) => (value === null ? null : factor * value)), halfLife);
    const color = groupColor(group);
    const line = { borderWidth: 2, borderColor: color, backgroundColor: color, borderDash: groupDash(group), pointStyle: groupShape(group), spanGaps: true };
    datasets.push({ ...line, label: group.label, data: points(xs, scaled(curve.mean[index])), pointRadius: markerSizes(xs.length), pointHoverRadius: 5 });
    if (!curve.low) continue;
    const band = { ...line, silent: true, borderWidth: 0, pointRadius: 0, pointHoverRadius: 0, backgroundColor: faded(color, bandAlpha) };
    datasets.push({ ...band, label: group.label, band: "low", data: points(xs, scaled(curve.low[index])) });
    datasets.push({ ...band, label: group.label, band: "high", data: points(xs, scaled(curve.high[index])), fill: "-1" });
  }
  return datasets;
}

// Bounds of an axis with some room around its values, or none where there are none.
function around(values, share = 0.06) {
  if (!values.length) return {};
  const low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
  const room = share * (high - low) || 0.05 * Math.abs(high) || 0.5;
  return { min: low - room, max: high + room };
}

// The lowest and the highest value of those series in a quantity's curves, with some room around them, or nothing where there is no value.
function seriesBounds(groups, quantity, series) {
  const values = groups.flatMap((group) => {
    const curve = group.curves[quantity];
    return (curve ? series.map((name) => curve.series.indexOf(name)).filter((i) => i >= 0) : []).flatMap((i) => [...(curve.low ?? curve.mean)[i], ...(curve.high ?? curve.mean)[i]]);
  }).filter((value) => value !== null);
  const bounds = around(values, 0.04);
  return bounds.min < 0 && values.every((value) => value >= 0) ? { ...bounds, min: 0 } : bounds;
}

// `more`: {yTitle, logX, factor (of the values), bounds (of the axis upwards), halfLife (in rounds)}.
function lineChart(groups, quantity, series, alongUpload, { yTitle = "", logX = false, factor = 1, bounds = {}, halfLife = 0 } = {}) {
  const upload = logX ? { type: "logarithmic", ticks: { callback: (value) => (/^[125]/.test(String(value)) ? shortBytes(value) : ""), maxRotation: 0, autoSkipPadding: 16 } } : { min: 0, fit: true };
  const x = alongUpload ? axis("uploaded by all clients", shortBytes, upload) : roundAxis();
  const y = axis(halfLife ? `${yTitle}, smoothed` : yTitle, undefined, bounds);
  const title = ([item]) => (item ? (alongUpload ? bytes(item.parsed.x) : `round ${item.parsed.x}`) : "");
  const more = { plugins: { tooltip: { callbacks: { label: (item) => ` ${item.dataset.label}: ${significant(item.parsed.y)}`, title },
    filter: (item) => !item.dataset.silent, usePointStyle: true } } };
  return { type: "line", data: { datasets: lineDatasets(groups, quantity, series, alongUpload, factor, halfLife) }, options: options(x, y, undefined, more) };
}

function phaseChart(workload, phases) {
  const groups = shown(workload.groups);
  const total = Math.max(...groups.map((group) => Object.values(group.seconds).reduce((sum, seconds) => sum + seconds, 0)));
  const [factor, unit] = total < 0.1 ? [1000, "milliseconds"] : [1, "seconds"];
  const datasets = phases.map((phase, i) => ({ label: phase, data: groups.map((group) => factor * (group.seconds[phase] ?? 0)), maxBarThickness: 26,
    backgroundColor: variable(`--phase-${i % 6}`) }));
  const x = axis(`${unit} per round`, undefined, { stacked: true });
  const y = { stacked: true, grid: { display: false }, title: axisTitle(workload.key), ticks: { autoSkip: false, font: { size: narrow() ? 10 : 12 }, callback: (_, i) => rowTitle(labels[i]) } };
  const more = { indexAxis: "y", interaction: { mode: "index", axis: "y", intersect: false },
    plugins: { legend: { display: true, position: "bottom", labels: { boxWidth: 12, boxHeight: 12 } },
      tooltip: { callbacks: { label: (item) => ` ${item.dataset.label}: ${significant(item.parsed.x)} ${unit}` } } } };
  const labels = groups.map((group) => (workload.key === "strategy" ? group.label : group.name));
  return { type: "bar", data: { labels, datasets }, options: options(x, y, undefined, more) };
}
