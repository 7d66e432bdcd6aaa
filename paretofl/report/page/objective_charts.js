"use strict";
// Charts of the objectives: the Pareto front of two, all of them across or down the page, and their weights
// by round as a heat map.

const finalMeans = (group, metric) => group.final[metric].objectives.map(([mean]) => mean);
const isKnown = (group, metric) => group.final[metric] !== undefined && finalMeans(group, metric).every((mean) => mean !== null);

// Whether points of both groups are of one problem.
const comparable = (workload, a, b) => !workload.seed_changes_problem || [...a.seeds].sort().join() === [...b.seeds].sort().join();

// The groups that no other one dominates by their final means.
function frontOf(workload, metric, groups = workload.groups) {
  const sign = workload.metrics[metric] ? 1 : -1;
  const known = groups.filter((group) => isKnown(group, metric));
  const dominates = (a, b) => {
    const gaps = finalMeans(a, metric).map((mean, k) => sign * (mean - finalMeans(b, metric)[k]));
    return comparable(workload, a, b) && gaps.every((gap) => gap >= 0) && gaps.some((gap) => gap > 0);
  };
  return known.filter((group) => !known.some((other) => dominates(other, group)));
}

// Writes each group's name beside its final point, where the names before it leave room.
const nameLabels = {
  id: "nameLabels",
  afterDatasetsDraw(chart) {
    const { ctx } = chart;
    const taken = chart.data.datasets.map((dataset, i) => [dataset, chart.getDatasetMeta(i).data[0]]).filter(([dataset]) => dataset.name).map(([, point]) => markBox(point));
    ctx.save();
    ctx.font = `600 12px ${Chart.defaults.font.family}`;
    ctx.textBaseline = "middle";
    ctx.lineJoin = "round";
    ctx.lineWidth = 3;
    ctx.strokeStyle = variable("--card");
    chart.data.datasets.forEach((dataset, i) => {
      if (!dataset.name) return;
      const { x, y } = chart.getDatasetMeta(i).data[0];
      const { box, far } = placeLabel(chart.chartArea, taken, [{ x, y }], ctx.measureText(dataset.name).width);
      if (!box) return;
      taken.push(box);
      if (far) {
        ctx.save();
        ctx.beginPath();
        ctx.moveTo(x, y);
        ctx.lineTo(Math.max(box.left, Math.min(box.right, x)), y < box.top ? box.top : y > box.bottom ? box.bottom : y);
        ctx.lineWidth = 1;
        ctx.strokeStyle = variable("--quiet");
        ctx.stroke();
        ctx.restore();
      }
      ctx.fillStyle = dataset.borderColor;
      ctx.strokeText(dataset.name, box.left, (box.top + box.bottom) / 2);
      ctx.fillText(dataset.name, box.left, (box.top + box.bottom) / 2);
    });
    ctx.restore();
  },
};

// The corners of the region that the points dominate, from the first objective's lowest point on.
function staircase(front, higher) {
  const sorted = [...front].sort((a, b) => a.x - b.x);
  return sorted.flatMap((point, i) => {
    const next = sorted[i + 1];
    return next ? [point, higher ? { x: point.x, y: next.y } : { x: next.x, y: point.y }] : [point];
  });
}

// Dashed lines along the fronts: of all groups, and of each strategy that has several.
function frontLines(workload, metric, groups, center) {
  const line = (front, color, dash) => ({ data: staircase(front.map(center), workload.metrics[metric]), silent: true, showLine: true, borderColor: color, borderWidth: 1.2,
    borderDash: dash, pointRadius: 0, pointHoverRadius: 0 });
  const lines = [line(frontOf(workload, metric, groups), variable("--quiet"), [4, 4])];
  const strategies = [...new Set(groups.map((group) => group.strategy))];
  for (const strategy of strategies.length > 1 ? strategies : []) {
    const own = groups.filter((group) => group.strategy === strategy);
    if (own.length > 1) lines.push(line(frontOf(workload, metric, own), faded(groupColor(own[0]), 0.7), []));
  }
  return lines;
}

