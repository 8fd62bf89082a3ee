// Starts a worker from a blob, since only such a worker inherits the policy of the page.

import { scriptUrl } from "../trusted.js";

const scripts = new Map<string, Promise<string>>();

/** Fetches the script of a worker once; `spawn` starts it. A blob has no directory, so the script finds that of the page in `base`. */
export function prepare(path: string): Promise<string> {
  let script = scripts.get(path);
  if (!script) {
    script = fetch(new URL(path, document.baseURI)).then(async (answer) => {
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      const base = `self.base=${JSON.stringify(new URL(".", document.baseURI).href)};\n`;
      return URL.createObjectURL(new Blob([base, await answer.text()], { type: "text/javascript" }));
    });
    // A failure may be temporary, so the next call tries again.
    script.catch(() => scripts.delete(path));
    scripts.set(path, script);
  }
  return script;
}

/** Starts a worker. */
export async function spawn(path: string): Promise<Worker> {
  return new Worker(scriptUrl(await prepare(path)), { type: "module" });
}
