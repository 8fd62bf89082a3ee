/** The client of a worker: the functions of the package, executed in the worker. */

import { until } from "../abort.js";
import type { DocumentOptions } from "../build.js";
import type { ReadOptions } from "../entries.js";
import { SourceError, WorkerError } from "../errors.js";
import { asText, type GivenEntry, type GivenHead } from "../given.js";
import type { WasmModule } from "../loader.js";
import type { Document, Entry, Head } from "../model.js";
import { ABOUT_A_RUN, ABOUT_AN_INPUT, BUILD_OPTIONS, input as checkedInput, iterable, known, text, texts } from "../check-args.js";
import { parseReport, toJson } from "../report.js";
import { access, readable, stream, type Access } from "../sources.js";
import type {
  Bytes,
  Diagnostic,
  Format,
  FormatInfo,
  Hashed,
  Input,
  Kind,
  Lang,
  OpenFile,
  PackageSource,
  RandomAccess,
  RenderOptions,
  Report,
  RunOptions,
  ByteSource,
  ValidateOptions,
} from "../types.js";
import { takeError, type Built, type Sent, type SentOptions, type Task, type ToClient, type ToWorker } from "./messages.js";

/** The interface of a worker, which the `Worker` of browsers, Deno and Bun implements. */
export interface WorkerLike {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: "message", heard: (event: MessageEvent) => void): void;
  addEventListener(type: "error" | "messageerror", heard: (event: Event) => void): void;
  terminate(): void;
}

/** How a worker is started. */
export interface EngineOptions {
  /** Starts a worker that runs `resourcesync/worker-script`. */
  worker?: (() => WorkerLike) | undefined;
  /** The module: its URL, its bytes, or the compiled module. Default: the file next to the script. */
  wasm?: string | URL | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule | undefined;
}

/** Options of a task in the worker. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** Transfers the memory of bytes instead of copying it. */
export interface SendOptions {
  transfer?: boolean | undefined;
}

/** A pending task. */
interface Job {
  readonly id: number;
  readonly task: Task;
  readonly transfer: ArrayBuffer[];
  readonly kept: readonly Kept[];
  /** Ends the streams that stay here, also while they stall. */
  readonly streams: AbortController;
  readonly options: Pick<RunOptions, "onProgress" | "onDiagnostics" | "signal">;
  /** The error of its source on this side. */
  cause?: unknown;
  readonly give: (done: unknown) => void;
  readonly fail: (error: unknown) => void;
  ended: boolean;
  abort?: () => void;
}

/** A source that stays here and is read by the worker. */
type Kept = { readonly access: Access } | { readonly parts: AsyncGenerator<Uint8Array> };

