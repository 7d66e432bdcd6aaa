"use strict";
// What a card can be written to: its charts as one SVG picture, the values that they show as CSV, its tables as LaTeX. A figure is always
// drawn for white paper, with its own key; groups differ by dash and marker as well as by colour.

const FIGURE_WIDTH = 460;  // of one chart, in CSS pixels
const FIGURE_ROWS = 500;  // of the table below a chart; CSV has all
const KEY_ENTRIES = 40;  // of more groups the key has those that tell the others' looks

// What a chart shows, as {columns, rows}: as its configuration says, else the points of its data sets.
function chartTable(config) {
  if (config.table) return config.table();
  const { data: { labels, datasets }, options: { scales, indexAxis } } = config;
  const title = (scale, fallback) => scale?.title?.plain || scale?.title?.text || fallback;
  const visible = datasets.filter((set) => !set.silent && set.data.length);
  if (labels) {
    const [across, values] = indexAxis === "y" ? [scales.y, scales.x] : [scales.x, scales.y];
    return { columns: ["series", title(across, "name"), title(values, "value")],
      rows: visible.flatMap((set) => labels.map((label, i) => [set.label, label, (set.raw ?? set.data)[i]])) };
  }
  const extras = [...new Set(visible.flatMap((set) => set.data.flatMap((point) => Object.keys(point))))].filter((key) => key !== "x" && key !== "y");
  const banded = datasets.some((set) => set.band);
  const rows = visible.flatMap((set) => {
    const bands = banded ? ["low", "high"].map((which) => datasets.find((other) => other.band === which && other.label === set.label)?.data) : [];
    return set.data.map((point, i) => [set.label, point.x, point.y, ...bands.map((band) => band?.[i]?.y), ...extras.map((key) => point[key])]);
  });
  return { columns: ["series", title(scales.x, "x"), title(scales.y, "y"), ...(banded ? ["lowest", "highest"] : []), ...extras], rows };
}

// Of several charts, one table with a first column that names the chart.
function cardTable(plots) {
  const tables = plots.map((plot) => ({ name: plot.name, ...chartTable(plot.configure()) }));
  if (tables.length === 1) return tables[0];
  const columns = [...new Set(tables.flatMap((table) => table.columns))];
  return { columns: ["chart", ...columns],
    rows: tables.flatMap((table) => table.rows.map((row) => [table.name, ...columns.map((column) => row[table.columns.indexOf(column)])])) };
}

