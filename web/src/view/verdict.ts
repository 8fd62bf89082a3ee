// The verdict as text, icon and colour; unchecked inputs; counts; actions on the report.

import { h, prose, uri, visible } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { isAtHand, type Report } from "../state.js";
import type { Word } from "../words/index.js";
import { EDITABLE, isEditable, isSingle } from "./check.js";
import { downloads } from "./downloads.js";
import { filters, qualified, suppressedErrors } from "./filters.js";
import { startOver } from "./drop.js";
import { fixButton } from "./fix-button.js";
import { fileOf } from "./given.js";
import { kindOf } from "./inputs.js";
import { share } from "./share.js";

/** Builds the head of a report. */
export function verdict(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const { summary, run } = report;
  const phase = page.store.state.phase;
  const opened = phase.at === "done" && phase.opened;
  const numbers = [
    summary.inputs > 1 && words.count("inputs", summary.inputs),
    words.count("entries", summary.entries),
    opened ? words.size(summary.bytes) : sizePlace(page, report),
    phase.at === "done" && phase.seconds !== null && words.duration(Math.max(0.1, phase.seconds)),
    summary.suppressed > 0 && words.count("suppressed", summary.suppressed),
    run.profile !== "standard" && words.say("profileSaid", { profile: run.profile }),
  ];
  return h("section", { class: `verdict ${report.verdict}` },
    h("div", { class: "verdict-main" },
      h("h1", { tabindex: -1 }, icon(report.verdict, "large"), qualified(page, report)),
      report.inputs.length === 1 && only(page, report),
      h("p", { class: "sentence" }, report.afterFilters ? words.count("afterFiltersText", suppressedErrors(report)) : words.count(sentence(report), report.summary.errors)),
      h("p", { class: "numbers" },
        ...tallies(page, report),
        h("span", { class: "dim" }, ...numbers.filter((own) => own !== false).flatMap((own, at) => (at > 0 ? [" · ", own] : [own])))),
      opened && h("p", { class: "dim" }, words.say("madeBy", { tool: visible(report.tool.name), version: visible(report.tool.version) })),
      filters(page, report),
      gapsPlace(page, report)),
    h("div", { class: "buttons" }, ...work(page, report), downloads(page, report), comparing(page), share(page), startOver(page)));
}

/** The bytes that were read; where reading stopped, also those of the files. */
function sizePlace(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const place = h("span", { class: "size" }, words.size(report.summary.bytes));
  void unread(page, report).then((left) => {
    if (left > 0) place.textContent = words.say("sizeRead", { read: words.size(report.summary.bytes), size: words.size(report.summary.bytes + left) });
  }, () => undefined);
  return place;
}

/** Documents whose files are compared with what was read. */
const COMPARED = 200;

/** Bytes that were not read, since a document could not be read further. */
async function unread(page: Page, report: Report): Promise<number> {
  let left = 0;
  for (const { id, bytes, verdict } of report.inputs.slice(0, COMPARED)) {
    const file = verdict === "valid" ? undefined : fileOf(report, page.store.state, id)?.file;
    if (!file || file.size <= bytes + 3) continue;
    // The bytes of a compressed document, or of one in UTF-16, are others than those of its file.
    const [one = 0, two = 0] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const isOther = (one === 0x1f && two === 0x8b) || one >= 0xfe || one === 0 || two === 0;
    if (!isOther) left += file.size - bytes;
  }
  return left;
}

/** What can be done with the documents: repair them, edit the only one. */
function work(page: Page, report: Report): (HTMLElement | false)[] {
  const words = page.words();
  const { state } = page.store;
  return [
    fixButton(page, report),
    isEditable(state) && editing(page),
    isSingle(state) && !isEditable(state) && h("span", { class: "too-large dim small" }, icon("edit"), " ", words.say("editLarge", { size: words.size(EDITABLE) })),
  ];
}

function editing(page: Page): HTMLElement {
  const button = h("button", { type: "button", "data-edit": "", hidden: page.store.state.editing, on: { click: () => page.store.set({ editing: true }) } }, icon("edit"), page.words().say("edit"));
  page.store.watch(button, (state) => (button.hidden = state.editing));
  return button;
}

function comparing(page: Page): HTMLElement {
  return h("button", { type: "button", class: "compare", on: { click: async () => (await import("./compare.js")).openCompare(page) } }, icon("compare"), page.words().say("compare"));
}

/** The only input: its name and kind. */
function only(page: Page, report: Report): HTMLElement | false {
  const [input] = report.inputs;
  return input !== undefined && h("p", { class: "only" }, uri(input.name), " ", h("span", { class: "dim" }, kindOf(page, input.kind)));
}

function sentence(report: Report): Word {
  if (report.verdict !== "valid") return report.verdict === "invalid" ? "invalidText" : "undeterminedText";
  return report.summary.warnings + report.summary.infos > 0 ? "validNotes" : "validText";
}

function tallies(page: Page, report: Report): HTMLElement[] {
  const words = page.words();
  const all = [["error", "errors"], ["warning", "warnings"], ["info", "infos"]] as const;
  return all.filter(([, many]) => report.summary[many] > 0).map(([one, many]) =>
    h("span", { class: `tally ${one}` }, icon(one), words.count(many, report.summary[many])));
}

/** The unchecked inputs, in the language of the page as soon as the reasons are translated. */
function gapsPlace(page: Page, report: Report): HTMLElement {
  const place = h("div", {});
  const draw = () => place.replaceChildren(gaps(page, report) || "");
  draw();
  page.store.watch(place, (state, before) => {
    if (state.translated !== before.translated) draw();
  });
  return place;
}

/** The unchecked inputs, with a button to choose those that were not found. */
function gaps(page: Page, report: Report): HTMLElement | false {
  const words = page.words();
  const open = report.inputs.filter((input) => input.verdict === "undetermined");
  const stopped = report.run.status !== "completed" && report.run.stoppedBy;
  if (open.length === 0 && !stopped) return false;
  const shown = open.slice(0, 5);
  return h("div", { class: "gaps" },
    h("h2", {}, words.say("notChecked")),
    h("ul", {},
      ...shown.map((input) => h("li", {},
        ...prose(words.say("notCheckedTo", { name: input.name })),
        ...reasons(page, report, input.id))),
      open.length > shown.length && h("li", {}, `… ${words.count("inputs", open.length - shown.length)}`),
      stopped && h("li", {}, words.say("notCheckedStop", { by: visible(stopped) }))),
    isAtHand(page.store.state) && open.some(({ id }) => isMissing(report, id)) && h("button", { type: "button", on: { click: () => page.chooseFiles() } }, icon("drop"), words.say("dropMissing")));
}

/** Whether the reason is that the input could not be read; where it is a limit, the same file would not help. */
function isMissing(report: Report, input: number): boolean {
  return report.diagnostics.every((found) => found.input !== input || !/^(LIM|ZIP|PKG)-/.test(found.code));
}

// Limits and read errors have their own findings.
function reasons(page: Page, report: Report, input: number): Node[] {
  const { translated } = page.store.state;
  const at = report.diagnostics.findIndex((found) => found.input === input && /^(LIM|INP|ZIP)-/.test(found.code));
  const found = report.diagnostics[at];
  if (!found) return [];
  return [h("span", { class: "dim" }, " – ", ...prose(translated?.[at]?.message ?? found.message), ` (${found.code})`)];
}
