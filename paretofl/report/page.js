"use strict";
// Builds the page from the JSON in #data (paretofl/report/page_data.h says what is in it). Texts go in as
// text nodes, never as markup.

const FEW = 6;  // objectives shown one by one; of more, the first ones until asked for all
const MANY = 12;  // groups beyond which paths would hide the front, and objectives beyond which bars are too many
let data = { workloads: [] };

// Adds to each workload how its groups are named and coloured.
function prepare(fresh) {
  for (const workload of fresh.workloads) {
    const { groups } = workload;
    const several = groups.length > 1;
    const alike = several && groups.every((group) => group.strategy === groups[0].strategy);
    // Where one setting tells all groups apart, its name stands once, above their values.
    const [key] = groups[0].label.split("=");
    workload.key = alike && groups.every((group) => group.label.startsWith(`${key}=`) && !/ \w+=/.test(group.label)) ? key : "strategy";
    groups.forEach((group, i) => {
      if (alike) group.ramp = i / (groups.length - 1);
      const prefix = workload.key === "strategy" ? `${group.strategy} ` : `${key}=`;
      group.name = several && group.label.startsWith(prefix) ? group.label.slice(prefix.length) : group.label;
    });
  }
  return fresh;
}

function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick" || name === "onchange") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// The group's line and marker, as in the charts.
let tints = [];  // {picture, tint}, for when the colour scheme changes
function mark(group) {
  const outlines = ["M15 6a4 4 0 1 1-8 0a4 4 0 1 1 8 0z", "M11 1.5L15.5 10H6.5z", "M7 2h8v8H7z", "M11 1l5 5-5 5-5-5z"];
  const picture = document.getElementById("mark").content.firstElementChild.cloneNode(true);
  const [line, shape] = picture.children;
  const tint = () => {
    line.setAttribute("stroke", groupColor(group));
    shape.setAttribute("fill", groupColor(group));
  };
  tint();
  tints.push({ picture, tint });
  line.setAttribute("stroke-dasharray", groupDash(group).join(" "));
  shape.setAttribute("d", outlines[shapeIndex(group)]);
  return picture;
}

function chartBox(label, configure, size = "") {
  const box = el("div", { class: `plot ${size}` }, el("canvas", { role: "img", "aria-label": label }));
  pending.push(() => addChart(box.firstChild, configure));
  return box;
}

// Charts are drawn once their element stands in the page.
let pending = [];
function drawPending() {
  const todo = pending;
  pending = [];
  todo.forEach((task) => task());
}

function card(title, note, controls, ...body) {
  return el("section", { class: "card" }, el("div", { class: "head" }, el("h3", {}, title), el("div", { class: "controls" }, ...controls)),
    note ? el("p", { class: "note" }, note) : null, ...body);
}

function choice(names, current, pick) {
  const box = el("div", { class: "choice", role: "group" });
  for (const name of names) {
    box.append(el("button", { type: "button", "aria-pressed": name === current, onclick: (event) => {
      for (const button of box.children) button.setAttribute("aria-pressed", button === event.target);
      pick(name);
    } }, name));
  }
  return box;
}

function selection(label, names, current, pick) {
  const box = el("select", { "aria-label": label, onchange: (event) => pick(event.target.value) });
  for (const name of names) box.append(el("option", name === current ? { value: name, selected: "" } : { value: name }, name));
  return box;
}

function estimate([mean, spread], show) {
  if (show) return spread > 5e-4 * mean ? [show(mean), el("span", { class: "spread" }, ` ± ${show(spread)}`)] : [show(mean)];
  const text = significant(mean);
  return spread === null ? [text] : [text, el("span", { class: "spread" }, ` ± ${spread.toFixed((text.split(".")[1] ?? "").length)}`)];
}

// The indices of the best of the values, shared or not.
function best(values, higher) {
  const known = values.filter((value) => value !== null);
  const top = higher ? Math.max(...known) : Math.min(...known);
  return [...values.keys()].filter((i) => values[i] === top);
}

function worstOf(final, higher) {
  const means = final.objectives.map(([mean]) => mean).filter((mean) => mean !== null);
  return means.length ? (higher ? Math.min(...means) : Math.max(...means)) : null;
}

