/** The module for following Change Lists. */

import { Module } from "../calls.js";
import * as glue from "../glue/sync/glue.js";
import { isReady, notReady } from "./loading.js";

export { glue };

const own = new Module(glue, isReady, notReady);

/** Calls the module. */
export function inside<T>(work: () => T): T {
  return own.inside(work);
}