function csvText({ columns, rows }) {
  const cell = (value) => {
    const text = value === null || value === undefined || Number.isNaN(value) ? "" : String(typeof value === "number" ? Number(value.toPrecision(12)) : value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

// The card's charts, as in `drawings`.
function plotsOf(part) {
  const canvases = [...part.querySelectorAll("canvas")];
  return canvases.map((canvas) => drawings.find((drawing) => drawing.canvas === canvas)).filter(Boolean);
}

function chartSvg(drawing, width, height) {
  const config = configured(drawing);
  const context = new SvgContext(width, height);
  Object.assign(config, { platform: Chart.platforms.BasicPlatform });
  Object.assign(config.options, { responsive: false, animation: false, devicePixelRatio: 1, events: [], layout: { padding: { right: 14, top: 6, ...config.options.layout?.padding } } });
  const chart = new Chart(context, config);
  const { parts } = context;
  context.clearRect = () => {};
  chart.destroy();
  return { body: parts.join("\n"), datasets: config.options.plugins.legend.display ? [] : config.data.datasets, kind: config.type };
}

const KEY_MARKERS = { circle: "M15 6a4 4 0 1 1-8 0a4 4 0 1 1 8 0z", triangle: "M11 1.5L15.5 10H6.5z", rect: "M7 2h8v8H7z", rectRot: "M11 1l5 5-5 5-5-5z" };

// What a key says of so many entries: all of a few; else one for each strategy, whose colour and marker its rows share; else some of them, from
// the first to the last.
function keyEntries(all) {
  if (all.length <= KEY_ENTRIES) return all;
  const groups = new Map(data.workloads.flatMap((workload) => workload.groups).map((group) => [group.label, group]));
  const strategies = new Map();
  for (const entry of all) {
    const group = groups.get(entry.label);
    const name = group && group.ramp === undefined ? group.strategy : entry.label;
    if (!strategies.has(name)) strategies.set(name, { ...entry, set: { ...entry.set, borderDash: [] }, count: 0 });
    ++strategies.get(name).count;
  }
  if (strategies.size <= KEY_ENTRIES) return [...strategies].map(([name, entry]) => ({ ...entry, label: `${name} (${entry.count} rows)` }));
  const few = 12;
  const some = Array.from({ length: few }, (_, i) => all[Math.round((i * (all.length - 1)) / (few - 1))]);
  return [...some, { label: `${few} of ${all.length}, in this order`, set: null }];
}

// The key of all groups that the charts show, in rows of at most `width`: {body, height}.
function figureKey(drawn, width) {
  const entries = new Map();
  for (const { datasets, kind } of drawn) {
    for (const set of datasets) if (set.label && !set.silent && set.data.length && !entries.has(set.label)) entries.set(set.label, { set, kind });
  }
  if (!entries.size) return { body: "", height: 0 };
  let x = 8, y = 0;
  const parts = [];
  for (const { label, set, kind } of keyEntries([...entries].map(([name, entry]) => ({ label: name, ...entry })))) {
    const needed = 30 + textWidth(label, 11) + 14;
    if (x > 8 && x + needed > width) { x = 8; y += 18; }
    if (set === null) {
      parts.push(`<text x="${x}" y="${y + 10}" font-family="${FIGURE_FONT}" font-size="11" fill="#1b1f24">${escapeXml(label)}</text>`);
      continue;
    }
    const first = (value) => (Array.isArray(value) && typeof value[0] !== "number" ? value[0] : value);
    const [line, shape] = [set.keyColor ?? first(set.borderColor), set.keyColor ?? first(set.backgroundColor)].map((color) => paint(color)[0]);
    if (kind === "bar") parts.push(`<rect x="${x + 4}" y="${y + 1}" width="16" height="10" fill="${shape}" fill-opacity="${paint(first(set.backgroundColor))[1]}" stroke="${line}"/>`);
    else {
      const path = `<path d="M0 6H22" stroke="${line}" stroke-width="2"${set.borderDash?.length ? ` stroke-dasharray="${set.borderDash.join(" ")}"` : ""}/>`;
      parts.push(`<g transform="translate(${x} ${y})">${kind === "line" && set.showLine !== false ? path : ""}<path d="${KEY_MARKERS[set.pointStyle] ?? KEY_MARKERS.circle}" fill="${line}"/></g>`);
    }
    parts.push(`<text x="${x + 28}" y="${y + 10}" font-family="${FIGURE_FONT}" font-size="11" fill="#1b1f24">${escapeXml(label)}</text>`);
    x += needed;
  }
  return { body: parts.join("\n"), height: y + 24 };
}

// The card's charts in one picture, two abreast where there are several.
function cardSvg(title, note, plots) {
  const before = theme;
  theme = lightColors();
  clips = 0;
  try {
    useTheme(FIGURE_FONT);
    const abreast = Math.min(2, plots.length);
    const width = plots.length === 1 ? 640 : abreast * FIGURE_WIDTH;
    let top = 6;
    const parts = [], drawn = [];
    for (let i = 0; i < plots.length; i += abreast) {
      const row = plots.slice(i, i + abreast);
      const height = Math.max(...row.map(({ canvas }) => parseFloat(canvas.parentElement.style.height)));
      row.forEach((plot, k) => {
        const left = k * FIGURE_WIDTH;
        const result = chartSvg(plot, plots.length === 1 ? width : FIGURE_WIDTH - 10, height);
        const heading = plots.length > 1 || plot.titled ? 20 : 0;
        if (heading) parts.push(`<text x="${left + 8}" y="${top + 13}" font-family="${FIGURE_FONT}" font-size="12" font-weight="bold" fill="#1b1f24">${escapeXml(plot.name)}</text>`);
        parts.push(`<g transform="translate(${left} ${top + heading})">\n${result.body}\n</g>`);
        drawn.push(result);
      });
      top += height + (plots.length > 1 || row[0].titled ? 32 : 12);
    }
    const key = figureKey(drawn, width);
    if (key.body) parts.push(`<g transform="translate(0 ${top})">\n${key.body}\n</g>`);
    const height = top + key.height;
    return `<svg xmlns="${["http:", "", "www.w3.org", "2000", "svg"].join("/")}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">\n<title>${escapeXml(title)}</title>\n`
      + `<desc>${escapeXml(note)}</desc>\n<rect width="${width}" height="${height}" fill="#ffffff"/>\n${parts.join("\n")}\n</svg>\n`;
  } finally {
    theme = before;
  }
}

const titleOf = (part) => part.querySelector("h3").textContent;
const noteOf = (part) => part.querySelector(".note")?.textContent ?? "";
const fileName = (text) => text.toLowerCase().replaceAll("'", "").replaceAll("λ", "lambda").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "figure";

// All cards of the page, each with a name for its files that no other one has.
function namedCards() {
  const taken = new Set();
  return [...document.getElementById("main").querySelectorAll("section.card")].map((part) => {
    const workload = part.workload && data.workloads.length > 1 ? `${fileName(part.workload)}-` : "";
    const stem = workload + fileName(titleOf(part));
    let name = stem;
    for (let i = 2; taken.has(name); ++i) name = `${stem}-${i}`;
    taken.add(name);
    return { name, part };
  });
}

// The files of all figures: [{name, text}].
function figureFiles() {
  return namedCards().flatMap(({ name, part }) => {
    const plots = plotsOf(part);
    if (!plots.length) return [];
    return [{ name: `${name}.svg`, text: cardSvg(titleOf(part), noteOf(part), plots) }, { name: `${name}.csv`, text: csvText(cardTable(plots)) }];
  });
}

const LATEX = { "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_", "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}", "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", "±": "$\\pm$", "–": "--", "—": "---", "λ": "$\\lambda$", "ε": "$\\epsilon$",
  "δ": "$\\delta$", "−": "$-$", "×": "$\\times$", "·": "$\\cdot$", "…": "\\ldots{}", "\"": "''" };
// After the end of a row, a bracket or a star would belong to it.
const latexText = (text) => [...String(text).replace(/\s+/g, " ").trim()].map((letter) => LATEX[letter] ?? letter).join("").replace(/^(?=[[*])/, "{}");

// A cell's text, with a space where one element follows another.
const cellText = (cell) => [...cell.childNodes].map((node) => node.textContent.trim()).filter(Boolean).join(" ");

function latexTable(table, caption) {
  const rows = [...table.querySelectorAll("tr")].map((row) => [...row.children]);
  const columns = Math.max(...rows.map((row) => row.length));
  const sides = rows[rows.length - 1].map((cell, i) => (i === 0 || cell.classList.contains("text") ? "l" : "r"));
  const line = (row) => `${row.map((cell) => (cell.classList.contains("best") ? `\\textbf{${latexText(cellText(cell))}}` : latexText(cellText(cell)))).join(" & ")} \\\\`;
  const [head, ...body] = rows.map(line);
  return ["\\begin{table}", "\\centering", `\\caption{${latexText(caption)}}`, `\\begin{tabular}{${sides.join("").padEnd(columns, "r")}}`, "\\toprule", head, "\\midrule", ...body,
    "\\bottomrule", "\\end{tabular}", "\\end{table}", ""].join("\n");
}

function cardLatex(part) {
  const tables = [...part.querySelectorAll("table")].filter((table) => table.closest("details") === null);
  const note = noteOf(part);
  const caption = `${titleOf(part)}. ${note}`.trim();
  return tables.map((table) => latexTable(table, caption)).join("\n");
}

// The files of all tables, of which each needs the package booktabs.
function tableFiles() {
  for (const more of document.getElementById("main").querySelectorAll(".more")) if (more.closest("table") === null) more.onclick();
  return namedCards().map(({ name, part }) => ({ name: `${name}.tex`, text: cardLatex(part) })).filter(({ text }) => text)
    .map(({ name, text }) => ({ name, text: `% \\usepackage{booktabs}\n${text}` }));
}

// Gives someone a file to keep.
function save(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function savePng(name, svg) {
  const picture = new Image();
  picture.onload = () => {
    const canvas = el("canvas", { width: 2 * picture.width, height: 2 * picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((content) => save(name, "image/png", content));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

// The buttons of a card: its figure as SVG, PNG and CSV, its tables as LaTeX.
function saveButtons(part) {
  const name = () => namedCards().find((one) => one.part === part).name;
  const svg = () => cardSvg(titleOf(part), noteOf(part), plotsOf(part));
  const button = (text, what, action) => el("button", { type: "button", class: "save", "aria-label": `save ${what} of ${titleOf(part)} as ${text}`, onclick: action }, text);
  const hasPlots = part.querySelector("canvas") !== null, hasTable = [...part.querySelectorAll("table")].some((table) => table.closest("details") === null);
  const buttons = [];
  if (hasPlots) buttons.push(button("SVG", "the figure", () => save(`${name()}.svg`, "image/svg+xml", svg())), button("PNG", "the figure", () => savePng(`${name()}.png`, svg())),
    button("CSV", "the values", () => save(`${name()}.csv`, "text/csv", csvText(cardTable(plotsOf(part))))));
  if (hasTable) buttons.push(button("LaTeX", "the table", () => save(`${name()}.tex`, "text/x-tex", cardLatex(part))));
  return buttons.length ? el("div", { class: "saves" }, ...buttons) : null;
}
