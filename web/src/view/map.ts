// The map of a Source: its documents as a tree from left to right, coloured by verdict, with what is missing.

import { h, readable, uri, visible } from "../element.js";
import { collapsed, DEEPEST, names, tree, type Leaf, type Shown } from "../engine/tree.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Report, State } from "../state.js";
import { kindOf, shortName } from "./inputs.js";
import { moment } from "../moment.js";
import { select } from "./finding.js";
import { stepped } from "./stepped.js";

/** Sets whose last change is shown. */
const SETS = 20;
/** Members of a group that are shown at a time. */
const STEP = 20;

/** Whether the report is that of a Source: a document leads to another. */
export function hasMap(report: Report): boolean {
  return report.inputs.some(({ via, parent }) => via !== "zip" && parent !== undefined);
}

/** The section. */
export function map(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const tops = tree(report);
  const nodes = h("ul", { class: "map-tree" });
  const called = names(tops, (address) => shortName(address, page.store.state.settings.base));
  const root = h("details", { class: "map card", open: matchMedia("(min-width: 48rem)").matches },
    h("summary", {}, h("h2", {}, words.say("mapHead"))),
    h("p", { class: "dim small" }, summary(page, report, tops)),
    changed(page, report) || "",
    view(page, nodes),
    h("p", { class: "dim small map-keys" }, words.say("mapKeys")));
  nodes.append(...collapsed(tops).map((own) => item(page, called, own, 0)));
  nodes.addEventListener("keydown", (event) => move(nodes, event));
  const mark = (state: State) => {
    for (const node of nodes.querySelectorAll<HTMLElement>("[data-node]")) node.setAttribute("aria-pressed", String(node.dataset["node"] === String(state.filters.input ?? "")));
  };
  mark(page.store.state);
  // One node is in the order of the Tab key, the others are reached with arrow keys.
  nodes.querySelector<HTMLElement>(".map-node")?.setAttribute("tabindex", "0");
  page.store.watch(root, (state, before) => {
    if (state.filters.input !== before.filters.input) mark(state);
  });
  return root;
}

function summary(page: Page, report: Report, tops: readonly Leaf[]): string {
  const words = page.words();
  let missing = 0;
  const count = (leaves: readonly Leaf[], depth: number) => {
    for (const leaf of leaves) {
      if (!leaf.input) missing += 1;
      if (depth < DEEPEST) count(leaf.children, depth + 1);
    }
  };
  count(tops, 0);
  const inputs = report.inputs.filter(({ via }) => via !== "zip");
  const of = (verdict: string) => inputs.filter((input) => input.verdict === verdict).length;
  const parts = [words.count("documents", inputs.length), ...(["valid", "invalid", "undetermined"] as const).map((verdict) => of(verdict) > 0 && `${words.say(verdict)}: ${words.number(of(verdict))}`),
    missing > 0 && `${words.say("mapMissing")}: ${words.number(missing)}`];
  return parts.filter(Boolean).join(" · ");
}

/** The names of the documents. */
type Names = ReadonlyMap<Leaf, string>;

/** The area of the tree. Where the tree is higher, a button shows all of it. */
function view(page: Page, nodes: HTMLElement): HTMLElement {
  const words = page.words();
  const area = h("div", { class: "map-view" }, nodes);
  const whole = h("button", { type: "button", class: "link small map-whole", hidden: true, "aria-expanded": "false", on: { click: () => {
    const isWhole = area.classList.toggle("whole");
    whole.setAttribute("aria-expanded", String(isWhole));
    whole.textContent = words.say(isWhole ? "mapLess" : "mapWhole");
  } } }, words.say("mapWhole"));
  const measured = new ResizeObserver(() => {
    const isHigher = area.scrollHeight > area.clientHeight + 4;
    area.classList.toggle("cut", isHigher);
    if (!area.classList.contains("whole")) whole.hidden = !isHigher;
  });
  measured.observe(area);
  measured.observe(nodes);
  return h("div", {}, area, whole);
}

/** When each set changed last. */
function changed(page: Page, report: Report): HTMLElement | false {
  const words = page.words();
  const sets = (report.sets ?? []).filter(({ newestChange }) => newestChange !== undefined);
  return sets.length > 0 && h("ul", { class: "map-sets small" }, ...sets.slice(0, SETS).map(({ input, newestChange }) => h("li", {},
    uri(shortName(report.inputs[input]?.name ?? "?", page.store.state.settings.base)), " ", h("span", { class: "dim" }, words.say("mapChanged", { when: moment(page, newestChange ?? "") })))));
}

