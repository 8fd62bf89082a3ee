// Groups the findings of a report by the filters, with exact counts.

import { placeOf } from "../rules.js";
import { SEVERITIES, type Diagnostic, type Filters, type Report, type Severity, type State } from "../state.js";

/** One group of the list. */
export interface Group {
  key: string;
  /** The most severe finding in it. */
  severity: Severity;
  code?: string;
  rule?: string;
  input?: number;
  entry?: { index: number; loc?: string };
  /** The number of all counted findings; of the stored ones in a text search, and in groups that the report does not count. */
  count: number;
  /** Indexes of the stored findings in the report. */
  found: number[];
}

export interface Grouped {
  groups: Group[];
  /** Counts by severity, with all filters except that of severity: exact, or of the stored findings in a text search. */
  counts: Record<Severity, number>;
  /** The number of stored findings that match. */
  matching: number;
  /** The number of findings with all filters except the text: stored, and counted but not stored. */
  stored: number;
  unstored: number;
}

/** True if a group of the report matches the filters. */
function within(filters: Filters, inputs: ReadonlySet<number> | null, one: { code: string; severity: string; input: number }): boolean {
  return !filters.muted.has(one.code) && (inputs === null || inputs.has(one.input));
}

/** An input and, if it is a package, everything in it. */
function below(report: Report, id: number): Set<number> {
  const all = new Set([id]);
  // Members of packages follow their package.
  for (const { id, parent, via } of report.inputs) {
    if (via === "zip" && parent !== undefined && all.has(parent)) all.add(id);
  }
  return all;
}

/** Groups the findings. */
export function grouped(report: Report, { filters, translated, compared }: Pick<State, "filters" | "translated" | "compared">): Grouped {
  const inputs = filters.input === undefined ? null : below(report, filters.input);
  const text = filters.text.trim().toLowerCase();
  // Findings that are not stored are on neither side of a comparison.
  const since = filters.since && compared ? new Set(compared.result[filters.since]) : null;
  const isSearch = text !== "" || since !== null;
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  const groups = new Map<string, Group>();
  let unstored = 0;
  for (const group of report.groups) {
    if (!within(filters, inputs, group)) continue;
    if (!isSearch) counts[group.severity] += group.count;
    if (filters.severities.has(group.severity)) unstored += group.count;
    if (isSearch || filters.group !== "rule" || !filters.severities.has(group.severity)) continue;
    const key = `${group.code} ${group.severity}`;
    const own = groups.get(key) ?? { key, severity: group.severity, code: group.code, count: 0, found: [] };
    groups.set(key, { ...own, count: own.count + group.count });
  }
  let matching = 0;
  let stored = 0;
  report.diagnostics.forEach((found, at) => {
    if (!within(filters, inputs, found)) return;
    const isShown = filters.severities.has(found.severity);
    if (isShown) stored += 1;
    if (text && !matches(found, translated?.[at]?.message, report.inputs[found.input]?.name, text)) return;
    if (since && !since.has(at)) return;
    if (isSearch) counts[found.severity] += 1;
    if (!isShown) return;
    matching += 1;
    const own = place(groups, found, filters.group);
    own.found.push(at);
    if (own.rule === undefined && own.code) own.rule = found.rule;
    if (isSearch || filters.group !== "rule") own.count += 1;
    if (SEVERITIES.indexOf(found.severity) < SEVERITIES.indexOf(own.severity)) own.severity = found.severity;
  });
  const sorted = sortedBy(filters.sort, [...groups.values()], report, filters.group === "rule");
  if (filters.group === "input" && !isSearch) countInputs(report, filters, inputs, sorted);
  return { groups: sorted, counts, matching, stored, unstored: unstored - stored };
}

/** Sorts the findings of each group, and groups by rule: by severity as the command does, by place in the inputs, or by code. */
function sortedBy(sort: Filters["sort"], groups: Group[], report: Report, byRule: boolean): Group[] {
  // Stored findings are in the order of their places.
  if (sort === "place") return byRule ? groups.sort((one, other) => (one.found[0] ?? Infinity) - (other.found[0] ?? Infinity)) : groups;
  const severity = (one: Severity) => SEVERITIES.indexOf(one);
  const place = new Map([...new Set(report.groups.map(({ code }) => code))].map((code) => [code, placeOf(code)]));
  const placed = (code = "") => place.get(code) ?? 0;
  if (byRule) {
    return groups.sort((one, other) => (sort === "severity" && (severity(one.severity) - severity(other.severity) || other.count - one.count))
      || placed(one.code) - placed(other.code));
  }
  for (const { found } of groups) {
    const key = (at: number) => {
      const own = report.diagnostics[at];
      return !own ? 0 : sort === "severity" ? severity(own.severity) : placed(own.code);
    };
    const keys = new Map(found.map((at) => [at, key(at)]));
    found.sort((one, other) => (keys.get(one) ?? 0) - (keys.get(other) ?? 0) || one - other);
  }
  return groups;
}

function countInputs(report: Report, filters: Filters, inputs: ReadonlySet<number> | null, groups: Group[]): void {
  for (const own of groups) {
    const ours = report.groups.filter((group) => group.input === own.input && within(filters, inputs, group) && filters.severities.has(group.severity));
    own.count = ours.reduce((sum, group) => sum + group.count, 0);
  }
}

function place(groups: Map<string, Group>, found: Diagnostic, by: Filters["group"]): Group {
  const { code, severity, input, entry } = found;
  const [key, fresh] = by === "none" ? ["", {}] : by === "rule" ? [`${code} ${severity}`, { code }]
    : by === "input" ? [`${input}`, { input }]
    : [`${input} ${entry?.index ?? ""}`, { input, ...(entry && { entry: entry as { index: number; loc?: string } }) }];
  const own = groups.get(key) ?? { key, severity, count: 0, found: [], ...fresh };
  groups.set(key, own);
  return own;
}

function matches(found: Diagnostic, translated: string | undefined, input: string | undefined, text: string): boolean {
  const hay = [found.code, found.rule, found.message, translated, found.path, found.entry?.loc, found.excerpt?.text, input];
  return hay.some((part) => part?.toLowerCase().includes(text));
}
