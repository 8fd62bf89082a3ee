// Compares two reports, and keeps of the earlier one what the page shows.

import { compare as compareReports, init, type Comparison, type Diagnostic, type Report } from "resourcesync/lite";
import { reportOf } from "./open.js";

export interface Compare {
  before: Report | Blob;
  after: Report;
  wasm: WebAssembly.Module;
}

/** What changed since an earlier report. */
export interface Compared {
  /** Findings of the earlier report that are gone: the first ones, and the number of all. */
  fixed: readonly { found: Diagnostic; input: string }[];
  fixedCount: number;
  /** Documents that were not checked again, and how many of their findings are neither fixed nor still there for this reason. */
  unchecked: readonly Unchecked[];
  /** Indexes in the report on show. */
  new: readonly number[];
  same: readonly number[];
  counts: Comparison["counts"];
  before: Pick<Report, "verdict" | "afterFilters" | "summary">;
}

/** A document that was not checked again, why, and the number of its findings. */
export interface Unchecked {
  input: string;
  why: Comparison["unchecked"][number]["why"];
  findings: number;
}

/** Fixed findings that are shown. */
const SHOWN = 500;

/** Compares a report with an earlier one, perhaps in a file. */
export async function compare({ before, after, wasm }: Compare): Promise<Compared> {
  await init(wasm);
  const earlier = before instanceof Blob ? await reportOf(before) : before;
  const { fixed, unchecked: not, new: fresh, same, counts } = compareReports(earlier, after);
  const unchecked = not.map(({ input, why, findings }) => ({ input: earlier.inputs[input]?.name ?? "?", why, findings: findings.length }));
  const shown = fixed.slice(0, SHOWN).flatMap((at) => {
    const found = earlier.diagnostics[at];
    return found ? [{ found, input: earlier.inputs[found.input]?.name ?? "?" }] : [];
  });
  return { fixed: shown, fixedCount: fixed.length, unchecked, new: fresh, same, counts, before: { verdict: earlier.verdict, ...(earlier.afterFilters && { afterFilters: true as const }), summary: earlier.summary } };
}
