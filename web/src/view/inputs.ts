// The inputs as a tree: packages with what is in them, then what is linked and was not given, then what was skipped.

import { h, uri, visible } from "../element.js";
import { icon, type Icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Report, State } from "../state.js";
import { TABLE, type Word } from "../words/index.js";

type Input = Report["inputs"][number];

/** Inputs shown at first, and more at each request. */
const STEP = 200;

/** Builds the pane. */
export function inputs(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const tree = h("ul", { class: "tree" });
  const linked = h("div", {});
  const children = new Map<number, Input[]>();
  const roots: Input[] = [];
  for (const input of report.inputs) {
    if (input.parent === undefined) roots.push(input);
    else children.set(input.parent, [...(children.get(input.parent) ?? []), input]);
  }
  const errors = new Map<number, number>();
  for (const group of report.groups) {
    if (group.severity === "error") errors.set(group.input, (errors.get(group.input) ?? 0) + group.count);
  }
  let shown = STEP;
  const draw = () => {
    const some = roots.slice(0, shown);
    tree.replaceChildren(
      h("li", {}, choice(page, undefined, words.say("inputsAll"), "folder", null, 0)),
      ...some.map((input) => node(page, input, children, errors, 0)));
    if (roots.length > some.length) {
      tree.append(h("li", {}, h("button", { class: "link", type: "button", on: { click: () => {
        shown += STEP;
        draw();
      } } }, words.say("more", { n: Math.min(STEP, roots.length - some.length) }))));
    }
    mark(tree, page.store.state);
  };
  draw();
  drawLinked(page, linked);
  const root = h("section", { class: `pane inputs${report.inputs.length > 1 || report.skipped ? "" : " single"}`, "aria-labelledby": "inputs-head" },
    h("h2", { id: "inputs-head" }, words.say("inputsHead"), h("span", { class: "number dim" }, words.number(report.summary.inputs))),
    tree, linked, skipped(page, report));
  page.store.watch(root, (state, before) => {
    if (state.filters.input !== before.filters.input) mark(tree, state);
    if (state.linked !== before.linked) drawLinked(page, linked);
  });
  return root;
}

function mark(tree: HTMLElement, { filters }: State): void {
  for (const button of tree.querySelectorAll<HTMLElement>("[data-input]")) {
    button.setAttribute("aria-pressed", String(button.dataset["input"] === String(filters.input ?? "")));
  }
}

function node(page: Page, input: Input, children: Map<number, Input[]>, errors: Map<number, number>, depth: number): HTMLElement {
  const own = children.get(input.id) ?? [];
  const shape = input.kind === "package" ? "package" : "file";
  // A report from elsewhere may go in circles.
  const below = depth < 8 ? own.slice(0, STEP) : [];
  return h("li", {},
    choice(page, input, input.name, shape, worst(input, children, depth), errors.get(input.id) ?? 0),
    below.length > 0 && h("ul", {}, ...below.map((child) => node(page, child, children, errors, depth + 1))),
    own.length > below.length && h("p", { class: "dim" }, `… ${page.words().count("inputs", own.length - below.length)}`));
}

// A package is no better than what is in it; a document may be better than what it links to.
function worst(input: Input, children: Map<number, Input[]>, depth: number): Input["verdict"] {
  const all = [input.verdict, ...(depth < 8 ? (children.get(input.id) ?? []).filter(({ via }) => via === "zip").map((child) => worst(child, children, depth + 1)) : [])];
  return all.find((verdict) => verdict === "invalid") ?? all.find((verdict) => verdict === "undetermined") ?? "valid";
}

function choice(page: Page, input: Input | undefined, name: string, shape: Icon, verdict: Input["verdict"] | null, errors: number): HTMLElement {
  const words = page.words();
  const said = verdict && words.say(verdict);
  const kind = input && kindOf(page, input.kind);
  return h("button", {
    class: "node", type: "button", "data-input": input?.id ?? "", title: input && visible(name),
    on: { click: () => {
      const { input: _, ...filters } = page.store.state.filters;
      page.store.set({ filters: input ? { ...filters, input: input.id } : filters });
    } },
  },
    verdict ? icon(verdict) : icon(shape),
    h("span", { class: "name" },
      // The end of a path says more than its beginning.
      input ? uri(shortName(name, page.store.state.settings.base)) : name,
      kind && h("span", { class: "dim" }, kind)),
    said && h("span", { class: "unseen" }, said),
    errors > 0 && h("span", { class: "number error", title: words.count("errors", errors) }, words.number(errors)));
}

/** A path without the package it is drawn under, or the folder that everything is in. */
function shortName(name: string, base: string | undefined): string {
  const own = name.split("!/").at(-1) ?? name;
  return base && own.length > base.length && own.startsWith(base) ? own.slice(base.length) : own;
}

/** A kind in words; of a newer report perhaps as it is. */
export function kindOf(page: Page, kind: string): string {
  const word = `kind.${kind}`;
  return word in TABLE ? page.words().say(word as Word) : visible(kind);
}

function drawLinked(page: Page, place: HTMLElement): void {
  const words = page.words();
  const linked = page.store.state.linked ?? [];
  place.dataset["known"] = String(page.store.state.linked !== null);
  place.parentElement?.classList.toggle("linked-too", linked.length > 0);
  if (linked.length === 0) return place.replaceChildren();
  const shown = linked.slice(0, 50);
  place.replaceChildren(h("details", { open: matchMedia("(min-width: 76rem)").matches },
    h("summary", {}, h("h3", {}, words.say("linkedHead")), h("span", { class: "number dim" }, words.number(linked.length))),
    h("p", { class: "dim small" }, words.say("linkedHint")),
    h("ul", { class: "linked" }, ...shown.map(({ uri: address, relation, from }) =>
      h("li", {}, icon("missing"), h("span", { class: "name" }, uri(address),
        h("span", { class: "dim" }, words.say("linkedFrom", { relation, name: visible(from) })))))),
    h("button", { type: "button", on: { click: () => page.chooseFiles() } }, icon("drop"), words.say("dropMissing"))));
}

function skipped(page: Page, report: Report): HTMLElement | false {
  const words = page.words();
  const files = report.skipped ?? [];
  if (files.length === 0) return false;
  return h("details", { class: "skipped" },
    h("summary", {}, h("h3", {}, words.say("skippedHead")), h("span", { class: "number dim" }, words.number(files.length))),
    h("ul", {}, ...files.slice(0, STEP).map((file) => h("li", {}, uri(file.name), h("span", { class: "dim" }, visible(file.reason))))));
}
