// Reports of other commands than `validate`: copying, auditing and publishing, as the page shows them.

/** What such a report says. */
export interface Told {
  command: "sync" | "audit" | "build" | "dump" | "diff";
  outcome: string;
  look: "valid" | "invalid" | "undetermined";
  /** The Source, or the folder that was written. */
  of: string;
  /** When it ended, as written. */
  when: string;
  counts: readonly (readonly [name: string, count: number])[];
  /** What is not as it should be: the first ones, and how many the report leaves out. */
  items: readonly { uri: string; what: string; code: string }[];
  leftOut: number;
  diagnostics: readonly { code: string; severity: "error" | "warning" | "info"; message: string; help: string }[];
  /** Why nothing was done. */
  error: string;
}

/** Bytes of such a report, and items that are shown. */
const MOST = 64 << 20;
const ITEMS = 500;

const LOOKS: Record<string, Told["look"]> = {
  "in-step": "valid", equal: "valid", written: "valid", unchanged: "valid", "dry-run": "valid", compared: "valid", verified: "valid", rebuilt: "valid",
  incomplete: "undetermined", locked: "undetermined", interrupted: "undetermined", undetermined: "undetermined",
};

type Json = Record<string, unknown>;

/** Reads a report of another command; null if the file is none. */
export async function told(file: Blob): Promise<Told | null> {
  const head = await file.slice(0, 400).text().catch(() => "");
  const format = /^\ufeff?\s*\{[^}]*"format":\s*"resourcesync-(sync|audit|publish)-report"/.exec(head)?.[1];
  if (!format || file.size > MOST) return null;
  const all = object(JSON.parse((await file.text()).replace(/^\ufeff/, "")));
  const run = object(all["run"]);
  const outcome = text(run["outcome"] ?? all["outcome"] ?? all["result"]);
  const command = format === "publish" ? text(all["command"]) as Told["command"] : format as "sync" | "audit";
  const items = (list(all["items"]).filter(({ result }) => result !== "done" && result !== "planned")).concat(list(all["differences"]));
  return {
    command, outcome, look: LOOKS[outcome] ?? "invalid",
    of: text(all["source"] ?? all["out"]), when: text(run["ended"] ?? all["ended"] ?? all["at"]),
    counts: [...numbers(all, ["equal", "resources", "packages"]), ...numbers(object(all["counts"])), ...numbers(object(all["changes"])), ...numbers(all, ["skipped", "openChanges"])],
    items: items.slice(0, ITEMS).map(({ uri, result, sign, code }) => ({ uri: text(uri), what: text(sign ?? result), code: text(code) })),
    leftOut: (typeof all["leftOut"] === "number" ? all["leftOut"] : 0) + Math.max(0, items.length - ITEMS),
    diagnostics: list(all["diagnostics"]).map(({ code, severity, message, help }) => ({
      code: text(code), severity: severity === "error" || severity === "warning" ? severity : "info", message: text(message), help: text(help),
    })),
    error: text(all["error"]),
  };
}

/** Counts that are not zero. */
function numbers(of: Json, names: readonly string[] = Object.keys(of)): [string, number][] {
  return names.flatMap((name): [string, number][] => (typeof of[name] === "number" && of[name] > 0 ? [[name, of[name]]] : []));
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