/**
 * Runs tasks in a worker, one at a time; the others wait.
 *
 * A signal or an internal failure terminates the worker immediately, and a new one is started. Every method rejects like the
 * function of the same name, and with a `WorkerError` if the worker cannot be started or was terminated.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #queue: Job[] = [];
  #worker: WorkerLike | undefined;
  #running: Job | undefined;
  #jobs = 0;
  #over = false;

  constructor(options: EngineOptions = {}) {
    known(options, ["worker", "wasm"]);
    this.#options = options;
  }

  /** Starts the worker and loads the module that validates documents; other functions load what they need. */
  async ready(): Promise<void> {
    await this.#do({ verb: "ready" });
  }

  /** Validates a document, or verifies a package. A `Blob` is read in the worker, never copied. */
  async validate(source: ByteSource | RandomAccess | OpenFile, options: ValidateOptions & SendOptions = {}): Promise<Report> {
    return this.#report("validate", source, options);
  }

  /** Verifies a package. */
  async verifyPackage(source: PackageSource, options: ValidateOptions & SendOptions = {}): Promise<Report> {
    return this.#report("verifyPackage", source, options);
  }

  async #report(verb: "validate" | "verifyPackage", source: unknown, options: ValidateOptions & SendOptions): Promise<Report> {
    known(options, [...ABOUT_A_RUN, ...ABOUT_AN_INPUT, "transfer"]);
    const sending = new Sending(options.transfer);
    const name = options.name ?? nameOf(source);
    const sent = sending.send(source);
    const own = { ...sendable(options), ...(name !== undefined && { name }) };
    return this.#text({ verb, source: sent, options: own, live: live(options) }, options, sending);
  }

  /** Validates several inputs into one report. */
  async validateAll(inputs: Iterable<Input> | AsyncIterable<Input>, options: RunOptions & SendOptions = {}): Promise<Report> {
    known(options, [...ABOUT_A_RUN, "transfer"]);
    const sending = new Sending(options.transfer);
    iterable(inputs, "what is validated", true);
    const sent = [];
    for await (const given of until(inputs, options.signal)) {
      const { source, name, uri, via } = checkedInput(given);
      sent.push({ source: sending.send(source), name, uri, via });
    }
    return this.#text({ verb: "validateAll", inputs: sent, options: sendable(options), live: live(options) }, options, sending);
  }

  /** All formats of reports. */
  async formats(options: CallOptions = {}): Promise<readonly FormatInfo[]> {
    known(options, ["signal"]);
    return (await this.#do({ verb: "formats" }, options)) as readonly FormatInfo[];
  }

  /** Writes a report in a format. */
  async render(report: Report | string, format: Format, options: RenderOptions & CallOptions = {}): Promise<string> {
    known(options, ["lang", "color", "maxPerRule", "width", "signal"]);
    text(format, "the format");
    const { signal, ...own } = options;
    const json = typeof report === "string" ? report : toJson(report);
    return (await this.#do({ verb: "render", report: json, format, options: own }, { signal })) as string;
  }

  /** The messages of findings in a language, in order. */
  async messages(
    diagnostics: readonly Pick<Diagnostic, "code" | "args" | "cause">[],
    lang: Lang,
    options: CallOptions = {},
  ): Promise<{ message: string; help: string }[]> {
    known(options, ["signal"]);
    iterable(diagnostics, "what is to be said");
    const found = [...diagnostics].map(({ code, args, cause }) => ({ code, args, ...(cause && { cause }) }));
    return (await this.#do({ verb: "messages", found, lang }, options)) as { message: string; help: string }[];
  }

  /** Which files of a folder are validated, by path. */
  async countsInFolder(paths: readonly string[], options: CallOptions = {}): Promise<boolean[]> {
    known(options, ["signal"]);
    texts(paths, "paths");
    return (await this.#do({ verb: "countsInFolder", paths: [...paths] }, options)) as boolean[];
  }

  /** Reads a whole document. */
  async read(source: ByteSource, options: ReadOptions & SendOptions = {}): Promise<Document> {
    known(options, ["limits", "signal", "transfer"]);
    const { signal, limits, transfer } = options;
    const sending = new Sending(transfer);
    const task: Task = { verb: "read", source: sending.send(source), options: { limits } };
    return (await this.#do(task, { signal }, sending)) as Document;
  }

  /** Builds a whole document. */
  async build(kind: Kind, head: GivenHead, entries: Iterable<GivenEntry> = [], options: DocumentOptions & CallOptions = {}): Promise<string> {
    known(options, [...BUILD_OPTIONS, "onAccepted", "signal"]);
    text(kind, "the kind");
    iterable(entries, "what is listed");
    const { signal, onAccepted, ...own } = options;
    const listed = [...entries].map((entry) => asText<Entry>(entry));
    const built = (await this.#do({ verb: "build", kind, head: asText<Head>(head), entries: listed, options: own }, { signal })) as Built;
    if (built.accepted) onAccepted?.(built.accepted);
    return built.text;
  }

  /** The length and the digests of a source. */
  async hash(
    source: Blob | Bytes | ByteSource,
    algorithms: readonly string[] = ["sha-256"],
    options: CallOptions & SendOptions = {},
  ): Promise<Hashed> {
    known(options, ["signal", "transfer"]);
    texts(algorithms, "algorithms");
    const sending = new Sending(options.transfer);
    const task: Task = { verb: "hash", source: sending.send(source), algorithms };
    return (await this.#do(task, options, sending)) as Hashed;
  }

  async #text(task: Task, options: RunOptions, sending: Sending): Promise<Report> {
    return parseReport((await this.#do(task, options, sending)) as string);
  }

  /** Terminates the worker. Pending and later tasks are rejected with a `WorkerError`. */
  terminate(): void {
    this.#over = true;
    this.#end();
    const ended = new WorkerError("the engine was terminated");
    if (this.#running) this.#settle(this.#running, (job) => job.fail(ended));
    for (const job of this.#queue.splice(0)) this.#settle(job, () => job.fail(ended));
  }

  [Symbol.dispose](): void {
    this.terminate();
  }

  #do(task: Task, options: Job["options"] = {}, sending = new Sending(false)): Promise<unknown> {
    return new Promise((give, fail) => {
      const { signal } = options;
      if (this.#over) throw new WorkerError("the engine was terminated");
      signal?.throwIfAborted();
      const { transfer, kept, streams } = sending;
      const job: Job = { id: this.#jobs++, task, transfer, kept, streams, options, give, fail, ended: false };
      if (signal) {
        job.abort = () => this.#abort(job, signal.reason);
        signal.addEventListener("abort", job.abort, { once: true });
      }
      this.#queue.push(job);
      this.#next();
    });
  }

  #next(): void {
    if (this.#running) return;
    const job = this.#queue.shift();
    if (!job) return;
    this.#running = job;
    try {
      this.#worker ??= this.#start();
      this.#post({ job: job.id, task: job.task }, job.transfer);
    } catch (error) {
      const known = error instanceof WorkerError || (error as Error).name === "DataCloneError";
      this.#lost(known ? error : new WorkerError(`the worker could not be started: ${String(error)}`, error));
    }
  }

  #start(): WorkerLike {
    const { wasm } = this.#options;
    const worker = (this.#options.worker ?? usual)();
    worker.addEventListener("message", (event) => {
      if (worker === this.#worker) this.#hear(event.data as ToClient);
    });
    const lost = (event: Event) => {
      const words = (event as ErrorEvent).message;
      if (worker === this.#worker) this.#lost(new WorkerError(words ? `the worker failed: ${words}` : "the worker failed or could not be loaded"));
    };
    worker.addEventListener("error", lost);
    worker.addEventListener("messageerror", lost);
    worker.postMessage({ start: wasm instanceof URL ? wasm.href : wasm } satisfies ToWorker, []);
    return worker;
  }

  #post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #abort(job: Job, reason: unknown): void {
    // A callback may abort the signal, and then throw.
    if (job.ended) return;
    if (job === this.#running) {
      this.#end();
    } else {
      this.#queue.splice(this.#queue.indexOf(job), 1);
    }
    this.#settle(job, () => job.fail(reason));
  }

  /** Discards the worker. */
  #lost(error: unknown): void {
    this.#end();
    const job = this.#running;
    if (job) this.#settle(job, () => job.fail(error));
  }

  #settle(job: Job, how: (job: Job) => void): void {
    job.ended = true;
    if (job.abort) job.options.signal?.removeEventListener("abort", job.abort);
    job.streams.abort();
    for (const kept of job.kept) if ("parts" in kept) void kept.parts.return(undefined).catch(() => undefined);
    if (this.#running === job) this.#running = undefined;
    how(job);
    this.#next();
  }

  #hear(heard: ToClient): void {
    const job = this.#running;
    if (!job || job.id !== heard.job) return;
    if ("done" in heard) {
      this.#settle(job, () => job.give(heard.done));
    } else if ("error" in heard) {
      // After an internal failure the state of the worker is undefined.
      if (heard.error.code === "INTERNAL") this.#end();
      this.#settle(job, () => job.fail(takeError(heard.error, job.cause)));
    } else if ("progress" in heard) {
      this.#call(job, () => job.options.onProgress?.(heard.progress));
    } else if ("found" in heard) {
      this.#call(job, () => job.options.onDiagnostics?.(heard.found, heard.input));
    } else if ("wants" in heard) {
      void this.#answer(job, heard);
    } else {
      const kept = job.kept[heard.closes];
      if (kept && "parts" in kept) void kept.parts.return(undefined).catch(() => undefined);
    }
  }

  /** A callback that throws ends only its own task. */
  #call(job: Job, listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#abort(job, error);
    }
  }

  async #answer(job: Job, asked: Extract<ToClient, { wants: number }>): Promise<void> {
    const answer: { bytes?: Uint8Array | undefined; failed?: string } = {};
    try {
      answer.bytes = await part(job.kept[asked.source], asked);
    } catch (error) {
      answer.failed = error instanceof Error ? error.message : String(error);
      job.cause = error instanceof SourceError ? error.cause : error;
    }
    if (!job.ended) this.#post({ job: job.id, given: asked.wants, ...answer });
  }
}

async function part(kept: Kept | undefined, { offset = 0, length = 0 }: { offset?: number; length?: number }) {
  if (!kept) throw new SourceError("the worker asked for a source that it was not given");
  if ("access" in kept) return kept.access.read(offset, length);
  const next = await kept.parts.next();
  return next.done ? undefined : next.value;
}

/** Sources passed to the worker. */
class Sending {
  readonly transfer: ArrayBuffer[] = [];
  readonly kept: Kept[] = [];
  readonly streams = new AbortController();
  readonly #gives: boolean | undefined;

  constructor(gives: boolean | undefined) {
    this.#gives = gives;
  }

  send(source: unknown): Sent {
    if (typeof source === "string") return source;
    if (typeof Blob !== "undefined" && source instanceof Blob) return source;
    const bytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
    if (bytes) {
      const own = source instanceof ArrayBuffer ? new Uint8Array(source) : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
      if (this.#gives && own.buffer instanceof ArrayBuffer) this.transfer.push(own.buffer);
      return own;
    }
    const random = access(source);
    if (random) {
      this.kept.push({ access: random });
      return { access: this.kept.length - 1, size: random.size };
    }
    readable(source);
    this.kept.push({ parts: stream(source as ByteSource, this.streams.signal) });
    return { stream: this.kept.length - 1 };
  }
}

function sendable(options: ValidateOptions & SendOptions): SentOptions {
  const { onProgress: _, onDiagnostics: __, signal: ___, transfer: ____, baseline, ...own } = options;
  if (baseline === undefined) return own;
  return { ...own, baseline: typeof baseline === "string" ? baseline : toJson(baseline) };
}

function live(options: RunOptions) {
  return { progress: options.onProgress !== undefined, diagnostics: options.onDiagnostics !== undefined };
}

function nameOf(source: unknown): string | undefined {
  const name = typeof Blob !== "undefined" && source instanceof Blob ? (source as File).name : undefined;
  return name === "" ? undefined : name;
}

let usual: () => WorkerLike = () => {
  throw new WorkerError("this entry does not know how to start a worker; say so by the option `worker`");
};

/** Sets the default way to start a worker. */
export function setWorker(start: () => WorkerLike): void {
  usual = start;
}
