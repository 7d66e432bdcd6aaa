"use strict";
// The page as `paretofl serve` shows it: the list of runs, or one run that is followed as it goes. What comes from the server goes in as
// text nodes, like everything else.

const query = new URLSearchParams(location.search);
const token = query.get("token");
const RESTING = 2000;  // milliseconds between two looks at the same thing, at least
const main = document.getElementById("main");
const bar = el("p", { class: "live", role: "status" });
main.before(bar);

function address(path, parameters = {}) {
  const all = new URLSearchParams(parameters);
  if (token) all.set("token", token);
  return all.size ? `${path}?${all}` : path;
}

async function ask(path) {
  const answer = await fetch(path, { cache: "no-store", headers: token ? { Authorization: `Bearer ${token}` } : {} });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error ?? `the server answered ${answer.status}`);
  return content;
}

const rest = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

function say(...parts) {
  bar.replaceChildren(...parts.filter((part) => part !== null));
}

const stateTag = (state) => el("span", { class: `tag state ${state}` }, state);
const progress = (run) => (run.rounds_planned ? `${run.rounds} of ${run.rounds_planned}` : String(run.rounds));

// The figures of one split and metric, such as "test accuracy left 0.91, right 0.83".
function figures(last) {
  const split = ["test", "validation", "train"].find((name) => last[name] && Object.keys(last[name]).length);
  if (!split) return "";
  const metrics = Object.keys(last[split]);
  const metric = metrics.find((name) => !name.includes("loss")) ?? metrics[0];
  const all = Object.entries(last[split][metric]);
  const told = all.slice(0, FEW).map(([objective, value]) => `${objective} ${significant(value)}`);
  return `${split} ${metric.replaceAll("_", " ")}: ${told.join(", ")}${all.length > FEW ? ", …" : ""}`;
}

// What a card's controls are set to, so that new data is shown the same way.
const cardsByName = () => new Map([...main.querySelectorAll("section.card")].map((part) => {
  const title = part.closest("main > section")?.querySelector("h2")?.textContent ?? "";
  return [`${title}/${part.querySelector("h3")?.textContent}`, part];
}));
const controlsOf = (part) => [...part.querySelectorAll("select, .choice")];
const summaryName = (summary) => summary.getAttribute("aria-label") ?? summary.textContent.split(",")[0];
const expanded = new Set();
main.addEventListener("click", (event) => {
  if (!event.target.classList.contains("more")) return;
  for (const [name, part] of cardsByName()) if (part.contains(event.target)) expanded.add(name);
});

function settings() {
  const kept = new Map();
  for (const [name, part] of cardsByName()) {
    kept.set(name, {
      controls: controlsOf(part).map((box) => box.value ?? [...box.children].findIndex((button) => button.ariaPressed === "true")),
      open: [...part.querySelectorAll("details[open] > summary")].map(summaryName),
      focus: [...part.querySelectorAll("select, button, summary")].indexOf(document.activeElement),
    });
  }
  return kept;
}

function restore(kept) {
  for (const [name, part] of cardsByName()) {
    const { controls = [], open = [], focus = -1 } = kept.get(name) ?? {};
    if (expanded.has(name)) part.querySelectorAll(".more").forEach((button) => button.click());
    controlsOf(part).forEach((box, i) => {
      const value = controls[i];
      if (box.tagName === "SELECT") {
        if (value === undefined || value === box.value || ![...box.options].some((option) => option.value === value)) return;
        box.value = value;
        box.dispatchEvent(new Event("change"));
      } else if (box.children[value] && box.children[value].ariaPressed !== "true") {
        box.children[value].click();
      }
    });
    for (const summary of part.querySelectorAll("details summary")) {
      if (open.includes(summaryName(summary))) summary.parentElement.open = true;
    }
    if (focus >= 0) [...part.querySelectorAll("select, button, summary")][focus]?.focus({ preventScroll: true });
  }
}

// Shows data with the controls, the position and the focus as they were.
function renderAgain(fresh) {
  const kept = settings();
  const [x, y] = [scrollX, scrollY];
  main.style.minHeight = `${main.offsetHeight}px`;
  render(fresh);
  restore(kept);
  main.style.minHeight = "";
  scrollTo(x, y);
  document.title = fresh.title;
  document.querySelector("h1").textContent = fresh.title;
}

// A list that someone chooses from is not taken away.
let touched = 0;
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { touched = Date.now(); });
const choosing = () => document.activeElement?.tagName === "SELECT" && Date.now() - touched < 10000;