const ended = (group) => group.runs.every((run) => run.finished);
const tag = (text) => el("span", { class: "tag" }, text);

const percent = (value) => (value === null ? "–" : `${significant(100 * value, 3)} %`);

function resultColumns(workload, metric) {
  const higher = workload.metrics[metric];
  const columns = workload.objectives.length > FEW ? [] : workload.objectives.map((objective, k) => ({ name: objective, higher,
    get: (group) => group.final[metric].objectives[k] }));
  if (workload.one_unit[metric]) columns.push({ name: "mean", higher, get: (group) => group.final[metric].mean });
  if (workload.one_unit[metric] && workload.objectives.length > 2) columns.push({ name: "worst", higher, get: (group) => [worstOf(group.final[metric], higher), null] });
  const seconds = (value) => (value === null ? "–" : `${significant(value, 3)} s`);
  if (workload.groups.some((group) => group.gramian_nrmse[0] !== null)) columns.push({ name: "nRMSE", higher: false, show: percent, get: (group) => group.gramian_nrmse });
  columns.push({ name: "upload", higher: false, show: bytes, get: (group) => group.bytes_up });
  columns.push({ name: "wall time", higher: false, show: seconds, get: (group) => group.wall_seconds });
  columns.push({ name: "CPU time", higher: false, show: seconds, get: (group) => group.cpu_seconds });
  return columns;
}

function resultTable(workload, metric) {
  const columns = resultColumns(workload, metric);
  const winners = columns.map((column) => {
    const values = workload.groups.map((group) => column.get(group)[0]);
    const rows = best(values, column.higher);
    return new Set(rows.length < values.filter((value) => value !== null).length ? rows : []);
  });
  const front = new Set(frontOf(workload, metric));
  const rows = workload.groups.map((group, row) => el("tr", {},
    el("td", {}, mark(group), workload.key === "strategy" ? group.label : group.name, workload.groups.length > 1 && front.has(group) ? tag("front") : null,
      ended(group) ? null : tag("unfinished")),
    el("td", {}, group.seeds.join(", ")),
    ...columns.map((column, i) => el("td", winners[i].has(row) ? { class: "best" } : {}, ...estimate(column.get(group), column.show)))));
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, el("th", {}, workload.key), el("th", {}, "seed"), ...columns.map((column) => el("th", {}, column.name)))), el("tbody", {}, ...rows)));
}

function resultCard(workload) {
  const body = el("div", {});
  const show = (metric) => body.replaceChildren(resultTable(workload, metric));
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
    const who = winners.length > 1 ? [winners.length === groups.length ? "all alike" : `${winners.length} alike`] : [mark(groups[winners[0]]), groups[winners[0]].label];
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
    tile(word("Least CPU time", "CPU time"), (group) => group.cpu_seconds[0], false, (value) => `${significant(value, 3)} s`));
}

// A choice of the test metric, where there are several.
const metricChoice = (workload, pick) => (Object.keys(workload.metrics).length > 1 ? [choice(Object.keys(workload.metrics), workload.metric, pick)] : []);
const hasFinals = (workload) => workload.groups.some((group) => group.final[workload.metric]);

function frontCard(workload) {
  if (workload.objectives.length < 2 || !hasFinals(workload)) return null;
  if (workload.objectives.length > 2) return parallelCard(workload);
  const several = workload.groups.length > 1;
  const ways = ["final only", "late path", "whole path"];
  let paths = workload.groups.length > 6 ? ways[0] : ways[1], metric = workload.metric;
  return card(several ? "Pareto front" : "Objectives",
    `Large points: mean final test results; small points: the single runs. Thin lines: the path of a run, round by round.${several ? " Dashed line: the Pareto front." : ""}`,
    [...metricChoice(workload, (name) => { metric = name; redraw(); }), choice(ways, paths, (name) => { paths = name; redraw(); })],
    chartBox("Pareto front of the final test results", () => frontChart(workload, metric, paths), "tall"));
}

