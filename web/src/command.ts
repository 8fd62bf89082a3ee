// The command line equivalent to the current state of the page.

import type { Given, State } from "./state.js";

/** `resourcesync validate --profile strict list.xml`, as a shell takes it; `all` reports every finding. Empty without files to name. */
export function commandLine(state: State, all = false): string {
  if (state.given.length === 0 || (state.phase.at === "done" && state.phase.opened)) return "";
  const { profile, expect, fixity } = state.settings;
  const { base } = state.settings;
  const parts = ["resourcesync", "validate"];
  if (base) {
    parts.push("--follow", "--base-uri", quoted(base));
    const starts = state.phase.at === "done" ? state.phase.starts ?? [] : [];
    for (const start of starts.slice(0, 20)) parts.push("--start", quoted(start));
  }
  if (profile === "strict") parts.push("--profile", "strict");
  if (expect && !base) parts.push("--expect", expect);
  if (!fixity) parts.push("--no-fixity");
  if (all) parts.push("--max-per-rule", "0", "--format", "html", "--output", "report.html");
  if (state.lang === "ja") parts.push("--lang", "ja");
  return [...parts, ...(base ? [folder(state.given)] : paths(state.given.filter(({ ignored }) => !ignored)))].join(" ");
}

/** The command that crawls a Source on the web and writes a report for this page. */
export function followCommand(): string {
  return "resourcesync validate --follow --format json --output report.json https://example.org/";
}

function folder([first]: readonly Given[]): string {
  return first?.via === "folder" ? quoted(first.name.split("/")[0] ?? ".") : ".";
}

// A folder stands for its contents.
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
