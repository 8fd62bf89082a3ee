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

/** Why findings of a document cannot be called fixed. */
export interface Unchecked {
  input: string;
  why: "absent" | "unread" | "kind" | "options";
  findings: number;
}

/** Fixed findings that are shown. */
const SHOWN = 500;

/** Compares a report with an earlier one, perhaps in a file. */
export async function compare({ before, after, wasm }: Compare): Promise<Compared> {
  await init(wasm);
  const earlier = before instanceof Blob ? await reportOf(before) : before;
  const { fixed: gone, new: fresh, same, counts } = compareReports(earlier, after);
  const { fixed, unchecked } = checkedAgain(gone, earlier, after);
  const shown = fixed.slice(0, SHOWN).flatMap((at) => {
    const found = earlier.diagnostics[at];
    return found ? [{ found, input: earlier.inputs[found.input]?.name ?? "?" }] : [];
  });
  return { fixed: shown, fixedCount: fixed.length, unchecked, new: fresh, same, counts, before: { verdict: earlier.verdict, ...(earlier.afterFilters && { afterFilters: true as const }), summary: earlier.summary } };
}

/** Of the findings that are gone, those that the later check would have found again. */
function checkedAgain(gone: readonly number[], before: Report, after: Report): { fixed: number[]; unchecked: Unchecked[] } {
  const isSameRun = optionsOf(before) === optionsOf(after);
  const later = new Map(after.inputs.map((input) => [nameOf(after, input), input]));
  const ended = new Set(after.groups.filter(({ code }) => ENDS.test(code)).map(({ input }) => input));
  const reasons = new Map<Input, Unchecked["why"] | undefined>(before.inputs.map((input) => {
    const own = later.get(nameOf(before, input));
    if (!own) return [input, "absent"];
    if (own.verdict === "undetermined" || ended.has(own.id)) return [input, "unread"];
    // A document whose kind was not recognised may have become one.
    if (own.kind !== input.kind && input.kind !== "unknown") return [input, "kind"];
    return [input, isSameRun ? undefined : "options"];
  }));
  const fixed: number[] = [];
  const unchecked = new Map<Input, Unchecked>();
  for (const at of gone) {
    const input = before.inputs[before.diagnostics[at]?.input ?? -1];
    const why = input && reasons.get(input);
    if (!input || why === undefined) fixed.push(at);
    else unchecked.set(input, { input: input.name, why, findings: (unchecked.get(input)?.findings ?? 0) + 1 });
  }
  return { fixed, unchecked: [...unchecked.values()] };
}

type Input = Report["inputs"][number];

/** Findings that end the reading of a document, as in `--baseline`. */
const ENDS = /^(GEN-01|GEN-22|LIM-|INP-)/;

/** The name of an input; of a member of a package, with that of the package. */
function nameOf(report: Report, { name, via, parent }: Input): string {
  const above = via === "zip" && parent !== undefined ? report.inputs[parent] : undefined;
  return above ? `${above.name} ${name}` : name;
}

/** What decides which findings a report contains. */
function optionsOf({ run: { profile, options, baseline } }: Report): string {
  const { maxPerRule: _, ...others } = options ?? {};
  return JSON.stringify([profile, baseline, Object.entries(others).sort()]);
}
