// The document of a finding: a virtual list of its rows, with findings marked in the gutter and in the text.

import { h, visible } from "../element.js";
import { survey } from "../engine/survey.js";
import type { Row } from "../engine/text.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { SEVERITIES, type Diagnostic, type Report } from "../state.js";
import { arrange, chosenLayout } from "../layout.js";
import { said, select } from "./finding.js";
import { markup } from "./markup.js";

/** Height of a row in pixels, as in the stylesheet. */
const HEIGHT = 24;
/** Rows above and below the ones in view that are drawn as well. */
const MARGIN = 20;
/** Browsers do not make elements of any height: beyond this, the scroll bar stands for more than it shows. */
const TALLEST = 8_000_000;

type Span = NonNullable<Diagnostic["span"]>;

/** The view of one document. */
export class SourceView {
  readonly root: HTMLElement;
  readonly #rows = h("div", { class: "source-rows" });
  readonly #space = h("div", { class: "source-space" }, this.#rows);
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Stored findings of the document with a place, in its order. */
  readonly #found: { at: number; span: Span }[];
  #count = 0;
  #id = -1;
  #drawn = { from: -1, to: -1 };
  #shown: Span | null = null;
  #asked = 0;
  #drawing: Promise<void> = Promise.resolve();

  constructor(readonly page: Page, readonly report: Report, readonly input: number, readonly file: Blob) {
    const name = report.inputs[input]?.name ?? "";
    this.root = h("div", { class: "source", tabindex: 0, role: "region", "aria-label": page.words().say("sourceOf", { name: visible(name) }),
      translate: "no", dir: "ltr", on: { scroll: () => void this.#draw() } }, this.#space);
    const { height } = chosenLayout();
    if (height !== undefined) this.root.style.height = `${height}px`;
    new ResizeObserver(() => {
      void this.#draw();
      // The browser sets a height when the user drags the corner.
      const own = Number.parseInt(this.root.style.height, 10);
      if (own > 0 && own !== chosenLayout().height) arrange({ height: own });
    }).observe(this.root);
    this.#found = report.diagnostics.flatMap(({ input, span }, at) => (input === this.input && span ? [{ at, span }] : []));
  }

  /** Indexes the document. Rejected if it cannot be read or is too large. */
  async open(): Promise<this> {
    const { id, rows } = await survey({ task: "openText", file: this.file });
    [this.#id, this.#count] = [id, rows];
    // A short document needs no more room than it has lines, and a scroll bar below them.
    if (rows < 40) this.root.style.maxHeight = `${Math.max(6, rows + 1) * HEIGHT}px`;
    this.#space.style.height = `${Math.min(rows * HEIGHT, TALLEST)}px`;
    return this;
  }

  /** Scrolls to a place and marks it. */
  async show(span: Span): Promise<void> {
    this.#shown = span;
    const row = await survey({ task: "rowAt", id: this.#id, offset: span.offset });
    const [first, last] = this.#visible();
    if (row < first + 1 || row > last - 2) this.root.scrollTop = this.#top(Math.max(0, row - 3));
    void this.#draw(true);
    // Scrolling may ask for other rows meanwhile.
    for (let drawing; drawing !== this.#drawing; ) await (drawing = this.#drawing);
    this.root.scrollLeft = 0;
    const mark = this.#rows.querySelector<HTMLElement>("mark.shown");
    const room = this.root.clientWidth;
    if (mark && mark.offsetLeft + mark.offsetWidth > room) this.root.scrollLeft = Math.max(0, mark.offsetLeft - room / 3);
  }

  /** Pixels above a row. */
  #top(row: number): number {
    const whole = this.#count * HEIGHT;
    return whole <= TALLEST ? row * HEIGHT : (row / this.#count) * TALLEST;
  }

  #visible(): [first: number, last: number] {
    const whole = this.#count * HEIGHT;
    const first = whole <= TALLEST ? this.root.scrollTop / HEIGHT : (this.root.scrollTop / TALLEST) * this.#count;
    return [Math.floor(first), Math.ceil(first + this.root.clientHeight / HEIGHT)];
  }

  #draw(again = false): Promise<void> {
    // Before it is opened.
    if (this.#id < 0) return Promise.resolve();
    return (this.#drawing = this.#redraw(again));
  }

  async #redraw(again: boolean): Promise<void> {
    const [first, last] = this.#visible();
    if (!again && first >= this.#drawn.from && last <= this.#drawn.to) return;
    const from = Math.max(0, first - MARGIN);
    const to = Math.min(this.#count, last + MARGIN);
    const asked = ++this.#asked;
    const rows = await survey({ task: "rowsOf", id: this.#id, from, count: to - from });
    if (asked !== this.#asked) return;
    this.#drawn = { from: from === 0 ? -1 : from, to: to === this.#count ? Number.POSITIVE_INFINITY : to };
    const focused = document.activeElement instanceof HTMLElement && this.#rows.contains(document.activeElement) ? document.activeElement.dataset["at"] : undefined;
    // What is in view stays where it is, also where the scroll bar stands for more than it shows.
    this.#rows.style.transform = `translateY(${this.#top(first) - (first - from) * HEIGHT}px)`;
    this.#rows.replaceChildren(...rows.map((row) => this.#row(row)));
    if (focused) this.#rows.querySelector<HTMLElement>(`[data-at="${focused}"]`)?.focus({ preventScroll: true });
  }

  #row(row: Row): HTMLElement {
    const end = row.offset + row.bytes.length;
    const own = this.#within(row.offset, end);
    const begin = own.filter(({ span }) => span.offset >= row.offset);
    return h("div", { class: "source-row" },
      h("span", { class: "gutter" }, begin.length > 0 && this.#mark(begin.map(({ at }) => at)), h("span", { class: "line-number" }, row.begins ? String(row.line) : "")),
      h("code", {}, ...this.#text(row, own)));
  }

  /** Findings that begin in these bytes or reach into them from the row before. */
  #within(from: number, to: number): { at: number; span: Span }[] {
    let [low, high] = [0, this.#found.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#found[middle]?.span.offset ?? 0) < from - 2_000) low = middle + 1;
      else high = middle;
    }
    const own: { at: number; span: Span }[] = [];
    for (let next = low; next < this.#found.length && own.length < 100; next++) {
      const one = this.#found[next];
      if (!one || one.span.offset >= to) break;
      if (one.span.offset >= from || one.span.offset + one.span.length > from) own.push(one);
    }
    return own;
  }

  #mark(places: number[]): HTMLElement {
    const words = this.page.words();
    const findings = places.map((at) => this.report.diagnostics[at]).filter((found): found is Diagnostic => found !== undefined);
    const worst = SEVERITIES.find((severity) => findings.some((found) => found.severity === severity)) ?? "info";
    const text = places.map((at) => `${this.report.diagnostics[at]?.code}: ${said(this.page, this.report, at).message}`).join("; ");
    const { selected } = this.page.store.state;
    // Pressed again, it goes through the findings of the row.
    const next = () => places[(places.indexOf(this.page.store.state.selected ?? -1) + 1) % places.length] ?? 0;
    return h("button", { type: "button", class: "gutter-mark", "data-at": places[0], title: visible(text), "aria-label": `${words.say(worst)}: ${visible(text)}`,
      "aria-pressed": String(selected !== null && places.includes(selected)), on: { click: () => select(this.page, next()) } }, icon(worst));
  }

  #text(row: Row, own: { at: number; span: Span }[]): (Node | string)[] {
    const end = row.offset + row.bytes.length;
    const cuts = new Set([row.offset, end]);
    const ranges = own.map(({ at, span }) => ({ at, from: span.offset, to: span.offset + Math.max(span.length, 1) }));
    const shown = this.#shown;
    if (shown) ranges.push({ at: -1, from: shown.offset, to: shown.offset + Math.max(shown.length, 1) });
    for (const { from, to } of ranges) for (const cut of [from, to]) if (cut > row.offset && cut < end) cuts.add(cut);
    const parts = markup(row.bytes);
    for (const { from, to } of parts) for (const cut of [row.offset + from, row.offset + to]) if (cut > row.offset && cut < end) cuts.add(cut);
    const sorted = [...cuts].sort((one, other) => one - other);
    return sorted.slice(1).map((to, at) => {
      const from = sorted[at] ?? 0;
      const text = this.#decoder.decode(row.bytes.subarray(from - row.offset, to - row.offset)).replace(/[\r\n]+$/, "");
      const over = ranges.filter((range) => range.from <= from && range.to >= to);
      if (over.length === 0) {
        const part = parts.find((own) => row.offset + own.from <= from && row.offset + own.to >= to)?.part;
        return part ? h("span", { class: `xml-${part}` }, plain(text)) : plain(text);
      }
      const severity = SEVERITIES.find((severity) => over.some(({ at }) => this.report.diagnostics[at]?.severity === severity)) ?? "info";
      const isShown = over.some(({ at }) => at === -1);
      const first = over.find(({ at }) => at >= 0)?.at;
      return h("mark", { class: `${severity}${isShown ? " shown" : ""}`, ...(first !== undefined && { on: { click: () => select(this.page, first) } }) }, plain(text) || " ");
    });
  }
}

function plain(text: string): string {
  return visible(text.replaceAll("\t", "  "));
}
