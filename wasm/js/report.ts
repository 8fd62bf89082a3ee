/** Reports: JSON parsed into frozen objects, which keep their exact text. */

import { FormatError } from "./errors.js";
import type { Report } from "./types.js";

/** The JSON text of each report, with numbers that JavaScript would round. */
const texts = new WeakMap<object, string>();

/** The report as JSON, identical to the command's output, with numbers that JavaScript would round. */
export function toJson(report: Report): string {
  return texts.get(report) ?? `${JSON.stringify(report, null, 2)}\n`;
}

/** Parses the output of `toJson` or the command. Throws a `FormatError` if it is not a report of this format and version. */
export function parseReport(json: string): Report {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch (error) {
    throw new FormatError(`not a report: ${error instanceof Error ? error.message : String(error)}`);
  }
  const report = data as Partial<Report> | null;
  if (typeof report !== "object" || report === null || report.format !== "resourcesync-report") {
    throw new FormatError("not a report: `format` is not `resourcesync-report`");
  }
  if (report.formatVersion !== 1) {
    throw new FormatError(`unsupported report version ${String(report.formatVersion)}, expected 1`);
  }
  freeze(report);
  texts.set(report, json);
  return report as Report;
}

function freeze(value: unknown): void {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
}
