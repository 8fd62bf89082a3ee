// What the configuration, filters or a baseline of a report removed. Only reports of the command have this.

import { h, uri, visible } from "../element.js";
import type { Page } from "../page.js";
import { placeOf } from "../rules.js";
import { SEVERITIES, type Report, type Severity } from "../state.js";
import { badge } from "./code-frame.js";

/** Codes that are listed. */
const MOST = 50;

/** The verdict in words, and whether it depends on filters. */
export function qualified(page: Page, { verdict, afterFilters }: Pick<Report, "verdict" | "afterFilters">): string {
  const words = page.words();
  return afterFilters ? words.say("afterFilters", { verdict: words.say(verdict) }) : words.say(verdict);
}

/** The errors that were removed. */
export function suppressedErrors({ suppressed = [] }: Report): number {
  return suppressed.reduce((sum, { severity, count }) => sum + (severity === "error" ? count : 0), 0);
}

/** The configuration, and the removed findings by code; false if there is neither. */
export function filters(page: Page, { run, suppressed = [] }: Report): HTMLElement | false {
  const words = page.words();
  const sums = new Map<string, { code: string; severity: Severity; count: number }>();
  for (const { code, severity, count } of suppressed) {
    const key = `${code} ${severity}`;
    sums.set(key, { code, severity, count: (sums.get(key)?.count ?? 0) + count });
  }
  if (run.configuration === undefined && sums.size === 0) return false;
  const all = [...sums.values()].sort((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity)
    || placeOf(one.code) - placeOf(other.code) || (one.code < other.code ? -1 : 1));
  return h("div", { class: "filtered" },
    run.configuration !== undefined && h("p", { class: "dim" }, words.say("configuration"), uri(run.configuration)),
    all.length > 0 && h("div", {}, h("h2", {}, words.say("suppressedHead")),
      h("ul", { class: "suppressed" }, ...all.slice(0, MOST).map(({ code, severity, count }) =>
        h("li", {}, badge(page, severity), h("a", { class: "code", href: `#/rules/${encodeURIComponent(code)}` }, visible(code)), h("span", { class: "number" }, words.number(count)))),
        all.length > MOST && h("li", {}, `… ${words.number(all.length - MOST)}`))));
}
