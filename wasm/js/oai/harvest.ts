/** Harvests repositories: the state machine, and its requests with `fetch`. */

import { maybeText, text } from "../check-args.js";
import { ResourceSyncError } from "../errors.js";
import * as glue from "../glue/oai/glue.js";
import { platform } from "../platform.js";
import { stream } from "../sources.js";
import { body } from "./check.js";
import { exchange, head, pause, type SendOptions } from "./exchange.js";
import { init, inside } from "./module.js";
import type { Harvested, HarvestOptions, HarvestStep, OaiHeader, OaiPage, OaiRecord, OaiSource, PageFacts, Proof } from "./types.js";

/** A harvest ended and is not complete: `proof` says why. The records before are right; others may be missing. */
export class IncompleteHarvest extends ResourceSyncError {
  readonly proof: Proof;
  constructor(proof: Proof) {
    super("INCOMPLETE", `the harvest is ${proof.status}: ${proof.reasons.map(({ code }) => code).join(", ")}`);
    this.proof = proof;
  }
}

type Place = readonly [number, number];
interface Packed {
  readonly identifier: string;
  readonly datestamp: string | null;
  readonly isDeleted: boolean;
  readonly sets: readonly string[];
  readonly metadata: Place | null;
  readonly standalone: Place | null;
  readonly about: readonly Place[];
}

/** A record whose bytes are a part of those of its page. */
class PageRecord implements OaiRecord {
  readonly #packed: Packed;
  readonly #bytes: Uint8Array;
  readonly prefix: string | undefined;
  #sha256: string | undefined;

  constructor(packed: Packed, bytes: Uint8Array, prefix: string | undefined) {
    this.#packed = packed;
    this.#bytes = bytes;
    this.prefix = prefix;
  }

  get identifier(): string {
    return this.#packed.identifier;
  }

  get datestamp(): string | undefined {
    return this.#packed.datestamp ?? undefined;
  }

  get isDeleted(): boolean {
    return this.#packed.isDeleted;
  }

  get sets(): readonly string[] {
    return this.#packed.sets;
  }

  get metadata(): Uint8Array | undefined {
    return this.#part(this.#packed.metadata);
  }

  get standalone(): Uint8Array | undefined {
    return this.#part(this.#packed.standalone);
  }

  get about(): readonly Uint8Array[] {
    return this.#packed.about.map(([from, to]) => this.#bytes.subarray(from, to));
  }

  get sha256(): string | undefined {
    const { standalone } = this;
    if (standalone !== undefined) this.#sha256 ??= inside(() => glue.oaiDigest(standalone));
    return this.#sha256;
  }

  #part(place: Place | null): Uint8Array | undefined {
    return place === null ? undefined : this.#bytes.subarray(place[0], place[1]);
  }
}

function unpacked(json: string, bytes: Uint8Array, prefix?: string): OaiRecord[] {
  return (JSON.parse(json) as Packed[]).map((packed) => new PageRecord(packed, bytes, prefix));
}

/** The options as the module reads them. */
function written({ prefix, set, tolerance, ...rest }: HarvestOptions): string {
  const list = (names: string | readonly string[] | undefined): readonly string[] => (names === undefined ? [] : typeof names === "string" ? [names] : names);
  return JSON.stringify({ ...rest, prefix: list(prefix), set: list(set), ...(tolerance !== undefined && { tolerance: String(tolerance) }) });
}

/** What a machine takes from its surroundings. */
export interface MachineOptions {
  /** The time in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Waits differ by it, so that many harvesters do not return at one moment; at random by default. */
  readonly seed?: number | undefined;
}

/**
 * A harvest as a state machine, for any HTTP client. Take a `step`; send the request and pass the response to `begin`, `push` and `end`, or to
 * `failed`; or wait; until the step is `done`. Records count once their page was read to its end. Requests are repeated by the machine: do not
 * repeat them yourself. In browsers and workers, `await init()` first.
 */
export class Harvest {
  readonly #inner: glue.OaiMachine;
  readonly #now: () => number;
  #prefix: string | undefined;
  /** The digest of the body that is read. */
  #sha256: ReturnType<NonNullable<typeof platform.sha256>> | undefined;

