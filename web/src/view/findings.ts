// The findings: filters with exact counts, then expandable groups.

import { commandLine } from "../command.js";
import { h } from "../element.js";
import { command } from "./command.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { NO_FILTERS, SEVERITIES, type Report } from "../state.js";
import { rules } from "../rules.js";
import { finding, heading, said } from "./finding.js";
import { grouped, type Group, type Grouped } from "./grouping.js";
import { toggle } from "./keys.js";
import { stepped } from "./stepped.js";

/** Findings of a group shown initially, and per further step. */
const STEP = 50;
/** Maximum findings that are expanded initially. */
const FEW = 30;
const GROUPS = 200;

/** What the user did with the groups, which stays when the same findings are drawn again: whether they are open, and how many findings of each are drawn. */
interface Use {
  readonly open: Map<string, boolean>;
  readonly drawn: Map<string, number>;
}

/** Builds the pane. */
export function findings(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const chips = h("div", { class: "chips", role: "group", "aria-label": words.say("severityFilter") });
  const list = h("div", { class: "groups" });
  const notes = h("div", { class: "notes", "aria-live": "polite" });
  const search = h("input", { type: "search", id: "search", "aria-label": words.say("search"), placeholder: words.say("searchHint"),
    value: page.store.state.filters.text, on: { input: () => page.store.filter({ text: search.value }) } });
  const by = h("select", { "aria-label": words.say("groupBy"), on: { change: () => page.store.filter({ group: by.value as Group["key"] as never }) } },
    ...([["rule", "byRule"], ["input", "byInput"], ["entry", "byEntry"], ["none", "byNone"]] as const).map(([value, word]) =>
      h("option", { value, selected: page.store.state.filters.group === value }, `${words.say("groupBy")}: ${words.say(word)}`)));
  const sort = h("select", { "aria-label": words.say("sortBy"), on: { change: () => page.store.filter({ sort: sort.value as never }) } },
    ...([["severity", "sortSeverity"], ["place", "sortPlace"], ["code", "sortCode"]] as const).map(([value, word]) =>
      h("option", { value, selected: page.store.state.filters.sort === value }, `${words.say("sortBy")}: ${words.say(word)}`)));
  const root = h("section", { class: "pane findings", "aria-labelledby": "findings-head" },
    h("h2", { id: "findings-head" }, words.say("findingsHead")),
    report.groups.length > 0 && h("div", { class: "filters" }, h("div", { class: "search" }, icon("search"), search), chips, h("div", { class: "selects" }, by, sort)),
    notes, list);
  const use: Use = { open: new Map(), drawn: new Map() };
  // Headings of groups with different findings show the requirement of the rule.
  rules(words.lang).then(() => root.isConnected && draw(), () => undefined);
  const draw = () => {
    const own = grouped(report, page.store.state);
    const focused = list.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["at"] : undefined;
    drawChips(page, chips, own.counts);
    drawNotes(page, notes, own);
    drawList(page, list, report, own.groups, use);
    // Messages are translated, and rules loaded, while the list is in use.
    if (focused !== undefined) list.querySelector<HTMLElement>(`.finding[data-at="${focused}"]`)?.focus({ preventScroll: true });
    choose(page, own.groups);
  };
  draw();
  page.store.watch(root, (state, before) => {
    if (state.filters !== before.filters) use.drawn.clear();
    if (state.filters !== before.filters || state.compared !== before.compared || state.translated !== before.translated) draw();
    if (state.filters.text !== search.value && document.activeElement !== search) search.value = state.filters.text;
    if (state.selected !== before.selected) mark(list, state.selected);
  });
  return root;
}

function drawChips(page: Page, place: HTMLElement, counts: Record<string, number>): void {
  const words = page.words();
  const { severities } = page.store.state.filters;
  const focused = place.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["severity"] : undefined;
  place.replaceChildren(...SEVERITIES.map((severity) =>
    h("button", { class: `chip ${severity}`, type: "button", "data-severity": severity, "aria-pressed": String(severities.has(severity)),
      on: { click: () => toggle(page, severity) } },
      icon(severity), h("span", {}, words.say(severity)), h("span", { class: "number" }, words.number(counts[severity] ?? 0)))));
  if (focused) place.querySelector<HTMLElement>(`[data-severity=${focused}]`)?.focus();
}

/** The finding in the detail pane is one of the list: where it is not, the first, or none where the list covers the pane. */
function choose(page: Page, groups: readonly Group[]): void {
  const { selected } = page.store.state;
  if (selected !== null && groups.some(({ found }) => found.includes(selected))) return;
  const first = matchMedia("(min-width: 48rem)").matches ? groups[0]?.found[0] ?? null : null;
  if (selected !== first) page.store.set({ selected: first });
}

