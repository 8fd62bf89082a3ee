// What a valid document or Source contains, and what to do next.

import { commandLine, quoted } from "../command.js";
import { h, uri, visible } from "../element.js";
import { MOST, type Numbers } from "../engine/numbers.js";
import { icon } from "../icon.js";
import { moment, momentPlace } from "../moment.js";
import type { Page } from "../page.js";
import type { Report } from "../state.js";
import { command } from "./command.js";
import { givenOf } from "./given.js";
import { kindOf } from "./inputs.js";
import { KINDS } from "./settings.js";
import { stepped } from "./stepped.js";

/** Documents shown at first, and more at each request. */
const STEP = 20;
/** Media types that are named; the others are counted. */
const NAMED = 5;

/** Builds the pane; numbers follow as soon as the documents are read. */
export function contents(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const summary = h("div", {});
  // Of a Source the sets come first, and its documents on request.
  const isSource = (report.sets ?? []).length > 0;
  const listed = h("div", {});
  const documents = isSource
    ? h("details", { class: "contents-list" }, h("summary", {}, h("h3", {}, words.say("contentsEach"))), listed)
    : h("div", { class: "contents-list" }, listed);
  const draw = () => {
    const { numbers, filters } = page.store.state;
    documents.dataset["known"] = String(numbers !== null);
    listed.replaceChildren();
    if (filters.input !== undefined) documents.setAttribute("open", "");
    const isShown = (input: number | undefined) => filters.input === undefined || input === filters.input;
    summary.replaceChildren(...sets(page, report, isShown));
    const only = filters.input === undefined ? undefined : givenOf(report, page.store.state, filters.input)?.name;
    const own = (numbers ?? []).filter(({ name }) => filters.input === undefined || name === only);
    stepped(page, listed, own, STEP, (one) => document(page, report, one), (button) => h("p", { class: "more" }, button));
    if (numbers?.length === MOST) listed.append(h("p", { class: "dim small" }, words.say("contentsMost", { n: MOST })));
  };
  draw();
  const root = h("section", { class: "pane contents", "aria-labelledby": "contents-head" },
    h("h2", { id: "contents-head" }, words.say("contentsHead")),
    h("p", { class: "all-clear" }, icon("valid"), report.afterFilters ? words.say("afterFilters", { verdict: words.say("noFindings") }) : words.say("noFindings")),
    summary, documents, next(page));
  page.store.watch(root, (state, before) => {
    if (state.numbers !== before.numbers || state.filters.input !== before.filters.input) draw();
  });
  return root;
}

type Row = [name: string, value: Node | string];

