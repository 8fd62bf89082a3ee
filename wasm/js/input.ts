/** Validates or verifies one input: the loops that pass a source to the module. */

import { abortable } from "./abort.js";
import { SourceError, ResourceSyncError } from "./errors.js";
import { atHand, free, inside, whole, type glue, type Module } from "./module.js";
import { access, isOnce, isThere, stream, windowsSync, type Access, type AnySource } from "./sources.js";
import type { Bytes, Reason } from "./types.js";
import { Watch } from "./watch.js";

/** An input and its context. */
export interface Job {
  /** The module; packages need the whole one. */
  readonly module: Module;
  readonly options: glue.Options;
  /** The inputs that are validated together with it. */
  readonly batch: glue.Batch | undefined;
  readonly name: string;
  readonly uri: string | undefined;
  readonly via: string;
  readonly size: number | undefined;
  /** The limit of the size of a package. */
  readonly packageBytes: number | undefined;
  readonly input: number;
  readonly inputs: number;
  readonly watch: Watch;
}

/** The number of bytes needed to detect a package. */
const HEAD = 8;

/** True if an input is a package, by its name or by its first bytes. */
export async function isPackage(own: Access | undefined, name: string, module = whole, signal?: AbortSignal): Promise<boolean> {
  if (!own) return false;
  if (isZipName(name)) return true;
  const head = await abortable(asSource(() => own.read(0, Math.min(HEAD, own.size))), signal);
  return module.inside((glue) => glue.isPackage(head));
}

/** The first bytes of a source; none if it has no random access. */
export async function head(source: AnySource, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const own = access(source);
  return own ? abortable(asSource(() => own.read(0, Math.min(HEAD, own.size))), signal) : new Uint8Array();
}

/** Whether this is the name of a package. Needed before a module is loaded, since it decides which one is. */
export function isZipName(name: string): boolean {
  return name.toLowerCase().endsWith(".zip");
}

/**
 * A source as it was, or with its first bytes put back. One that can only be read sequentially and is a package, by its name or by its first bytes,
 * is read into memory, since packages need random access.
 */
export async function settled(source: AnySource, name: string, packageBytes = Infinity, module = whole, signal?: AbortSignal): Promise<AnySource> {
  if (typeof source === "string" || access(source)) return source;
  const parts = reading(source, signal);
  const kept: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const keep = async () => {
    const { done, value } = await parts.next();
    if (done) return false;
    kept.push(value.slice());
    length += value.length;
    return true;
  };
  while (length < HEAD && (await keep()));
  const first = new Uint8Array(await new Blob(kept).slice(0, HEAD).arrayBuffer());
  if (!isZipName(name) && !module.inside((glue) => glue.isPackage(first))) return isOnce(source) ? rest(kept, parts) : source;
  do {
    if (length <= packageBytes) continue;
    await parts.return(undefined);
    throw new SourceError(`larger than package_bytes (${packageBytes}), the limit for packages read from a pipe`, undefined, { code: "piped-package-too-large", args: { n: String(packageBytes) } });
  } while (await keep());
  return new Blob(kept);
}

async function* rest(kept: Iterable<Uint8Array>, parts: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* kept;
    yield* parts;
  } finally {
    await parts.return(undefined);
  }
}

/** Validates a document, read by `windows`. Errors of the source are rethrown. */
export async function validate(source: AnySource, job: Job, windows = reading): Promise<glue.Outcome> {
  const validation = begin(job);
  const about = aboutOf(job, job.size ?? access(source)?.size);
  let bytes = 0;
  try {
    for await (const window of windows(source, job.watch.signal)) {
      job.module.inside(() => validation.push(window));
      bytes += window.length;
      job.watch.tell(validation, about, bytes);
      if (!job.module.inside(() => validation.wantsMore())) break;
      if (job.watch.isLate) await job.watch.breathe();
    }
    const outcome = job.module.inside(() => validation.finish());
    job.watch.tell(outcome, about, bytes, true);
    return outcome;
  } catch (error) {
    free(validation);
    throw error;
  }
}

function begin({ module, options, batch, name, uri, via, input }: Job): glue.Validation {
  return module.inside(({ Validation }) => (batch ? batch.validation(input) : new Validation(options, name, uri, via)));
}

function aboutOf(job: Job, totalBytes: number | undefined) {
  const { name, input, inputs } = job;
  return totalBytes === undefined ? { name, input, inputs } : { name, input, inputs, totalBytes };
}

/** The windows of a source; its errors become the cause of a `SourceError`. Throws the reason of the signal as soon as it aborts. */
export async function* reading(source: AnySource, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const parts = stream(source, signal);
  try {
    for (;;) {
      const next = await abortable(asSource(() => parts.next()), signal);
      signal?.throwIfAborted();
      if (next.done) return;
      yield next.value;
      signal?.throwIfAborted();
    }
  } finally {
    // Lets the source release its resources if the loop is left early. One that stalls does so when it goes on.
    const closed = parts.return(undefined).catch(() => undefined);
    if (!signal?.aborted) await closed;
  }
}

