// Reports of other commands than `validate`: copying, auditing, harvesting and publishing, as the page shows them.

import { Refused } from "./refused.js";

/** What such a report says. */
export interface Told {
  command: "sync" | "audit" | "build" | "dump" | "diff" | "oai harvest";
  outcome: string;
  look: "valid" | "invalid" | "undetermined";
  /** The Source or repository, or the folder that was written. */
  of: string;
  /** When it ended, as written. */
  when: string;
  counts: readonly (readonly [name: string, count: number])[];
  /** What is not as it should be, or what a trial run would do: the first ones, and how many are left out. */
  items: readonly { uri: string; what: string; code: string; why?: string }[];
  leftOut: number;
  /** Without a message, the page has that of the rule. */
  diagnostics: readonly { code: string; severity: "error" | "warning" | "info"; message: string; help: string; count: number }[];
  /** Why nothing was done. */
  error: string;
}

/** Bytes of such a report, and items that are shown. */
const MOST = 64 << 20;
const ITEMS = 500;

/** Outcomes that are good or bad; others are open, and so are those of a newer command. */
const GOOD: readonly string[] = ["in-step", "equal", "written", "unchanged", "dry-run", "compared", "verified", "rebuilt", "harvest-complete"];
const BAD: readonly string[] = ["refused", "failed", "different", "harvest-failed"];

/** The outcomes of several harvests, worst first: that of all is the worst, or one that is not known. */
const HARVESTS = ["failed", "incomplete", "suspect", "complete"];

type Json = Record<string, unknown>;

