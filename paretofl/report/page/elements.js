"use strict";
// What cards are made of. Texts go in as text nodes, never as markup.

const FEW = 6;  // objectives shown one by one; of more, the first ones until asked for all
const MANY = 12;  // groups beyond which paths would hide the front, and objectives beyond which bars are too many

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

// A text of the runs that may be broken after the signs that join its words, and not within a vector.
function breakable(text) {
  return el("span", {}, ...text.split(/(\[[^\[\]]{0,40}\])/).flatMap((part, i) => (i % 2 ? [el("span", { class: "vector" }, part)]
    : part.split(/(?<=[._])|(?<==)(?=$|.{7})/).flatMap((word, k) => (k ? [el("wbr"), word] : [word])))));
}

// A chart: `label` says what it shows, `configure` makes its configuration, `height` is in CSS pixels. Of several charts of a card, each has
// a heading.
function chartBox(label, configure, height = 230, heading = "") {
  const canvas = el("canvas", { role: "img", "aria-label": label });
  const box = el("div", { class: "plot" }, canvas);
  box.style.height = `${height}px`;
  pending.push(() => addChart({ canvas, configure, name: heading || label, titled: heading !== "" }));
  const values = el("details", { class: "values" }, el("summary", { "aria-label": `Table of values: ${label}` }, "Table of values"));
  values.addEventListener("toggle", () => {
    if (values.open && values.children.length === 1) values.append(valueTable(label, configure()));
  });
  return el("div", { class: "figure" }, box, values);
}

// What a chart shows, for those who read it rather than see it.
function valueTable(label, config) {
  const { columns, rows } = chartTable(config);
  const shownRows = rows.slice(0, 300).map((row) => row.map((value) => (typeof value === "number" ? significant(value, 5) : String(value ?? "–"))));
  return el("div", {}, dataTable(`Values: ${label}`, columns, shownRows, [0, 1].filter((i) => rows.some((row) => typeof row[i] === "string"))),
    rows.length > 300 ? el("p", { class: "note" }, `The first 300 of ${rows.length} rows; the button CSV saves all.`) : null);
}

function titledChart(heading, label, configure, height, ...before) {
  return el("div", {}, el("h4", {}, ...before, heading), chartBox(label, configure, height, heading));
}

// A table in a box that scrolls where it is too wide. Each row is a list of cells, which are texts, elements or <td>s; `text` are the indices of
// columns that are no numbers.
function dataTable(label, head, rows, text = [0]) {
  const side = (i) => (text.includes(i) && i > 0 ? { class: "text" } : {});
  const cell = (content, i) => (content?.tagName === "TD" ? content : el("td", side(i), ...[content].flat()));
  return scrolling(label, el("table", {}, el("thead", {}, el("tr", {}, ...head.map((name, i) => el("th", { scope: "col", ...side(i) }, name)))),
    el("tbody", {}, ...rows.map((row) => (row.tagName === "TR" ? row : el("tr", {}, ...row.map(cell)))))));
}

const scrolling = (label, table) => el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);

// The first rows, and a button for all of them.
function limited(rows, limit, show) {
  const box = el("div", {}, show(rows.slice(0, limit)));
  if (rows.length > limit) box.append(el("button", { type: "button", class: "more", onclick: () => { box.replaceChildren(show(rows)); showHidden(); } }, `show all ${rows.length}`));
  return box;
}

// A row of a table that is hidden with its group.
function ofGroup(group, row) {
  row.group = group.label;
  return row;
}

function showHidden() {
  for (const row of document.getElementById("main").querySelectorAll("tr")) if (row.group !== undefined) row.hidden = hidden.has(row.group);
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
  if (show) return spread > 5e-4 * mean ? [show(mean), el("span", { class: "spread" }, ` ± ${show(spread, mean)}`)] : [show(mean)];
  const text = significant(mean);
  return spread === null ? [text] : [text, el("span", { class: "spread" }, ` ± ${spread.toFixed((text.split(".")[1] ?? "").length)}`)];
}

// The indices of the best of the values, shared or not.
function best(values, higher) {
  const known = values.filter((value) => value !== null);
  const top = higher ? Math.max(...known) : Math.min(...known);
  return [...values.keys()].filter((i) => values[i] === top);
}

const ended = (group) => group.runs.every((run) => run.finished);
const tag = (text) => el("span", { class: "tag" }, text);

const percent = (value) => (value === null ? "–" : `${significant(100 * value, 3)} %`);
