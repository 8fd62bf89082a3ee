/** Checks repositories, and single responses, against the protocol. */

import { until } from "../abort.js";
import { known, text } from "../check-args.js";
import { OptionError, SourceError } from "../errors.js";
import * as glue from "../glue/oai/glue.js";
import { platform } from "../platform.js";
import { parseReport } from "../report.js";
import { stream } from "../sources.js";
import type { Report } from "../types.js";
import { exchange, head, pause, type SendOptions } from "./exchange.js";
import { init, inside } from "./module.js";
import type { CheckOptions, CheckStep, OaiResponse, OaiSource } from "./types.js";

/** Names of the options of a check. */
const OPTIONS = ["profile", "select", "ignore", "severity", "maxPerRule", "delay", "maxWait", "limits", "allHeaders"];

/** The options as the module reads them. */
function written(options: CheckOptions, others: readonly string[] = []): string {
  known(options, [...OPTIONS, ...others]);
  const own = Object.entries(options).filter(([name, value]) => OPTIONS.includes(name) && value !== undefined);
  return JSON.stringify(Object.fromEntries(own));
}

/**
 * A check as a state machine, for any HTTP client. Take a `step`; send the request and pass the response to `begin`, `push` and `end`, or to `failed`;
 * or wait; until the step is `done`, and `report` has the report. Requests are repeated by the machine: do not repeat them yourself. In browsers and
 * workers, `await init()` first.
 */
export class ProviderCheck {
  readonly #inner: glue.OaiCheck;
  readonly #now: () => number;
  #report: Report | undefined;

  constructor(url: string, { now = Date.now, ...options }: CheckOptions & { readonly now?: (() => number) | undefined } = {}) {
    text(url, "url");
    this.#now = now;
    const all = { allHeaders: platform.allHeaders ?? false, ...options };
    this.#inner = inside(() => new glue.OaiCheck(url, written(all)));
  }

  /** What to do next. It is the same until it was done. */
  step(): CheckStep {
    const step = inside(() => this.#inner.step(this.#now()));
    return step === undefined ? { step: "done" } : (JSON.parse(step) as CheckStep);
  }

  /** The head of the response; `content-type`, `content-encoding`, `retry-after` and `date` count. */
  begin(status: number, headers: Iterable<readonly [string, string]>): void {
    inside(() => this.#inner.begin(this.#now(), head(status, headers)));
  }

  /** Bytes of its body, without content coding; false once further bytes make no difference. */
  push(bytes: Uint8Array): boolean {
    return inside(() => this.#inner.push(bytes));
  }

  /** The end of its body. */
  end(): void {
    inside(() => this.#inner.end(this.#now()));
  }

  /** There is no response, or it broke off. */
  failed(reason: string, isTimeout = false): void {
    inside(() => this.#inner.failed(this.#now(), reason, isTimeout));
  }

  /** Ends the check: what was not requested is not checked. */
  interrupt(): void {
    inside(() => this.#inner.interrupt());
  }

  /** The report on the responses so far, which ends the check. */
  report(): Report {
    if (this.#report) return this.#report;
    const json = inside(() => this.#inner.report());
    this.#report = taken(json);
    return this.#report;
  }
}

function taken(json: string | undefined): Report {
  if (json === undefined) throw new OptionError("the report was taken already");
  return parseReport(json);
}

/**
 * Checks a repository as `resourcesync oai validate` does: about 45 requests, one a second, some of them invalid on purpose. The report is that of
 * `validate`, with codes `OAI-nn`; its inputs are the responses. In a browser the repository must permit it (CORS), and what needs header fields that
 * `fetch` does not show there is not checked.
 */
export async function validateProvider(url: string, options: CheckOptions & SendOptions = {}): Promise<Report> {
  const { fetch, signal, timeout, ...own } = options;
  signal?.throwIfAborted();
  await init();
  const check = new ProviderCheck(url, own);
  for (let step = check.step(); step.step !== "done"; step = check.step()) {
    if (step.step === "wait") await pause(step.ms, signal);
    else await exchange(check, step, { fetch, signal, timeout });
  }
  return check.report();
}

/**
 * Looks at single responses, each by itself, as `resourcesync oai validate FILE` does. A source may also be a recording (HTTP Archive), as
 * `--record` and browsers write it: then each response of a repository in it is an input.
 */
export async function validateResponses(
  responses: Iterable<OaiResponse> | AsyncIterable<OaiResponse>,
  options: Omit<CheckOptions, "delay" | "maxWait" | "allHeaders"> & { readonly signal?: AbortSignal | undefined } = {},
): Promise<Report> {
  const { signal } = options;
  signal?.throwIfAborted();
  await init();
  const check = inside(() => new glue.OaiResponses(written(options, ["signal"])));
  for await (const { source, name } of until(responses, signal)) {
    text(name, "the name of a response");
    try {
      await looked(check, source, name, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof OptionError) throw error;
      const words = error instanceof SourceError || error instanceof Error ? error.message : String(error);
      inside(() => check.unreadable(name, words));
    }
  }
  return taken(inside(() => check.report()));
}

/** Reads one source to its end. */
async function looked(check: glue.OaiResponses, source: OaiSource, name: string, signal: AbortSignal | undefined): Promise<void> {
  const parts: Uint8Array[] = [];
  let kind: OaiKind | undefined;
  let isFirst = true;
  for await (const bytes of until(stream(body(source), signal), signal)) {
    if (isFirst) kind = oaiKind(bytes);
    isFirst = false;
    // A recording is read at once; windows are reused.
    if (kind === "recording") parts.push(bytes.slice());
    else if (!inside(() => check.push(bytes))) break;
  }
  // A stream that was cancelled looks like one that has ended.
  signal?.throwIfAborted();
  if (kind !== "recording") return inside(() => check.end(name));
  const whole = new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  inside(() => check.recording(name, whole));
}

/** The bytes of a source. */
export function body(source: OaiSource): Exclude<OaiSource, Response> {
  if (typeof Response === "undefined" || !(source instanceof Response)) return source as Exclude<OaiSource, Response>;
  return source.body ?? new Uint8Array();
}

/** What a file with OAI-PMH is: a response, or a recording of exchanges. */
export type OaiKind = "response" | "recording";

/** What a file is by its first bytes; `undefined` if it is neither. Throws a `NotReadyError` before `init`. */
export function oaiKind(head: Uint8Array): OaiKind | undefined {
  return inside(() => glue.oaiKind(head)) as OaiKind | undefined;
}
