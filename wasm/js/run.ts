/** Runs: what is shared by inputs, and several inputs in one. */

import { SourceError } from "./errors.js";
import { free, inside, whole, type glue, type Module } from "./module.js";
import * as inputs from "./input.js";
import { baseline, runOptions } from "./options.js";
import { parseReport } from "./report.js";
import { access, type Access, type AnySource } from "./sources.js";
import type { Input, Reason, Report, RunOptions, ValidateOptions } from "./types.js";
import { Watch } from "./watch.js";

/** What a run does in its order: validate something, list something that is not for us, leave a folder. */
export type Step =
  | Input
  | { readonly file: () => number; readonly name: string; readonly uri?: string | undefined; readonly via?: "argument" | "folder" }
  | { readonly skip: Reason | string; readonly name: string }
  /** All of a folder was named. If none of it was for us, the folder has to answer for it. */
  | { readonly leave: string };

/** Something to validate, with what became of it. */
interface Work {
  readonly step: Exclude<Step, { skip: Reason | string } | { leave: string }>;
  readonly job: inputs.Job;
  isPackage: boolean;
  outcome?: glue.Outcome;
}

/** Does the steps in their order; packages are verified before the documents that may lead to them. */
export async function runAll(steps: Iterable<Step> | AsyncIterable<Step>, options: RunOptions): Promise<Report> {
  const run = new Running(options, []);
  try {
    const all: Step[] = [];
    for await (const step of steps) all.push(step);
    const named = all.filter((step): step is Work["step"] => !("skip" in step || "leave" in step));
    const work = named.map((step, at): Work => ({ step, job: run.job(step, at, named.length), isPackage: false }));
    for (const own of work) own.isPackage = await isPackage(own);
    const [packages, documents] = [work.filter((own) => own.isPackage), work.filter((own) => !own.isPackage)];
    if (packages.length > 0) {
      for (const own of documents) await scan(own);
    }
    for (const own of packages) own.outcome = await orUnreadable(own, (source, job) => inputs.verify(access(source) as Access, job));
    run.settle();
    for (const own of documents) own.outcome = await orUnreadable(own, inputs.validate);
    return run.finish(ended(all, work, run));
  } finally {
    run.free();
  }
}

/** Outcomes and what was skipped, in the order of the steps. */
function* ended(all: readonly Step[], work: readonly Work[], run: Running): Generator<Ended> {
  let at = 0;
  // True once something in the folder at hand was for us.
  let wasAny = false;
  for (const step of all) {
    if ("skip" in step) {
      yield step;
    } else if ("leave" in step) {
      const nothing = { code: "nothing-in-folder" };
      if (!wasAny) yield inputs.unreadable(nothing, run.job({ name: step.leave }, 0, 0));
      wasAny = false;
    } else {
      const outcome = work[at++]?.outcome as glue.Outcome;
      wasAny ||= step.via === "folder" && !inside(() => outcome.isForeign);
      yield outcome;
    }
  }
}

function sourceOf({ step }: Work): AnySource {
  if (!("file" in step)) return step.source;
  try {
    return { fd: step.file() };
  } catch (error) {
    throw new SourceError(error instanceof Error ? error.message : String(error), error);
  }
}

async function isPackage(own: Work): Promise<boolean> {
  try {
    return await inputs.isPackage(access(sourceOf(own)), own.job.name);
  } catch (error) {
    if (error instanceof SourceError) return false;
    throw error;
  }
}

async function scan(own: Work): Promise<void> {
  try {
    const source = sourceOf(own);
    // What can be read only once is not read in advance.
    if (typeof source === "string" || access(source)) await inputs.scan(source, own.job);
  } catch (error) {
    // It is told when it is validated.
    if (!(error instanceof SourceError)) throw error;
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

/** What became of a step. */
type Ended = glue.Outcome | { readonly skip: Reason | string; readonly name: string };

/** A run: what is shared by its inputs. */
export class Running {
  readonly #module: Module;
  readonly #own: glue.Options;
  readonly #dumpIndex: glue.DumpIndex | undefined;
  readonly #options: RunOptions;
  readonly #watch: Watch;

  constructor(options: RunOptions, others: readonly string[], module = whole) {
    this.#module = module;
    this.#own = runOptions(options, others, module);
    this.#dumpIndex = module === whole ? module.inside((glue) => new glue.DumpIndex()) : undefined;
    this.#options = options;
    this.#watch = new Watch(options);
  }

  job(about: Omit<ValidateOptions, keyof RunOptions> & { name: string }, input: number, inputs: number): inputs.Job {
    const { name, uri, via = "argument", size } = about;
    return { module: this.#module, options: this.#own, dumpIndex: this.#dumpIndex, name, uri, via, size, input, inputs, watch: this.#watch };
  }

  settle(): void {
    this.#module.inside(() => this.#dumpIndex?.settle());
  }

  finish(all: Iterable<Ended>): Report {
    const module = this.#module;
    const run = module.inside((glue) => new glue.Run(this.#own));
    for (const ended of all) module.inside(() => ("skip" in ended ? run.skip(ended.name, ended.skip) : run.add(ended)));
    const earlier = baseline(this.#options);
    return parseReport(module.inside(() => (earlier === undefined ? run.finish() : run.finishSince(earlier))));
  }

  free(): void {
    free(this.#own);
    free(this.#dumpIndex);
  }
}
