"use strict";
// The cards of what changes from round to round, and of what a round takes.

function uploadCard(workload) {
  const quantity = `test/${workload.metric}`;
  const series = workload.objectives.length > 1 ? "mean" : workload.objectives[0];
  if (!workload.one_unit[workload.metric] || !workload.groups.some((group) => group.curves[quantity])) return null;
  let logX = false;
  return card(`Upload against ${workload.metric}`, "Bytes that the clients had sent when the mean over the objectives first reached a value.",
    [choice(["linear", "log"], "linear", (name) => { logX = name === "log"; redraw(); })],
    chartBox("Test results against bytes uploaded", () => lineChart(workload.groups, quantity, series, true, { yTitle: `mean test ${workload.metric}`, logX }), 380));
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
  const titles = { "metrics/lambda_spread": "spread of λ", "metrics/update_spread": "spread of the updates", "metrics/disagreement_drift": "disagreement drift",
    "metrics/last_disagreement_drift": "disagreement drift, last local step" };
  const names = Object.keys(titles).filter((name) => workload.groups.some((group) => group.curves[name]));
  if (!names.length) return null;
  return card("Disagreement of the clients", "Mean distance of each client's λ from the mean λ; mean squared distance of the updates from the mean update; squared norm of the difference that unequal λ make to the mean step.", [],
    el("div", { class: "multiples" }, ...names.map((name) => titledChart(titles[name], `${titles[name]} by round`,
      () => lineChart(workload.groups, name, "", false, { yTitle: titles[name] })))));
}

const quantityTitle = (quantity) => quantity.replace("metrics/", "").replace("/", " ").replaceAll("_", " ");
const quantitiesOf = (workload) => [...new Set(workload.groups.flatMap((group) => Object.keys(group.curves)))];
const seriesOf = (workload, quantity) => [...new Set(workload.groups.flatMap((group) => group.curves[quantity]?.series ?? []))];

// One small chart per series; beyond a few, the first ones and a button for the rest. The mean comes first then.
function multiples(workload, quantity, alongUpload, halfLife = 0) {
  const metric = quantity.split("/").at(-1);
  const all = seriesOf(workload, quantity);
  const series = all.length > FEW + 1 && all.at(-1) === "mean" ? ["mean", ...all.slice(0, -1)] : all;
  const box = el("div", { class: "multiples" });
  // Where the series are in one unit, all charts have the same axis.
  const bounds = workload.one_unit[metric] === false ? undefined : seriesBounds(workload.groups, quantity, series);
  const add = (name) => box.append(titledChart(name || quantity, `${quantity} ${name} by round`,
    () => lineChart(workload.groups, quantity, name, alongUpload, { yTitle: quantityTitle(quantity), bounds, halfLife })));
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
  const ways = { "as measured": 0, "half-life 5 rounds": 5, "half-life 20 rounds": 20, "half-life 100 rounds": 100 };
  let quantity = names[0], alongUpload = false, halfLife = 0;
  const body = el("div", {});
  const show = () => { body.replaceChildren(multiples(workload, quantity, alongUpload, halfLife)); drawPending(); };
  pending.push(show);
  return card("Curves", `${workload.groups.some((group) => group.runs.length > 1) ? "Line: mean over the seeds. Band: from the lowest seed to the highest. " : ""}Drag across a chart to look closer.`,
    [selection("quantity", names, quantity, (name) => { quantity = name; show(); }), selection("smoothing", Object.keys(ways), "as measured", (name) => { halfLife = ways[name]; show(); }),
      choice(["by round", "by upload"], "by round", (name) => {
        alongUpload = name === "by upload";
        zooms.clear();
        show();
      })], body);
}

function heatMaps(workload) {
  const groups = workload.groups.filter((group) => group.curves.lambda);
  const most = Math.max(...groups.flatMap((group) => group.curves.lambda.mean.flat().filter((value) => value !== null)));
  const box = el("div", { class: "multiples" });
  for (const group of groups) {
    box.append(titledChart(group.label, `Objective weights of ${group.label} by round`, () => heatChart(group, workload.objectives, group.curves.lambda, most),
      Math.max(200, 70 + 11 * workload.objectives.length), mark(group)));
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

function phaseCard(workload) {
  const phases = [...new Set(workload.groups.flatMap((group) => Object.keys(group.seconds)))];
  if (!phases.length) return null;
  const total = (phase) => Math.max(...workload.groups.map((group) => group.seconds[phase] ?? 0));
  phases.sort((a, b) => total(b) - total(a));
  const box = chartBox("Seconds per round and phase", () => phaseChart(workload, phases), 110 + 38 * Math.min(workload.groups.length, 40));
  return card("Where the time goes", "Wall time of each phase, mean over rounds.", [], box);
}
