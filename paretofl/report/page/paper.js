"use strict";
// A document without a browser: of the DOM what the page's scripts use to build their cards. Nothing is laid out; figures.js then writes
// what the cards hold.

class Piece {
  constructor(tag) {
    Object.assign(this, { tagName: tag.toUpperCase(), tag, attributes: new Map(), childNodes: [], parent: null, style: {}, dataset: {}, value: "" });
    const names = () => (this.attributes.get("class") ?? "").split(" ").filter(Boolean);
    this.classList = { contains: (name) => names().includes(name), add: (name) => this.setAttribute("class", [...names(), name].join(" ")) };
  }

  setAttribute(name, value) { this.attributes.set(name, String(value)); }

  getAttribute(name) { return this.attributes.get(name) ?? null; }

  append(...nodes) {
    for (const node of nodes) {
      const child = node instanceof Piece ? node : { textContent: String(node), parent: null };
      if (child.parent) child.remove();
      child.parent = this;
      this.childNodes.push(child);
    }
  }

  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((node) => node !== this);
    this.parent = null;
  }

  replaceChildren(...nodes) {
    for (const node of this.childNodes) node.parent = null;
    this.childNodes = [];
    this.append(...nodes);
  }

  cloneNode() {
    const copy = new Piece(this.tag);
    this.attributes.forEach((value, name) => copy.setAttribute(name, value));
    copy.append(...this.children.map((child) => child.cloneNode()));
    return copy;
  }

  addEventListener() {}

  closest(selector) { return this.matches(selector) ? this : (this.parent?.closest(selector) ?? null); }

  get parentElement() { return this.parent; }

  get children() { return this.childNodes.filter((node) => node instanceof Piece); }

  get firstChild() { return this.childNodes[0] ?? null; }

  get firstElementChild() { return this.children[0] ?? null; }

  get isConnected() { return this === document.documentElement || (this.parent !== null && this.parent.isConnected); }

  get textContent() { return this.childNodes.map((node) => node.textContent).join(""); }

  set textContent(text) { this.replaceChildren(text); }

  // Of "tag", ".class" and "tag.class", and lists of them.
  matches(selector) {
    return selector.split(",").some((one) => {
      const [tag, name] = one.trim().split(".");
      return (!tag || tag === this.tag) && (!name || this.classList.contains(name));
    });
  }

  querySelectorAll(selector) { return this.children.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)]); }

  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
}

// `style`: the page's style sheet; `text`: its data as JSON.
function paper(style, text) {
  const root = new Piece("html");
  const named = new Map(["main", "subtitle", "data", "mark"].map((name) => [name, new Piece(name === "data" ? "script" : "div")]));
  const sheet = new Piece("style");
  root.append(sheet, ...named.values());
  sheet.append(style);
  named.get("data").append(text);
  const mark = new Piece("svg");
  mark.append(new Piece("path"), new Piece("path"));
  named.get("mark").content = { firstElementChild: mark };
  return { documentElement: root, createElement: (tag) => new Piece(tag), getElementById: (name) => named.get(name), querySelector: (selector) => root.querySelector(selector) };
}

const matchMedia = () => ({ matches: false, addEventListener() {} });
const innerWidth = 1280;
const addEventListener = () => {};
let document = null;
let colors = null;
const getComputedStyle = () => ({ fontFamily: "sans-serif", getPropertyValue: (name) => (colors ??= lightColors()).get(name) ?? "" });
