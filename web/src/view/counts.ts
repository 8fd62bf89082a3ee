// Findings by rule before there is a report.

import { h, prose } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { knownRule } from "../rules.js";
import { SEVERITIES, type Live } from "../state.js";
import type { Word } from "../words/index.js";

/** One line per code, errors first. Without a report findings are in English and not all are stored, so the rule is shown instead. */
export function counts(page: Page, live: Live, none: Word = "runningNone"): HTMLElement[] {
  const words = page.words();
  if (live.counts.length === 0) return [h("p", { class: "dim" }, words.say(none))];
  const first = new Map<string, string>();
  for (const found of live.found) if (!first.has(found.code)) first.set(found.code, found.message);
  const rows = [...live.counts].sort((one, other) =>
    SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) || other.count - one.count);
  return [h("ul", { class: "live" }, ...rows.map(({ code, severity, count }) =>
    h("li", {},
      h("span", { class: `mark ${severity}` }, icon(severity), h("span", { class: "unseen" }, words.say(severity))),
      h("code", { class: "code" }, code),
      h("span", { class: "message" }, ...prose((words.lang === "en" && first.get(code)) || knownRule(code, words.lang)?.what || "")),
      h("span", { class: "number" }, words.number(count)))))];
}
