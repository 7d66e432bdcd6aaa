"use strict";
// Looking closer at curves: a drag across one shows these rounds in all charts of its card, a double click all of them again.

const zooms = new Map();  // of a card, by its workload and title: {min, max} of the axis across

const cardOf = (canvas) => canvas.closest("section.card");
const zoomName = (part) => `${part.workload ?? ""}/${part.querySelector("h3").textContent}`;
const zoomOf = ({ canvas }) => {
  const part = cardOf(canvas);
  return part ? zooms.get(zoomName(part)) : undefined;
};

// A chart's configuration as it is to be drawn: what it is looked at through, and some room where all points lie at one place.
function configured(drawing) {
  const config = settled(drawing.configure());
  const zoom = zoomOf(drawing);
  if (!zoom || config.type !== "line" || config.data.labels) return config;
  const { x, y } = config.options.scales;
  Object.assign(x, zoom);
  const seen = config.data.datasets.flatMap((set) => set.data).filter((point) => point.y !== null && point.x >= zoom.min && point.x <= zoom.max).map((point) => point.y);
  if (!seen.length) return config;
  const low = seen.reduce((a, b) => Math.min(a, b)), high = seen.reduce((a, b) => Math.max(a, b)), room = 0.05 * (high - low) || 0.05 * Math.abs(high) || 0.5;
  Object.assign(y, { min: low - room, max: high + room });
  return config;
}

function showZoom(drawing, zoom) {
  const part = cardOf(drawing.canvas), title = zoomName(part);
  if (zoom) zooms.set(title, zoom);
  else zooms.delete(title);
  drawings.filter(({ chart, canvas }) => chart && part.contains(canvas)).forEach(draw);
  offerReset(part);
}

// The button that shows the whole range again, where the card is zoomed.
function offerReset(part) {
  part.querySelector(".reset-zoom")?.remove();
  const drawing = zooms.has(zoomName(part)) && plotsOf(part)[0];
  if (drawing) part.querySelector(".controls").append(el("button", { type: "button", class: "reset-zoom", onclick: () => showZoom(drawing, null) }, "whole range"));
}

// Follows the pointer on a chart of curves.
function watchZoom(drawing) {
  const { canvas } = drawing;
  const box = canvas.parentElement;
  let from = null, frame = null;
  const across = (event) => event.clientX - canvas.getBoundingClientRect().left;
  const end = () => { frame?.remove(); from = frame = null; };
  canvas.classList.add("zoomable");
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = across(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (from === null || Math.abs(across(event) - from) < 8) return;
    frame ??= box.appendChild(el("div", { class: "zoom-frame" }));
    const { top, bottom } = drawing.chart.chartArea;
    Object.assign(frame.style, { left: `${Math.min(from, across(event))}px`, width: `${Math.abs(across(event) - from)}px`, top: `${top}px`, height: `${bottom - top}px` });
  });
  canvas.addEventListener("pointerup", (event) => {
    const zoomed = frame !== null, to = across(event), first = from;
    end();
    if (!zoomed) return;
    const [min, max] = [first, to].map((pixel) => drawing.chart.scales.x.getValueForPixel(pixel)).sort((a, b) => a - b);
    showZoom(drawing, { min, max });
  });
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("dblclick", () => showZoom(drawing, null));
}