// Two of the objectives. `paths`: "final only", "late path" or "whole path".
function frontChart(workload, metric, paths, first = 0, second = 1) {
  const groups = shown(workload.groups).filter((group) => isKnown(group, metric));
  const higher = workload.metrics[metric];
  const center = (group) => ({ x: group.final[metric].objectives[first][0], y: group.final[metric].objectives[second][0] });
  const finals = [], trails = [], visible = [];
  const front = new Set(frontOf(workload, metric, groups));
  for (const group of groups) {
    const color = groupColor(group);
    const style = { label: group.label, pointStyle: groupShape(group), borderColor: color, backgroundColor: color };
    const beaten = workload.objectives.length > 2 && !front.has(group);
    finals.push({ ...style, backgroundColor: beaten ? faded(color, 0.1) : color, keyColor: color, data: [center(group)], pointRadius: 7, pointHoverRadius: 9, name: groups.length <= 12 ? group.name.replace(/^[\w.]+=(?=\[)/, "") : "" });
    if (group.runs.length > 1) {
      const runs = group.runs.filter((run) => run.final[metric]).map((run) => ({ x: run.final[metric][first], y: run.final[metric][second], seed: run.seed }));
      finals.push({ ...style, data: runs, pointRadius: 3.5, backgroundColor: faded(color, 0.35), borderColor: faded(color, 0.6) });
      visible.push(...runs);
    }
    visible.push(center(group));
    const curve = group.curves[`test/${metric}`];
    if (!curve || paths === "final only") continue;
    const whole = points(curve.mean[first], curve.mean[second]).map((point, i) => ({ ...point, round: curve.rounds[i] }));
    const path = whole.slice(paths === "whole path" ? 0 : Math.floor(whole.length / 2));
    trails.push({ ...style, data: path, showLine: true, borderColor: faded(color, 0.35), backgroundColor: faded(color, 0.35), borderWidth: 1.5,
      borderDash: groupDash(group), pointRadius: 1.5, pointHoverRadius: 4 });
    visible.push(...path);
  }
  const range = (key) => {
    const values = visible.map((point) => point[key]).filter((value) => value !== null);
    const low = Math.min(...values), high = Math.max(...values), close = high - low <= 1e-4 * Math.abs(high);
    const margin = close ? 0.05 * Math.abs(high) || 0.5 : 0.06 * (high - low);
    return values.length ? { min: low - margin, max: high + margin } : {};
  };
  const name = (k) => `${workload.objectives[k]}: test ${metric} (${higher ? "higher" : "lower"} is better)`;
  const label = (item) => {
    const { x, y, round, seed } = item.raw;
    const what = round !== undefined ? `, round ${round}` : seed !== undefined ? `, seed ${seed}` : "";
    return ` ${item.dataset.label}${what}: ${significant(x)}, ${significant(y)}`;
  };
  return {
    type: "scatter", data: { datasets: [...finals, ...trails, ...(workload.objectives.length === 2 ? frontLines(workload, metric, groups, center) : [])] }, plugins: [nameLabels],
    options: options(axis(name(first), undefined, range("x")), axis(name(second), undefined, range("y")), label, { interaction: { mode: "nearest", axis: "xy", intersect: true } }),
  };
}

// Lines from the lowest to the highest run of a group, at every point.
const whiskers = {
  id: "whiskers",
  afterDatasetsDraw(chart) {
    const { ctx } = chart;
    const turned = chart.options.indexAxis === "y";
    const scale = turned ? chart.scales.x : chart.scales.y;
    ctx.save();
    ctx.lineWidth = 1.5;
    chart.data.datasets.forEach((dataset, i) => {
      if (!dataset.ranges) return;
      ctx.strokeStyle = dataset.whiskerColor;
      chart.getDatasetMeta(i).data.forEach((element, k) => {
        if (!dataset.ranges[k]) return;
        const [from, to] = dataset.ranges[k].map((value) => scale.getPixelForValue(value));
        ctx.beginPath();
        ctx.moveTo(turned ? from : element.x, turned ? element.y : from);
        ctx.lineTo(turned ? to : element.x, turned ? element.y : to);
        ctx.stroke();
      });
    });
    ctx.restore();
  },
};

// Where an objective's values lie, over all runs: [worst, best].
function objectiveRange(workload, metric, k) {
  const values = workload.groups.flatMap((group) => group.runs.map((run) => run.final[metric]?.[k])).filter((value) => value !== undefined && value !== null);
  const low = Math.min(...values), high = Math.max(...values);
  return workload.metrics[metric] ? [low, high] : [high, low];
}

// The final value of every objective, the groups as lines (parallel coordinates), dots or bars. `turned`: objectives
// down the page. `own`: each objective scaled from its worst to its best value. `sorted`: by their mean over groups.
function profileChart(workload, metric, { kind, turned, own, sorted }) {
  const groups = shown(workload.groups).filter((group) => isKnown(group, metric));
  const order = [...workload.objectives.keys()];
  const average = (k) => groups.reduce((sum, group) => sum + finalMeans(group, metric)[k], 0);
  if (sorted) order.sort((a, b) => average(a) - average(b));
  const ranges = order.map((k) => objectiveRange(workload, metric, k));
  const show = (value, i) => (own ? (ranges[i][0] === ranges[i][1] ? 1 : (value - ranges[i][0]) / (ranges[i][1] - ranges[i][0])) : value);
  const datasets = groups.map((group, i) => {
    const color = groupColor(group);
    const fill = faded(color, [0.9, 0.5, 0.2, 0.7][i % 4]);  // bars differ without their colours, too
    const means = order.map((k) => finalMeans(group, metric)[k]);
    const spread = (k) => { const values = group.runs.map((run) => run.final[metric]?.[k]).filter((value) => value !== undefined && value !== null);
      return values.length > 1 ? [Math.min(...values), Math.max(...values)] : null; };
    return { label: group.label, data: means.map(show), raw: means, ranges: order.map(spread).map((range, i) => range && range.map((value) => show(value, i))),
      borderColor: color, backgroundColor: kind === "bars" ? fill : color, whiskerColor: kind === "bars" ? variable("--text") : faded(color, 0.5),
      borderWidth: kind === "bars" ? 1 : 2, borderDash: groupDash(group), pointStyle: groupShape(group), pointRadius: workload.objectives.length > 12 ? 4 : 5, pointHoverRadius: 7,
      showLine: kind === "lines", maxBarThickness: 18, categoryPercentage: 0.78, barPercentage: 0.95 };
  });
  const better = workload.metrics[metric] ? "higher" : "lower";
  const all = datasets.flatMap((set) => [...set.data, ...set.ranges.filter(Boolean).flat()]);
  const bounds = { suggestedMin: Math.min(...all, ...(kind === "bars" && !own ? [0] : [])), suggestedMax: Math.max(...all) };
  const values = axis(own ? "from each objective's worst value (0) to its best (1)" : `test ${metric} (${better} is better)`, undefined, bounds);
  const names = { type: "category", offset: true, grid: { drawTicks: false, display: kind !== "bars" }, title: axisTitle("objective"),
    ticks: { autoSkip: false, maxRotation: turned ? 0 : 60, font: { size: order.length > 20 ? 10 : 12 } } };
  const label = (item) => ` ${item.dataset.label}: ${significant(item.dataset.raw[item.dataIndex])}`;
  return { type: kind === "bars" ? "bar" : "line", data: { labels: order.map((k) => workload.objectives[k]), datasets }, plugins: [whiskers],
    options: options(turned ? values : names, turned ? names : values, label, { indexAxis: turned ? "y" : "x", interaction: { mode: "index", axis: turned ? "y" : "x", intersect: false } }) };
}

// A curve's series down the page, its rounds across, in the group's colour: full at `most`, none at 0.
function heatChart(group, objectives, curve, most) {
  const edges = cellEdges(curve.rounds);
  const shade = (value) => faded(groupColor(group), Math.min(1, Math.max(0, value / most)));
  const cells = {
    id: "cells",
    beforeDatasetsDraw(chart) {
      const { ctx, scales: { x, y } } = chart;
      const height = Math.abs(y.getPixelForValue(1) - y.getPixelForValue(0)) || y.height;
      ctx.save();
      edges.forEach(([from, to], t) => {
        const left = x.getPixelForValue(from), right = x.getPixelForValue(to);
        objectives.forEach((_, k) => {
          const value = curve.mean[k][t];
          if (value === null || value <= 0) return;
          ctx.fillStyle = shade(value);
          ctx.fillRect(left, y.getPixelForValue(k) - height / 2, right - left + 0.6, height - 0.5);
        });
      });
      ctx.restore();
    },
  };
  const x = roundAxis({ min: edges[0][0], max: edges.at(-1)[1] });
  const table = () => ({ columns: ["round", "objective", "weight"], rows: curve.rounds.flatMap((round, t) => objectives.map((name, k) => [round, name, curve.mean[k][t]])) });
  const y = { type: "category", labels: objectives, title: axisTitle("objective"), offset: true, reverse: false, grid: { display: false }, ticks: { autoSkip: true, autoSkipPadding: 2, font: { size: 10 } } };
  return { type: "scatter", table, data: { datasets: [{ data: [] }] }, plugins: [cells, colorBar(0, most, shade)], options: options(x, y, undefined, { events: [], ...besideBar }) };
}
