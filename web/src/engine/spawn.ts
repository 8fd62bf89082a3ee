// Starts a worker from a blob, since only such a worker inherits the policy of the page.

import { workerScript } from "../own.js";
import { scriptUrl } from "../trusted.js";

const scripts = new Map<string, Promise<string>>();

/** Fetches the script of a worker once; `spawn` starts it. */
export function prepare(path: string): Promise<string> {
  let script = scripts.get(path);
  if (!script) {
    script = workerScript(path);
    // A failure may be temporary, so the next call tries again.
    script.catch(() => scripts.delete(path));
    scripts.set(path, script);
  }
  return script;
}

/** Starts a worker. */
export async function spawn(path: string): Promise<Worker> {
  return start(await prepare(path));
}

/** Starts a worker of a script that was prepared. */
export function start(script: string): Worker {
  return new Worker(scriptUrl(script));
}
