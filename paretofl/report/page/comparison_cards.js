"use strict";
// The cards that compare: strategies over the seeds that they share, the points of the front with their preferences, and clients under two
// strategies.

// The 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom.
const T_QUANTILES = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074,
  2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042];
const tQuantile = (freedom) => T_QUANTILES[freedom - 1] ?? 1.95996 + 2.3723 / freedom + 2.8225 / freedom ** 2;

// Of differences: {count, mean, low, high}, the mean with its 95 % interval.
function interval(values) {
  const count = values.length, mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = tQuantile(count - 1) * Math.sqrt(variance / count);
  return { count, mean, low: mean - half, high: mean + half };
}

// A run's final figure: of one objective, or, for index -1, its mean over them.
function finalOf(run, metric, k) {
  const values = run.final[metric];
  if (!values || values.some((value) => value === null)) return null;
  return k >= 0 ? values[k] : values.reduce((sum, value) => sum + value, 0) / values.length;
}

// The differences of a group to another one, one for each seed that both have: [{seed, value}].
function seedDifferences(group, base, metric, k) {
  return group.runs.flatMap((run) => {
    const other = base.runs.find((one) => one.seed === run.seed);
    const [a, b] = [run, other].map((one) => (one ? finalOf(one, metric, k) : null));
    return a === null || b === null ? [] : [{ seed: run.seed, value: a - b }];
  });
}

// A line at no difference.
const zeroLine = {
  id: "zeroLine",
  beforeDatasetsDraw({ ctx, chartArea: { top, bottom }, scales: { x } }) {
    ctx.save();
    ctx.strokeStyle = variable("--quiet");
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(x.getPixelForValue(0), top);
    ctx.lineTo(x.getPixelForValue(0), bottom);
    ctx.stroke();
    ctx.restore();
  },
};

// The mean differences down the page, each with its interval.
function differenceChart(rows, text) {
  const labels = rows.map(({ group }) => group.label);
  const datasets = rows.map(({ group, estimate: { mean, low, high } }, i) => ({ label: group.label, data: labels.map((_, k) => (k === i ? mean : null)),
    ranges: labels.map((_, k) => (k === i ? [low, high] : null)), whiskerColor: groupColor(group), borderColor: groupColor(group), backgroundColor: groupColor(group),
    pointStyle: groupShape(group), pointRadius: 5, pointHoverRadius: 7, showLine: false }));
  const all = rows.flatMap(({ estimate: { low, high } }) => [low, high, 0]);
  const low = Math.min(...all), high = Math.max(...all), room = 0.05 * (high - low) || 0.5;
  const table = () => ({ columns: ["series", "seeds", text, "lower end of the 95 % interval", "upper end"],
    rows: rows.map(({ group, estimate: { count, mean, low: from, high: to } }) => [group.label, count, mean, from, to]) });
  const label = (item) => ` ${item.dataset.label}: ${significant(item.parsed.x)}`;
  const y = { type: "category", labels, offset: true, grid: { display: false }, title: axisTitle("row"), ticks: { autoSkip: false, font: { size: narrow() ? 10 : 12 }, callback: (_, i) => rowTitle(labels[i]) } };
  return { type: "line", table, data: { labels, datasets }, plugins: [zeroLine, whiskers],
    options: options(axis(text, undefined, { min: low - room, max: high + room }), y, label, { indexAxis: "y" }) };
}

