"use strict";
// A drawing context that writes SVG: of CanvasRenderingContext2D what the charts use. So a figure in a file is drawn by the same code as
// the chart on the page, in a browser and in an engine without one.

// Widths of Helvetica's characters from space to tilde, in thousandths of the font's size.
const CHARACTER_WIDTHS = [278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278,
  584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278,
  278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584];
const FIGURE_FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif";

function textWidth(text, size, bold = false) {
  const width = [...String(text)].reduce((sum, letter) => sum + (CHARACTER_WIDTHS[letter.codePointAt(0) - 32] ?? 600), 0);
  return (1.14 * width * size * (bold ? 1.08 : 1)) / 1000;  // other fonts, such as DejaVu Sans, are wider
}

const escapeXml = (text) => String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd").replaceAll("&", "&amp;").replaceAll("<", "&lt;")
  .replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const brief = (value) => String(Math.round(value * 100) / 100);

// A colour as [opaque colour, opacity].
function paint(color) {
  const hex = /^#([0-9a-f]{6})([0-9a-f]{2})$/i.exec(color);
  if (hex) return [`#${hex[1]}`, brief(parseInt(hex[2], 16) / 255)];
  const rgba = /^rgba?\((\d+), ?(\d+), ?(\d+)(?:, ?([\d.]+))?\)$/.exec(color);
  if (rgba) return [`rgb(${rgba[1]},${rgba[2]},${rgba[3]})`, rgba[4] ?? "1"];
  return color === "transparent" ? ["none", "1"] : [color, "1"];
}

let clips = 0;  // clip paths of the figure that is being drawn

class SvgContext {
  constructor(width, height) {
    this.canvas = { width, height, getContext: () => this };
    this.parts = [];
    this.saved = [];
    this.path = [];
    Object.assign(this, { fillStyle: "#000000", strokeStyle: "#000000", lineWidth: 1, lineCap: "butt", lineJoin: "miter", lineDashOffset: 0, font: "12px sans-serif",
      textAlign: "start", textBaseline: "alphabetic", globalAlpha: 1, dash: [], matrix: [1, 0, 0, 1, 0, 0], clipping: "" });
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, lineCap, lineJoin, lineDashOffset, font, textAlign, textBaseline, globalAlpha, dash, matrix, clipping } = this;
    this.saved.push({ fillStyle, strokeStyle, lineWidth, lineCap, lineJoin, lineDashOffset, font, textAlign, textBaseline, globalAlpha, dash, matrix, clipping });
  }

  restore() { Object.assign(this, this.saved.pop()); }

  setTransform(...matrix) { this.matrix = matrix; }

  resetTransform() { this.matrix = [1, 0, 0, 1, 0, 0]; }

  translate(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a, b, c, d, e + a * x + c * y, f + b * x + d * y];
  }

  rotate(angle) {
    const [a, b, c, d, e, f] = this.matrix, cos = Math.cos(angle), sin = Math.sin(angle);
    this.matrix = [a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin, e, f];
  }

  at(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    return `${brief(a * x + c * y + e)} ${brief(b * x + d * y + f)}`;
  }

  setLineDash(dash) { this.dash = dash; }

  beginPath() { this.path = []; }

  closePath() { this.path.push("Z"); }

  moveTo(x, y) { this.path.push(`M${this.at(x, y)}`); }

  lineTo(x, y) { this.path.push(`${this.path.length ? "L" : "M"}${this.at(x, y)}`); }

  bezierCurveTo(x1, y1, x2, y2, x, y) { this.path.push(`C${this.at(x1, y1)} ${this.at(x2, y2)} ${this.at(x, y)}`); }

  rect(x, y, width, height) {
    this.path.push(`M${this.at(x, y)}L${this.at(x + width, y)}L${this.at(x + width, y + height)}L${this.at(x, y + height)}Z`);
  }

  arc(x, y, radius, from, to, counter = false) {
    const on = (angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    const turn = Math.min(Math.abs(to - from), 2 * Math.PI) * (counter ? -1 : 1);
    const sweep = counter ? 0 : 1, size = brief(radius);
    this.lineTo(...on(from));
    const steps = Math.abs(turn) > Math.PI ? [from + turn / 2, from + turn] : [from + turn];
    for (const angle of steps) this.path.push(`A${size} ${size} 0 0 ${sweep} ${this.at(...on(angle))}`);
  }

  clip() {
    const id = `clip${++clips}`;
    this.parts.push(`<clipPath id="${id}"><path d="${this.path.join("")}"/></clipPath>`);
    this.clipping = ` clip-path="url(#${id})"`;
  }

  // The attributes of a fill or a stroke, or null where it leaves nothing.
  filling() {
    const [color, alpha] = paint(this.fillStyle);
    const opacity = Number(alpha) * this.globalAlpha;
    return color === "none" || opacity === 0 ? null : `fill="${color}"${opacity < 1 ? ` fill-opacity="${brief(opacity)}"` : ""}`;
  }

  stroking() {
    const [color, alpha] = paint(this.strokeStyle);
    const opacity = Number(alpha) * this.globalAlpha;
    if (color === "none" || opacity === 0 || !this.lineWidth) return null;
    return `fill="none" stroke="${color}" stroke-width="${brief(this.lineWidth)}"${opacity < 1 ? ` stroke-opacity="${brief(opacity)}"` : ""}`
      + `${this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : ""}${this.lineJoin === "miter" ? "" : ` stroke-linejoin="${this.lineJoin}"`}`;
  }

  put(style) {
    const path = this.path.join("");
    if (style && /[LCA]/.test(path)) this.parts.push(`<path d="${path}" ${style}${this.clipping}/>`);
  }

  fill() { this.put(this.filling()); }

  stroke() { this.put(this.stroking()); }

  fillRect(...box) {
    const kept = this.path;
    this.path = [];
    this.rect(...box);
    const style = this.filling();
    this.put(style && `${style} shape-rendering="crispEdges"`);  // no seams between cells
    this.path = kept;
  }

  strokeRect(...box) {
    const kept = this.path;
    this.path = [];
    this.rect(...box);
    this.stroke();
    this.path = kept;
  }

  clearRect() { this.parts = []; }

  size() { return Number(/([\d.]+)px/.exec(this.font)?.[1] ?? 12); }

  bold() { return /\b(bold|[6-9]00)\b/.test(this.font); }

  measureText(text) { return { width: textWidth(text, this.size(), this.bold()) }; }

  text(text, x, y, style) {
    if (!style || text === "") return;
    const size = this.size();
    const anchor = { center: "middle", right: "end", end: "end" }[this.textAlign];
    const down = { top: 0.8, hanging: 0.8, middle: 0.35, bottom: -0.2 }[this.textBaseline] ?? 0;
    const turned = this.matrix.slice(0, 4).some((value, i) => Math.abs(value - [1, 0, 0, 1][i]) > 1e-6);
    const place = turned ? `transform="matrix(${this.matrix.map(brief).join(" ")})" x="${brief(x)}" y="${brief(y + down * size)}"`
      : `x="${brief(x + this.matrix[4])}" y="${brief(y + this.matrix[5] + down * size)}"`;
    this.parts.push(`<text ${place} font-family="${FIGURE_FONT}" font-size="${brief(size)}"${this.bold() ? ' font-weight="bold"' : ""}`
      + `${anchor ? ` text-anchor="${anchor}"` : ""} ${style}>${escapeXml(text)}</text>`);
  }

  fillText(text, x, y) { this.text(text, x, y, this.filling()); }

  strokeText(text, x, y) { this.text(text, x, y, this.stroking()); }
}
