// A code frame: the line around a finding, with the finding marked.

import { h, visible } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Diagnostic } from "../state.js";

/** The excerpt of a finding; `undefined` without a position. */
export function codeFrame(page: Page, found: Diagnostic): HTMLElement | null {
  const { excerpt, severity } = found;
  if (!excerpt) return null;
  // Highlights count characters, not UTF-16 code units.
  const characters = [...excerpt.text];
  const [from = 0, to = 0] = excerpt.highlight;
  const part = (start: number, end?: number) => visible(characters.slice(start, end).join("").replaceAll("\t", "    "));
  const marked = part(from, to);
  const before = part(0, from);
  return h("pre", { class: "frame", tabindex: 0, translate: "no", "aria-label": page.words().say("line", { line: excerpt.line }) },
    h("span", { class: "line-number" }, String(excerpt.line)),
    h("code", {},
      excerpt.cutLeft ? `…${before}` : before.trimStart(),
      h("mark", { class: severity }, marked || " "),
      part(to), excerpt.cutRight && "…"));
}

/** The severity next to a word. */
export function badge(page: Page, severity: Diagnostic["severity"]): HTMLElement {
  return h("span", { class: `badge ${severity}` }, icon(severity), page.words().say(severity));
}
