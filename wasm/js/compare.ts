/** What changed from one report to another. */

import { object } from "./check-args.js";
import { glue, inside } from "./module.js";
import { toJson } from "./report.js";
import type { Report, Severity } from "./types.js";

/** The result of a comparison. Indices are those of the `diagnostics` of each report. */
export interface Comparison {
  /** Findings of the earlier report that the later one does not have, although it checked their inputs again. */
  readonly fixed: readonly number[];
  /** The inputs of the earlier report that were not checked again, with findings that are neither fixed nor still there for this reason. */
  readonly unchecked: readonly Unchecked[];
  /** Findings that only the later report has. */
  readonly new: readonly number[];
  /** Findings of the later report that the earlier one has as well. */
  readonly same: readonly number[];
  /** Exact counts by code and severity. */
  readonly counts: readonly ComparedCount[];
}

/** An input that was not checked again. */
export interface Unchecked {
  /** Its number in the earlier report. */
  readonly input: number;
  /** The later report has no input of its name; it was not read to its end; it is of another kind; other options decided what is found. */
  readonly why: "absent" | "unread" | "kind" | "options";
  /** Its findings that the later report does not have. */
  readonly findings: readonly number[];
}

/** The findings of a code in both reports. */
export interface ComparedCount {
  readonly code: string;
  readonly severity: Severity;
  readonly before: number;
  readonly after: number;
  /** False if one of the reports stored less than it counted: then the findings of this code are only counted. */
  readonly isComplete: boolean;
}

/**
 * Compares a report with an earlier one. Findings are the same if code and fingerprint are, in an input of the same name; those of
 * an input that no longer exists match findings of any input.
 *
 * Throws a `FormatError` if one of them is not a report, and a `NotReadyError` before `init`.
 */
export function compare(before: Report | string, after: Report | string): Comparison {
  return inside(() => glue.compare(jsonOf(before), jsonOf(after))) as Comparison;
}

/** The text of a report. */
export function jsonOf(report: Report | string): string {
  if (typeof report === "string") return report;
  object(report, "a report");
  return toJson(report);
}