function parallelCard(workload) {
  const count = workload.objectives.length;
  const turned = narrow() && count > 5;
  let own = false, sorted = false, metric = workload.metric;
  const box = chartBox("Final test results across the objectives", () => profileChart(workload, metric, { kind: "lines", turned, own, sorted }), "tall");
  if (turned) box.style.height = `${90 + 19 * count}px`;
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
  const size = () => { box.style.height = `${80 + count * (kind === "bars" ? Math.max(26, 10 + 11 * groups) : 24)}px`; };
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
    const rows = fronts.map((front, row) => el("tr", {}, el("td", {}, mark(workload.groups.find((group) => group.strategy === front.strategy)), front.strategy),
      el("td", {}, String(front.groups)), el("td", {}, ...estimate(front.cardinality, (value) => String(Number(value.toFixed(1))))),
      ...columns.map(([name], i) => el("td", fronts.length > 1 && winners[i].includes(row) ? { class: "best" } : {}, ...estimate(front[name])))));
    const head = ["strategy", "settings", "on front", ...columns.map(([name]) => name)].map((name) => el("th", {}, name));
    const reference = workload.references[metric].map((value) => significant(value)).join(", ");
    body.replaceChildren(el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows))),
      winners[0].length ? el("p", { class: "note" }, `Hypervolume against (${reference}).`) : "");
  };
  show(workload.metric);
  return card("Fronts by strategy", "One front per seed over a strategy's settings, then mean ± standard deviation over seeds. Hypervolume: the volume between a front and the reference point, by default the worst value of each objective over all runs; higher is better. Sparsity: lower is denser.",
    metricChoice(workload, show), body);
}

function uploadCard(workload) {
  const quantity = `test/${workload.metric}`;
  const series = workload.objectives.length > 1 ? "mean" : workload.objectives[0];
  if (!workload.one_unit[workload.metric] || !workload.groups.some((group) => group.curves[quantity])) return null;
  let logX = false;
  return card(`Upload against ${workload.metric}`, "Bytes that the clients had sent when the mean over the objectives first reached a value.",
    [choice(["linear", "log"], "linear", (name) => { logX = name === "log"; redraw(); })],
    chartBox("Test results against bytes uploaded", () => lineChart(workload.groups, quantity, series, true, { yTitle: `mean test ${workload.metric}`, logX }), "tall"));
}

// The compressor's error, where the strategy measures it.
function compressorCard(workload) {
  const quantity = "metrics/gramian_nrmse";
  if (!workload.groups.some((group) => group.curves[quantity])) return null;
  return card("Compressor", "Error of the Gramian estimated from the sketches, against the exact Gramian of the same minibatches (nRMSE), in percent.", [],
    chartBox("nRMSE of the Gramian by round", () => lineChart(workload.groups, quantity, "", false, { yTitle: "nRMSE, %", factor: 100 })));
}

// How far the clients go apart, where the strategy records it.
function driftCard(workload) {
  const titles = { "metrics/lambda_spread": "spread of λ", "metrics/update_spread": "spread of the updates", "metrics/disagreement_drift": "disagreement drift" };
  const names = Object.keys(titles).filter((name) => workload.groups.some((group) => group.curves[name]));
  if (!names.length) return null;
  return card("Disagreement of the clients", "Mean distance of each client's λ from the mean λ; mean squared distance of the updates from the mean update; squared norm of the difference that unequal λ make to the mean step.", [],
    el("div", { class: "multiples" }, ...names.map((name) => el("div", {}, el("h4", {}, titles[name]),
      chartBox(`${titles[name]} by round`, () => lineChart(workload.groups, name, "", false))))));
}

const quantitiesOf = (workload) => [...new Set(workload.groups.flatMap((group) => Object.keys(group.curves)))];
const seriesOf = (workload, quantity) => [...new Set(workload.groups.flatMap((group) => group.curves[quantity]?.series ?? []))];

// One small chart per series; beyond a few, the first ones and a button for the rest. The mean comes first then.
function multiples(workload, quantity, alongUpload) {
  const all = seriesOf(workload, quantity);
  const series = all.length > FEW + 1 && all.at(-1) === "mean" ? ["mean", ...all.slice(0, -1)] : all;
  const box = el("div", { class: "multiples" });
  const add = (name) => box.append(el("div", {}, el("h4", {}, name === "" ? quantity : name),
    chartBox(`${quantity} ${name} by round`, () => lineChart(workload.groups, quantity, name, alongUpload))));
  series.slice(0, FEW).forEach(add);
  if (series.length <= FEW) return box;
  const more = el("button", { type: "button", class: "more", onclick: () => { more.remove(); series.slice(FEW).forEach(add); drawPending(); } }, `show all ${series.length}`);
  return el("div", {}, box, more);
}

