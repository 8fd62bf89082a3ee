/** Reports: text that becomes frozen data and can be had again byte by byte. */

import { FormatError } from "./errors.js";
import type { Report } from "./types.js";

/** The text each report came as: it keeps what numbers of JavaScript would round. */
const texts = new WeakMap<object, string>();

/** The report as JSON: the very bytes the command writes, with numbers that JavaScript would round. */
export function toJson(report: Report): string {
  return texts.get(report) ?? `${JSON.stringify(report, null, 2)}\n`;
}

/** Reads what `toJson` or the command wrote. Throws a `FormatError` if it is no report of this format and version. */
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
