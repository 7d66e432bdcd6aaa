"use strict";
// The clients of a run. What each one recorded of its local training; and of personalized runs: how similar the clients are, which clusters they form, what each one reached. A cluster is named
// by its smallest member and keeps that member's colour for the whole run.

// The smallest members of all clusters of the run; of runs without clusters every client.
const clusterNames = (run) => (run.clusterNames ??= [...new Set(run.clients.clusters?.first.flat() ?? Array(clientsOf(run)).keys())].sort((a, b) => a - b));
const clusterColor = (run, member, alpha = 1) => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return `hsl(${(205 + clusterNames(run).indexOf(member) * 137.5) % 360} 62% ${dark ? 62 : 45}% / ${alpha})`;
};
const clientsOf = (run) => run.clients.scalarized?.values.length ?? Object.values(run.clients.final)[0].length;
const finalCluster = (run, client) => (run.clients.clusters ? run.clients.clusters.first.at(-1)[client] : client);

// Draws a filled cell for each (column from, column to, row, colour) that `cells` lists.
const grid = (cells) => ({
  id: "grid",
  beforeDatasetsDraw({ ctx, scales: { x, y } }) {
    const height = Math.abs(y.getPixelForValue(1) - y.getPixelForValue(0));
    ctx.save();
    for (const [from, to, row, color] of cells()) {
      ctx.fillStyle = color;
      const left = x.getPixelForValue(from);
      ctx.fillRect(left, y.getPixelForValue(row) - height / 2, x.getPixelForValue(to) - left + 0.5, height + 0.5);
    }
    ctx.restore();
  },
});
const wholeNumbers = (value) => (Number.isInteger(value) ? value : "");
const clientAxis = (count, text) => axis(text, wholeNumbers, { min: -0.5, max: count - 0.5, reverse: true, grid: { display: false } });

// Client by client, orange for -1 over nothing for 0 to blue for 1.
function similarityChart(run, { values }) {
  const count = Math.sqrt(values.length);
  const cells = () => values.map((value, k) => [k % count - 0.5, k % count + 0.5, Math.floor(k / count), faded(variable(value < 0 ? "--series-1" : "--series-0"), Math.abs(value))]);
  const x = axis("client", wholeNumbers, { min: -0.5, max: count - 0.5, grid: { display: false } });
  return { type: "scatter", data: { datasets: [{ data: [] }] }, plugins: [grid(cells)], options: options(x, clientAxis(count, "client"), undefined, { events: [] }) };
}

// Clients down the page, rounds across, in the colours of their clusters.
function clusterChart(run) {
  const { rounds, first } = run.clients.clusters;
  const cells = () => rounds.flatMap((round, t) => first[t].map((member, client) => [round, rounds[t + 1] ?? round + 1, client, clusterColor(run, member)]));
  const x = axis("round", wholeNumbers, { min: rounds[0], max: rounds.at(-1) + 1, grid: { display: false } });
  return { type: "scatter", data: { datasets: [{ data: [] }] }, plugins: [grid(cells)], options: options(x, clientAxis(first[0].length, "client"), undefined, { events: [] }) };
}

// The figure of every client under its own preference, in the colour of its last cluster, and their mean.
function clientCurves(run) {
  const { metric, rounds, values } = run.clients.scalarized;
  const datasets = values.map((curve, client) => ({ label: `client ${client}`, data: points(rounds, curve), borderColor: clusterColor(run, finalCluster(run, client), 0.7),
    backgroundColor: clusterColor(run, finalCluster(run, client)), borderWidth: 1.5, pointRadius: rounds.length > 25 ? 0 : 2, spanGaps: true }));
  const mean = rounds.map((_, t) => values.reduce((sum, curve) => sum + (curve[t] ?? NaN), 0) / values.length);
  datasets.unshift({ label: "mean", data: points(rounds, mean), borderColor: variable("--text"), backgroundColor: variable("--text"), borderWidth: 3, pointRadius: 0 });
  const label = (item) => ` ${item.dataset.label}: ${significant(item.parsed.y)}`;
  return { type: "line", data: { datasets }, options: options(axis("round", wholeNumbers), axis(metric.replaceAll("_", " ")), label) };
}

// Which of the points [n][M] no other one dominates.
function undominated(figures, higher) {
  const sign = higher ? 1 : -1;
  const dominates = (a, b) => a.every((value, k) => sign * (value - b[k]) >= 0) && a.some((value, k) => sign * (value - b[k]) > 0);
  return figures.map((point) => !figures.some((other) => dominates(other, point)));
}

// Every client's own test figures in two of the objectives; large: on the front of its run over all objectives.
function clientFront(workload, metric, first, second) {
  const datasets = shown(workload.groups).flatMap((group) => group.runs.filter((run) => run.clients?.final[metric]).map((run) => {
    const figures = run.clients.final[metric];
    const front = undominated(figures, workload.metrics[metric]);
    const color = groupColor(group);
    return { label: group.label, data: figures.map((point, client) => ({ x: point[first], y: point[second], client })), pointStyle: groupShape(group),
      pointRadius: front.map((on) => (on ? 6 : 3)), pointHoverRadius: 8, borderColor: color, backgroundColor: front.map((on) => faded(color, on ? 0.85 : 0.35)) };
  }));
  const name = (k) => `${workload.objectives[k]}: test ${metric} (${workload.metrics[metric] ? "higher" : "lower"} is better)`;
  const label = ({ dataset, raw }) => ` ${dataset.label}, client ${raw.client}: ${significant(raw.x)}, ${significant(raw.y)}`;
  return { type: "scatter", data: { datasets }, options: options(axis(name(first)), axis(name(second)), label, { interaction: { mode: "nearest", axis: "xy", intersect: true } }) };
}