function curvesCard(workload) {
  const order = (name) => ["test/", "train/", "validation/", "metrics/"].findIndex((prefix) => name.startsWith(prefix));
  const first = `test/${workload.metric}`;
  const names = quantitiesOf(workload).filter((name) => name !== "lambda");
  names.sort((a, b) => (b === first) - (a === first) || order(a) - order(b) || a.localeCompare(b));
  if (!names.length) return null;
  let quantity = names[0], alongUpload = false;
  const body = el("div", {});
  const show = () => { body.replaceChildren(multiples(workload, quantity, alongUpload)); drawPending(); };
  pending.push(show);
  return card("Curves", workload.groups.some((group) => group.runs.length > 1) ? "Line: mean over the seeds. Band: from the lowest seed to the highest." : "",
    [selection("quantity", names, quantity, (name) => { quantity = name; show(); }),
      choice(["by round", "by upload"], "by round", (name) => { alongUpload = name === "by upload"; show(); })], body);
}

function heatMaps(workload) {
  const groups = workload.groups.filter((group) => group.curves.lambda);
  const most = Math.max(...groups.flatMap((group) => group.curves.lambda.mean.flat().filter((value) => value !== null)));
  const box = el("div", { class: "multiples" });
  for (const group of groups) {
    const chart = chartBox(`Objective weights of ${group.label} by round`, () => heatChart(group, workload.objectives, group.curves.lambda, most));
    chart.style.height = `${Math.max(200, 70 + 11 * workload.objectives.length)}px`;
    box.append(el("div", {}, el("h4", {}, mark(group), group.label), chart));
  }
  return el("div", {}, el("p", { class: "note" }, `Full colour: ${significant(most, 3)}, the largest weight; none: 0.`), box);
}

function lambdaCard(workload) {
  if (!workload.groups.some((group) => group.curves.lambda)) return null;
  const note = "The weight of each objective, round by round. Fixed weights are a horizontal line.";
  if (workload.objectives.length <= FEW) return card("Objective weights λ", note, [], multiples(workload, "lambda", false));
  const body = el("div", {});
  const show = (way) => { body.replaceChildren(way === "lines" ? multiples(workload, "lambda", false) : heatMaps(workload)); drawPending(); };
  pending.push(() => show("heat maps"));
  return card("Objective weights λ", note, [choice(["heat maps", "lines"], "heat maps", show)], body);
}

// What the runs' final models made of the same held-out prompt, side by side.
function completionsCard(workload) {
  const told = workload.groups.flatMap((group) => group.runs.filter((run) => run.completions).map((run) => ({ group, run })));
  if (!told.length) return null;
  const prompts = [...new Set(told.flatMap(({ run }) => run.completions.map(({ prompt }) => prompt)))];
  const names = prompts.map((prompt, i) => `${i + 1}. ${[...prompt.replace(/\s+/g, " ").trim()].slice(0, 60).join("")}`);
  const answer = ({ group, run }, prompt) => run.completions.filter((example) => example.prompt === prompt).map((example) => el("div", {},
    el("h4", {}, mark(group), run.name), el("pre", {}, example.completion),
    el("p", { class: "note" }, Object.entries(example.reward).map(([objective, reward]) => `${objective} ${significant(reward, 3)}`).join(" · "))));
  const body = el("div", {});
  const show = (prompt) => {
    const answers = told.flatMap((each) => answer(each, prompt));
    const box = el("div", { class: "multiples" }, ...answers.slice(0, MANY));
    const more = el("button", { type: "button", class: "more", onclick: () => { more.remove(); box.append(...answers.slice(MANY)); } }, `show all ${answers.length}`);
    body.replaceChildren(el("pre", { class: "prompt" }, prompt.trim()), box, ...(answers.length > MANY ? [more] : []));
  };
  show(prompts[0]);
  const part = card("Completions", "One completion of a held-out prompt by each run's final model, with its rewards.",
    prompts.length > 1 ? [selection("prompt", names, names[0], (name) => show(prompts[parseInt(name, 10) - 1]))] : [], body);
  part.classList.add("completions");
  return part;
}

