// A file with a report: JSON, or the page (`--format html`) that contains it.

import { Refused } from "./refused.js";

/** Maximum bytes of a report. */
const MOST = 512 << 20;

/** By this the page is recognised, near its start. */
const GENERATOR = '<meta name="generator" content="resourcesync report">';

/** Whether a file contains a report, and how. */
export async function reportIn(file: Blob): Promise<"json" | "html" | null> {
  const head = await file.slice(0, 400).text().catch(() => "");
  if (/^\ufeff?\s*\{/.test(head)) return head.includes('"resourcesync-report"') ? "json" : null;
  return head.includes(GENERATOR) ? "html" : null;
}

/** The JSON of the report in a file. */
export async function reportText(file: Blob): Promise<string> {
  if (file.size > MOST) throw new Refused("Large");
  if (await reportIn(file) !== "html") return (await file.text()).replace(/^\ufeff/, "");
  const packed = /<template id="resourcesync-report" data-encoding="deflate-raw, base64">([A-Za-z0-9+/=\s]*)<\/template>/.exec(await file.text())?.[1];
  if (packed === undefined) throw new Refused("Bare");
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    if ((size += value.length) > MOST) throw new Refused("Large");
    parts.push(value);
  }
}
