// Starts a worker from a blob, since only such a worker inherits the policy of the page.

import { workerScript } from "../own.js";
import { scriptUrl } from "../trusted.js";
import { lend, workersRead } from "./lend.js";

const scripts = new Map<string, Promise<string>>();
let reading: Promise<boolean> | null = null;

/** Fetches the script of a worker once; `spawn` starts it. */
export function prepare(path: string): Promise<string> {
  let script = scripts.get(path);
  if (!script) {
    script = first().then((before) => workerScript([...before, path]));
    // A failure may be temporary, so the next call tries again.
    script.catch(() => scripts.delete(path));
    scripts.set(path, script);
  }
  return script;
}

/** What goes before each script: nothing, where workers read by themselves. */
async function first(): Promise<string[]> {
  if (!ONE_FILE) return [];
  reading ??= workersRead(start);
  reading.catch(() => (reading = null));
  return (await reading) ? [] : ["lent.js"];
}

/** Starts a worker. */
export async function spawn(path: string): Promise<Worker> {
  return start(await prepare(path));
}

/** Starts a worker of a script that was prepared. */
export function start(script: string): Worker {
  const worker = new Worker(scriptUrl(script));
  if (ONE_FILE) lend(worker);
  return worker;
}
