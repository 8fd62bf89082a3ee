// The documents of a Source as a tree: what leads to what, from the top, with what is missing.

import type { Report } from "../state.js";

type Input = Report["inputs"][number];

/** A document or package of the report, or a linked document that is not there. */
export interface Leaf {
  input?: Input;
  uri: string;
  /** Errors in it; of a missing document none. */
  errors: number;
  /** The finding at the link, for a document that is not there. */
  finding?: number;
  children: Leaf[];
}

/** Levels of the tree that are shown; reports of the tool have fewer. */
export const DEEPEST = 8;
/** Folders in the name of a document. */
const FOLDERS = 4;
/** Missing documents in the tree. */
const MISSING = 1_000;

/** The tops of the tree; empty if no document leads to another. */
export function tree(report: Report): Leaf[] {
  const inputs = report.inputs.filter(({ via }) => via !== "zip");
  if (!inputs.some(({ parent }) => parent !== undefined)) return [];
  const errors = new Map<number, number>();
  for (const { input, severity, count } of report.groups) if (severity === "error") errors.set(input, (errors.get(input) ?? 0) + count);
  const leaves = new Map(inputs.map((input): [number, Leaf] => [input.id, { input, uri: input.uri ?? input.name, errors: errors.get(input.id) ?? 0, children: [] }]));
  const above = new Map<number, number>();
  for (const { id, parent, via } of inputs) {
    if (parent === undefined || !leaves.has(parent)) continue;
    // `up` and `index` lead from a document to the one above it.
    if (via !== "up" && via !== "index") above.set(id, parent);
    else if (!above.has(parent)) above.set(parent, id);
  }
  const tops: Leaf[] = [];
  for (const [id, leaf] of leaves) {
    const parent = above.get(id);
    if (parent === undefined || isCycle(above, id)) tops.push(leaf);
    else leaves.get(parent)?.children.push(leaf);
  }
  addMissing(report, leaves);
  return tops;
}

// A foreign report may contain cycles.
function isCycle(above: ReadonlyMap<number, number>, id: number): boolean {
  let [at, steps]: [number | undefined, number] = [above.get(id), 0];
  while (at !== undefined && at !== id && steps < 64) [at, steps] = [above.get(at), steps + 1];
  return at !== undefined;
}

/** Adds linked documents that could not be read: findings about an input that name a URI which is no input. */
function addMissing(report: Report, leaves: ReadonlyMap<number, Leaf>): void {
  const known = new Set(report.inputs.map(({ uri, name }) => uri ?? name));
  let left = MISSING;
  report.diagnostics.forEach(({ code, args, input }, finding) => {
    const uri = args["uri"];
    if (left === 0 || !code.startsWith("INP-") || typeof uri !== "string" || known.has(uri)) return;
    known.add(uri);
    left -= 1;
    leaves.get(input)?.children.push({ uri, errors: 0, finding, children: [] });
  });
}

/** Children that are shown one by one, and groups of the others. */
export type Shown = { leaf: Leaf } | { kind: string; verdict: Input["verdict"]; leaves: Leaf[] };

/** So many children are shown one by one. */
const FEW = 8;
/** Of many children, those with problems and those that lead further. */
const NOTABLE = 6;

/** Many children are grouped by kind and verdict, but for the first ones that need attention. */
export function collapsed(children: readonly Leaf[]): Shown[] {
  if (children.length <= FEW) return children.map((leaf) => ({ leaf }));
  const shown: Shown[] = [];
  const groups = new Map<string, { kind: string; verdict: Input["verdict"]; leaves: Leaf[] }>();
  let notable = NOTABLE;
  for (const leaf of children) {
    const verdict = leaf.input?.verdict ?? "undetermined";
    if (notable > 0 && (verdict !== "valid" || leaf.children.length > 0)) {
      notable -= 1;
      shown.push({ leaf });
      continue;
    }
    const kind = leaf.input?.kind ?? "missing";
    const own = groups.get(`${kind} ${verdict}`) ?? { kind, verdict, leaves: [] };
    own.leaves.push(leaf);
    groups.set(`${kind} ${verdict}`, own);
  }
  for (const group of groups.values()) {
    const [only] = group.leaves;
    shown.push(group.leaves.length === 1 && only ? { leaf: only } : group);
  }
  return shown;
}

/** A name for each document: that of its file, with as many folders as it takes to tell it from the others. */
export function names(tops: readonly Leaf[], short: (uri: string) => string): ReadonlyMap<Leaf, string> {
  const all: { leaf: Leaf; parts: string[]; taken: number }[] = [];
  const collect = (leaves: readonly Leaf[], depth: number) => {
    for (const leaf of leaves) {
      all.push({ leaf, parts: short(leaf.uri).replace(/\/$/, "").split("/"), taken: 1 });
      if (depth < DEEPEST) collect(leaf.children, depth + 1);
    }
  };
  collect(tops, 0);
  const name = ({ leaf, parts, taken }: (typeof all)[number]) => parts.slice(-taken).join("/") || leaf.uri;
  for (let round = 0; round < FOLDERS; round++) {
    const counts = new Map<string, number>();
    for (const own of all) counts.set(name(own), (counts.get(name(own)) ?? 0) + 1);
    for (const own of all) if ((counts.get(name(own)) ?? 0) > 1 && own.taken < own.parts.length) own.taken += 1;
  }
  return new Map(all.map((own) => [own.leaf, name(own)]));
}
