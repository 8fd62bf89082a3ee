// A line of the list, and the heading of a group.

import { h, prose, readable, uri, visible } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Report } from "../state.js";
import type { Group } from "./grouping.js";
import { knownRule } from "../rules.js";
import { toDetail } from "./walk.js";
import { kindOf, nameIn } from "./inputs.js";

/** The message of a finding in the language of the page. */
export function said(page: Page, report: Report, at: number): { message: string; help: string } {
  const found = report.diagnostics[at];
  return page.store.state.translated?.[at] ?? { message: found?.message ?? "", help: found?.help ?? "" };
}

/** Opens a finding in the detail pane. */
export function select(page: Page, at: number): void {
  // If there is no space next to the list, the detail covers the list.
  page.store.set({ selected: at, detail: true });
  if (!matchMedia("(min-width: 48rem)").matches) toDetail();
}

/** How a finding stands in its group: alone without a head, or below a head that has its message or not. */
export type Standing = "alone" | "same" | "differs";

/** One finding: its message and position, without repeating the heading of its group, or the input of the row `above`. */
export function finding(page: Page, report: Report, at: number, group: Group, standing: Standing, above?: number): HTMLElement {
  const words = page.words();
  const found = report.diagnostics[at];
  if (!found) return h("span", {});
  const start = found.span?.start;
  const alone = standing === "alone";
  const one = report.inputs.length === 1 || group.input !== undefined;
  const isRepeated = above !== undefined && report.diagnostics[above]?.input === found.input;
  const place = h("span", { class: "place number", translate: "no" }, start ? `${start.line}:${start.column}` : alone ? "" : "–");
  const mark = h("span", { class: `mark ${found.severity}` }, icon(found.severity), h("span", { class: "unseen" }, words.say(found.severity)));
  const code = h("code", { class: "code" }, visible(found.code));
  const text = h("span", { class: "text" },
    standing !== "same" && h("span", { class: "message" }, !group.code && mark, !group.code && code, !group.code && " ", ...prose(said(page, report, at).message)),
    h("span", { class: "dim" },
      !one && readable(nameIn(page, report, found.input), isRepeated ? "unseen" : "of"),
      found.entry && !group.entry && h("span", {}, words.say("entry", { n: found.entry.index })),
      found.entry?.loc && !group.entry && readable(found.entry.loc),
      standing === "same" && one && !found.entry && found.path && uri(found.path, "uri mono")));
  return h("button", { class: alone ? "finding alone" : "finding", type: "button", "data-at": at, on: { click: () => select(page, at) } },
    ...(alone ? [mark, code, text, place] : [place, text]));
}

/** The heading of a group. */
export function heading(page: Page, report: Report, group: Group, same: boolean): HTMLElement[] {
  const words = page.words();
  if (group.code) {
    const first = group.found[0];
    const own = first === undefined ? undefined : said(page, report, first).message;
    const text = same ? own : knownRule(group.code, words.lang)?.what ?? own;
    return [
      h("code", { class: "code" }, group.code),
      h("span", { class: "title" },
        h("span", {}, ...prose(text ?? "")),
        h("span", { class: "rule dim", translate: "no" }, visible(group.rule ?? ""))),
    ];
  }
  const input = report.inputs[group.input ?? -1];
  if (group.entry || page.store.state.filters.group === "entry") {
    return [h("span", { class: "title" },
      group.entry ? h("span", {}, words.say("entry", { n: group.entry.index }), " ", group.entry.loc ? readable(group.entry.loc) : "") : words.say("noEntry"),
      report.inputs.length > 1 && h("span", { class: "dim" }, readable(nameIn(page, report, group.input ?? -1))))];
  }
  return [h("span", { class: "title" }, readable(nameIn(page, report, group.input ?? -1)), input ? h("span", { class: "dim" }, kindOf(page, input.kind)) : "")];
}
