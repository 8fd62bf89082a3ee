// Which file an input of the report is, and the other way round.

import { unescaped } from "../address.js";
import type { Given, Report, Settings, State } from "../state.js";

/** The input that a file is: by name, or in a whole Source by its path. */
export function inputOf(report: Report, settings: Settings, name: string): number | undefined {
  return report.inputs.find((input) => input.via !== "zip" && isFile(input.name, settings, name))?.id;
}

/** The file of an input; a member of a package has none. */
export function fileOf(report: Report, { given, settings, phase }: State, id: number): Given | undefined {
  const input = report.inputs[id];
  if (!input || input.via === "zip" || input.kind === "package" || (phase.at === "done" && phase.opened)) return undefined;
  return given.find(({ name }) => isFile(input.name, settings, name));
}

function isFile(input: string, { base }: Settings, name: string): boolean {
  if (input === name) return true;
  return base !== undefined && input.startsWith(base) && unescaped(input.slice(base.length)) === name.slice(name.indexOf("/") + 1);
}