function phaseCard(workload) {
  const phases = [...new Set(workload.groups.flatMap((group) => Object.keys(group.seconds)))];
  if (!phases.length) return null;
  const total = (phase) => Math.max(...workload.groups.map((group) => group.seconds[phase] ?? 0));
  phases.sort((a, b) => total(b) - total(a));
  const box = chartBox("Seconds per round and phase", () => phaseChart(workload, phases));
  box.style.height = `${110 + 38 * workload.groups.length}px`;
  return card("Where the time goes", "Wall time of each phase, mean over rounds.", [], box);
}

function failureCard(workload) {
  const runs = workload.groups.flatMap((group) => group.runs);
  const failures = runs.flatMap((run) => run.failures.map((failure) => ({ ...failure, run: run.name })));
  if (!failures.length) return card("Failures", "Every client answered in every round.", []);
  const limit = 50;
  const rows = failures.slice(0, limit).map((failure) => el("tr", {}, el("td", {}, failure.run), el("td", {}, String(failure.round)),
    el("td", {}, failure.client === undefined ? "all" : String(failure.client)), el("td", { class: "text" }, failure.verb ?? "round abandoned"),
    el("td", { class: "text wrap" }, failure.reason ?? failure.abandoned)));
  const head = el("tr", {}, el("th", {}, "run"), el("th", {}, "round"), el("th", {}, "client"), el("th", { class: "text" }, "request"), el("th", { class: "text" }, "reason"));
  const note = failures.length > limit ? `The first ${limit} of ${failures.length}.` : "Clients that did not answer. The round continued without them.";
  return card("Failures", note, [], el("div", { class: "scroll" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows))));
}

// The settings that shape results and are not the same in every group.
function differingKeys(workload) {
  const keys = [...new Set(workload.groups.flatMap((group) => Object.keys(group.settings)))].sort();
  const ignored = (key) => key === "seed" || ["runtime.name", "runtime.threads", "runtime.through_wire", "runtime.patience_seconds", "runtime.sockets", "runtime.reconnect_seconds", "data.root"].includes(key) || key.startsWith("checkpoint.");
  return keys.filter((key) => !ignored(key) && new Set(workload.groups.map((group) => group.settings[key])).size > 1);
}

function settingsCard(workload) {
  const differing = new Set(differingKeys(workload));
  const all = [...new Set(workload.groups.flatMap((group) => Object.keys(group.settings)))].filter((key) => key !== "seed").sort();
  if (workload.groups.length < 2) return null;
  const body = el("div", {});
  const show = (way) => {
    const keys = way === "all" ? all : [...differing];
    if (!keys.length) return body.replaceChildren(el("p", { class: "note" }, "None."));
    const rows = keys.map((key) => el("tr", differing.has(key) && way === "all" ? { class: "differs" } : {}, el("td", {}, el("code", {}, key)),
      ...workload.groups.map((group) => el("td", { class: "text" }, group.settings[key] ?? "–"))));
    const head = el("tr", {}, el("th", {}, "setting"), ...workload.groups.map((group) => el("th", { class: "text" }, mark(group), group.name)));
    body.replaceChildren(el("div", { class: "scroll" }, el("table", { class: "settings" }, el("thead", {}, head), el("tbody", {}, ...rows))));
  };
  show("differences");
  return card("Settings", "The settings of each row of the table. In the configurations below, settings that differ between rows are marked.", [choice(["differences", "all"], "differences", show)], body);
}

// A run's TOML, with the lines of those keys marked.
function markedConfig(toml, differing) {
  let table = "";
  const lines = toml.split("\n").map((line) => {
    const head = line.match(/^\[(.*)\]$/);
    if (head) table = `${head[1]}.`;
    const key = table + line.split(" = ")[0];
    return !head && line.includes(" = ") && differing.has(key) ? el("mark", {}, line) : line;
  });
  return el("pre", {}, ...lines.flatMap((line) => [line, "\n"]).slice(0, -1));
}

