/** The names of options and what they may be: a misspelt one must not be one that is silently not there. */

import { OptionError } from "./errors.js";

/** What an option may be. */
const SHAPES = {
  text: [(value: unknown) => typeof value === "string", "text"],
  list: [(value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string"), "a list of texts"],
  object: [(value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value), "an object"],
  count: [(value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0, "a whole number"],
  flag: [(value: unknown) => typeof value === "boolean", "true or false"],
} as const;

/** Options the core understands. */
export const FOR_THE_CORE = {
  expect: "text",
  profile: "text",
  select: "list",
  ignore: "list",
  severity: "object",
  limits: "object",
  maxPerRule: "count",
  fixity: "flag",
} as const satisfies Record<string, keyof typeof SHAPES>;
/** Options of any run. */
export const ABOUT_A_RUN: readonly string[] = [...Object.keys(FOR_THE_CORE), "baseline", "onProgress", "onDiagnostics", "signal"];
/** Options of a run over one input. */
export const ABOUT_AN_INPUT: readonly string[] = ["name", "uri", "via", "size"];

/** Throws an `OptionError` if an option has a name nobody knows, or is what it cannot be. */
export function known(options: object, names: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw new OptionError("options have to be an object");
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) throw new OptionError(`no option is called \`${name}\`; there are ${names.join(", ")}`);
    if (value === undefined || !(name in FOR_THE_CORE)) continue;
    const [is, words] = SHAPES[FOR_THE_CORE[name as keyof typeof FOR_THE_CORE]];
    if (!is(value)) throw new OptionError(`${name} has to be ${words}`);
  }
}
