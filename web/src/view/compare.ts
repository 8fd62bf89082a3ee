// What changed since an earlier check: fixed, new, still there. And the panel that chooses that check.

import { kept, recall, type Summary } from "../checks.js";
import { h, prose, visible } from "../element.js";
import type { Compared } from "../engine/compare.js";
import { reasonOf } from "../engine/refused.js";
import { reportIn } from "../engine/report-file.js";
import { survey } from "../engine/survey.js";
import { core, validator } from "../engine/validator.js";
import { chosen, chosenFolder, pickFolder } from "../gather.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { report as shown, type Given, type Report, type State } from "../state.js";
import { COMPARE } from "../words/compare.js";
import { learn } from "../words/index.js";
import { badge } from "./code-frame.js";
import { changedSince, named } from "./changed.js";
import { why } from "./failed.js";
import { qualified } from "./filters.js";
import { panel } from "./panel.js";
import { stepped } from "./stepped.js";

learn(COMPARE);

/** Fixed findings shown initially, and per further step. */
const STEP = 50;

/** Compares the report on show with another one; `swap` compares them the other way round, where it is not certain which one is earlier. */
export async function compareWith(page: Page, name: string, before: Report | Blob, swap?: () => void): Promise<void> {
  const after = shown(page.store.state);
  if (!after) return;
  const words = page.words();
  try {
    const result = await survey({ task: "compare", before, after, wasm: await core() });
    if (shown(page.store.state) !== after) return;
    page.store.set({ compared: { name, result, ...(swap && { swap }) } });
    const { since: _, ...filters } = page.store.state.filters;
    page.store.set({ filters });
    page.announce(sentence(page, result));
  } catch (error) {
    if (shown(page.store.state) !== after) return;
    const said = words.say("compareFailed", { name: visible(name), detail: why(page, { detail: error instanceof Error ? error.message : String(error), ...reasonOf(error) }) });
    page.announce(said);
    panel(page, words.say("compare"), h("p", {}, ...prose(said)));
  }
}

function sentence(page: Page, { fixedCount, unchecked, new: fresh, same }: Compared): string {
  const words = page.words();
  return [words.count("compareFixed", fixedCount), ...(unchecked.length > 0 ? [words.count("compareUnchecked", findingsOf(unchecked))] : []), words.count("compareNew", fresh.length), words.count("compareSame", same.length)].join(words.say("comma"));
}

/** Opens the panel with the checks of this browser, and a file. */
export async function openCompare(page: Page): Promise<void> {
  const words = page.words();
  const { state } = page.store;
  const all = state.keep ? (await kept()).filter(({ id, told }) => id !== state.check && !told) : [];
  const take = async (own: readonly Given[]) => {
    const [first] = own;
    if (!first) return;
    dialog.close();
    if (own.length === 1 && (/\.(json|html?)$/i.test(first.name) || await reportIn(first.file) !== null)) return compareWith(page, first.name, first.file);
    await changedSince(page, named(own), own);
  };
  const file = h("input", { type: "file", multiple: true, accept: ".xml,.gz,.json,.html", hidden: true, id: "compare-file", on: { change: () => void take(chosen(file.files as FileList)) } });
  const folder = h("input", { type: "file", webkitdirectory: true, hidden: true, id: "compare-folder", on: { change: () => void take(chosenFolder(folder.files as FileList)) } });
  const dialog = panel(page, words.say("compareTitle"),
    h("p", {}, words.say("compareLead")),
    all.length > 0 && h("h3", {}, words.say("lastHead")),
    all.length > 0 && h("ul", { class: "samples bare-list" }, ...all.map((one) => h("li", {}, item(page, one, () => dialog.close())))),
    h("h3", {}, words.say("compareFile")),
    h("p", { class: "dim" }, ...prose(words.say("compareFileHint"))),
    h("div", { class: "buttons" }, h("button", { type: "button", on: { click: () => file.click() } }, icon("file"), words.say("compareChoose")), file,
      h("button", { type: "button", on: { click: () => void pickFolder(folder).then((own) => own && take(own), () => undefined) } }, icon("folder"), words.say("chooseFolder")), folder));
}

function item(page: Page, { id, name, files, verdict, afterFilters }: Summary, close: () => void): HTMLElement {
  const words = page.words();
  const when = new Intl.DateTimeFormat(words.lang, { dateStyle: "medium", timeStyle: "short" }).format(id);
  return h("button", { class: "link", type: "button", on: { click: async () => {
    const check = await recall(id);
    close();
    if (check?.phase.at !== "done") return;
    await compareWith(page, words.say("contentsWith", { what: name, of: when }), check.phase.report);
    // Their resources are compared, too, where both are at hand and list resources.
    if (check.given.length > 0 && !check.phase.opened && page.store.state.given.length > 0) await changedSince(page, words.say("contentsWith", { what: name, of: when }), check.given, { isExtra: true });
  } } },
    icon(verdict), h("span", {}, h("span", { class: "unseen" }, `${qualified(page, { verdict, ...(afterFilters && { afterFilters }) })} `), h("bdi", {}, visible(name)),
      files > 1 ? ` ${words.count("lastMore", files - 1)}` : "", " ", h("span", { class: "dim small" }, when)));
}

