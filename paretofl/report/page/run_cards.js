"use strict";
// The cards of the single runs: completions, failures, settings and configurations.

const MOST_COLUMNS = 40;  // groups of the table of settings

// What a language model wrote, with what is no text made visible: control characters, and bytes that are not UTF-8.
function readable(text) {
  return text.split(/(\ufffd+|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+)/).filter(Boolean).map((part) => {
    if (part.startsWith("\ufffd")) return el("span", { class: "bytes", title: "bytes that are not UTF-8" }, `⟨${part.length} unreadable⟩`);
    if (/^[\u0000-\u001f\u007f-\u009f]/.test(part) && !/^[\n\t]/.test(part)) {
      return el("span", { class: "bytes", title: "control characters" }, [...part].map((letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join(""));
    }
    return part;
  });
}

// What the runs' final models made of the same held-out prompt, side by side.
function completionsCard(workload) {
  const told = workload.groups.flatMap((group) => group.runs.filter((run) => run.completions).map((run) => ({ group, run })));
  if (!told.length) return null;
  const prompts = [...new Set(told.flatMap(({ run }) => run.completions.map(({ prompt }) => prompt)))];
  const names = prompts.map((prompt, i) => `${i + 1}. ${[...prompt.replace(/\s+/g, " ").trim()].slice(0, 60).join("")}`);
  const answer = ({ group, run }, prompt) => run.completions.filter((example) => example.prompt === prompt).map((example) => el("div", {},
    el("h4", {}, mark(group), run.name), el("pre", {}, ...readable(example.completion)),
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

function failureCard(workload) {
  const runs = workload.groups.flatMap((group) => group.runs);
  const failures = runs.flatMap((run) => run.failures.map((failure) => ({ ...failure, run: run.name })));
  if (!failures.length) return card("Failures", "Every client answered in every round.", []);
  const limit = 50;
  const rows = failures.slice(0, limit).map((failure) => el("tr", {}, el("td", {}, failure.run), el("td", {}, String(failure.round)),
    el("td", {}, failure.client === undefined ? "all" : String(failure.client)), el("td", { class: "text" }, failure.verb ?? "round abandoned"),
    el("td", { class: "text wrap" }, failure.reason ?? failure.abandoned)));
  const note = failures.length > limit ? `The first ${limit} of ${failures.length}.` : "Clients that did not answer. The round continued without them.";
  return card("Failures", note, [], dataTable("Failures", ["run", "round", "client", "request", "reason"], rows, [0, 3, 4]));
}

// The settings that shape results and are not the same in every group.
function differingKeys(workload) {
  const keys = [...new Set(workload.groups.flatMap((group) => Object.keys(group.settings)))].sort();
  const ignored = (key) => key === "seed" || ["runtime.name", "runtime.threads", "runtime.through_wire", "runtime.patience_seconds", "runtime.longest_seconds", "runtime.sockets", "runtime.reconnect_seconds", "data.root"].includes(key) || key.startsWith("checkpoint.");
  return keys.filter((key) => !ignored(key) && new Set(workload.groups.map((group) => group.settings[key])).size > 1);
}

function settingsCard(workload) {
  const differing = new Set(differingKeys(workload));
  const all = [...new Set(workload.groups.flatMap((group) => Object.keys(group.settings)))].filter((key) => key !== "seed").sort();
  if (workload.groups.length < 2) return null;
  const groups = workload.groups.slice(0, MOST_COLUMNS);
  const body = el("div", {});
  const show = (way) => {
    const keys = way === "all" ? all : [...differing];
    if (!keys.length) return body.replaceChildren(el("p", { class: "note" }, "None."));
    const rows = keys.map((key) => el("tr", differing.has(key) && way === "all" ? { class: "differs" } : {}, el("td", {}, el("code", {}, breakable(key))),
      ...groups.map((group) => el("td", { class: "text" }, group.settings[key] ?? "–"))));
    const head = el("tr", {}, el("th", { scope: "col" }, "setting"), ...groups.map((group) => el("th", { scope: "col", class: "text" }, mark(group), group.name)));
    body.replaceChildren(scrolling("Settings", el("table", { class: "settings" }, el("thead", {}, head), el("tbody", {}, ...rows))));
  };
  show("differences");
  return card("Settings", `The settings of each row of the table${groups.length < workload.groups.length ? `, of the first ${MOST_COLUMNS} of ${workload.groups.length}` : ""}. In the configurations below, settings that differ between rows are marked.`, [choice(["differences", "all"], "differences", show)], body);
}

// The TOML of the run of that name, with the lines of those keys marked.
function markedConfig(name, toml, differing) {
  let table = "";
  const lines = toml.split("\n").map((line) => {
    const head = line.match(/^\[(.*)\]$/);
    if (head) table = `${head[1]}.`;
    const key = table + line.split(" = ")[0];
    return !head && line.includes(" = ") && differing.has(key) ? el("mark", {}, line) : line;
  });
  return el("pre", { tabindex: "0", role: "region", "aria-label": `configuration of ${name}` }, ...lines.flatMap((line) => [line, "\n"]).slice(0, -1));
}

function runDetails(group, run, differing) {
  const facts = [["seed", run.seed], ["rounds", run.rounds], ["upload", bytes(run.bytes_up)], ["download", bytes(run.bytes_down)]];
  if (run.late !== undefined) facts.push(["late replies", run.late]);
  if (run.simulated_seconds !== undefined) facts.push(["simulated time", `${significant(run.simulated_seconds, 4)} s`]);
  if (run.provenance) facts.push(...Object.entries(run.provenance).map(([key, value]) => [key.replaceAll("_", " "), value]));
  if (run.finished) facts.push(["wall time", duration(run.wall_seconds)], ["CPU time", duration(run.cpu_seconds)],
    ["peak memory", bytes(run.peak_rss_bytes)], ["parameters", run.sha256]);
  if (run.failure) facts.push(["failed", run.failure]);
  const state = run.failure ? `failed after ${run.rounds} rounds` : run.finished ? `${run.rounds} rounds` : `unfinished, ${run.rounds} rounds so far${run.torn ? "; a half-written last line is left out" : ""}`;
  return el("details", {}, el("summary", {}, mark(group), el("span", { class: "run-name" }, run.name), el("span", { class: "more-info" }, `${group.label}, seed ${run.seed}, ${state}`)),
    el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, String(value))])), markedConfig(run.name, run.config, differing));
}

function runsCard(workload) {
  const differing = new Set(differingKeys(workload));
  const all = workload.groups.flatMap((group) => group.runs.map((run) => ({ group, run })));
  const details = ({ group, run }) => runDetails(group, run, differing);
  const body = el("div", {}, ...all.slice(0, MANY).map(details));
  const more = el("button", { type: "button", class: "more", onclick: () => { more.remove(); body.append(...all.slice(MANY).map(details)); } }, `show all ${all.length}`);
  return card("Runs", "Figures, provenance and configuration of every run.", [], body, all.length > MANY ? more : null);
}

// What made the runs: one row for each fact, with every value that it has and the number of runs that have it.
function provenanceCard(workload) {
  const runs = workload.groups.flatMap((group) => group.runs).filter((run) => Object.keys(run.provenance ?? {}).length);
  if (!runs.length) return null;
  const facts = [...new Set(runs.flatMap((run) => Object.keys(run.provenance)))].filter((key) => key !== "status");
  const order = ["version", "commit", "compiler", "processor", "started", "ended"];
  facts.sort((a, b) => ((order.indexOf(a) + 1) || 99) - ((order.indexOf(b) + 1) || 99) || a.localeCompare(b));
  const rows = facts.map((key) => {
    const values = new Map();
    for (const run of runs) values.set(run.provenance[key] ?? "unknown", (values.get(run.provenance[key] ?? "unknown") ?? 0) + 1);
    const all = [...values.keys()].sort();
    const told = key === "started" || key === "ended" ? [all[0], all.at(-1)].filter((value, i, both) => both.indexOf(value) === i).join(" to ")
      : all.slice(0, 6).map((value) => (values.size > 1 ? `${value} (${values.get(value)} runs)` : value)).join(", ") + (all.length > 6 ? `, and ${all.length - 6} more` : "");
    return [key.replaceAll("_", " "), el("td", { class: "text wrap" }, told)];
  });
  const digests = [...new Set(runs.map((run) => run.sha256).filter(Boolean))];
  if (digests.length) rows.push(["SHA-256 of the parameters", el("td", { class: "text wrap" }, digests.length === 1 ? digests[0] : `${digests.length} different, of ${runs.length} runs`)]);
  return card("Provenance", "What made these runs.", [],
    dataTable("Provenance", ["fact", "value"], rows, [0, 1]));
}