function follow(name, back) {
  let row = null, state = "", error = "", connected = false, last = "", shown = "", resets = 0, busy = false, run = null;
  const path = `/api/runs/${encodeURIComponent(name)}`;
  const tell = () => {
    say(back, back ? " · " : null, connected ? stateTag(state || "…") : stateTag("not connected"), ` ${name}`,
      row ? ` · round ${row.round}${run?.rounds_planned ? ` of ${run.rounds_planned}` : ""} · ${figures(row) || figures(run?.last ?? {})}` : " · no round yet",
      error ? el("strong", { class: "error" }, ` · ${error}`) : null);
    Object.assign(document.documentElement.dataset, { event: last, shown, state, connected, resets, round: row?.round ?? "" });
  };
  // Draws the page anew where something has happened since it was drawn, and not more often than the computer likes.
  const refresh = async () => {
    if (busy) return;
    busy = true;
    let failed = false, stateShown = "";
    do {
      const begin = performance.now();
      try {
        while (choosing()) await rest(500);
        const page = await ask(path);
        run = page.run;
        if (page.data) renderAgain(page.data);
        if (page.run.error) error = page.run.error;
        shown = page.run.event;
        stateShown = page.run.state;
        failed = false;
      } catch (failure) {
        error = failure.message;
        failed = true;
      }
      tell();
      await rest(Math.max(RESTING, 20 * (performance.now() - begin)));
    } while (failed ? connected : shown !== last || stateShown !== state);
    busy = false;
  };
  const listen = (after) => {
    const events = new EventSource(address(`${path}/events`, after ? { after } : {}));
    events.onopen = () => { connected = true; tell(); };
    events.addEventListener("row", (event) => {
      row = JSON.parse(event.data);
      last = event.lastEventId;
      tell();
      refresh();
    });
    events.addEventListener("reset", (event) => {
      row = null;
      ++resets;
      last = event.lastEventId;
      tell();
      refresh();
    });
    events.addEventListener("state", (event) => {
      ({ state, error = "" } = JSON.parse(event.data));
      tell();
      refresh();
    });
    events.onerror = () => {
      connected = false;
      tell();
      // The browser itself tries again where the connection was lost, but not where the server refused.
      if (events.readyState === EventSource.CLOSED) rest(2 * RESTING).then(() => listen(last));
    };
  };
  // All rows but the last are in the page's data.
  ask(path).then((page) => {
    run = page.run;
    last = shown = run.event;
    state = run.state;
    error = run.error ?? "";
    if (page.data) renderAgain(page.data);
    if (run.rounds) row = { round: run.rounds };
    tell();
    listen(last);
  }, (failure) => { error = failure.message; tell(); rest(2 * RESTING).then(() => follow(name, back)); });
}

function runTable(runs) {
  const link = (run) => el("a", { href: address("/", { run: run.name }) }, run.name);
  const rows = runs.map((run) => el("tr", {}, el("td", {}, link(run), stateTag(run.state)), el("td", { class: "text" }, run.strategy ?? "–"),
    el("td", { class: "text" }, run.workload ?? "–"), el("td", {}, run.seed ?? "–"), el("td", {}, progress(run)), el("td", { class: "text wrap" }, run.error ?? figures(run.last)),
    el("td", {}, bytes(run.bytes_up)), el("td", {}, String(run.failures)), el("td", {}, String(run.late))));
  const head = ["run", "strategy", "workload", "seed", "rounds", "last figures", "upload", "failures", "late"]
    .map((name) => el("th", ["strategy", "workload", "last figures"].includes(name) ? { class: "text" } : {}, name));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Runs" }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)));
}

async function showList() {
  for (let before = "";;) {
    try {
      const list = await ask("/api/runs");
      if (list.single && list.runs.length) return follow(list.runs[0].name, null);
      const text = JSON.stringify(list);
      if (text !== before) {
        before = text;
        list.runs.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
        const count = (state) => list.runs.filter((run) => run.state === state).length;
        const states = [...new Set(list.runs.map((run) => run.state))].map((state) => `${count(state)} ${state}`);
        document.title = `Runs in ${list.folder}`;
        document.querySelector("h1").textContent = document.title;
        document.getElementById("subtitle").textContent = states.join(" · ");
        main.replaceChildren(el("section", { class: "card" }, list.runs.length ? runTable(list.runs) : "There is no run yet."));
        document.documentElement.dataset.runs = list.runs.length;
      }
      say(stateTag("connected"));
    } catch (failure) {
      say(stateTag("not connected"), el("strong", { class: "error" }, ` ${failure.message}`));
    }
    await rest(RESTING);
  }
}

if (query.get("run") !== null) follow(query.get("run"), el("a", { href: address("/") }, "all runs"));
else showList();
