// The client of the surveyor, a second worker for information that the validator does not report.

import type { Diagnostic, Entry, Format } from "resourcesync/lite";
import type { Given, Linked, Report } from "../state.js";
import { slices, turn } from "../turn.js";
import type { Changed, NotCompared, WhatChanged } from "./changed.js";
import type { Compare, Compared } from "./compare.js";
import type { Fix, FixAll, Fixed, FixedAll, NotFixed } from "./fix.js";
import type { Listing, Role } from "./listing.js";
import type { AskOutlook } from "./outlook.js";
import type { Outlook } from "resourcesync/sync";
import type { Responses } from "./responses.js";
import type { Repairs } from "./repairs.js";
import type { Numbers } from "./numbers.js";
import type { Opened as OpenedTable, Wish } from "./tables.js";
import type { Opened, Row } from "./text.js";
import type { ChangesSince, PackFiles } from "./publish.js";
import type { Timeline } from "./timeline.js";
import type { Told } from "./told.js";
import type { Web } from "./web.js";
import type { Whole } from "./whole.js";
import { Refused, type Reason } from "./refused.js";
import { spawn } from "./spawn.js";

export interface Tasks {
  /** What becomes of a request to this address. WebKit does not tell a worker that the policy blocked it. */
  probe: { ask: { url: string }; answer: "reached" | "blocked" | "failed" };
  /** The linked documents that are not among the given ones. */
  links: { ask: { given: readonly Given[]; wasm: WebAssembly.Module }; answer: { linked: Linked[]; guess: string | null; certain: boolean } };
  /** A document as rows of text: opened, read in part, and searched for an offset. */
  openText: { ask: { file: Blob }; answer: Opened };
  rowsOf: { ask: { id: number; from: number; count: number }; answer: Row[] };
  rowAt: { ask: { id: number; offset: number }; answer: number };
  /** Entries or members as a table: opened, filtered and sorted, read in part, and as CSV. */
  openTable: { ask: { file: Blob; name: string; isPackage: boolean; wasm: WebAssembly.Module }; answer: OpenedTable };
  arrange: { ask: { id: number; wish: Wish }; answer: number };
  tableRows: { ask: { id: number; from: number; count: number }; answer: string[][] };
  csv: { ask: { id: number }; answer: Blob };
  /** What the documents say about time. */
  timeline: { ask: { given: readonly Given[]; wasm: WebAssembly.Module }; answer: Timeline };
  /** For a publication: changes since an earlier list, a package of the files, all files in one ZIP. */
  changesSince: { ask: ChangesSince; answer: { changes: Entry[]; from: string } };
  packFiles: { ask: PackFiles; answer: { file: Blob; length: number; sha256: string } };
  zipped: { ask: { files: readonly { name: string; file: Blob }[] }; answer: Blob };
  /** What changed from one report to another. */
  compare: { ask: Compare; answer: Compared };
  /** What changed in the resources, as a table; and as a Change List. */
  whatChanged: { ask: WhatChanged; answer: Changed | NotCompared };
  changeList: { ask: { id: number }; answer: Blob };
  /** A document with what is certain repaired. */
  fix: { ask: Fix; answer: Fixed | NotFixed };
  fixAll: { ask: FixAll; answer: FixedAll };
  /** The resources of a file that is no ResourceSync document. */
  resources: { ask: { file: Blob; name: string; wasm: WebAssembly.Module; roles?: readonly Role[] }; answer: Listing | null };
  /** How many repairs there are in each document. */
  repairs: { ask: { files: readonly Blob[]; wasm: WebAssembly.Module }; answer: Repairs[] };
  /** What the given documents contain. */
  numbers: { ask: { given: readonly Given[]; wasm: WebAssembly.Module }; answer: Numbers[] };
  /** The given files as a whole Source. */
  whole: { ask: Whole; answer: { report: Report; starts: string[] } };
  /** What a Destination would do with the given files as a whole Source. */
  outlook: { ask: AskOutlook; answer: Outlook };
  /** Responses of OAI-PMH repositories. */
  responses: { ask: Responses; answer: Report | null };
  /** A Source on the web, in the build that may fetch it. */
  web: { ask: Web; answer: { report: Report; refused: string[] } };
  /** A report from a file, reduced to a size that the page can show. */
  open: { ask: { file: Blob }; answer: Report };
  /** The report of another command. */
  told: { ask: { file: Blob }; answer: Told };
  /** A report from a file in another format. */
  render: { ask: { file: Blob; format: Format; lang: "en" | "ja"; wasm: WebAssembly.Module }; answer: Blob };
}

