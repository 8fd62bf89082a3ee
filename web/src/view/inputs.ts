// The inputs as a tree: packages with their members, then linked documents that were not given, then skipped files.

import { h, prose, readable, uri, visible } from "../element.js";
import { icon, type Icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Report, State } from "../state.js";
import { stepped } from "./stepped.js";
import { TABLE, type Word } from "../words/index.js";

type Input = Report["inputs"][number];

/** Inputs shown initially, and per further step. */
const STEP = 200;
/** The same below another input: there may be many such lists. */
const BELOW = 30;

/** Whether there is more than one file to tell apart. */
export function hasSeveral(report: Report): boolean {
  return report.inputs.length > 1 || (report.skipped?.length ?? 0) > 0;
}

/** Builds the pane. */
export function inputs(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const tree = h("ul", { class: "tree" });
  const children = new Map<number, Input[]>();
  const roots: Input[] = [];
  for (const input of report.inputs) {
    const siblings = input.parent === undefined ? roots : children.get(input.parent);
    if (siblings) siblings.push(input);
    else if (input.parent !== undefined) children.set(input.parent, [input]);
  }
  const errors = new Map<number, number>();
  for (const group of report.groups) {
    if (group.severity === "error") errors.set(group.input, (errors.get(group.input) ?? 0) + group.count);
  }
  const pressed = (item: HTMLElement) => {
    mark(item, page.store.state);
    return item;
  };
  tree.append(pressed(h("li", {}, choice(page, undefined, words.say("inputsAll"), "folder", null, 0, ""))));
  stepped(page, tree, roots, STEP, (input) => pressed(node(page, input, { children, errors, folder: folderOf(report) }, 0)));
  const root = h("section", { class: "pane inputs", "aria-labelledby": "inputs-head" },
    h("h2", { id: "inputs-head" }, words.say("inputsHead"), h("span", { class: "number dim" }, words.number(report.summary.inputs))),
    tree, linked(page), skipped(page, report));
  page.store.watch(root, (state, before) => {
    if (state.filters.input !== before.filters.input) mark(tree, state);
  });
  return root;
}

/** What is linked and was not given; empty until that is known, or if there is nothing. */
export function linked(page: Page): HTMLElement {
  const place = h("div", { class: "linked-place" });
  drawLinked(page, place);
  page.store.watch(place, (state, before) => {
    if (state.linked !== before.linked) drawLinked(page, place);
  });
  return place;
}

function mark(tree: HTMLElement, { filters }: State): void {
  for (const button of tree.querySelectorAll<HTMLElement>("[data-input]")) {
    button.setAttribute("aria-pressed", String(button.dataset["input"] === String(filters.input ?? "")));
  }
}

/** What the nodes of the tree have in common. */
interface Tree {
  children: Map<number, Input[]>;
  errors: Map<number, number>;
  folder: string;
}

function node(page: Page, input: Input, tree: Tree, depth: number): HTMLElement {
  const { children, errors, folder } = tree;
  const own = children.get(input.id) ?? [];
  const shape = input.kind === "package" ? "package" : "file";
  const below = h("ul", {});
  // A foreign report may contain cycles.
  if (depth < 8) stepped(page, below, own, BELOW, (child) => node(page, child, tree, depth + 1));
  return h("li", {},
    choice(page, input, input.name, shape, worst(input, children, depth), errors.get(input.id) ?? 0, folder),
    own.length > 0 && below);
}

// The verdict of a package includes its members; that of a document does not include its links.
function worst(input: Input, children: Map<number, Input[]>, depth: number): Input["verdict"] {
  const all = [input.verdict, ...(depth < 8 ? (children.get(input.id) ?? []).filter(({ via }) => via === "zip").map((child) => worst(child, children, depth + 1)) : [])];
  return all.find((verdict) => verdict === "invalid") ?? all.find((verdict) => verdict === "undetermined") ?? "valid";
}

function choice(page: Page, input: Input | undefined, name: string, shape: Icon, verdict: Input["verdict"] | null, errors: number, folder: string): HTMLElement {
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
      // The end of a path is more informative than its start.
      input ? readable(shortName(name, page.store.state.settings.base ?? folder)) : name,
      kind && h("span", { class: "dim" }, kind)),
    said && h("span", { class: "unseen" }, said),
    errors > 0 && h("span", { class: "number error", title: words.count("errors", errors) }, words.number(errors)));
}

/** An option for an input in a list to choose from. */
export function inputOption(page: Page, input: Input, at: number, selected: boolean): HTMLElement {
  return h("option", { value: at, selected }, `${visible(shortName(input.name, page.store.state.settings.base))} – ${kindOf(page, input.kind)}`);
}

/** A path without its package, unless that is wanted, or without the common folder. */
export function shortName(name: string, base: string | undefined, withPackage = false): string {
  const own = withPackage ? name : name.split("!/").at(-1) ?? name;
  return base && own.length > base.length && own.startsWith(base) ? own.slice(base.length) : own;
}

const folders = new WeakMap<Report, string>();

/** The folder that contains all inputs of a Source on the web. */
function folderOf(report: Report): string {
  const old = folders.get(report);
  if (old !== undefined) return old;
  const names = report.inputs.map(({ name }) => name);
  let own = names.length > 1 && /^https?:\/\/[^/]+\//.test(names[0] ?? "") ? (names[0] ?? "").replace(/[^/]*$/, "") : "";
  while (own !== "" && !names.every((name) => name.startsWith(own))) own = own.split("/").length > 4 ? own.replace(/[^/]*\/$/, "") : "";
  folders.set(report, own);
  return own;
}

/** The name of an input, without the folder that all of them are in. */
export function nameIn(page: Page, report: Report, id: number): string {
  return shortName(report.inputs[id]?.name ?? "?", page.store.state.settings.base ?? folderOf(report), true);
}

/** The name of a kind; kinds of newer reports are shown unchanged. */
export function kindOf(page: Page, kind: string): string {
  const word = `kind.${kind}`;
  return word in TABLE ? page.words().say(word as Word) : visible(kind);
}

function drawLinked(page: Page, place: HTMLElement): void {
  const words = page.words();
  const linked = page.store.state.linked ?? [];
  place.dataset["known"] = String(page.store.state.linked !== null);
  if (linked.length === 0) return place.replaceChildren();
  const list = h("ul", { class: "linked" });
  stepped(page, list, linked, 50, ({ uri: address, relation, from }) =>
    h("li", {}, icon("missing"), h("span", { class: "name" }, uri(address),
      h("span", { class: "dim" }, ...prose(words.say("linkedFrom", { relation, name: visible(from) }))))));
  place.replaceChildren(h("details", { open: matchMedia("(min-width: 48rem)").matches },
    h("summary", {}, h("h3", {}, words.say("linkedHead")), h("span", { class: "number dim" }, words.number(linked.length))),
    h("p", { class: "dim small" }, words.say("linkedHint")),
    list,
    h("button", { type: "button", on: { click: () => page.chooseFiles() } }, icon("drop"), words.say("dropMissing"))));
}

function skipped(page: Page, report: Report): HTMLElement | false {
  const words = page.words();
  const files = report.skipped ?? [];
  if (files.length === 0) return false;
  const list = h("ul", {});
  stepped(page, list, files, STEP, (file) => h("li", {}, uri(file.name), h("span", { class: "dim" }, visible(file.reason))));
  return h("details", { class: "skipped" },
    h("summary", {}, h("h3", {}, words.say("skippedHead")), h("span", { class: "number dim" }, words.number(files.length))),
    list);
}