/** Whether a file is a report of another command. That of `diff` begins with its entries. */
export async function isTold(file: Blob): Promise<boolean> {
  if (file.size > MOST) return false;
  const head = await file.slice(0, 400).text().catch(() => "");
  return /^\ufeff?\s*\[?\s*\{[^}]*"format":\s*"resourcesync-(sync-report|audit-report|publish-report|oai-report|oai-proof)"/.test(head)
    || (/^\ufeff?\s*\{\s*"entries":\s*\[/.test(head) && /\n  "format": "resourcesync-publish-report"/.test(await file.text()));
}

/** Reads such a report. */
export async function told(file: Blob): Promise<Told> {
  const value = parsed((await file.text()).replace(/^\ufeff/, ""));
  const reports = (Array.isArray(value) ? value : [value]).map(object);
  const other = reports.find((own) => own["formatVersion"] !== 1);
  if (other) throw typeof other["formatVersion"] === "number" ? new Refused("Version", String(other["formatVersion"])) : new Refused("Damaged");
  if (Array.isArray(value)) return ofHarvests(reports);
  const [all = {}] = reports;
  switch (text(all["format"])) {
    case "resourcesync-oai-report": return ofHarvest(all);
    case "resourcesync-oai-proof": return ofProof(all);
    case "resourcesync-audit-report": return ofRun("audit", all);
    case "resourcesync-sync-report": return ofRun("sync", all);
    default: return ofRun(text(all["command"]) as Told["command"], all);
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Refused("Damaged");
  }
}

/** Copying, auditing, publishing. */
function ofRun(command: Told["command"], all: Json): Told {
  const run = object(all["run"]);
  const isTrial = run["dryRun"] === true;
  const outcome = text(run["outcome"] ?? all["outcome"] ?? all["result"]);
  const left = list(all["items"]).filter(({ result }) => result !== "done" && (isTrial || result !== "planned"));
  const items = left.map(({ uri, action, result, code }) => ({ uri: text(uri), what: result === "planned" ? text(action) : text(result), code: text(code) }))
    .concat(list(all["differences"]).map(({ uri, sign }) => ({ uri: text(uri), what: text(sign), code: "" })));
  return {
    ...base(command, outcome),
    of: text(all["source"] ?? all["out"]), when: text(run["ended"] ?? all["ended"] ?? all["at"]),
    counts: [...numbers(all, ["equal", "resources", "packages"]), ...numbers(object(all["counts"])), ...numbers(object(all["changes"])), ...numbers(all, ["skipped", "openChanges"])],
    ...shown(items, number(all["leftOut"])),
    diagnostics: list(all["diagnostics"]).map(finding),
    error: text(all["error"]),
  };
}

/** The harvest of one repository. */
function ofHarvest(all: Json): Told {
  return {
    ...base("oai harvest", `harvest-${text(all["status"])}`),
    of: text(all["url"]),
    counts: [...numbers(all, ["records"]), ...numbers(object(all["counts"]))],
    diagnostics: [...list(all["reasons"]), ...list(all["notes"])].map(finding),
    error: text(all["error"]),
  };
}

/** The harvests of several repositories: those that are not complete are listed. */
function ofHarvests(all: readonly Json[]): Told {
  const statuses = all.map(({ status }) => text(status));
  const items = all.filter(({ status }) => status !== "complete").map(({ url, status, reasons, error }) => {
    const [first] = list(reasons);
    return { uri: text(url), what: text(status), code: text(first?.["code"]), why: text(error ?? first?.["message"]) };
  });
  const worst = statuses.find((own) => !HARVESTS.includes(own)) ?? HARVESTS.find((own) => statuses.includes(own)) ?? "";
  const records = all.reduce((sum, own) => sum + number(own["records"]), 0);
  return {
    ...base("oai harvest", `harvest-${worst}`),
    counts: [["repositories", all.length], ...HARVESTS.map((own): [string, number] => [own, statuses.filter((status) => status === own).length]), ["records", records] as [string, number]].filter((own): own is [string, number] => Number(own[1]) > 0),
    ...shown(items, 0),
  };
}

/** The proof of a harvest, which has codes and no messages. */
function ofProof(all: Json): Told {
  const lists = list(all["sequences"]);
  const sums = ["delivered", "distinct", "repeated", "deleted", "quarantined", "repaired"].map((name): [string, number] => [name, lists.reduce((sum, own) => sum + number(own[name]), 0)]);
  const pages = lists.reduce((sum, own) => sum + list(own["pages"]).length, 0);
  const owed = list(all["owed"]).map(({ identifier }) => ({ uri: text(identifier), what: "debt", code: "" }));
  const ended = new Date(number(all["ended"]));
  return {
    ...base("oai harvest", `harvest-${text(all["status"])}`),
    of: text(all["baseUrl"]), when: Number.isNaN(ended.getTime()) ? "" : ended.toISOString().replace(/\.\d+Z$/, "Z"),
    counts: [...sums, ["pages", pages] as [string, number], ...numbers(all, ["requests"])].filter(([, count]) => count > 0),
    ...shown(owed, 0),
    diagnostics: [...list(all["reasons"]), ...list(all["notes"])].map(finding),
  };
}

function base(command: Told["command"], outcome: string): Told {
  return { command, outcome, look: GOOD.includes(outcome) ? "valid" : BAD.includes(outcome) ? "invalid" : "undetermined", of: "", when: "", counts: [], items: [], leftOut: 0, diagnostics: [], error: "" };
}

function shown(items: Told["items"], leftOut: number): Pick<Told, "items" | "leftOut"> {
  return { items: items.slice(0, ITEMS), leftOut: leftOut + Math.max(0, items.length - ITEMS) };
}

function finding({ code, severity, message, help, count }: Json): Told["diagnostics"][number] {
  return { code: text(code), severity: severity === "error" || severity === "warning" ? severity : "info", message: text(message), help: text(help), count: number(count) || 1 };
}

/** Counts that are not zero. */
function numbers(of: Json, names: readonly string[] = Object.keys(of)): [string, number][] {
  return names.flatMap((name): [string, number][] => (number(of[name]) > 0 ? [[name, number(of[name])]] : []));
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Json : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
