"use strict";
// The clients of a run. What each one recorded of its local training; and of personalized runs: how similar the clients are, which clusters they form, what each one reached. A cluster is named
// by its smallest member and keeps that member's colour for the whole run.

// The smallest members of all clusters of the run; of runs without clusters every client.
const clusterNames = (run) => (run.clusterNames ??= [...new Set(run.clients.clusters?.first.flat() ?? Array(clientsOf(run)).keys())].sort((a, b) => a - b));
const clusterColor = (run, member, alpha = 1) => faded(hueColor((205 + clusterNames(run).indexOf(member) * 137.5) % 360), alpha);
const clientsOf = (run) => run.clients.scalarized?.values.length ?? Object.values(run.clients.final)[0].length;
const finalCluster = (run, client) => (run.clients.clusters ? run.clients.clusters.first.at(-1)[client] : client);

// Draws a filled cell for each (column from, column to, row, colour, with a stroke or not) that `cells` lists.
const grid = (cells) => ({
  id: "grid",
  beforeDatasetsDraw({ ctx, scales: { x, y } }) {
    ctx.save();
    const place = (axis, value) => Math.round(axis.getPixelForValue(value));  // whole pixels, so that cells neither gape nor overlap
    for (const [from, to, row, color, marked] of cells()) {
      const left = place(x, from), width = place(x, to) - left, top = place(y, row - 0.5), height = place(y, row + 0.5) - top;
      ctx.fillStyle = color;
      ctx.fillRect(left, top, width, height);
      if (!marked || width < 5) continue;
      ctx.fillStyle = faded(variable("--text"), 0.6);
      ctx.fillRect(left + width / 4, top + height / 2 - 0.5, width / 2, 1);
    }
    ctx.restore();
  },
});
const clientAxis = (count, text) => axis(text, wholeNumbers, { min: -0.5, max: count - 0.5, reverse: true, grid: { display: false } });

// Client by client, orange for -1 over nothing for 0 to blue for 1; a stroke where it is below 0, as both colours are alike in grey.
function similarityChart(run, { values }) {
  const count = Math.sqrt(values.length);
  const color = (value) => faded(variable(value < 0 ? "--series-1" : "--series-0"), Math.min(1, Math.abs(value)));
  const cells = () => values.map((value, k) => [k % count - 0.5, k % count + 0.5, Math.floor(k / count), color(value), value < -0.1]);
  const table = () => ({ columns: ["client", "other client", "similarity"], rows: values.map((value, k) => [Math.floor(k / count), k % count, value]) });
  const x = axis("client", wholeNumbers, { min: -0.5, max: count - 0.5, grid: { display: false } });
  return { type: "scatter", table, data: { datasets: [{ data: [] }] }, plugins: [grid(cells), colorBar(-1, 1, color)],
    options: options(x, clientAxis(count, "client"), undefined, { events: [], ...besideBar }) };
}