  constructor(url: string, { now = Date.now, seed = Math.floor(Math.random() * 2 ** 52), ...options }: HarvestOptions & MachineOptions = {}) {
    text(url, "url");
    this.#now = now;
    this.#inner = inside(() => new glue.OaiMachine(url, written(options), now(), seed));
  }

  /** What to do next. It is the same until it was done. */
  step(): HarvestStep {
    const step = JSON.parse(inside(() => this.#inner.step(this.#now()))) as HarvestStep;
    if (step.step === "request") this.#prefix = inside(() => this.#inner.prefix());
    return step;
  }

  /** The head of the response; `content-type`, `retry-after` and `date` count. */
  begin(status: number, headers: Iterable<readonly [string, string]>): void {
    this.#sha256 = platform.sha256?.();
    inside(() => this.#inner.begin(this.#now(), head(status, headers), this.#sha256 !== undefined));
  }

  /** Bytes of its body; false once further bytes make no difference. */
  push(bytes: Uint8Array): boolean {
    this.#sha256?.update(bytes);
    return inside(() => this.#inner.push(bytes));
  }

  /** The end of its body: the records of the page, if it counts. */
  end(): OaiRecord[] {
    this.#hashed();
    return this.#records(inside(() => this.#inner.end(this.#now())));
  }

  /** There is no response, or it broke off. */
  failed(reason: string, isTimeout = false): OaiRecord[] {
    this.#hashed();
    return this.#records(inside(() => this.#inner.failed(this.#now(), reason, isTimeout)));
  }

  /** Ends the harvest, which is not complete then. */
  interrupt(): void {
    inside(() => this.#inner.interrupt(this.#now()));
  }

  /** The proof, at the end. */
  get proof(): Proof | undefined {
    const { json } = this;
    return json === undefined ? undefined : (JSON.parse(json) as Proof);
  }

  /** The proof as the command stores it. */
  get json(): string | undefined {
    return inside(() => this.#inner.proof());
  }

  #hashed(): void {
    const sha256 = this.#sha256?.digest();
    if (sha256 !== undefined) inside(() => this.#inner.hashed(sha256));
    this.#sha256 = undefined;
  }

  #records(json: string): OaiRecord[] {
    return json === "[]" ? [] : unpacked(json, inside(() => this.#inner.bytes()), this.#prefix);
  }
}

/**
 * Harvests a repository: an async iterable of its records, which throws an `IncompleteHarvest` rather than end early. One request at a time,
 * with the pauses that the server requests. In a browser the repository must permit it (CORS).
 */
export function harvest(url: string, options: HarvestOptions & SendOptions = {}): Harvested {
  const { fetch, signal, timeout, ...own } = options;
  let proof: Proof | undefined;
  async function* records(): AsyncGenerator<OaiRecord, void, undefined> {
    signal?.throwIfAborted();
    await init();
    const machine = new Harvest(url, own);
    for (let step = machine.step(); step.step !== "done"; step = machine.step()) {
      if (step.step === "wait") await pause(step.ms, signal);
      else {
        for (const record of await exchange(machine, step, { fetch, signal, timeout })) {
          yield record;
          signal?.throwIfAborted();
        }
      }
    }
    proof = machine.proof;
    if (proof !== undefined && proof.status !== "complete") throw new IncompleteHarvest(proof);
  }
  return {
    [Symbol.asyncIterator]: records,
    get proof() {
      return proof;
    },
  };
}

/** Reads one response. One damaged record costs one record: the others are there. */
export async function readPage(source: OaiSource, { charset }: { readonly charset?: string | undefined } = {}): Promise<OaiPage> {
  maybeText(charset, "charset");
  await init();
  const page = inside(() => new glue.OaiPage(charset));
  for await (const bytes of stream(body(source))) inside(() => page.push(bytes));
  const [records, headers, json] = JSON.parse(inside(() => page.finish())) as [string, OaiHeader[], string];
  const bytes = inside(() => page.bytes());
  inside(() => page.free());
  return { records: unpacked(records, bytes), headers, facts: JSON.parse(json) as PageFacts, json };
}