// How the rows of the table differ from one of them, over the seeds that both have.
function pairedCard(workload) {
  if (!hasFinals(workload)) return null;
  const pairs = (base, metric, k) => workload.groups.filter((group) => group !== base).map((group) => ({ group, found: seedDifferences(group, base, metric, k) }))
    .filter(({ found }) => found.length > 1).slice(0, 40).map(({ group, found }) => ({ group, found, estimate: interval(found.map(({ value }) => value)) }));
  const isBase = (base) => base.runs.length > 1 && workload.groups.some((group) => group !== base && seedDifferences(group, base, workload.metric, 0).length > 1);
  const bases = workload.groups.filter(isBase);
  if (!bases.length) return null;
  const labels = bases.map((group) => group.label);
  let [base] = bases, metric = workload.metric, figure = workload.one_unit[metric] && workload.objectives.length > 1 ? "mean" : workload.objectives[0];
  const figures = () => [...(workload.one_unit[metric] && workload.objectives.length > 1 ? ["mean"] : []), ...workload.objectives];
  const body = el("div", {}), note = el("p", { class: "note" });
  const show = () => {
    const rows = pairs(base, metric, workload.objectives.indexOf(figure));
    const better = workload.metrics[metric] ? 1 : -1;
    const compared = figure === "mean" ? `mean test ${metric}` : `test ${metric} of ${figure}`;
    const text = `${compared} minus that of ${base.label} (${better > 0 ? "above" : "below"} 0 is better)`;
    note.textContent = `${compared[0].toUpperCase()}${compared.slice(1)} of each row minus that of ${base.label}, seed by seed: the mean over the seeds that both have and its 95 % interval (Student's t). The intervals are not corrected for the number of comparisons.`;
    const verdict = ({ low, high }) => (low > 0 || high < 0 ? (better * low > 0 || better * high > 0 ? "better" : "worse") : "not told apart");
    const cells = rows.map(({ group, found, estimate: { count, mean, low, high } }) => [[mark(group), breakable(group.label)], String(count), significant(mean), `[${significant(low)}, ${significant(high)}]`,
      `${found.filter(({ value }) => better * value > 0).length} of ${count}`, verdict({ low, high })]);
    body.replaceChildren(chartBox(`Differences to ${base.label} over seeds`, () => differenceChart(rows.filter(({ group }) => !hidden.has(group.label)), text), (narrow() ? 120 : 100) + 30 * rows.length),
      dataTable("Paired differences", ["row", "seeds", "difference", "95 % interval", "seeds better", "verdict"], cells, [0, 5]));
    drawPending();
  };
  pending.push(show);
  const controls = [...metricChoice(workload, (name) => { metric = name; figure = figures()[0]; show(); }),
    selection("figure compared", figures(), figure, (name) => { figure = name; show(); }), selection("compared with", labels, labels[0], (name) => { base = bases[labels.indexOf(name)]; show(); })];
  const part = card("Paired differences", null, controls, note, body);
  part.classList.add("wide");
  return part;
}

// The preference that a group was trained with, as its settings say, or null.
function preferenceOf(group) {
  const key = Object.keys(group.settings).find((name) => /\.(preference|objective_weights)$/.test(name) && group.settings[name] !== "[]" && group.settings[name] !== "");
  return key ? group.settings[key] : null;
}

// The rows on the front, with what they were asked for and what they reached.
function frontPointsCard(workload) {
  if (workload.objectives.length < 2 || !hasFinals(workload) || !workload.groups.some(preferenceOf)) return null;
  const body = el("div", {});
  const show = (metric) => {
    const front = frontOf(workload, metric);
    const rows = front.map((group) => ofGroup(group, el("tr", {}, el("td", {}, mark(group), breakable(group.strategy)), el("td", { class: "text" }, preferenceOf(group) ?? "–"),
      ...group.final[metric].objectives.map((value) => el("td", {}, ...estimate(value))))));
    body.replaceChildren(limited(rows, 40, (some) => dataTable("The front with its preferences", ["strategy", "preference", ...workload.objectives], some, [0, 1])));
  };
  show(workload.metric);
  const part = card("The front with its preferences", "What each row on the Pareto front was asked for, its preference vector or objective weights, and what it reached.", metricChoice(workload, show), body);
  if (workload.objectives.length > 3) part.classList.add("wide");
  return part;
}

// What can be told of every client of a run: its figure under its own preference, and those of each objective, by name.
function clientFigures(workload, run) {
  const figures = new Map();
  if (run.clients?.scalarized) figures.set(run.clients.scalarized.metric.replaceAll("_", " "), { values: run.clients.scalarized.values.map((curve) => curve.at(-1)), higher: false });
  for (const [metric, clients] of Object.entries(run.clients?.final ?? {})) {
    workload.objectives.forEach((objective, k) => figures.set(`${metric}: ${objective}`, { values: clients.map((values) => values[k]), higher: workload.metrics[metric] ?? false }));
  }
  if (run.clients?.scalarized?.metric.match(/return|accuracy|reward/)) figures.values().next().value.higher = true;
  return figures;
}

