"use strict";
// The cards of final results: tables, fronts and what each objective ended with.

function worstOf(final, higher) {
  const means = final.objectives.map(([mean]) => mean).filter((mean) => mean !== null);
  return means.length ? (higher ? Math.min(...means) : Math.max(...means)) : null;
}

function resultColumns(workload, metric) {
  const higher = workload.metrics[metric];
  const columns = workload.objectives.length > FEW ? [] : workload.objectives.map((objective, k) => ({ name: objective, higher,
    get: (group) => group.final[metric].objectives[k] }));
  if (workload.one_unit[metric]) columns.push({ name: "mean", higher, get: (group) => group.final[metric].mean });
  if (workload.one_unit[metric] && workload.objectives.length > 2) columns.push({ name: "worst", higher, get: (group) => [worstOf(group.final[metric], higher), null] });
  if (workload.groups.some((group) => group.gramian_nrmse[0] !== null)) columns.push({ name: "nRMSE", higher: false, show: percent, get: (group) => group.gramian_nrmse });
  columns.push({ name: "upload", higher: false, show: bytes, get: (group) => group.bytes_up });
  columns.push({ name: "wall time", higher: false, show: duration, get: (group) => group.wall_seconds });
  columns.push({ name: "CPU time", higher: false, show: duration, get: (group) => group.cpu_seconds });
  return columns;
}

// Such as "1..5, 8": many seeds in a few words.
function seedList(seeds) {
  const parts = [];
  for (const seed of seeds) {
    const last = parts[parts.length - 1];
    if (last && BigInt(last[last.length - 1]) + 1n === BigInt(seed)) last.push(seed);
    else parts.push([seed]);
  }
  return parts.map((part) => (part.length > 3 ? `${part[0]}..${part[part.length - 1]}` : part.join(", "))).join(", ");
}

function resultTable(workload, metric) {
  const columns = resultColumns(workload, metric);
  const winners = columns.map((column) => {
    const values = workload.groups.map((group) => column.get(group)[0]);
    const rows = best(values, column.higher);
    return new Set(rows.length < values.filter((value) => value !== null).length ? rows : []);
  });
  const front = new Set(frontOf(workload, metric));
  const rows = workload.groups.map((group, row) => ofGroup(group, el("tr", {},
    el("td", {}, mark(group), breakable(workload.key === "strategy" ? group.label : group.name), workload.groups.length > 1 && front.has(group) ? tag("front") : null,
      ended(group) ? null : tag("unfinished"), group.runs.some((run) => run.failure) ? tag("failed") : null),
    el("td", {}, seedList(group.seeds)),
    ...columns.map((column, i) => el("td", winners[i].has(row) ? { class: "best" } : {}, ...estimate(column.get(group), column.show))))));
  return limited(rows, 60, (some) => dataTable("Final test results", [workload.key, "seed", ...columns.map((column) => column.name)], some));
}

function resultCard(workload) {
  const body = el("div", {});
  const show = (metric) => { body.replaceChildren(resultTable(workload, metric)); showHidden(); };
  show(workload.metric);
  const metrics = Object.keys(workload.metrics);
  const notes = [];
  if (workload.groups.some((group) => group.runs.length > 1)) notes.push("Mean ± standard deviation over seeds.");
  else if (workload.groups.length > 1) notes.push("There is one seed per row: small differences may be chance.");
  if (workload.groups.length > 1) notes.push("Bold: best in its column. On the front: no other row is better in one objective and at least as good in all others.");
  return card("Final test results", notes.join(" "), metrics.length > 1 ? [choice(metrics, workload.metric, show)] : [], body);
}

function tiles(workload) {
  const { metric, groups } = workload;
  const higher = workload.metrics[metric];
  const tile = (name, get, direction, show = significant) => {
    const values = groups.map(get);
    const winners = best(values, direction);
    if (!winners.length) return null;
    const who = winners.length > 1 ? [winners.length === groups.length ? "all alike" : `${winners.length} alike`] : [mark(groups[winners[0]]), breakable(groups[winners[0]].label)];
    return el("div", { class: "tile" }, el("div", { class: "name" }, name), el("div", { class: "value" }, show(values[winners[0]])),
      el("div", { class: "who" }, ...who));
  };
  const front = () => {
    const fronts = workload.strategy_fronts[metric] ?? [];
    const winners = best(fronts.map((one) => one.hypervolume[0]), true);
    if (fronts.length < 2 || winners.length !== 1) return null;
    const { strategy, hypervolume: [volume] } = fronts[winners[0]];
    return el("div", { class: "tile" }, el("div", { class: "name" }, "Largest hypervolume of a front"), el("div", { class: "value" }, significant(volume)),
      el("div", { class: "who" }, mark(groups.find((group) => group.strategy === strategy)), strategy));
  };
  const word = (several, single) => (groups.length > 1 ? several : single);
  const extreme = higher ? "Highest" : "Lowest";
  return el("div", { class: "tiles" },
    front() ?? tile(word(`${extreme} mean test ${metric}`, `Mean test ${metric}`), (group) => group.final[metric]?.mean[0] ?? null, higher),
    tile(word("Best worst objective", "Worst objective"), (group) => (group.final[metric] && workload.one_unit[metric] ? worstOf(group.final[metric], higher) : null), higher),
    tile(word("Least upload", "Upload"), (group) => (ended(group) ? group.bytes_up[0] : null), false, bytes),
    tile(word("Least CPU time", "CPU time"), (group) => group.cpu_seconds[0], false, duration));
}

