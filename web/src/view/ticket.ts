// A finding as text for a ticket or a mail.

import type { Page } from "../page.js";
import type { Report } from "../state.js";
import { said } from "./finding.js";
import { origin } from "./origin.js";

/** The text, in the language of the page. */
export function ticket(page: Page, report: Report, at: number): string {
  const words = page.words();
  const found = report.diagnostics[at];
  if (!found) return "";
  const { message, help } = said(page, report, at);
  const start = found.span?.start;
  const place = [
    report.inputs[found.input]?.name ?? "?",
    start && words.say("place", { line: start.line, column: start.column }),
    found.entry && `${words.say("entry", { n: found.entry.index })}${found.entry.loc ? ` ${found.entry.loc}` : ""}`,
  ].filter(Boolean).join(words.say("comma"));
  const { excerpt } = found;
  const same = report.groups.filter(({ code, severity }) => code === found.code && severity === found.severity).reduce((sum, { count }) => sum + count, 0);
  return [
    `[${found.code}] ${words.say(found.severity)}: ${message}`,
    `${words.say("whereHead")}: ${place}`,
    `${words.say("ticketOrigin")}: ${origin(page, found)}`,
    excerpt && `\n    ${excerpt.cutLeft ? "…" : ""}${excerpt.text.trim()}${excerpt.cutRight ? "…" : ""}\n`,
    help && `${words.say("hereHead")}: ${help}`,
    same > 1 && words.say("ticketMore", { n: same - 1 }),
    `(${report.tool.name} ${report.tool.version}, ANSI/NISO Z39.99-2017)`,
  ].filter((line) => line !== false && line !== undefined && line !== "").join("\n") + "\n";
}