function table(rows: Row[]): HTMLElement {
  return h("dl", { class: "facts" }, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** The sets of a whole Source, as the report sums them up. */
function sets(page: Page, report: Report, isShown: (input: number) => boolean): HTMLElement[] {
  const words = page.words();
  return (report.sets ?? []).filter(({ input }) => isShown(input)).map((set) => h("section", { class: "fact-card" },
    h("h3", {}, words.say("contentsSet"), " ", uri(report.inputs[set.input]?.name ?? "?")),
    table([
      [words.say("contentsDocuments"), Object.entries(set.documents).map(([kind, n]) => `${kindOf(page, kind)}: ${words.number(n ?? 0)}`).join(words.say("comma"))],
      [words.say("contentsResources"), words.say("contentsWith", { what: words.number(set.resources), of: words.size(set.bytes) })],
      [words.say("contentsChanges"), words.number(set.changes)],
      ...(set.newestChange === undefined ? [] : [[words.say("contentsNewest"), moment(page, set.newestChange)] as Row]),
    ])));
}

/** The kind of the documents that a capability names. */
function kindOfCapability(name: string): string {
  return KINDS.find((kind) => kind.replaceAll("-", "") === name) ?? name;
}

/** Text in which names such as `sha-256` are not broken at their hyphen. */
function unbroken(text: string): HTMLElement {
  return h("span", {}, ...text.split(/(sha-\d+)/).map((part, at) => (at % 2 === 1 ? h("span", { class: "number" }, part) : part)));
}

function document(page: Page, report: Report, own: Numbers): HTMLElement {
  const words = page.words();
  const of = (n: number) => words.say(own.existing < own.entries ? "contentsOfExisting" : "contentsOf", { n, all: own.existing, percent: words.percent(n, own.existing) });
  const listed = (counts: readonly [string, number][], name: (text: string) => string = visible) => {
    const rest = counts.slice(NAMED).reduce((sum, [, n]) => sum + n, 0);
    const parts = counts.slice(0, NAMED).map(([text, n]) => `${name(text)}: ${words.number(n)}`);
    return [...parts, ...(rest > 0 ? [words.say("contentsOther", { n: rest })] : [])].join(words.say("comma"));
  };
  const { at, completed, from, until } = own.time;
  const { members } = own;
  const list = ["resource-list", "change-list", "resource-dump-manifest", "change-dump-manifest", "resource-dump", "change-dump"].includes(own.kind);
  const rows: (Row | false)[] = [
    members !== undefined && [words.say("contentsMembers"), words.count("contentsFiles", members.files, { size: words.size(members.bytes), packed: words.size(members.packedBytes) })],
    Boolean(at) && [words.say("contentsAt"), h("span", {}, momentPlace(page, at ?? ""), ...(completed === undefined ? [] : [" – ", momentPlace(page, completed)]))],
    Boolean(from) && [words.say("contentsPeriod"), until ? h("span", {}, momentPlace(page, from ?? ""), " – ", momentPlace(page, until)) : words.say("contentsOpen", { from: visible(moment(page, from ?? "")) })],
    [words.say(members ? "contentsListed" : "contentsEntries"), words.number(own.entries)],
    own.changes.length > 0 && [words.say("contentsChanges"), listed(own.changes)],
    own.capabilities.length > 0 && [words.say("contentsDocuments"), listed(own.capabilities, (name) => kindOf(page, kindOfCapability(name)))],
    list && own.withLength > 0 && [words.say("contentsLength"), words.say("contentsWith", { what: words.size(own.bytes), of: of(own.withLength) })],
    list && own.existing > 0 && [words.say("contentsDigests"), own.withDigest > 0 ? unbroken(words.say("contentsWith", { what: of(own.withDigest), of: listed(own.algorithms) })) : words.say("contentsNone")],
    list && own.types.length > 0 && [words.say("contentsTypes"), listed(own.types)],
    members !== undefined && members.largest.length > 0 && [words.say("contentsLargest"), members.largest.map(([name, bytes]) => words.say("contentsWith", { what: visible(name), of: words.size(bytes) })).join(words.say("comma"))],
    Boolean(own.newest) && [words.say("contentsNewest"), visible(moment(page, own.newest ?? ""))],
  ];
  return h("section", { class: "fact-card" },
    report.inputs.length > 1 && h("h3", {}, uri(own.name), " ", h("span", { class: "dim" }, kindOf(page, own.kind))),
    table(rows.filter((row): row is Row => Boolean(row))));
}

/** What follows a valid check. */
function next(page: Page): HTMLElement | false {
  const words = page.words();
  const { state } = page.store;
  const own = commandLine(state);
  if (!own) return false;
  const { base } = state.settings;
  return h("section", { class: "next" },
    h("h3", {}, words.say("nextHead")),
    h("ul", { class: "plain" },
      !base && h("li", {}, words.say("nextWhole"), " ", h("button", { class: "link", type: "button", on: { click: () => page.chooseFolder() } }, words.say("chooseFolder"))),
      base && h("li", {}, words.say("nextLive"), command(page, `resourcesync validate --follow ${quoted(base)}`)),
      h("li", {}, words.say("nextCi"), command(page, own.replace("validate", "validate --format github")))));
}
