/** Converts the options of a run for the core. */

import type { BuildOptions } from "./build.js";
import { whole, type glue } from "./module.js";
import { ABOUT_A_RUN, FOR_THE_CORE, known } from "./check-args.js";
import { toJson } from "./report.js";
import type { RunOptions } from "./types.js";

/** The options of a run for the core. */
export function runOptions(options: RunOptions, others: readonly string[] = [], module = whole): glue.Options {
  known(options, [...ABOUT_A_RUN, ...others]);
  return module.inside((glue) => new glue.Options(present(options)));
}

/** The options of builders for the core. */
export function buildOptions(options: BuildOptions): glue.Options {
  return whole.inside((glue) => new glue.Options(ofBuilders(options)));
}

/** The options of builders as an object for a module. */
export function ofBuilders({ ignore, limits, failOn }: BuildOptions): Record<string, unknown> {
  return present({ ignore, limits, failOn });
}

function present(options: Pick<RunOptions & BuildOptions, keyof typeof FOR_THE_CORE>): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const name of Object.keys(FOR_THE_CORE) as (keyof typeof FOR_THE_CORE)[]) {
    const value = options[name];
    if (value !== undefined) own[name] = value;
  }
  return own;
}

/** The JSON of the baseline. */
export function baseline(options: RunOptions): string | undefined {
  const earlier = options.baseline;
  return typeof earlier === "object" ? toJson(earlier) : earlier;
}
