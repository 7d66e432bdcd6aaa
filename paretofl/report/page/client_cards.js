"use strict";
// The cards of the clients: their own models, clusters, similarities, and what each one recorded of its local training.

function clientFrontCard(workload) {
  const metrics = Object.keys(workload.metrics).filter((metric) => workload.groups.some((group) => group.runs.some((run) => run.clients?.final[metric])));
  if (!metrics.length || workload.objectives.length < 2) return null;
  let metric = metrics.includes(workload.metric) ? workload.metric : metrics[0], first = 0, second = 1;
  const names = workload.objectives;
  const controls = metrics.length > 1 ? [choice(metrics, metric, (name) => { metric = name; redraw(); })] : [];
  if (names.length > 2) controls.push(selection("objective across", names, names[0], (name) => { first = names.indexOf(name); redraw(); }),
    selection("objective upwards", names, names[1], (name) => { second = names.indexOf(name); redraw(); }));
  return card("The clients' own models", "Test results of each client's own model. Large points: no other client of the run is better in one objective and at least as good in all others. ×5: so many clients at one place.", controls,
    chartBox("Test figures of every client's own model", () => clientFront(workload, metric, first, second), 380));
}

function clientsCard(workload) {
  const runs = workload.groups.flatMap((group) => group.runs.filter((run) => run.clients?.scalarized || run.clients?.clusters || run.clients?.similarity));
  if (!runs.length) return null;
  const body = el("div", {});
  const show = (name) => {
    const run = runs.find((one) => one.name === name);
    const { scalarized, clusters, similarity } = run.clients;
    const height = Math.max(230, 70 + 9 * clientsOf(run));
    const parts = [];
    if (scalarized) parts.push(titledChart(`${scalarized.metric.replaceAll("_", " ")} of every client`, "Every client's figure by round", () => clientCurves(run), height));
    if (clusters) parts.push(titledChart("clusters", "Clusters of the clients by round", () => clusterChart(run), height));
    for (const shot of similarity ?? []) parts.push(titledChart(`similarity, round ${shot.round}`, `Similarity of the clients in round ${shot.round}`, () => similarityChart(run, shot), height));
    body.replaceChildren(el("div", { class: "multiples" }, ...parts));
    drawPending();
  };
  pending.push(() => show(runs[0].name));
  const names = runs.map((run) => run.name);
  return card("Clients", "Each client's figure is computed with its own preference; the thick line is the mean. A cluster has one colour and the number of its smallest client, at the right for the last round. Similarities: full blue is 1, no colour 0, full orange -1; a stroke: below -0.1.",
    names.length > 1 ? [selection("run", names, names[0], show)] : [], body);
}

function trainingCard(workload) {
  const runs = workload.groups.flatMap((group) => group.runs.filter((run) => run.training));
  if (!runs.length) return null;
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.training.figures)))];
  let run = runs[0], name = names.includes("lambda") ? "lambda" : names[0], smooth = true;
  const body = el("div", { class: "multiples" });
  const show = () => {
    const series = run.training.figures[name]?.series.slice(0, FEW) ?? [];
    body.replaceChildren(...series.map((title, k) => titledChart(title || name.replaceAll("_", " "), `${name} ${title} of every client by round`,
      () => trainingChart(run, name, k, smooth))));
    drawPending();
  };
  pending.push(show);
  const controls = [selection("figure", names, name, (picked) => { name = picked; show(); }),
    choice(["measured", "smooth"], "smooth", (way) => { smooth = way === "smooth"; redraw(); })];
  const labels = runs.map((one) => one.name);
  if (runs.length > 1) controls.unshift(selection("run", labels, labels[0], (picked) => { run = runs[labels.indexOf(picked)]; show(); }));
  return card("Local training of every client", "Means over the local steps of a round. Smooth lines: moving average with a half-life of 20 rounds.", controls, body);
}