/** The same for a document: a stream that gives nothing was probably read before, which must not count as an empty document. */
export async function* unread(source: AnySource, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const window of reading(source, signal)) {
    if (window.length > 0) isEmpty = false;
    yield window;
  }
  if (isEmpty && isOnce(source)) throw new SourceError("the source was empty: was it read before? Give bytes to validate an empty document");
}

function readAt(own: Access, offset: number, length: number): Uint8Array | Promise<Uint8Array> {
  try {
    return own.read(offset, length);
  } catch (error) {
    throw asSourceError(error);
  }
}

function asSourceError(error: unknown): ResourceSyncError {
  if (error instanceof ResourceSyncError) return error;
  return new SourceError(error instanceof Error ? error.message : String(error), error);
}

async function asSource<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw asSourceError(error);
  }
}

/** Verifies a package. */
export async function verify(own: Access, job: Job): Promise<glue.Outcome> {
  const verification = beginPackage(own, job);
  return driven(verification, own, job, () => verification.finish());
}

/** Verifies a package and keeps its contents. */
export async function open(own: Access, job: Job): Promise<{ outcome: glue.Outcome; contents: glue.Contents }> {
  const begun = beginPackage(own, job);
  const verification = inside(() => begun.withContents());
  let contents: glue.Contents | undefined;
  const outcome = await driven(verification, own, job, () => {
    contents = verification.contents();
    return verification.finish();
  });
  return { outcome, contents: contents as glue.Contents };
}

async function driven(verification: glue.Verification, own: Access, job: Job, end: () => glue.Outcome): Promise<glue.Outcome> {
  const about = aboutOf(job, own.size);
  try {
    await feed(verification, own, job.watch, (bytes) => job.watch.tell(verification, about, bytes));
    const outcome = inside(end);
    job.watch.tell(outcome, about, own.size, true);
    return outcome;
  } catch (error) {
    free(verification);
    throw error;
  }
}

/** Supplies a verification with the bytes it requests. */
export async function feed(verification: glue.Verification, own: Access, watch: Watch, told: (bytes: number) => void): Promise<void> {
  let bytes = 0;
  for (;;) {
    const wanted = inside(() => verification.wants());
    if (!wanted) return;
    const [offset = 0, length = 0] = wanted;
    // Awaits only promises: awaiting every chunk would cost more than reading it.
    const given = readAt(own, offset, length);
    const part = given instanceof Promise ? await abortable(asSource(() => given), watch.signal) : given;
    inside(() => verification.give(part));
    bytes += length;
    told(bytes);
    if (watch.isLate) await watch.breathe();
  }
}

function beginPackage(own: Access, job: Job): glue.Verification {
  const { module, options, batch, name, uri, via, input } = job;
  return module.inside(({ Verification }) =>
    batch ? batch.verification(input, own.size, own.block) : new Verification(options, name, uri, via, own.size, own.block),
  );
}

/** Whether an input with synchronous access is a package. */
export function isPackageSync(source: string | Bytes, name: string): boolean {
  isThere(source);
  const own = access(source);
  if (!own || isZipName(name)) return own !== undefined;
  const head = own.read(0, Math.min(HEAD, own.size)) as Uint8Array;
  return atHand().inside((glue) => glue.isPackage(head));
}

/** Validates a document synchronously. */
export function validateSync(source: string | Bytes, job: Job): glue.Outcome {
  const validation = begin(job);
  try {
    for (const window of windowsSync(source)) {
      job.module.inside(() => validation.push(window));
      if (!job.module.inside(() => validation.wantsMore())) break;
    }
    return job.module.inside(() => validation.finish());
  } catch (error) {
    free(validation);
    throw error;
  }
}

/** Verifies a package synchronously. */
export function verifySync(own: Access, job: Job): glue.Outcome {
  const verification = beginPackage(own, job);
  try {
    for (;;) {
      const wanted = inside(() => verification.wants());
      if (!wanted) return inside(() => verification.finish());
      const [offset = 0, length = 0] = wanted;
      const part = readAt(own, offset, length);
      if (part instanceof Promise) {
        part.catch(() => undefined);
        throw new SourceError("`read` gave a promise: use `verifyPackage`");
      }
      inside(() => verification.give(part));
    }
  } catch (error) {
    free(verification);
    throw error;
  }
}

/** Scans the entries of a document, so that packages in the same run can be compared with it. */
export async function scan(source: AnySource, job: Job): Promise<glue.Scanning> {
  const scanning = job.module.inside((glue) => new glue.Scanning(job.options));
  try {
    for await (const window of reading(source, job.watch.signal)) {
      if (!inside(() => scanning.push(window))) break;
      if (job.watch.isLate) await job.watch.breathe();
    }
  } catch (error) {
    // Read errors are reported when it is validated.
    if (!(error instanceof SourceError)) {
      free(scanning);
      throw error;
    }
  }
  return scanning;
}

/** The finding for an input that cannot be read, as in the command. */
export function unreadable(reason: Reason | string, job: Job): glue.Outcome {
  const validation = begin(job);
  return job.module.inside(() => validation.unreadable(reason));
}
