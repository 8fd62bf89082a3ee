// The command line equivalent to the current state of the page.

import { isOfDocuments, type Given, type Settings, type State } from "./state.js";
import type { Lang } from "./words/index.js";

/** Writes every finding to a file. */
const ALL = ["--max-per-rule", "0", "--format", "html", "--output", "report.html"];

/** `resourcesync validate --profile strict list.xml`, as a shell takes it; `all` reports every finding. Empty without files to name. */
export function commandLine(state: State, all = false): string {
  const { url } = state.settings;
  if (url) return ["resourcesync", "validate", "--follow", ...chosen(state.settings, false), ...(all ? ALL : []), ...(state.lang === "ja" ? ["--lang", "ja"] : []), quoted(url)].join(" ");
  if (state.given.length === 0 || (state.phase.at === "done" && state.phase.opened)) return "";
  const isOai = state.phase.at === "done" && !isOfDocuments(state.phase.report);
  const { base, ...settings } = state.settings;
  const parts = ["resourcesync", ...(isOai ? ["oai"] : []), "validate"];
  if (base) {
    parts.push("--follow", "--base-uri", quoted(base));
    const starts = state.phase.at === "done" ? state.phase.starts ?? [] : [];
    for (const start of starts.slice(0, 20)) parts.push("--start", quoted(start));
  }
  parts.push(...chosen(isOai ? { profile: settings.profile === "strict" ? "strict" : "standard", fixity: true } : settings, !base));
  if (all) parts.push(...ALL);
  if (state.lang === "ja") parts.push("--lang", "ja");
  return [...parts, ...(base ? [folder(state.given)] : paths(state.given.filter(({ ignored }) => !ignored), isOai))].join(" ");
}

/** The command that checks a Source on the web, or one document of it, and writes a report for this page. */
export function urlCommand(url: string, { alone, lang, settings }: { alone: boolean; lang: Lang; settings: Settings }): string {
  const parts = ["resourcesync", "validate", ...(alone ? [] : ["--follow"]), ...chosen(settings, alone), ...(lang === "ja" ? ["--lang", "ja"] : [])];
  return [...parts, "--format", "json", "--output", "report.json", quoted(url)].join(" ");
}

/** The options of the settings; only a single document can have an expected kind. */
function chosen({ profile, expect, fixity }: Settings, isDocument: boolean): string[] {
  return [...(profile === "standard" ? [] : ["--profile", profile]), ...(expect && isDocument ? ["--expect", expect] : []), ...(fixity ? [] : ["--no-fixity"])];
}

function folder([first]: readonly Given[]): string {
  return first?.via === "folder" ? quoted(first.name.split("/")[0] ?? ".") : ".";
}

// A folder stands for its contents, unless each file has to be named.
function paths(given: readonly Given[], each = false): string[] {
  const names = given.map(({ name, via }) => (via === "folder" && !each ? name.split("/")[0] ?? name : name));
  const few = [...new Set(names)];
  const shown = few.slice(0, 20).map(quoted);
  return few.length > shown.length ? [...shown, "…"] : shown;
}

/** A name as a shell takes it. */
export function quoted(name: string): string {
  const safe = name.startsWith("-") ? `./${name}` : name;
  return /^[\w./@%+:,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