// A choice of the test metric, where there are several.
const metricChoice = (workload, pick) => (Object.keys(workload.metrics).length > 1 ? [choice(Object.keys(workload.metrics), workload.metric, pick)] : []);
const hasFinals = (workload) => workload.groups.some((group) => group.final[workload.metric]);

function frontCard(workload) {
  if (workload.objectives.length < 2 || !hasFinals(workload)) return null;
  if (workload.objectives.length > 3) return workload.groups.length > 1 ? parallelCard(workload) : null;  // of one row, the results by objective say it all
  const several = workload.groups.length > 1;
  const ways = ["final only", "late path", "whole path"];
  let paths = workload.groups.length > 6 ? ways[0] : ways[1], metric = workload.metric;
  const three = workload.objectives.length === 3;
  const front = !several ? "" : three ? " Full marks: on the Pareto front of all three objectives; hollow ones: not." : " Dashed line: the Pareto front.";
  const pairs = three ? [[0, 1], [0, 2], [1, 2]] : [[0, 1]];
  const name = (k) => workload.objectives[k];
  const charts = pairs.map(([a, b]) => (three ? titledChart(`${name(b)} against ${name(a)}`, `Final test results in ${name(a)} and ${name(b)}`, () => frontChart(workload, metric, paths, a, b), 300)
    : chartBox("Pareto front of the final test results", () => frontChart(workload, metric, paths), 380)));
  const part = card(several ? "Pareto front" : "Objectives",
    `Large points: mean final test results; small points: the single runs. Thin lines: the path of a run, round by round.${front}`,
    [...metricChoice(workload, (chosen) => { metric = chosen; redraw(); }), choice(ways, paths, (way) => { paths = way; redraw(); })],
    three ? el("div", { class: "multiples" }, ...charts) : charts[0]);
  if (three) part.classList.add("wide");
  return part;
}

function parallelCard(workload) {
  const count = workload.objectives.length;
  const turned = narrow() && count > 5;
  let own = false, sorted = false, metric = workload.metric;
  const box = chartBox("Final test results across the objectives", () => profileChart(workload, metric, { kind: "lines", turned, own, sorted }), turned ? 90 + 19 * count : 380);
  const scale = choice(["one scale", "own scales"], "one scale", (name) => { own = name === "own scales"; redraw(); });
  const order = choice(["as given", "sorted"], "as given", (name) => { sorted = name === "sorted"; redraw(); });
  const part = card("Parallel coordinates", "One line per row of the table, across the final test results of all objectives. Thin lines: from the lowest seed to the highest. The table says which rows are on the Pareto front.",
    [...metricChoice(workload, (name) => { metric = name; redraw(); }), scale, count > FEW ? order : null].filter(Boolean), box);
  if (count > FEW) part.classList.add("wide");
  return part;
}

// What each objective ended with, down the page.
function profileCard(workload) {
  if (workload.objectives.length < 2 || !hasFinals(workload)) return null;
  const { length: count } = workload.objectives;
  const { length: groups } = workload.groups;
  let kind = count > MANY || groups > 6 ? "dots" : "bars", sorted = false, metric = workload.metric;
  const box = chartBox("Final test results by objective", () => profileChart(workload, metric, { kind, turned: true, own: false, sorted }));
  const size = () => { box.firstChild.style.height = `${Math.max(count > FEW || narrow() ? 0 : 260, 80 + count * (kind === "bars" ? Math.max(26, 10 + 11 * groups) : 24))}px`; };
  size();
  const pick = (name) => { kind = name; size(); redraw(); };
  const order = choice(["as given", "sorted"], "as given", (name) => { sorted = name === "sorted"; redraw(); });
  const part = card("Final results by objective", workload.groups.some((group) => group.runs.length > 1) ? "Mean over the seeds. The thin line goes from the lowest seed to the highest." : "",
    [...metricChoice(workload, (name) => { metric = name; redraw(); }), choice(["bars", "dots"], kind, pick), count > FEW ? order : null].filter(Boolean), box);
  if (count > FEW) part.classList.add("wide");
  return part;
}

// How good each strategy's front is, where one has several settings to trade off.
function strategyFrontCard(workload) {
  if (!workload.strategy_fronts[workload.metric]?.length) return null;
  const body = el("div", {});
  const show = (metric) => {
    const fronts = workload.strategy_fronts[metric];
    const columns = [["hypervolume", true], ["sparsity", false]];
    const winners = columns.map(([name, higher]) => best(fronts.map((front) => front[name][0]), higher));
    const rows = fronts.map((front, row) => el("tr", {}, el("td", {}, mark(workload.groups.find((group) => group.strategy === front.strategy)), breakable(front.strategy)),
      el("td", {}, String(front.groups)), el("td", {}, ...estimate(front.cardinality, (value) => String(Number(value.toFixed(1))))),
      ...columns.map(([name], i) => el("td", fronts.length > 1 && winners[i].includes(row) ? { class: "best" } : {}, ...estimate(front[name])))));
    const head = ["strategy", "settings", "on front", ...columns.map(([name]) => name)];
    const reference = workload.references[metric].map((value) => significant(value)).join(", ");
    body.replaceChildren(dataTable("Fronts by strategy", head, rows),
      winners[0].length ? el("p", { class: "note" }, `Hypervolume against (${reference}).`) : "");
  };
  show(workload.metric);
  return card("Fronts by strategy", "One front per seed over a strategy's settings, then mean ± standard deviation over seeds. Hypervolume: the volume between a front and the reference point, by default the worst value of each objective over all runs; higher is better. Sparsity: lower is denser.",
    metricChoice(workload, show), body);
}