function drawNotes(page: Page, place: HTMLElement, { matching, stored, unstored }: Grouped): void {
  const words = page.words();
  const { filters } = page.store.state;
  const notes: Node[] = [];
  if (filters.text.trim() || filters.since) notes.push(h("p", { class: "dim" }, words.say("matching", { n: matching, all: stored })));
  if (unstored > 0) {
    const all = commandLine(page.store.state, true);
    notes.push(h("details", { class: "unstored" },
      h("summary", {}, words.count("unstored", unstored)),
      all ? h("p", {}, words.say("unstoredCommand")) : h("p", {}, words.say("unstoredOption")),
      command(page, all || "--max-per-rule 0")));
  }
  if (filters.muted.size > 0) {
    notes.push(h("p", { class: "dim" }, words.count("muted", filters.muted.size), " ",
      h("button", { class: "link", type: "button", on: { click: () => page.store.filter({ muted: new Set() }) } }, words.say("unmute"))));
  }
  place.replaceChildren(...notes);
}

function drawList(page: Page, list: HTMLElement, report: Report, groups: Group[], use: Use): void {
  const words = page.words();
  if (groups.length === 0) {
    const clean = report.groups.length === 0;
    return list.replaceChildren(clean
      ? h("div", { class: "nothing" }, icon(report.verdict, "large"), h("p", {}, words.say("noFindings")), report.verdict === "valid" && !report.afterFilters && h("p", { class: "dim" }, words.say("noFindingsText")))
      : h("div", { class: "nothing" }, h("p", {}, words.say("noneShown")),
        h("button", { type: "button", on: { click: () => page.store.filter(NO_FILTERS) } }, words.say("clearFilters"))));
  }
  const few = groups.reduce((sum, group) => sum + group.found.length, 0) <= FEW;
  list.replaceChildren();
  stepped(page, list, groups, GROUPS,
    (group, at) => drawGroup(page, report, group, use.open.get(group.key) ?? (few || at === 0), use),
    (button) => h("p", { class: "more" }, button));
  mark(list, page.store.state.selected);
}

function drawGroup(page: Page, report: Report, group: Group, open: boolean, use: Use): HTMLElement {
  const [only] = group.found;
  if (only !== undefined && group.code && group.count === 1) {
    return h("div", { class: "group single" }, finding(page, report, only, group, "alone"));
  }
  const words = page.words();
  const rows = h("ol", { class: "rows" });
  let drawn = 0;
  const same = group.code !== undefined && new Set(group.found.map((at) => said(page, report, at).message)).size <= 1;
  const more = (to = drawn + STEP) => {
    rows.querySelector(".more")?.remove();
    const next = group.found.slice(drawn, to);
    drawn += next.length;
    use.drawn.set(group.key, drawn);
    rows.append(...next.map((at, n) => h("li", {}, finding(page, report, at, group, same ? "same" : "differs", group.found[drawn - next.length + n - 1]))));
    const left = group.found.length - drawn;
    if (left > 0) {
      rows.append(h("li", { class: "more" }, h("button", { class: "link", type: "button", on: { click: () => {
        more();
        mark(rows, page.store.state.selected);
      } } }, words.say("more", { n: Math.min(STEP, left) }))));
    } else if (group.count > group.found.length) {
      rows.append(h("li", { class: "more dim" }, words.say("listed", { stored: group.found.length, count: group.count })));
    }
  };
  if (open || !hasHead(group)) more(use.drawn.get(group.key));
  if (!hasHead(group)) return h("div", { class: "group flat" }, rows);
  const details = h("details", { class: "group", open },
    h("summary", {},
      h("span", { class: `mark ${group.severity}` }, icon(group.severity), h("span", { class: "unseen" }, words.say(group.severity))),
      ...heading(page, report, group, same),
      h("span", { class: "number" }, words.number(group.count))),
    rows);
  details.querySelector("summary")?.addEventListener("click", () => {
    if (drawn === 0) {
      more();
      mark(rows, page.store.state.selected);
    }
  });
  details.addEventListener("toggle", () => use.open.set(group.key, details.open));
  return details;
}

/** All findings in one list need no head. */
function hasHead(group: Group): boolean {
  return group.code !== undefined || group.input !== undefined;
}

function mark(list: HTMLElement, selected: number | null): void {
  for (const row of list.querySelectorAll<HTMLElement>(".finding")) {
    if (row.dataset["at"] === String(selected)) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

