// Which file an input of the report is.

import { unescaped } from "../address.js";
import { isOfDocuments, type Given, type Report, type State } from "../state.js";

/** The document of an input; a package is none, and a member of one has no file. */
export function fileOf(report: Report, state: State, id: number): Given | undefined {
  return report.inputs[id]?.kind === "package" ? undefined : givenOf(report, state, id);
}

/** The file of an input, be it a document or a package. */
export function givenOf(report: Report, { given, settings, phase }: State, id: number): Given | undefined {
  const input = report.inputs[id];
  if (!input || input.via === "zip" || (phase.at === "done" && phase.opened)) return undefined;
  const files = filesOf(given);
  const { base } = settings;
  return files.names.get(input.name) ?? (base !== undefined && input.name.startsWith(base) ? files.paths.get(unescaped(input.name.slice(base.length))) : undefined);
}

const known = new WeakMap<readonly Given[], { names: Map<string, Given>; paths: Map<string, Given> }>();

/** The files by name, and by the path below the folder that was given. */
function filesOf(given: readonly Given[]): { names: Map<string, Given>; paths: Map<string, Given> } {
  const old = known.get(given);
  if (old) return old;
  const files = {
    names: new Map(given.map((own) => [own.name, own])),
    paths: new Map(given.map((own) => [own.name.slice(own.name.indexOf("/") + 1), own])),
  };
  known.set(given, files);
  return files;
}

/** The documents with findings that are at hand. */
export function fixable(state: State, report: Report): Report["inputs"] {
  if (!isOfDocuments(report)) return [];
  const found = new Set(report.groups.map(({ input }) => input));
  return report.inputs.filter(({ id }) => found.has(id) && fileOf(report, state, id) !== undefined);
}
