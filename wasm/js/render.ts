/** Reports in other formats, findings in other languages. */

import { glue, inside } from "./module.js";
import { known } from "./names.js";
import { toJson } from "./report.js";
import type { Diagnostic, Format, Lang, RenderOptions, Report } from "./types.js";

/** Writes a report in a format: the same bytes as the command. */
export function render(report: Report | string, format: Format, options: RenderOptions = {}): string {
  known(options, ["lang", "color", "maxPerRule", "width"]);
  const { lang = "en", color = false, maxPerRule, width } = options;
  const json = typeof report === "string" ? report : toJson(report);
  return inside(() => glue.render(json, format, lang, color, maxPerRule, width));
}

/** A finding in words of a language. */
export function message(diagnostic: Pick<Diagnostic, "code" | "args">, lang: Lang): { message: string; help: string } {
  const args = JSON.stringify(diagnostic.args);
  const [message = "", help = ""] = inside(() => glue.words(diagnostic.code, args, lang));
  return { message, help };
}
