// The worker of the surveyor: follows links among the files, reads documents for the page, opens reports, and tests the policy.

import type { Answer, Held, Part, Progress, Question, Tasks } from "./engine/survey.js";
import type { Given, Report } from "./state.js";
import { slices } from "./turn.js";
import { changeList, whatChanged } from "./engine/changed.js";
import { compare } from "./engine/compare.js";
import { fix, fixAll } from "./engine/fix.js";
import { links } from "./engine/links.js";
import { listing } from "./engine/listing.js";
import { outlook } from "./engine/outlook.js";
import { reasonOf } from "./engine/refused.js";
import { numbers } from "./engine/numbers.js";
import { repairs } from "./engine/repairs.js";
import { responses } from "./engine/responses.js";
import { open, rendered } from "./engine/open.js";
import { arrange, csv, openTable, tableRows } from "./engine/tables.js";
import { openText, rowAt, rowsOf } from "./engine/text.js";
import { changesSince, packFiles, zipped } from "./engine/publish.js";
import { timeline } from "./engine/timeline.js";
import { told } from "./engine/told.js";
import { web } from "./engine/web.js";
import { whole } from "./engine/whole.js";

/** Files that were sent a part at a time. More are kept than the page refers to, since it may already send others. */
const held = new Map<number, Given[]>();
const HELD = 4;

onmessage = async ({ data }: MessageEvent<Question | Part>) => {
  if ("hold" in data) return hold(data);
  if ("given" in data && "held" in data.given) data.given = held.get((data.given as unknown as Held).held) ?? [];
  const { ticket } = data;
  // Every question has an answer, even if its value cannot be sent.
  await work(data).then((value) => postMessage({ ticket, value: withoutFindings(ticket, value) } satisfies Answer))
    .catch((error: unknown) => postMessage({ ticket, error: error instanceof Error ? error.message : String(error), ...reasonOf(error) } satisfies Answer));
};

/** Findings of a report that are sent at once. */
const FINDINGS = 500;

/** Sends the findings of a report if there are many, and returns the rest of it. */
function withoutFindings(ticket: number, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("report" in value) return { ...value, report: withoutFindings(ticket, value.report) };
  if (!("format" in value && "diagnostics" in value)) return value;
  const { diagnostics } = value as Report;
  if (diagnostics.length <= FINDINGS) return value;
  for (const findings of slices(diagnostics, FINDINGS)) postMessage({ ticket, findings } satisfies Answer);
  return { ...value, diagnostics: [] };
}

async function work(question: Question): Promise<unknown> {
  switch (question.task) {
    case "probe": return probe(question.url);
    case "links": return links(question.given, question.wasm);
    case "openText": return openText(question.file);
    case "rowsOf": return rowsOf(question.id, question.from, question.count);
    case "rowAt": return rowAt(question.id, question.offset);
    case "openTable": return openTable(question.file, question.name, question.isPackage, question.wasm);
    case "arrange": return arrange(question.id, question.wish);
    case "tableRows": return tableRows(question.id, question.from, question.count);
    case "csv": return csv(question.id);
    case "timeline": return timeline(question.given, question.wasm);
    case "changesSince": return changesSince(question);
    case "packFiles": return packFiles(question);
    case "zipped": return zipped(question.files);
    case "compare": return compare(question);
    case "whatChanged": return whatChanged(question);
    case "changeList": return changeList(question.id);
    case "fix": return fix(question);
    case "fixAll": return fixAll(question);
    case "resources": return listing(question.file, question.name, question.wasm, question.roles);
    case "repairs": return repairs(question.files, question.wasm);
    case "numbers": return numbers(question.given, question.wasm);
    case "outlook": return outlook(question);
    case "responses": return responses(question);
    case "told": return told(question.file);
    case "open": return open(question.file);
    case "render": return rendered(question);
    // Elsewhere the policy of the page forbids it.
    case "web": return WITH_URLS ? web(question, (...progress) => tell(question.ticket, progress)) : undefined;
    case "whole": return whole(question, (...progress) => tell(question.ticket, progress));
  }
}

function hold({ hold: id, files }: Part): void {
  const own = held.get(id);
  if (own) return void own.push(...files);
  held.set(id, [...files]);
  for (const old of [...held.keys()].slice(0, -HELD)) held.delete(old);
}

let lastTold = 0;

// More than ten updates per second cannot be read.
function tell(ticket: number, progress: Progress): void {
  const now = performance.now();
  if (now - lastTold < 100) return;
  lastTold = now;
  postMessage({ ticket, progress } satisfies Answer);
}

/** Whether the policy blocked the request, or the connection failed for a reason that the browser does not tell. */
async function probe(url: string): Promise<Tasks["probe"]["answer"]> {
  let violated = false;
  const listener = () => (violated = true);
  addEventListener("securitypolicyviolation", listener);
  const reached = await fetch(url, { mode: "no-cors" }).then(() => true, () => false);
  await new Promise((done) => setTimeout(done, 50));
  removeEventListener("securitypolicyviolation", listener);
  return reached ? "reached" : violated ? "blocked" : "failed";
}