/** The result, above the findings. */
export function compared(page: Page, { name, result, swap }: NonNullable<State["compared"]>): HTMLElement {
  const words = page.words();
  const choice = (since: "new" | "same", word: "compareNew" | "compareSame", shape: "plus" | "same") => h("button", {
    type: "button", class: "chip", "data-since": since, "aria-pressed": "false",
    on: { click: () => {
      const { since: old, ...filters } = page.store.state.filters;
      page.store.set({ filters: old === since ? filters : { ...filters, since } });
    } } }, icon(shape), words.count(word, result[since].length));
  const chips = h("div", { class: "chips", role: "group", "aria-label": words.say("compareFilter") },
    choice("new", "compareNew", "plus"), choice("same", "compareSame", "same"));
  const only = result.counts.filter(({ isComplete }) => !isComplete);
  const root = h("section", { class: "compared card", "aria-labelledby": "compared-head" },
    h("div", { class: "edit-head" },
      h("h2", { id: "compared-head", tabindex: -1 }, words.say("comparedWith", { name: visible(name) })),
      h("button", { type: "button", class: "quiet bare", "aria-label": words.say("compareEnd"), title: words.say("compareEnd"), on: { click: () => {
        const { since: _, ...filters } = page.store.state.filters;
        page.store.set({ compared: null, filters });
      } } }, icon("close"))),
    swap && h("p", {}, ...prose(words.say("compareOrder", { name: visible(name) })), " ", h("button", { type: "button", class: "link swap", on: { click: swap } }, words.say("compareSwap"))),
    h("p", {}, icon(result.before.verdict), " ", words.say("compareBefore", { verdict: qualified(page, result.before), counts: [words.count("errors", result.before.summary.errors), words.count("warnings", result.before.summary.warnings)].join(words.say("comma")) })),
    chips,
    fixed(page, result),
    result.unchecked.length > 0 && unchecked(page, result.unchecked),
    only.length > 0 && h("details", { class: "only-counted" },
      h("summary", {}, words.say("compareCounted")),
      h("p", { class: "dim small" }, words.say("compareCountedText")),
      h("table", { class: "plain-table" },
        h("thead", {}, h("tr", {}, ...(["sortCode", "severityFilter", "compareEarlier", "compareNow"] as const).map((word) => h("th", { scope: "col" }, words.say(word))))),
        h("tbody", {}, ...only.map(({ code, severity, before, after }) => h("tr", {},
          h("td", {}, h("a", { class: "code", href: `#/rules/${code}` }, code)), h("td", {}, words.say(severity)),
          h("td", { class: "number" }, words.number(before)), h("td", { class: "number" }, words.number(after))))))));
  const mark = (state: State) => {
    for (const button of chips.querySelectorAll<HTMLElement>("[data-since]")) button.setAttribute("aria-pressed", String(button.dataset["since"] === state.filters.since));
  };
  mark(page.store.state);
  page.store.watch(root, (state, before) => {
    if (state.filters !== before.filters) mark(state);
  });
  return root;
}

/** The findings that are gone. */
function fixed(page: Page, { fixed: all, fixedCount }: Compared): HTMLElement {
  const words = page.words();
  const head = [icon("valid"), " ", words.count("compareFixed", fixedCount)];
  if (all.length === 0) return h("p", { class: "fixed-none" }, ...head);
  const list = h("ul", { class: "fixed-list" });
  const draw = (messages: readonly { message: string }[] | null) => {
    list.replaceChildren();
    stepped(page, list, all, STEP, ({ found, input }, at) => h("li", {},
      badge(page, found.severity), h("a", { class: "code", href: `#/rules/${found.code}` }, visible(found.code)),
      h("span", {}, ...prose(messages?.[at]?.message ?? found.message), " ",
        h("span", { class: "dim small" }, h("bdi", {}, visible(input)), found.span ? ` ${words.say("line", { line: found.span.start.line })}` : ""))));
  };
  draw(null);
  if (words.lang !== "en") void validator().then((engine) => engine.messages(all.map(({ found }) => found), words.lang)).then((messages) => list.isConnected && draw(messages), () => undefined);
  return h("details", { class: "fixed" }, h("summary", {}, ...head), list,
    fixedCount > all.length && h("p", { class: "dim small" }, words.say("listed", { stored: all.length, count: fixedCount })));
}

/** The documents that were not checked again: what was found in them may still be there. */
function unchecked(page: Page, all: Compared["unchecked"]): HTMLElement {
  const words = page.words();
  const list = h("ul", { class: "unchecked-list" });
  stepped(page, list, all, STEP, ({ input, why, findings }) => h("li", {},
    h("bdi", {}, visible(input)), " ", h("span", { class: "dim" }, words.count("uncheckedFindings", findings), " – ", words.say(`unchecked.${why}`))));
  return h("details", { class: "unchecked" }, h("summary", {}, icon("undetermined"), " ", words.count("compareUnchecked", findingsOf(all))), list);
}

function findingsOf(unchecked: Compared["unchecked"]): number {
  return unchecked.reduce((sum, { findings }) => sum + findings, 0);
}
