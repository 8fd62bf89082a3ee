/** Reports in other formats, findings in other languages. */

import { glue, inside } from "./module.js";
import { choice, known, object, text } from "./check-args.js";
import { toJson } from "./report.js";
import type { Diagnostic, Format, FormatInfo, Lang, RenderOptions, Report } from "./types.js";

/** All formats of reports. Throws a `NotReadyError` before `init`. */
export function formats(): readonly FormatInfo[] {
  return inside(() => glue.formats()) as FormatInfo[];
}

/**
 * Renders a report in a format, identical to the command's output.
 *
 * Throws a `FormatError` if it is not a report, an `OptionError` for invalid options, and a `NotReadyError` before `init`.
 */
export function render(report: Report | string, format: Format, options: RenderOptions = {}): string {
  known(options, ["lang", "color", "maxPerRule", "width"]);
  text(format, "the format");
  choice(format, formats().map(({ name }) => name), "format");
  const { lang = "en", color = false, maxPerRule, width } = options;
  const json = typeof report === "string" ? report : toJson(report);
  return inside(() => glue.render(json, format, lang, color, maxPerRule, width));
}

/**
 * The explanation of a code or rule in words, as the command prints it. Throws an `OptionError` if there is none of this name, and a
 * `NotReadyError` before `init`.
 */
export function explanation(codeOrRule: string, lang: Lang = "en", format: "text" | "markdown" = "text"): string {
  text(codeOrRule, "a code or rule");
  text(lang, "lang");
  choice(format, ["text", "markdown"], "format");
  return inside(() => glue.explanation(codeOrRule, lang, format));
}

/** The message and help of a finding in a language. Throws as `render`. */
export function message(diagnostic: Pick<Diagnostic, "code" | "args" | "cause">, lang: Lang): { message: string; help: string } {
  object(diagnostic, "a finding");
  text(diagnostic.code, "the code");
  text(lang, "lang");
  const args = JSON.stringify(diagnostic.args);
  const cause = diagnostic.cause && JSON.stringify(diagnostic.cause);
  const [message = "", help = ""] = inside(() => glue.words(diagnostic.code, args, cause, lang));
  return { message, help };
}
