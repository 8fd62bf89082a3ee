/** The modules for documents and Sources. */

import { Module as Calls } from "./calls.js";
import * as glue from "./glue/glue.js";
import * as smallGlue from "./glue/small/glue.js";
import { init, initForDocuments, isReady, isSmallReady, notReady } from "./loading.js";

export { free } from "./calls.js";
export { glue };

/** One of the modules. */
export type Module = Calls<typeof glue>;

/** The whole module. */
export const whole = new Calls(glue, isReady, notReady);
/** The small module, which only validates documents. */
const small = new Calls(smallGlue as unknown as typeof glue, isSmallReady);

/** The whole module, loaded. */
export async function wholly(): Promise<Module> {
  await init();
  return whole;
}

/** The module that validates documents, loaded. */
export async function forDocuments(): Promise<Module> {
  await initForDocuments();
  return atHand();
}

/** The module that validates documents, if one is loaded. */
export function atHand(): Module {
  return isSmallReady() && !isReady() ? small : whole;
}

/** Calls the whole module. */
export function inside<T>(work: () => T): T {
  return whole.inside(work);
}
