/** The module that publishes to a folder. */

import { EntryModule } from "./entry-module.js";
import * as glue from "./glue/publish/glue.js";
import { platform } from "./platform.js";

export { free } from "./calls.js";
export { glue };

const own = new EntryModule(platform.publish, glue);

/** Calls the module. */
export function inside<T>(work: () => T): T {
  return own.inside(work);
}
