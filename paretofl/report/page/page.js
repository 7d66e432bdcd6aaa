"use strict";
// Builds the page from the JSON in #data (paretofl/report/page_data.h says what is in it).

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

// Shows what is not hidden: in charts, in tables and on the buttons of the legend.
function showChosen() {
  for (const button of document.getElementById("main").querySelectorAll("button")) if (button.group !== undefined) button.setAttribute("aria-pressed", !hidden.has(button.group));
  showHidden();
  redraw();
}

function legend(workload) {
  const many = workload.groups.length > 24;
  const box = el("div", { class: "legend", role: "group", "aria-label": "Show or hide strategies" });
  const fillBox = () => {
    for (const group of workload.groups) {
      const button = el("button", { type: "button", "aria-pressed": !hidden.has(group.label), onclick: () => {
        if (!hidden.delete(group.label)) hidden.add(group.label);
        showChosen();
      } }, mark(group), group.label);
      button.group = group.label;
      box.append(button);
    }
  };
  if (!many) {
    fillBox();
    return box;
  }
  box.classList.add("still");
  const fold = el("details", { class: "fold" }, el("summary", {}, `Show or hide each of ${workload.groups.length} rows`), box);
  fold.addEventListener("toggle", () => { if (fold.open && !box.children.length) fillBox(); });
  return fold;
}

// Shows only the rows of the table with chosen values of settings, where these differ.
function filters(workload) {
  const values = (key) => [...new Set(workload.groups.map((group) => group.settings[key] ?? "–"))];
  const keys = differingKeys(workload).filter((key) => values(key).length <= 30);
  if (workload.groups.length < 3 || !keys.length) return null;
  keys.sort((a, b) => (b === "strategy.name") - (a === "strategy.name") || values(b).length - values(a).length);
  const chosen = new Map();
  const count = el("span", { class: "note", role: "status" }, "");
  const apply = () => {
    for (const group of workload.groups) {
      if ([...chosen].every(([key, value]) => value === "all" || (group.settings[key] ?? "–") === value)) hidden.delete(group.label);
      else hidden.add(group.label);
    }
    count.textContent = `${shown(workload.groups).length} of ${workload.groups.length} rows`;
    showChosen();
  };
  const boxes = keys.slice(0, 12).map((key) => el("label", {}, `${key} `, selection(`only ${key}`, ["all", ...values(key).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))], "all",
    (value) => { chosen.set(key, value); apply(); })));
  return el("details", { class: "fold" }, el("summary", {}, "Filter by setting"), el("div", { class: "filters" }, ...boxes, count));
}

function workloadSection(workload) {
  const grid = el("div", { class: "grid" });
  const results = [frontCard(workload), workload.objectives.length === 3 && workload.groups.length > 1 ? parallelCard(workload) : null, strategyFrontCard(workload), frontPointsCard(workload), clientFrontCard(workload), uploadCard(workload), profileCard(workload)].filter(Boolean);
  // Pairs side by side; what is left over gets a row of its own.
  const isTable = (part) => (part.querySelector("canvas") === null ? 1 : 0);
  const slim = results.filter((part) => !part.classList.contains("wide")).sort((a, b) => isTable(a) - isTable(b));
  if (slim.length % 2) slim.at(-1).classList.add("wide");
  grid.append(...results.filter((part) => !slim.includes(part)), ...slim);
  const parts = [pairedCard(workload), tradeOffCard(workload), clientsCard(workload), curvesCard(workload), lambdaCard(workload), trainingCard(workload), driftCard(workload), completionsCard(workload), compressorCard(workload), phaseCard(workload), settingsCard(workload), failureCard(workload), provenanceCard(workload), runsCard(workload)];
  for (const part of parts.filter(Boolean)) {
    part.classList.add("wide");
    grid.append(part);
  }
  const final = resultCard(workload);
  for (const part of [final, ...grid.children]) part.workload = workload.title;
  return el("section", {}, el("h2", data.workloads.length > 1 ? {} : { class: "unseen" }, workload.title), tiles(workload),
    ...(workload.groups.length > 1 ? [filters(workload), legend(workload)] : []), final, grid);
}

function subtitle() {
  const runs = data.workloads.flatMap((workload) => workload.groups.flatMap((group) => group.runs));
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const rounds = [...new Set(runs.map((run) => run.rounds))];
  const objectives = [...new Set(data.workloads.flatMap((workload) => workload.objectives))];
  const unfinished = runs.filter((run) => !run.finished).length;
  const failed = runs.filter((run) => run.failure).length;
  return [count(runs.length, "run"), rounds.length === 1 ? count(rounds[0], "round") : `${Math.min(...rounds)} to ${Math.max(...rounds)} rounds`,
    objectives.length > FEW ? `${objectives.length} objectives` : `objectives ${objectives.join(", ")}`,
    unfinished ? `${unfinished} unfinished` : "", failed ? `${failed} failed` : ""].filter(Boolean).join(" · ");
}

// Shows data, in the place of what was shown before.
function render(fresh) {
  data = prepare(fresh);
  forget(() => true);
  document.getElementById("subtitle").textContent = subtitle();
  document.getElementById("main").replaceChildren(...data.workloads.map(workloadSection));
  tints = tints.filter(({ picture }) => picture.isConnected);
  while (pending.length) drawPending();
  for (const part of document.getElementById("main").querySelectorAll("section.card")) {
    const buttons = saveButtons(part);
    if (buttons) part.append(buttons);
    offerReset(part);
  }
  document.documentElement.dataset.charts = drawings.length;
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  tints = tints.filter(({ picture }) => picture.isConnected);
  tints.forEach(({ tint }) => tint());
  redraw();
});
const embedded = JSON.parse(document.getElementById("data").textContent);
if (embedded) render(embedded);