// Writes each client's last cluster at the right edge, so that clusters can be told apart without their colours.
const clusterNumbers = (run) => ({
  id: "clusterNumbers",
  afterDraw({ ctx, chartArea: { right }, scales: { y } }) {
    const { first } = run.clients.clusters;
    if (first[0].length > 60) return;
    ctx.save();
    ctx.fillStyle = variable("--quiet");
    ctx.font = `9px ${Chart.defaults.font.family}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    first.at(-1).forEach((member, client) => ctx.fillText(member, right + 4, y.getPixelForValue(client)));
    ctx.restore();
  },
});

// Clients down the page, rounds across, in the colours of their clusters.
function clusterChart(run) {
  const { rounds, first } = run.clients.clusters;
  const edges = cellEdges(rounds);
  const cells = () => rounds.flatMap((_, t) => first[t].map((member, client) => [...edges[t], client, clusterColor(run, member)]));
  // Lines between clusters, which differ without their colours, too.
  const borders = {
    id: "borders",
    afterDatasetsDraw({ ctx, scales: { x, y } }) {
      const [across, down] = [x, y].map((scale) => (value) => Math.round(scale.getPixelForValue(value)));
      ctx.save();
      ctx.fillStyle = variable("--card");
      rounds.forEach((_, t) => first[t].forEach((member, client) => {
        const [left, right] = edges[t].map(across), [top, bottom] = [client - 0.5, client + 0.5].map(down);
        if (client > 0 && first[t][client - 1] !== member) ctx.fillRect(left, top - 1, right - left, 2);
        if (t > 0 && first[t - 1][client] !== member) ctx.fillRect(left - 1, top, 2, bottom - top);
      }));
      ctx.restore();
    },
  };
  const x = roundAxis({ min: edges[0][0], max: edges.at(-1)[1], grid: { display: false } });
  const table = () => ({ columns: ["round", "client", "smallest client of its cluster"], rows: rounds.flatMap((round, t) => first[t].map((member, client) => [round, client, member])) });
  return { type: "scatter", table, data: { datasets: [{ data: [] }] }, plugins: [grid(cells), borders, clusterNumbers(run)], options: options(x, clientAxis(first[0].length, "client"), undefined, { events: [], layout: { padding: { right: 24 } } }) };
}

// The figure of every client under its own preference, in the colour of its last cluster, and their mean.
function clientCurves(run) {
  const { metric, rounds, values } = run.clients.scalarized;
  const datasets = values.map((curve, client) => ({ borderDash: DASHES[client % DASHES.length], label: `client ${client}`, data: points(rounds, curve), borderColor: clusterColor(run, finalCluster(run, client), 0.7),
    backgroundColor: clusterColor(run, finalCluster(run, client)), borderWidth: 1.5, pointStyle: SHAPES[client % 4], pointRadius: markerSizes(rounds.length), spanGaps: true }));
  const mean = rounds.map((_, t) => values.reduce((sum, curve) => sum + (curve[t] ?? NaN), 0) / values.length);
  datasets.unshift({ label: "mean", data: points(rounds, mean), borderColor: variable("--text"), backgroundColor: variable("--text"), borderWidth: 3, pointRadius: 0 });
  const label = (item) => ` ${item.dataset.label}: ${significant(item.parsed.y)}`;
  return { type: "line", data: { datasets }, options: options(roundAxis(), axis(metric.replaceAll("_", " ")), label) };
}

// Which of the points [n][M] no other one dominates.
function undominated(figures, higher) {
  const sign = higher ? 1 : -1;
  const dominates = (a, b) => a.every((value, k) => sign * (value - b[k]) >= 0) && a.some((value, k) => sign * (value - b[k]) > 0);
  return figures.map((point) => !figures.some((other) => dominates(other, point)));
}

// Writes how many clients share a point, or have points that cover each other, where they are several.
const countLabels = {
  id: "countLabels",
  afterDatasetsDraw(chart) {
    const { ctx } = chart;
    ctx.save();
    ctx.font = `600 11px ${Chart.defaults.font.family}`;
    ctx.fillStyle = variable("--text");
    ctx.textBaseline = "middle";
    const taken = chart.data.datasets.flatMap((dataset, i) => chart.getDatasetMeta(i).data.map(markBox));
    chart.data.datasets.forEach((dataset, i) => {
      const heaps = [];
      dataset.data.forEach(({ clients }, k) => {
        const { x, y } = chart.getDatasetMeta(i).data[k];
        const touched = heaps.filter((heap) => heap.points.some((point) => Math.hypot(point.x - x, point.y - y) < 14));
        for (const heap of touched) heaps.splice(heaps.indexOf(heap), 1);
        heaps.push({ points: [{ x, y }, ...touched.flatMap((heap) => heap.points)], count: touched.reduce((sum, heap) => sum + heap.count, clients.length) });
      });
      for (const { points: own, count } of heaps.filter((heap) => heap.count > 1)) {
        const text = `×${count}`;
        const { box } = placeLabel(chart.chartArea, taken, own, ctx.measureText(text).width);
        if (!box) continue;
        taken.push(box);
        ctx.fillText(text, box.left, (box.top + box.bottom) / 2);
      }
    });
    ctx.restore();
  },
};

// Every client's own test figures in two of the objectives; large: on the front of its run over all objectives.
function clientFront(workload, metric, first, second) {
  const rows = [];
  const datasets = shown(workload.groups).flatMap((group) => group.runs.filter((run) => run.clients?.final[metric]).map((run) => {
    const figures = run.clients.final[metric];
    const front = undominated(figures, workload.metrics[metric]);
    const color = groupColor(group);
    // Clients whose models are equal, or as good as equal, share one point with their number beside it.
    const places = new Map();
    figures.forEach((point, client) => {
      const key = [significant(point[first]), significant(point[second]), front[client]].join();
      if (!places.has(key)) places.set(key, { x: point[first], y: point[second], clients: [], on: front[client] });
      places.get(key).clients.push(client);
    });
    const all = [...places.values()];
    for (const [client, point] of figures.entries()) rows.push([group.label, run.name, client, ...point, front[client]]);
    return { label: group.label, data: all, pointStyle: groupShape(group), keyColor: color, borderColor: color, pointHoverRadius: 9,
      pointRadius: all.map(({ on, clients }) => (on ? 6 : 3) + Math.min(6, Math.sqrt(clients.length - 1))), backgroundColor: all.map(({ on }) => faded(color, on ? 0.85 : 0.35)) };
  }));
  const name = (k) => `${workload.objectives[k]}: test ${metric} (${workload.metrics[metric] ? "higher" : "lower"} is better)`;
  const bounded = (k, key) => axis(name(k), undefined, around(datasets.flatMap((set) => set.data.map((point) => point[key])).filter((value) => value !== null)));
  const label = ({ dataset, raw }) => ` ${dataset.label}, ${raw.clients.length > 1 ? "clients" : "client"} ${raw.clients.join(", ")}: ${significant(raw.x)}, ${significant(raw.y)}`;
  const table = () => ({ columns: ["series", "run", "client", ...workload.objectives.map((objective) => `${objective}: test ${metric}`), "on the front"], rows });
  return { type: "scatter", table, data: { datasets }, plugins: [countLabels], options: options(bounded(first, "x"), bounded(second, "y"), label, { interaction: { mode: "nearest", axis: "xy", intersect: true } }) };
}

// One series of a figure of the local training, a line per client.
function trainingChart({ training }, name, series, smooth) {
  const { rounds, clients, figures } = training;
  const color = (i) => hueColor((205 + i * 137.5) % 360);
  const datasets = figures[name][smooth ? "smooth" : "measured"][series].map((curve, i) => ({ borderDash: DASHES[i % DASHES.length], label: `client ${clients[i]}`, data: points(rounds, curve),
    borderColor: color(i), backgroundColor: color(i), borderWidth: 1.5, pointStyle: SHAPES[i % 4], pointRadius: markerSizes(rounds.length), spanGaps: true }));
  const label = (item) => ` ${item.dataset.label}: ${significant(item.parsed.y)}`;
  const all = figures[name][smooth ? "smooth" : "measured"].slice(0, FEW).flat(2).filter((value) => value !== null);
  return { type: "line", data: { datasets }, options: options(roundAxis(), axis(name.replaceAll("_", " "), undefined, around(all, 0.04)), label) };
}