// One bar for each client, from the one that fares best to the one that fares worst.
function tradeOffChart(rows, text, gain) {
  const labels = rows.map(({ client }) => `client ${client}`);
  const color = (value) => (gain ? variable(value >= 0 ? "--series-0" : "--series-1") : variable("--series-0"));
  const datasets = [{ label: text, data: rows.map(({ shown: value }) => value), backgroundColor: rows.map(({ good }) => faded(color(good), 0.8)), borderColor: variable("--text"),
    borderWidth: rows.map(({ good }) => (gain && good < 0 ? 1.5 : 0)), maxBarThickness: 16 }];
  const table = () => ({ columns: ["client", text], rows: rows.map(({ client, shown: value }) => [client, value]) });
  const y = { grid: { display: false }, title: axisTitle("client"), ticks: { font: { size: 10 }, autoSkip: true, callback: (_, i) => String(rows[i].client) } };
  return { type: "bar", table, data: { labels, datasets }, plugins: gain ? [zeroLine] : [], options: options(axis(text), y, (item) => ` ${significant(item.parsed.x)}`, { indexAxis: "y" }) };
}

// Who gains and who loses by one run rather than another, and who fares worst.
function tradeOffCard(workload) {
  const runs = workload.groups.flatMap((group) => group.runs.map((run) => ({ group, run, figures: clientFigures(workload, run) }))).filter(({ figures }) => figures.size);
  if (!runs.length) return null;
  const names = runs.map(({ run }) => run.name), figureNames = [...new Set(runs.flatMap(({ figures }) => [...figures.keys()]))];
  let figure = figureNames[0], one = runs.at(-1), base = runs.length > 1 ? runs[0] : null;
  const body = el("div", {});
  const show = () => {
    const found = one.figures.get(figure), other = base?.figures.get(figure);
    if (!found || (base && !other)) return body.replaceChildren(el("p", { class: "note" }, "One of the runs does not have this figure."));
    const sign = found.higher ? 1 : -1;
    const rows = found.values.map((value, client) => {
      const shownValue = other ? value - other.values[client] : value;
      return { client, value, shown: shownValue, good: sign * shownValue };
    }).filter(({ shown: value }) => Number.isFinite(value)).sort((a, b) => b.good - a.good);
    const worst = rows.reduce((a, b) => (sign * b.value < sign * a.value ? b : a), rows[0]);
    const told = [`Worst client of ${one.run.name}: client ${worst.client}, ${significant(worst.value)}.`];
    if (other) {
      const losers = rows.filter(({ good }) => good < 0).length, last = rows.at(-1);
      told.unshift(`${rows.filter(({ good }) => good > 0).length} of ${rows.length} clients gain, ${losers} lose; the ${losers ? "largest loss" : "smallest gain"} is client ${last.client}'s, ${significant(last.shown)}.`);
      const before = other.values.reduce((a, b) => (sign * b < sign * a ? b : a));
      told.push(`Worst client of ${base.run.name}: client ${other.values.indexOf(before)}, ${significant(before)}.`);
    }
    const text = `${figure}${other ? `, ${one.run.name} minus ${base.run.name}` : ` in ${one.run.name}`} (${found.higher ? "higher" : "lower"} is better)`;
    body.replaceChildren(el("p", {}, told.join(" ")), chartBox(`${figure} of every client`, () => tradeOffChart(rows, text, Boolean(other)), Math.min(900, 90 + 15 * rows.length)));
    drawPending();
    return undefined;
  };
  pending.push(show);
  const controls = [selection("figure", figureNames, figure, (name) => { figure = name; show(); })];
  if (runs.length > 1) {
    controls.push(selection("run", names, one.run.name, (name) => { one = runs[names.indexOf(name)]; show(); }),
      selection("compared with", ["none", ...names], base.run.name, (name) => { base = name === "none" ? null : runs[names.indexOf(name)]; show(); }));
  }
  const part = card("Every client's trade-off", runs.length > 1 ? "What each client gains or loses by one run rather than another; framed bars lose." : "What each client reaches, from the best to the worst.", controls, body);
  part.classList.add("wide");
  return part;
}
