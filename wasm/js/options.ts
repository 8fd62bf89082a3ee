/** Converts the options of a run for the core. */

import type { BuildOptions } from "./build.js";
import { whole, type glue, type Module } from "./module.js";
import { ABOUT_A_RUN, FOR_THE_CORE, known } from "./check-args.js";
import { toJson } from "./report.js";
import type { RunOptions } from "./types.js";

/** The options of a run for the core. */
export function runOptions(options: RunOptions, others: readonly string[] = [], module = whole): glue.Options {
  known(options, [...ABOUT_A_RUN, ...others]);
  return forTheCore(options, module);
}

/** The options of builders for the core. */
export function buildOptions({ ignore, limits, failOn }: BuildOptions): glue.Options {
  return forTheCore({ ignore, limits, failOn }, whole);
}

function forTheCore(options: Pick<RunOptions & BuildOptions, keyof typeof FOR_THE_CORE>, module: Module): glue.Options {
  const own: Record<string, unknown> = {};
  for (const name of Object.keys(FOR_THE_CORE) as (keyof typeof FOR_THE_CORE)[]) {
    const value = options[name];
    if (value !== undefined) own[name] = value;
  }
  return module.inside((glue) => new glue.Options(own));
}

/** The JSON of the baseline. */
export function baseline(options: RunOptions): string | undefined {
  const earlier = options.baseline;
  return typeof earlier === "object" ? toJson(earlier) : earlier;
}
