// Entries of a list and members of a package as a virtual table, with filter, sort and download.

import { h, visible } from "../element.js";
import { survey } from "../engine/survey.js";
import type { Column, Opened } from "../engine/tables.js";
import { core } from "../engine/validator.js";
import { icon, type Icon } from "../icon.js";
import { save, type Page } from "../page.js";
import type { Report } from "../state.js";
import { TABLE, type Word } from "../words/index.js";
import { givenOf } from "./given.js";
import { inputOption } from "./inputs.js";

/** Height of a row in pixels, as in the stylesheet. */
const HEIGHT = 30;
/** Rows above and below the ones in view that are drawn as well. */
const MARGIN = 15;
/** Milliseconds without a key before a filter applies. */
const PAUSE = 150;
/** Documents that can be chosen. */
const CHOICES = 1_000;

/** The class and the icon of a state; every other one is a problem. A resource without a file, such as a deletion, is none. */
const STATES: Record<string, [look: string, shape: Icon]> = {
  verified: ["good", "valid"], sound: ["good", "valid"], unchecked: ["open", "undetermined"], unpackaged: ["neutral", "none"], absent: ["bad", "missing"],
};

/** A section that reads the document when it is opened; false if no document is at hand. */
export function tables(page: Page, report: Report): HTMLElement | false {
  const words = page.words();
  const all = report.inputs.filter(({ id, entries, kind }) => givenOf(report, page.store.state, id) !== undefined && (entries > 0 || kind === "package"));
  if (all.length === 0) return false;
  const place = h("div", { class: "table-place" });
  const { filters } = page.store.state;
  let own = all.find(({ id }) => id === filters.input) ?? all[0];
  const pick = h("select", { id: "table-document", on: { change: () => {
    own = all[Number(pick.value)];
    open();
  } } });
  const choices = () => {
    if (!pick.firstChild) pick.append(...all.slice(0, CHOICES).map((input, at) => inputOption(page, input, at, input.id === own?.id)));
  };
  const only = all.length === 1 ? all[0] : undefined;
  const details = h("details", { class: "tables card" },
    h("summary", {}, h("h2", {}, words.say(only?.kind === "package" ? "tableMembers" : only ? "tableEntries" : "tableAll")),
      only && only.kind !== "package" && h("span", { class: "number dim" }, words.number(only.entries))),
    all.length > 1 && h("div", { class: "field" }, h("label", { for: "table-document" }, words.say("fixDocument")), pick),
    place);
  let asked = 0;
  let shown = -1;
  const open = () => {
    if (!own || shown === own.id) return;
    shown = own.id;
    const [now, input] = [++asked, own];
    place.replaceChildren(h("p", { class: "dim" }, words.say("loading")));
    void load(page, report, input).then(
      (table) => now === asked && place.replaceChildren(table),
      (error: Error) => now === asked && place.replaceChildren(h("p", {}, words.say("tableFailed", { detail: visible(error.message) }))));
  };
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    choices();
    open();
  });
  page.store.watch(details, (state, before) => {
    if (state.filters.input === before.filters.input) return;
    const at = all.findIndex(({ id }) => id === state.filters.input);
    if (at < 0 || at >= CHOICES) return;
    own = all[at];
    pick.value = String(at);
    if (details.open) open();
  });
  return details;
}

async function load(page: Page, report: Report, input: Report["inputs"][number]): Promise<HTMLElement> {
  const given = givenOf(report, page.store.state, input.id);
  if (!given) throw new Error(page.words().say("tableGone"));
  const name = given.name.split("/").at(-1) ?? given.name;
  const opened = await survey({ task: "openTable", file: given.file, name, isPackage: input.kind === "package", wasm: await core() });
  return new VirtualTable(page, opened, name).root;
}

/** The name of a column. */
function title(page: Page, column: Column): string {
  return page.words().say(`column.${column}`);
}

