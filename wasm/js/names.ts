/** The names of options: a misspelt one must not be one that is silently not there. */

import { OptionError } from "./errors.js";

/** Options the core understands. */
export const FOR_THE_CORE = ["expect", "profile", "select", "ignore", "severity", "limits", "maxPerRule", "fixity"] as const;
/** Options of any run. */
export const ABOUT_A_RUN: readonly string[] = [...FOR_THE_CORE, "baseline", "onProgress", "onDiagnostics", "signal"];
/** Options of a run over one input. */
export const ABOUT_AN_INPUT: readonly string[] = ["name", "uri", "via", "size"];

/** Throws an `OptionError` if an option has a name nobody knows. */
export function known(options: object, names: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw new OptionError("options have to be an object");
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new OptionError(`no option is called \`${name}\`; there are ${names.join(", ")}`);
  }
}
