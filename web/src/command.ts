// The command line that does the same as the page.

import type { Given, State } from "./state.js";

/** `resourcesync validate --profile strict list.xml`, as a shell takes it. */
export function commandLine(state: State): string {
  const { profile, expect, fixity } = state.settings;
  const parts = ["resourcesync", "validate"];
  if (profile === "strict") parts.push("--profile", "strict");
  if (expect) parts.push("--expect", expect);
  if (!fixity) parts.push("--no-fixity");
  if (state.lang === "ja") parts.push("--lang", "ja");
  return [...parts, ...paths(state.given)].join(" ");
}

/** The command that walks a Source on the web and writes a report for this page. */
export function followCommand(): string {
  return "resourcesync validate --follow --format json --output report.json https://example.org/";
}

// A folder stands for what is in it.
function paths(given: readonly Given[]): string[] {
  const names = given.map(({ name, via }) => (via === "folder" ? name.split("/")[0] ?? name : name));
  const few = [...new Set(names)];
  const shown = few.slice(0, 20).map(quoted);
  return few.length > shown.length ? [...shown, "…"] : shown;
}

function quoted(name: string): string {
  const safe = name.startsWith("-") ? `./${name}` : name;
  return /^[\w./@%+:,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
