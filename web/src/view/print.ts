// On paper: every finding with its place and what to do, since a pane that scrolls shows only a part, and of one finding.

import { h, prose, uri, visible } from "../element.js";
import type { Page } from "../page.js";
import { report as shown } from "../state.js";
import { badge, codeFrame } from "./code-frame.js";
import { said } from "./finding.js";

/** Findings on paper. */
const MOST = 500;

/** Adds them while the page is printed. */
export function listenForPrint(page: Page): void {
  let added: HTMLElement | null = null;
  addEventListener("beforeprint", () => {
    added?.remove();
    added = page.store.state.route.view === "check" ? findings(page) : null;
    if (added) document.querySelector(".result")?.append(added);
  });
  addEventListener("afterprint", () => {
    added?.remove();
    added = null;
  });
}

function findings(page: Page): HTMLElement | null {
  const report = shown(page.store.state);
  if (!report || report.diagnostics.length === 0) return null;
  const words = page.words();
  const all = report.diagnostics.slice(0, MOST);
  const count = report.groups.reduce((sum, own) => sum + own.count, 0);
  return h("section", { class: "printed" },
    h("h2", {}, words.say("findingsHead")),
    h("ol", {}, ...all.map((found, at) => {
      const { message, help } = said(page, report, at);
      const start = found.span?.start;
      return h("li", {},
        h("p", {}, badge(page, found.severity), " ", h("code", { class: "code" }, visible(found.code)), " ", ...prose(message)),
        h("p", { class: "dim small" }, uri(report.inputs[found.input]?.name ?? "?"),
          start ? ` · ${words.say("place", { line: start.line, column: start.column })}` : "",
          found.entry ? ` · ${words.say("entry", { n: found.entry.index })} ` : "", found.entry?.loc ? uri(found.entry.loc) : ""),
        codeFrame(page, found) ?? "",
        help && h("p", {}, ...prose(help)));
    })),
    count > all.length && h("p", {}, words.say("listed", { stored: all.length, count })));
}