function clientFrontCard(workload) {
  const metrics = Object.keys(workload.metrics).filter((metric) => workload.groups.some((group) => group.runs.some((run) => run.clients?.final[metric])));
  if (!metrics.length || workload.objectives.length < 2) return null;
  let metric = metrics.includes(workload.metric) ? workload.metric : metrics[0], first = 0, second = 1;
  const names = workload.objectives;
  const controls = metrics.length > 1 ? [choice(metrics, metric, (name) => { metric = name; redraw(); })] : [];
  if (names.length > 2) controls.push(selection("objective across", names, names[0], (name) => { first = names.indexOf(name); redraw(); }),
    selection("objective upwards", names, names[1], (name) => { second = names.indexOf(name); redraw(); }));
  return card("The clients' own models", "Test results of each client's own model. Large points: no other client of the run is better in one objective and at least as good in all others.", controls,
    chartBox("Test figures of every client's own model", () => clientFront(workload, metric, first, second), "tall"));
}

function clientsCard(workload) {
  const runs = workload.groups.flatMap((group) => group.runs.filter((run) => run.clients?.scalarized || run.clients?.clusters || run.clients?.similarity));
  if (!runs.length) return null;
  const body = el("div", {});
  const part = (title, box, height) => {
    if (height) box.style.height = `${height}px`;
    return el("div", {}, el("h4", {}, title), box);
  };
  const show = (name) => {
    const run = runs.find((one) => one.name === name);
    const { scalarized, clusters, similarity } = run.clients;
    const height = Math.max(230, 70 + 9 * clientsOf(run));
    const parts = [];
    if (scalarized) parts.push(part(`${scalarized.metric.replaceAll("_", " ")} of every client`, chartBox("Every client's figure by round", () => clientCurves(run)), height));
    if (clusters) parts.push(part("clusters", chartBox("Clusters of the clients by round", () => clusterChart(run)), height));
    for (const shot of similarity ?? []) parts.push(part(`similarity, round ${shot.round}`, chartBox(`Similarity of the clients in round ${shot.round}`, () => similarityChart(run, shot)), height));
    body.replaceChildren(el("div", { class: "multiples" }, ...parts));
    drawPending();
  };
  pending.push(() => show(runs[0].name));
  const names = runs.map((run) => run.name);
  return card("Clients", "Each client's figure is computed with its own preference. A cluster has one colour. Similarities: full blue is 1, no colour 0, full orange -1.",
    names.length > 1 ? [selection("run", names, names[0], show)] : [], body);
}

// One series of a figure of the local training, a line per client.
function trainingChart({ training }, name, series, smooth) {
  const { rounds, clients, figures } = training;
  const color = (i) => `hsl(${(205 + i * 137.5) % 360} 62% ${matchMedia("(prefers-color-scheme: dark)").matches ? 62 : 45}%)`;
  const datasets = figures[name][smooth ? "smooth" : "measured"][series].map((curve, i) => ({ label: `client ${clients[i]}`, data: points(rounds, curve),
    borderColor: color(i), backgroundColor: color(i), borderWidth: 1.5, pointRadius: rounds.length > 25 ? 0 : 2, spanGaps: true }));
  const label = (item) => ` ${item.dataset.label}: ${significant(item.parsed.y)}`;
  return { type: "line", data: { datasets }, options: options(axis("round", wholeNumbers), axis(name.replaceAll("_", " ")), label) };
}

function trainingCard(workload) {
  const runs = workload.groups.flatMap((group) => group.runs.filter((run) => run.training));
  if (!runs.length) return null;
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.training.figures)))];
  let run = runs[0], name = names.includes("lambda") ? "lambda" : names[0], smooth = true;
  const body = el("div", { class: "multiples" });
  const show = () => {
    const series = run.training.figures[name]?.series.slice(0, FEW) ?? [];
    body.replaceChildren(...series.map((title, k) => el("div", {}, el("h4", {}, title || name.replaceAll("_", " ")),
      chartBox(`${name} ${title} of every client by round`, () => trainingChart(run, name, k, smooth)))));
    drawPending();
  };
  pending.push(show);
  const controls = [selection("figure", names, name, (picked) => { name = picked; show(); }),
    choice(["measured", "smooth"], "smooth", (way) => { smooth = way === "smooth"; redraw(); })];
  const labels = runs.map((one) => one.name);
  if (runs.length > 1) controls.unshift(selection("run", labels, labels[0], (picked) => { run = runs[labels.indexOf(picked)]; show(); }));
  return card("Local training of every client", "Means over the local steps of a round. Smooth lines: moving average with a half-life of 20 rounds.", controls, body);
}