function item(page: Page, called: Names, own: Shown, depth: number): HTMLElement {
  if ("leaf" in own) {
    const { leaf } = own;
    return h("li", {}, node(page, called, leaf), depth < DEEPEST && leaf.children.length > 0 && h("ul", {}, ...collapsed(leaf.children).map((child) => item(page, called, child, depth + 1))));
  }
  return group(page, called, own, depth);
}

function node(page: Page, called: Names, leaf: Leaf): HTMLElement {
  const words = page.words();
  const { input, errors, finding } = leaf;
  const file = called.get(leaf) ?? leaf.uri;
  if (!input) {
    return h("button", { type: "button", class: "map-node ghost", tabindex: -1, title: visible(leaf.uri), on: { click: () => finding !== undefined && select(page, finding) } },
      icon("missing"), h("span", { class: "map-text" }, h("span", { class: "map-kind" }, words.say("mapMissing")), readable(file)));
  }
  return h("button", { type: "button", class: `map-node ${input.verdict}`, tabindex: -1, "data-node": input.id, "aria-pressed": "false", title: visible(leaf.uri), on: { click: () => choose(page, input.id) } },
    icon(input.verdict), h("span", { class: "map-text" },
      h("span", { class: "map-kind" }, kindOf(page, input.kind)), readable(file),
      h("span", { class: "unseen" }, ` ${words.say(input.verdict)}`)),
    errors > 0 && h("span", { class: "number error", title: words.count("errors", errors) }, words.number(errors), h("span", { class: "unseen" }, ` ${words.say("error")}`)));
}

function choose(page: Page, id: number): void {
  const { input, ...filters } = page.store.state.filters;
  page.store.set({ filters: input === id ? filters : { ...filters, input: id } });
  // The findings are above the map.
  document.querySelector(".panes:not(.clean)")?.scrollIntoView({ block: "start" });
}

/** Many documents of one kind and verdict: one node, and its members once it is opened. */
function group(page: Page, called: Names, { kind, verdict, leaves }: Exclude<Shown, { leaf: Leaf }>, depth: number): HTMLElement {
  const words = page.words();
  const isGhost = kind === "missing";
  const below = h("ul", { hidden: true });
  const button = h("button", { type: "button", class: `map-node many ${isGhost ? "ghost" : verdict}`, tabindex: -1, "aria-expanded": "false", on: { click: () => {
    if (!below.firstChild) {
      stepped(page, below, leaves, STEP, (leaf) => item(page, called, { leaf }, depth + 1));
      // Marks what is chosen among the nodes that are new.
      const { input } = page.store.state.filters;
      if (input !== undefined) below.querySelector(`[data-node="${input}"]`)?.setAttribute("aria-pressed", "true");
    }
    below.hidden = !below.hidden;
    button.setAttribute("aria-expanded", String(!below.hidden));
  } } },
    icon(isGhost ? "missing" : verdict), h("span", { class: "map-text" },
      h("span", { class: "map-kind" }, isGhost ? words.say("mapMissing") : kindOf(page, kind)),
      h("span", {}, words.count("mapMany", leaves.length), h("span", { class: "unseen" }, isGhost ? "" : ` ${words.say(verdict)}`))));
  return h("li", {}, button, below);
}

/** Arrow keys: up and down through the nodes in view, left to the one above, right to the first one below. */
function move(nodes: HTMLElement, event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const all = [...nodes.querySelectorAll<HTMLElement>(".map-node, .more button")].filter((node) => node.offsetParent !== null);
  const at = all.indexOf(target);
  if (at < 0) return;
  const own = target.closest("li");
  const below = own?.querySelector<HTMLElement>(":scope > ul:not([hidden]) .map-node");
  if (event.key === "ArrowRight" && !below && target.getAttribute("aria-expanded") === "false") target.click();
  const next = event.key === "ArrowDown" ? all[at + 1] : event.key === "ArrowUp" ? all[at - 1]
    : event.key === "ArrowLeft" ? own?.parentElement?.closest("li")?.querySelector<HTMLElement>(".map-node")
    : event.key === "ArrowRight" ? below ?? own?.querySelector<HTMLElement>(":scope > ul:not([hidden]) .map-node")
    : event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1) : null;
  if (next === null) return;
  event.preventDefault();
  if (!next) return;
  target.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}
