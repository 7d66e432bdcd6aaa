"use strict";
// Builds the page from the JSON in #data (paretofl/report/page_data.h says what is in it). Texts go in as
// text nodes, never as markup.

const FEW = 6;  // objectives shown one by one; of more, the first ones until asked for all
const data = JSON.parse(document.getElementById("data").textContent);

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
function mark(group) {
  const color = `var(--series-${group.color % 8})`;
  const outlines = ["M15 6a4 4 0 1 1-8 0a4 4 0 1 1 8 0z", "M11 1.5L15.5 10H6.5z", "M7 2h8v8H7z", "M11 1l5 5-5 5-5-5z"];
  const picture = document.getElementById("mark").content.firstElementChild.cloneNode(true);
  const [line, shape] = picture.children;
  line.setAttribute("stroke", color);
  line.setAttribute("stroke-dasharray", groupDash(group).join(" "));
  shape.setAttribute("fill", color);
  shape.setAttribute("d", outlines[group.color % 4]);
  return picture;
}

const canvas = (label, tall) => el("div", { class: tall ? "plot tall" : "plot" }, el("canvas", { role: "img", "aria-label": label }));

function chartBox(label, configure, tall = false) {
  const box = canvas(label, tall);
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

function resultColumns(workload, metric) {
  const higher = workload.metrics[metric];
  const columns = workload.objectives.length > FEW ? [] : workload.objectives.map((objective, k) => ({ name: objective, higher,
    get: (group) => group.final[metric].objectives[k] }));
  columns.push({ name: "mean", higher, get: (group) => group.final[metric].mean });
  if (workload.objectives.length > 2) columns.push({ name: "worst", higher, get: (group) => [worstOf(group.final[metric], higher), null] });
  const seconds = (value) => (value === null ? "–" : `${significant(value, 3)} s`);
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
  const rows = workload.groups.map((group, row) => el("tr", {},
    el("td", {}, mark(group), group.label, group.on_front && metric === workload.metric && workload.groups.length > 1 ? tag("front") : null,
      ended(group) ? null : tag("unfinished")),
    el("td", {}, group.seeds.join(", ")),
    ...columns.map((column, i) => el("td", winners[i].has(row) ? { class: "best" } : {}, ...estimate(column.get(group), column.show)))));
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, el("th", {}, "strategy"), el("th", {}, "seed"), ...columns.map((column) => el("th", {}, column.name)))), el("tbody", {}, ...rows)));
}

function resultCard(workload) {
  const body = el("div", {});
  const show = (metric) => body.replaceChildren(resultTable(workload, metric));
  show(workload.metric);
  const metrics = Object.keys(workload.metrics);
  const notes = [];
  if (workload.groups.some((group) => group.runs.length > 1)) notes.push("Mean ± standard deviation over seeds.");
  else if (workload.groups.length > 1) notes.push("One seed each: small differences may be chance.");
  if (workload.groups.length > 1) notes.push("Bold: best in its column. Front: no other row is better in one objective and as good in the rest.");
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
  const word = (several, single) => (groups.length > 1 ? several : single);
  const extreme = higher ? "Highest" : "Lowest";
  return el("div", { class: "tiles" },
    tile(word(`${extreme} mean test ${metric}`, `Mean test ${metric}`), (group) => group.final[metric]?.mean[0] ?? null, higher),
    tile(word("Best worst objective", "Worst objective"), (group) => (group.final[metric] ? worstOf(group.final[metric], higher) : null), higher),
    tile(word("Least upload", "Upload"), (group) => (ended(group) ? group.bytes_up[0] : null), false, bytes),
    tile(word("Least CPU time", "CPU time"), (group) => group.cpu_seconds[0], false, (value) => `${significant(value, 3)} s`));
}

function frontCard(workload) {
  const { metric } = workload;
  if (workload.objectives.length < 2 || !workload.groups.some((group) => group.final[metric])) return null;
  if (workload.objectives.length > 2) {
    const box = card("Objectives", "Final test results, one line per strategy across the objectives.", [],
      chartBox("Final test results by objective", () => parallelChart(workload, metric), true));
    if (workload.objectives.length > FEW) box.classList.add("wide");
    return box;
  }
  let whole = false;
  const pick = (name) => { whole = name === "whole path"; redraw(); };
  const several = workload.groups.length > 1;
  return card(several ? "Pareto front" : "Objectives", `Large: final test results. Thin: the path there, round by round.${several ? " Dashed: the front." : ""}`, [choice(["late path", "whole path"], "late path", pick)],
    chartBox("Pareto front of the final test results", () => frontChart(workload, metric, whole), true));
}

function uploadCard(workload) {
  const quantity = `test/${workload.metric}`;
  const series = workload.objectives.length > 1 ? "mean" : workload.objectives[0];
  if (!workload.groups.some((group) => group.curves[quantity])) return null;
  return card(`Upload against ${workload.metric}`, "What the clients had sent when the mean over objectives reached a value.", [],
    chartBox("Test results against bytes uploaded", () => lineChart(workload.groups, quantity, series, true, `mean test ${workload.metric}`), true));
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
  return card("Curves", workload.groups.some((group) => group.runs.length > 1) ? "Line: mean over seeds. Band: lowest to highest." : "",
    [selection("quantity", names, quantity, (name) => { quantity = name; show(); }),
      choice(["by round", "by upload"], "by round", (name) => { alongUpload = name === "by upload"; show(); })], body);
}

function lambdaCard(workload) {
  if (!workload.groups.some((group) => group.curves.lambda)) return null;
  return card("Objective weights λ", "How much each objective counts, round by round. Weights that stay fixed are a level line.", [],
    multiples(workload, "lambda", false));
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
  const note = failures.length > limit ? `The first ${limit} of ${failures.length}.` : "Clients that did not answer; the round went on without them.";
  return card("Failures", note, [], el("div", { class: "scroll" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows))));
}

function runDetails(group, run) {
  const facts = [["seed", run.seed], ["rounds", run.rounds], ["upload", bytes(run.bytes_up)], ["download", bytes(run.bytes_down)]];
  if (run.finished) facts.push(["wall time", `${significant(run.wall_seconds, 4)} s`], ["CPU time", `${significant(run.cpu_seconds, 4)} s`],
    ["peak memory", bytes(run.peak_rss_bytes)], ["parameters", run.sha256]);
  const state = run.finished ? `${run.rounds} rounds` : `unfinished, ${run.rounds} rounds so far${run.torn ? "; a half-written last line is left out" : ""}`;
  return el("details", {}, el("summary", {}, mark(group), run.name, el("span", { class: "more-info" }, `${group.label}, seed ${run.seed}, ${state}`)),
    el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, String(value))])), el("pre", {}, run.config));
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
  grid.append(...[frontCard(workload), uploadCard(workload)].filter(Boolean));
  if (grid.children.length === 1 || workload.objectives.length > FEW) for (const child of grid.children) child.classList.add("wide");
  const runs = card("Runs", "Figures and configuration of every run.", [],
    ...workload.groups.flatMap((group) => group.runs.map((run) => runDetails(group, run))));
  const parts = [curvesCard(workload), lambdaCard(workload), phaseCard(workload), failureCard(workload), runs].filter(Boolean);
  parts.forEach((part) => part.classList.add("wide"));
  grid.append(...parts);
  return el("section", {}, data.workloads.length > 1 ? el("h2", {}, workload.name) : null, tiles(workload),
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

document.getElementById("subtitle").textContent = subtitle();
document.getElementById("main").append(...data.workloads.map(workloadSection));
while (pending.length) drawPending();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
document.documentElement.dataset.charts = drawings.length;
