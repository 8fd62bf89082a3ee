/** What a Source lists and changes, for programs that fetch it themselves. */

import { known, text } from "../check-args.js";
import { OptionError, ResourceSyncError } from "../errors.js";
import * as glue from "../glue/sync/glue.js";
import { exchange, type FetchOptions, type Wanted } from "./exchange.js";
import { init, inside } from "./module.js";
import type { KnownResource, Outlook, PulledResource, PullCheckpoint, PullOptions, Surveyed, SyncReport } from "./types.js";

const OPTIONS = ["checkpoint", "now", "full", "acceptOlder", "requireHash", "maxDelete", "sets", "include", "exclude", "maxListed"];

/** The options as the module reads them. */
function written(uri: string, options: PullOptions, others: readonly string[] = []): string {
  text(uri, "uri");
  known(options, [...OPTIONS, ...others]);
  const { now = Date.now(), maxDelete, checkpoint, ...rest } = options;
  const own = Object.fromEntries(Object.entries(rest).filter(([name, value]) => OPTIONS.includes(name) && value !== undefined));
  return JSON.stringify({ ...own, uri, now: Math.floor(now / 1000), started: new Date(now).toISOString(), ...(checkpoint && { checkpoint }), ...(maxDelete !== undefined && { maxDelete: String(maxDelete) }) });
}

type Step = { step: "read"; request: Wanted } | { step: "resource"; resource: PulledResource } | { step: "done" };

/**
 * Reads a Source: an async iterable of the resources that it lists; with the `checkpoint` of an earlier run, of those that are new, changed or gone since. It
 * requests documents only, and decides as `resourcesync sync` does: which lists belong together, whether changes are missing, whether so many deletions
 * are credible. Each resource counts as yours once it was given out. At the end there are `checkpoint`, to be stored when all of them are processed, and `report`.
 */
export function survey(uri: string, options: PullOptions & FetchOptions = {}): Surveyed {
  const { fetch, signal, ...own } = options;
  let checkpoint: PullCheckpoint | undefined;
  let report: SyncReport | undefined;
  async function* resources(): AsyncGenerator<PulledResource, void, undefined> {
    signal?.throwIfAborted();
    await init();
    const pull = inside(() => new glue.SyncPull(written(uri, own)));
    for (;;) {
      const step = JSON.parse(inside(() => pull.poll()) ?? '{"step":"done"}') as Step;
      if (step.step === "done") break;
      if (step.step === "read") await exchange(receiver(pull), step.request, { fetch, signal });
      else {
        yield step.resource;
        signal?.throwIfAborted();
      }
    }
    const [told = "null", kept] = inside(() => pull.finish(new Date().toISOString())) ?? [];
    report = JSON.parse(told) as SyncReport;
    checkpoint = kept === undefined ? undefined : (JSON.parse(kept) as PullCheckpoint);
  }
  return {
    [Symbol.asyncIterator]: resources,
    get checkpoint() {
      return checkpoint;
    },
    get report() {
      return report;
    },
  };
}

/** What changed since a checkpoint of `survey`: the same as `survey` with it. */
export function changes(checkpoint: PullCheckpoint, options: Omit<PullOptions, "checkpoint"> & FetchOptions = {}): Surveyed {
  return survey(checkpoint.source, { ...options, checkpoint });
}

/**
 * What a run would do, without doing it: the plan of a first run or, with a checkpoint, of the next one; and with `since`, that of a copy that was in step at
 * that moment: by the Change Lists, or why it would fall back to the Resource Lists.
 */
export async function dryRun(uri: string, options: PullOptions & FetchOptions & { readonly since?: string | undefined } = {}): Promise<Outlook> {
  const { fetch, signal, since, ...own } = options;
  signal?.throwIfAborted();
  await init();
  const forecast = inside(() => new glue.SyncForecast(written(uri, own), since));
  for (let request = inside(() => forecast.poll()); request !== undefined; request = inside(() => forecast.poll())) {
    await exchange(receiver(forecast), JSON.parse(request) as Wanted, { fetch, signal });
  }
  return JSON.parse(inside(() => forecast.finish()) ?? "null") as Outlook;
}

function receiver(machine: glue.SyncPull | glue.SyncForecast) {
  return {
    answer: (head: string) => inside(() => machine.answer(head)),
    push: (bytes: Uint8Array) => inside(() => machine.push(bytes)),
    end: () => inside(() => machine.end()),
    failed: (reason: string) => inside(() => machine.failed(reason)),
  };
}

/**
 * What a Destination does about a listed resource, given what it has of it: `keep`, `fetch`, `check` (with a conditional request), `hash` (compare the file with
 * the listed digests), or `ask` its server. `since` is the moment with which it was last in step: without a digest, a resource is kept only if its `lastmod` is before.
 * In browsers and workers, `await init()` first.
 */
export function decide(listed: KnownResource, stored?: KnownResource, { since }: { readonly since?: string | undefined } = {}): "keep" | "hash" | "check" | "fetch" | "refuse" | "ask" {
  return inside(() => glue.decide(jsonOf(listed), stored && jsonOf(stored), since)) as ReturnType<typeof decide>;
}

/** A resource as the module reads it. */
function jsonOf({ hashes = {}, ...resource }: KnownResource): string {
  const hash = Object.entries(hashes).map((digest) => digest.join(":")).join(" ");
  return JSON.stringify({ ...(hash && { hash }), ...resource });
}

/** Bytes that are not those that are listed. */
export class MismatchError extends ResourceSyncError {
  /** What differs. */
  readonly differs: "length" | "digest";
  constructor(uri: string, differs: "length" | "digest") {
    super("MISMATCH", `${uri}: the bytes have another ${differs} than listed`);
    this.differs = differs;
  }
}

/**
 * The same bytes, whose stream fails with a `MismatchError` at its end if length or digest differ from what is listed, and at once if there are more: do not keep
 * what you read of it before its end. Where an `encoding` is listed, the bytes are those of the coding, which `fetch` undoes. As in `resourcesync sync`, digests
 * that are malformed or of another algorithm than MD5, SHA-1, SHA-256, SHA-384 and SHA-512 are not compared.
 */
export function verifying(body: ReadableStream<Uint8Array>, listed: KnownResource): ReadableStream<Uint8Array> {
  if (typeof body?.getReader !== "function") throw new OptionError("body has to be a stream, such as the `body` of a Response");
  const json = jsonOf(listed);
  const { uri = "the resource" } = listed;
  let verifier: glue.SyncVerifier | undefined;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async start() {
        await init();
        verifier = inside(() => new glue.SyncVerifier(json));
      },
      transform(bytes, controller) {
        if (verifier && !inside(() => verifier?.push(bytes))) throw new MismatchError(uri, "length");
        controller.enqueue(bytes);
      },
      flush() {
        const differs = verifier && inside(() => verifier?.finish());
        if (differs !== undefined) throw new MismatchError(uri, differs as "length" | "digest");
      },
    }),
  );
}
