/** Runs: the state shared by inputs, and runs with several inputs. */

import { until } from "./abort.js";
import { SourceError } from "./errors.js";
import { free, inside, whole, type glue, type Module } from "./module.js";
import * as inputs from "./input.js";
import { baseline, runOptions } from "./options.js";
import { parseReport } from "./report.js";
import { access, type Access, type AnySource } from "./sources.js";
import type { Input, Reason, Report, RunOptions, ValidateOptions } from "./types.js";
import { Watch } from "./watch.js";

/** The input of a run, in the order of its report: a source to validate, a skipped file, or the end of a folder. */
export type Step =
  | Input
  | { readonly file: () => number; readonly name: string; readonly uri?: string | undefined; readonly via?: "argument" | "folder" }
  | { readonly skip: Reason | string; readonly name: string }
  /** The end of a folder. If none of its files was an input, the folder itself is reported. */
  | { readonly leave: string };

/** A source to validate. */
interface Work {
  readonly step: Exclude<Step, { skip: Reason | string } | { leave: string }>;
  readonly job: inputs.Job;
}

/** The next step of the core. */
type Task =
  | { readonly task: "sniff"; readonly input: number; readonly scan: boolean }
  | { readonly task: "scan" | "verify" | "validate"; readonly input: number }
  | { readonly task: "done" };

/** Validates all inputs into one report; the core decides the order of reading. Documents are read by `windows`. */
export async function runAll(steps: Iterable<Step> | AsyncIterable<Step>, options: RunOptions, windows = inputs.reading): Promise<Report> {
  const run = new Running(options, []);
  let batch: glue.Batch | undefined;
  try {
    const all: Step[] = [];
    for await (const step of until(steps, options.signal)) all.push(step);
    const own = (batch = run.batch());
    const count = all.filter((step): step is Work["step"] => !("skip" in step || "leave" in step)).length;
    const work: Work[] = [];
    for (const step of all) {
      if ("skip" in step) inside(() => own.skip(step.name, step.skip));
      else if ("leave" in step) inside(() => own.endFolder(step.leave));
      else {
        const { name, uri, via = "argument" } = step;
        const again = isAgain(step);
        const number = inside(() => own.input(name, uri, via, again));
        work.push({ step, job: { ...run.job(step, number, count), batch: own } });
      }
    }
    for (;;) {
      const next = inside(() => own.poll() as Task);
      if (next.task === "done") break;
      await doTask(own, next, work[next.input] as Work, windows);
    }
    const earlier = baseline(options);
    batch = undefined;
    return parseReport(inside(() => own.finish(earlier)));
  } finally {
    free(batch);
    run.free();
  }
}

/** Whether a source can be read several times; others are not read in advance. */
function isAgain(step: Work["step"]): boolean {
  if ("file" in step) return true;
  try {
    // A string cannot be a package, whatever its name.
    return typeof step.source === "string" ? !inputs.isZipName(step.name) : access(step.source) !== undefined;
  } catch (error) {
    if (error instanceof SourceError) return false;
    throw error;
  }
}

async function doTask(batch: glue.Batch, next: Exclude<Task, { task: "done" }>, own: Work, windows: typeof inputs.reading): Promise<void> {
  const { input } = next;
  if (next.task === "sniff") {
    const head = await orNothing(() => inputs.head(sourceOf(own), own.job.watch.signal));
    const scanning = next.scan ? await orNothing(() => inputs.scan(sourceOf(own), own.job)) : undefined;
    inside(() => batch.sniffed(input, head ?? new Uint8Array(), scanning));
  } else if (next.task === "scan") {
    const scanning = await orNothing(() => inputs.scan(sourceOf(own), own.job));
    inside(() => batch.scanned(input, scanning));
  } else {
    const work = async (source: AnySource, job: inputs.Job) => {
      if (next.task === "verify") return verify(source, job);
      const own = await inputs.settled(source, job.name, job.packageBytes, job.module, job.watch.signal);
      return own !== source && access(own) ? verify(own, job) : inputs.validate(own, job, windows);
    };
    const outcome = await orUnreadable(own, work);
    inside(() => batch.ended(input, outcome));
  }
}

function verify(source: AnySource, job: inputs.Job): Promise<glue.Outcome> {
  return inputs.verify(access(source) as Access, job);
}

function sourceOf({ step }: Work): AnySource {
  if (!("file" in step)) return step.source;
  try {
    return { fd: step.file() };
  } catch (error) {
    throw new SourceError(error instanceof Error ? error.message : String(error), error);
  }
}

/** Read errors are reported when it is validated. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}

async function orUnreadable(own: Work, work: (source: AnySource, job: inputs.Job) => Promise<glue.Outcome>): Promise<glue.Outcome> {
  try {
    return await work(sourceOf(own), own.job);
  } catch (error) {
    if (error instanceof SourceError) return inputs.unreadable(error.reason ?? error.message, own.job);
    throw error;
  }
}

/** A run: the state shared by its inputs. */
export class Running {
  readonly #module: Module;
  readonly #own: glue.Options;
  readonly #options: RunOptions;
  readonly #watch: Watch;

  constructor(options: RunOptions, others: readonly string[], module = whole) {
    this.#module = module;
    this.#own = runOptions(options, others, module);
    this.#options = options;
    this.#watch = new Watch(options);
  }

  job(about: Omit<ValidateOptions, keyof RunOptions> & { name: string }, input: number, inputs: number): inputs.Job {
    const { name, uri, via = "argument", size } = about;
    const packageBytes = this.#options.limits?.packageBytes;
    return { module: this.#module, options: this.#own, batch: undefined, name, uri, via, size, packageBytes, input, inputs, watch: this.#watch };
  }

  /** For inputs that are validated together. */
  batch(): glue.Batch {
    return this.#module.inside((glue) => new glue.Batch(this.#own));
  }

  /** The report on one input. */
  finish(outcome: glue.Outcome): Report {
    const module = this.#module;
    const run = module.inside((glue) => new glue.Run(this.#own));
    module.inside(() => run.add(outcome));
    const earlier = baseline(this.#options);
    return parseReport(module.inside(() => (earlier === undefined ? run.finish() : run.finishSince(earlier))));
  }

  free(): void {
    free(this.#own);
  }
}
