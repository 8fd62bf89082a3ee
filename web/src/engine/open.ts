// Opens a report from a file, reduced to a size that the page can show, and renders it whole.

import { init, parseReport, render, type Format, type Group, type Report } from "resourcesync/lite";
import { KEPT, KEPT_IN_ALL } from "./kept.js";
import { Refused } from "./refused.js";
import { reportText } from "./report-file.js";

/** The report; counts stay exact, only the first findings of each rule and input are kept, errors first if there are many. */
export async function open(file: Blob): Promise<Report> {
  const report = await reportOf(file);
  const kept = new Map<string, number>();
  const first = report.diagnostics.filter((found) => {
    const key = keyOf(found);
    const count = (kept.get(key) ?? 0) + 1;
    kept.set(key, count);
    return count <= KEPT;
  });
  const errors = first.filter(({ severity }) => severity === "error").length;
  let [room, others] = [KEPT_IN_ALL, Math.max(0, KEPT_IN_ALL - errors)];
  const diagnostics = first.length <= KEPT_IN_ALL ? first : first.filter(({ severity }) => (severity === "error" ? room-- > 0 : others-- > 0));
  return diagnostics.length === report.diagnostics.length ? report : { ...report, groups: groups(report, diagnostics), diagnostics };
}

/** The groups with the number of findings that are left of each: a comparison must not take those that were dropped for fixed or new ones. */
function groups({ groups }: Report, diagnostics: Report["diagnostics"]): Report["groups"] {
  const stored = new Map<string, number>();
  for (const found of diagnostics) stored.set(keyOf(found), (stored.get(keyOf(found)) ?? 0) + 1);
  return groups.map((group) => ({ ...group, stored: stored.get(keyOf(group)) ?? 0 }));
}

function keyOf({ input, code, severity }: Pick<Group, "input" | "code" | "severity">): string {
  return `${input} ${code} ${severity}`;
}

/** The whole report in another format. */
export async function rendered({ file, format, lang, wasm }: { file: Blob; format: Format; lang: "en" | "ja"; wasm: WebAssembly.Module }): Promise<Blob> {
  await init(wasm);
  return new Blob([render(await reportText(file), format, { lang })]);
}

/** The report in a file. */
export async function reportOf(file: Blob): Promise<Report> {
  const text = await reportText(file);
  try {
    return parseReport(text);
  } catch {
    throw refusal(text);
  }
}

function refusal(text: string): Refused {
  try {
    const { format, formatVersion } = JSON.parse(text) as Record<string, unknown>;
    return format === "resourcesync-report" ? new Refused("Version", String(formatVersion)) : new Refused("Damaged");
  } catch {
    return new Refused("Damaged");
  }
}
