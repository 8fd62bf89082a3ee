/** Reports of several runs as the report of one. */

import { jsonOf } from "./compare.js";
import { free } from "./calls.js";
import { glue, inside } from "./module.js";
import { parseReport } from "./report.js";
import type { Report } from "./types.js";

/**
 * Merges reports into the report of one run over all their inputs, in this order: byte for byte, however the inputs were divided.
 * What is compared with each other belongs in one report: a dump and its packages, the files of a folder, a whole Source.
 *
 * Throws a `FormatError` if one of them is not a report, if one run could not have had two of them (other options, another version,
 * a subtracted baseline, a document of a whole Source twice), or if there is none; and a `NotReadyError` before `init`.
 */
export function merge(reports: Iterable<Report | string>): Report {
  const merger = inside(() => new glue.Merger());
  let merged: string;
  try {
    for (const report of reports) inside(() => merger.add(jsonOf(report)));
    merged = inside(() => merger.finish());
  } catch (error) {
    free(merger);
    throw error;
  }
  return parseReport(merged);
}