export type Question = { [T in keyof Tasks]: { ticket: number; task: T } & Tasks[T]["ask"] }[keyof Tasks];
export type Answer = { ticket: number; value: unknown } | { ticket: number; error: string; reason?: Reason }
  | { ticket: number; progress: Progress }
  /** Findings of a report, before the answer with the rest of it: all at once would block the page. */
  | { ticket: number; findings: readonly Diagnostic[] };
export type Progress = [documents: number, entries: number, uri: string];

/** Many files, which the worker has: sent before, a part at a time, since sending a thousand at once would block the page. */
export interface Held {
  held: number;
}
export type Part = { hold: number; files: readonly Given[] };

/** Files that are sent at once. */
const PART = 50;

let worker: Promise<Worker> | null = null;
/** What the worker has, or is being sent: the files of the last tasks. */
let held: { given: readonly Given[]; id: Promise<number> }[] = [];
const HELD = 2;
let next = 0;
const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void; findings: Diagnostic[]; tell?: ((progress: Progress) => void) | undefined }>();

function start(): Promise<Worker> {
  return spawn("surveyor.js").then((started) => {
    started.onmessage = ({ data }: MessageEvent<Answer>) => {
      const own = waiting.get(data.ticket);
      if ("progress" in data) return own?.tell?.(data.progress);
      if ("findings" in data) return void own?.findings.push(...data.findings);
      waiting.delete(data.ticket);
      if ("error" in data) own?.reject(data.reason ? new Refused(data.reason, data.error) : new Error(data.error));
      else own?.resolve(complete(data.value, own.findings) as never);
    };
    started.onerror = (event) => fail(new Error(event.message || "the worker stopped"));
    return started;
  });
}

/** A worker that fails rejects its requests; the next request starts another one. */
function fail(error: Error): void {
  worker?.then((dead) => dead.terminate(), () => undefined);
  worker = null;
  held = [];
  for (const own of waiting.values()) own.reject(error);
  waiting.clear();
}

/** An answer with the findings that came before it. */
function complete(value: unknown, diagnostics: readonly Diagnostic[]): unknown {
  if (diagnostics.length === 0) return value;
  const answer = value as Report | { report: Report };
  return "report" in answer ? { ...answer, report: { ...answer.report, diagnostics } } : { ...answer, diagnostics };
}

/** Sends one request. A signal terminates the worker immediately. */
export async function survey<T extends keyof Tasks>(
  question: { task: T } & Tasks[T]["ask"],
  { tell, signal }: { tell?: (progress: Progress) => void; signal?: AbortSignal } = {},
): Promise<Tasks[T]["answer"]> {
  worker ??= start().catch((error) => {
    worker = null;
    throw error;
  });
  const running = await worker;
  const sent = "given" in question && question.given.length > PART ? { ...question, given: { held: await hold(running, question.given) } } : question;
  signal?.throwIfAborted();
  const ticket = next++;
  return new Promise((resolve, reject) => {
    waiting.set(ticket, { resolve, reject, findings: [], tell });
    signal?.addEventListener("abort", () => waiting.has(ticket) && fail(new Error("stopped")), { once: true });
    running.postMessage({ ticket, ...sent });
  });
}

/** Sends files to the worker, unless it has them. */
function hold(running: Worker, given: readonly Given[]): Promise<number> {
  const old = held.find((own) => own.given === given);
  if (old) return old.id;
  const id = send(running, given);
  held = [{ given, id }, ...held].slice(0, HELD);
  return id;
}

async function send(running: Worker, given: readonly Given[]): Promise<number> {
  const id = next++;
  for (const files of slices(given, PART)) {
    running.postMessage({ hold: id, files } satisfies Part);
    await turn();
  }
  return id;
}