function runDetails(group, run, differing) {
  const facts = [["seed", run.seed], ["rounds", run.rounds], ["upload", bytes(run.bytes_up)], ["download", bytes(run.bytes_down)]];
  if (run.late !== undefined) facts.push(["late replies", run.late]);
  if (run.simulated_seconds !== undefined) facts.push(["simulated time", `${significant(run.simulated_seconds, 4)} s`]);
  if (run.finished) facts.push(["wall time", `${significant(run.wall_seconds, 4)} s`], ["CPU time", `${significant(run.cpu_seconds, 4)} s`],
    ["peak memory", bytes(run.peak_rss_bytes)], ["parameters", run.sha256]);
  const state = run.finished ? `${run.rounds} rounds` : `unfinished, ${run.rounds} rounds so far${run.torn ? "; a half-written last line is left out" : ""}`;
  return el("details", {}, el("summary", {}, mark(group), run.name, el("span", { class: "more-info" }, `${group.label}, seed ${run.seed}, ${state}`)),
    el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, String(value))])), markedConfig(run.config, differing));
}

function runsCard(workload) {
  const differing = new Set(differingKeys(workload));
  const details = workload.groups.flatMap((group) => group.runs.map((run) => runDetails(group, run, differing)));
  const body = el("div", {}, ...details.slice(0, MANY));
  const more = el("button", { type: "button", class: "more", onclick: () => { more.remove(); body.append(...details.slice(MANY)); } }, `show all ${details.length}`);
  return card("Runs", "Figures and configuration of every run.", [], body, details.length > MANY ? more : null);
}

function legend(workload) {
  const box = el("div", { class: "legend", role: "group", "aria-label": "Show or hide strategies" });
  for (const group of workload.groups) {
    const button = el("button", { type: "button", "aria-pressed": !hidden.has(group.label), onclick: () => {
      if (!hidden.delete(group.label)) hidden.add(group.label);
      button.setAttribute("aria-pressed", !hidden.has(group.label));
      redraw();
    } }, mark(group), group.label);
    box.append(button);
  }
  return box;
}

function workloadSection(workload) {
  const grid = el("div", { class: "grid" });
  const results = [frontCard(workload), strategyFrontCard(workload), clientFrontCard(workload), uploadCard(workload), profileCard(workload)].filter(Boolean);
  // Pairs side by side; what is left over gets a row of its own.
  const slim = results.filter((part) => !part.classList.contains("wide"));
  if (slim.length % 2) slim.at(-1).classList.add("wide");
  grid.append(...results.filter((part) => !slim.includes(part)), ...slim);
  const parts = [clientsCard(workload), curvesCard(workload), lambdaCard(workload), trainingCard(workload), driftCard(workload), completionsCard(workload), compressorCard(workload), phaseCard(workload), settingsCard(workload), failureCard(workload), runsCard(workload)];
  for (const part of parts.filter(Boolean)) {
    part.classList.add("wide");
    grid.append(part);
  }
  return el("section", {}, data.workloads.length > 1 ? el("h2", {}, workload.title) : null, tiles(workload),
    workload.groups.length > 1 ? legend(workload) : null, resultCard(workload), grid);
}

function subtitle() {
  const runs = data.workloads.flatMap((workload) => workload.groups.flatMap((group) => group.runs));
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const rounds = [...new Set(runs.map((run) => run.rounds))];
  const objectives = [...new Set(data.workloads.flatMap((workload) => workload.objectives))];
  const unfinished = runs.filter((run) => !run.finished).length;
  return [count(runs.length, "run"), rounds.length === 1 ? count(rounds[0], "round") : `${Math.min(...rounds)} to ${Math.max(...rounds)} rounds`,
    objectives.length > FEW ? `${objectives.length} objectives` : `objectives ${objectives.join(", ")}`,
    unfinished ? `${unfinished} unfinished` : ""].filter(Boolean).join(" · ");
}

// Shows data, in the place of what was shown before.
function render(fresh) {
  data = prepare(fresh);
  drawings.splice(0).forEach(({ chart }) => chart.destroy());
  document.getElementById("subtitle").textContent = subtitle();
  document.getElementById("main").replaceChildren(...data.workloads.map(workloadSection));
  tints = tints.filter(({ picture }) => picture.isConnected);
  while (pending.length) drawPending();
  document.documentElement.dataset.charts = drawings.length;
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  tints = tints.filter(({ picture }) => picture.isConnected);
  tints.forEach(({ tint }) => tint());
  redraw();
});
const embedded = JSON.parse(document.getElementById("data").textContent);
if (embedded) render(embedded);