/** A table of which only the rows in view are drawn. */
export class VirtualTable {
  readonly root: HTMLElement;
  readonly #view: HTMLElement;
  readonly #body = h("tbody", {});
  readonly #table: HTMLTableElement;
  readonly #paper: HTMLElement;
  readonly #count = h("p", { class: "dim small", role: "status" });
  readonly #heads: HTMLElement[];
  #rows: number;
  #filter = "";
  #only: { column: number; value: string } | undefined;
  #sort: { column: number; descending: boolean } | undefined;
  #drawn = { from: -1, to: -1 };
  #asked = 0;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly page: Page, readonly opened: Opened, name: string) {
    const words = page.words();
    this.#rows = opened.rows;
    const search = h("input", { type: "search", class: "table-filter", "aria-label": words.say("tableFilter"), placeholder: words.say("tableFilter"), on: { input: () => {
      clearTimeout(this.#waiting);
      this.#waiting = setTimeout(() => {
        this.#filter = search.value;
        void this.#arrange();
      }, PAUSE);
    } } });
    this.#heads = opened.columns.map((column, at) => h("th", { scope: "col", class: `column-${column}`, "aria-sort": "none" },
      h("button", { type: "button", class: "sort", on: { click: () => this.#turn(at) } }, title(page, column), h("span", { class: "sort-mark", "aria-hidden": "true" }))));
    this.#table = h("table", { "aria-rowcount": opened.rows + 1, "aria-label": words.say("tableOf", { name: visible(name) }) },
      h("colgroup", {}, ...opened.columns.map((column) => h("col", { class: `column-${column}` }))),
      h("thead", {}, h("tr", { "aria-rowindex": 1 }, ...this.#heads)), this.#body);
    this.#view = h("div", { class: "virtual", tabindex: 0, role: "region", "aria-label": words.say("tableOf", { name: visible(name) }), on: { scroll: () => void this.#draw() } }, this.#table);
    const csv = h("button", { type: "button", on: { click: async () => save(`${name.replace(/\.(xml|zip)(\.gz)?$/i, "")}.csv`, await survey({ task: "csv", id: opened.id }), "text/csv") } },
      icon("save"), words.say("tableCsv"));
    this.root = h("div", { class: "virtual-table" },
      h("div", { class: "filters" }, h("div", { class: "search" }, icon("search"), search), csv, this.#count),
      opened.isCut && h("p", { class: "note" }, words.say("tableCut", { n: opened.rows })),
      opened.failed !== undefined && h("p", { class: "note" }, words.say("tablePart", { n: opened.rows, detail: visible(opened.failed) })),
      this.#view, this.#paper = h("p", { class: "on-paper dim small" }, words.say("tablePaper")));
    this.#say();
    // The height is known when the table is in the page.
    requestAnimationFrame(() => void this.#draw(true));
  }

  /** Shows only the rows with a value, or all. */
  only(only: { column: number; value: string } | undefined): void {
    this.#only = only;
    void this.#arrange();
  }

  #say(): void {
    const words = this.page.words();
    this.#count.textContent = this.#rows === this.opened.rows ? words.count("tableRows", this.#rows) : words.say("tableSome", { n: this.#rows, all: this.opened.rows });
  }

  #turn(column: number): void {
    const old = this.#sort;
    this.#sort = old?.column !== column ? { column, descending: false } : old.descending ? undefined : { column, descending: true };
    for (const [at, head] of this.#heads.entries()) {
      head.setAttribute("aria-sort", this.#sort?.column !== at ? "none" : this.#sort.descending ? "descending" : "ascending");
    }
    void this.#arrange();
  }

  async #arrange(): Promise<void> {
    const asked = ++this.#asked;
    const rows = await survey({ task: "arrange", id: this.opened.id, wish: { filter: this.#filter, ...(this.#only && { only: this.#only }), ...(this.#sort && { sort: this.#sort }) } });
    if (asked !== this.#asked) return;
    this.#rows = rows;
    this.#table.setAttribute("aria-rowcount", String(rows + 1));
    this.#say();
    this.#view.scrollTop = 0;
    await this.#draw(true);
  }

  async #draw(again = false): Promise<void> {
    const first = Math.floor(this.#view.scrollTop / HEIGHT);
    const last = Math.ceil((this.#view.scrollTop + this.#view.clientHeight) / HEIGHT);
    if (!again && first >= this.#drawn.from && last <= this.#drawn.to) return;
    const from = Math.max(0, first - MARGIN);
    const to = Math.min(this.#rows, last + MARGIN);
    const asked = ++this.#asked;
    const rows = await survey({ task: "tableRows", id: this.opened.id, from, count: Math.max(0, to - from) });
    if (asked !== this.#asked) return;
    this.#paper.hidden = rows.length === this.#rows;
    this.#drawn = { from: from === 0 ? -1 : from, to: to === this.#rows ? Number.POSITIVE_INFINITY : to };
    const space = (height: number) => {
      const row = h("tr", { class: "space", "aria-hidden": "true" }, h("td", { colspan: this.opened.columns.length }));
      row.style.height = `${height}px`;
      return row;
    };
    this.#body.replaceChildren(space(from * HEIGHT), ...rows.map((cells, at) => this.#row(cells, from + at)), space((this.#rows - to) * HEIGHT));
  }

  #row(cells: readonly string[], at: number): HTMLElement {
    return h("tr", { "aria-rowindex": at + 2 }, ...cells.map((cell, column) => this.#cell(this.opened.columns[column] ?? "uri", cell)));
  }

  #cell(column: Column, cell: string): HTMLElement {
    const words = this.page.words();
    if (column === "state" && cell !== "") {
      const word = `state.${cell}`;
      const [look, shape] = STATES[cell] ?? ["bad", "invalid"];
      return h("td", { class: `column-state ${look}` }, icon(shape), " ", word in TABLE ? words.say(word as Word) : visible(cell));
    }
    if (column === "change" && cell !== "") {
      const word = `change.${cell}`;
      return h("td", { class: "column-change" }, word in TABLE ? words.say(word as Word) : visible(cell));
    }
    const isSize = column === "length" || column === "size" || column === "packedSize";
    const text = isSize && cell !== "" ? words.number(Number(cell)) : visible(cell);
    return h("td", { class: `column-${column}`, title: text.length > 20 && text }, text);
  }
}
