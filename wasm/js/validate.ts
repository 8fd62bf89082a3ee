/** The verbs that give a report. */

import { OptionError, SourceError } from "./errors.js";
import { free, glue, init, inside } from "./module.js";
import * as one from "./one.js";
import { ABOUT_AN_INPUT } from "./names.js";
import { baseline, runOptions } from "./options.js";
import { parseReport } from "./report.js";
import { access, ownName, type Access, type AnySource } from "./sources.js";
import type {
  Bytes,
  Input,
  OpenFile,
  PackageSource,
  RandomAccess,
  Report,
  RunOptions,
  Source,
  SyncRandomAccess,
  ValidateOptions,
} from "./types.js";
import { Watch } from "./watch.js";

/**
 * Validates a document, or verifies a package: a ZIP is known by its first bytes, or by a name that ends with `.zip`.
 *
 * An invalid document is a result. The promise is rejected if the source cannot be read (`SourceError`), an option means
 * nothing (`OptionError`), or the signal says so.
 */
export async function validate(source: Source | RandomAccess | OpenFile, options: ValidateOptions = {}): Promise<Report> {
  await init();
  return alone(source, options, "document.xml", one.look);
}

/** Verifies a package: its structure, its manifest, and every length and digest the manifest lists. */
export async function verifyPackage(source: PackageSource, options: ValidateOptions = {}): Promise<Report> {
  await init();
  return alone(source, options, "package.zip", (from, job) => one.verify(randomly(from), job));
}

function randomly(source: unknown): Access {
  const own = access(source);
  if (!own) throw new OptionError("a package is read from bytes, a Blob, an open file, or an object with `size` and `read`");
  return own;
}

async function alone(
  source: AnySource,
  options: ValidateOptions,
  name: string,
  work: (source: AnySource, job: one.Job) => Promise<glue.Outcome>,
): Promise<Report> {
  const run = new Running(options, ABOUT_AN_INPUT);
  try {
    const about = { ...options, name: options.name ?? ownName(source) ?? name };
    return run.finish([await work(source, run.job(about, 0, 1))]);
  } finally {
    run.free();
  }
}

/** The same at once, for text and bytes. */
export function validateSync(source: string | Bytes, options: ValidateOptions = {}): Report {
  const name = options.name ?? "document.xml";
  return atOnce(options, (run) => one.lookSync(source, run.job({ ...options, name }, 0, 1)));
}

/** The same at once; `read` has to answer at once. */
export function verifyPackageSync(source: Bytes | SyncRandomAccess | OpenFile, options: ValidateOptions = {}): Report {
  const name = options.name ?? "package.zip";
  return atOnce(options, (run) => one.verifySync(randomly(source), run.job({ ...options, name }, 0, 1)));
}

function atOnce(options: ValidateOptions, work: (run: Running) => glue.Outcome): Report {
  const run = new Running(options, ABOUT_AN_INPUT);
  try {
    return run.finish([work(run)]);
  } finally {
    run.free();
  }
}

/**
 * Validates several inputs into one report, as the command does with several files: packages are verified first, and
 * dumps are held to the packages given with them. An input that cannot be read is a finding (`INP-01`).
 */
export async function validateAll(
  inputs: Iterable<Input> | AsyncIterable<Input>,
  options: RunOptions = {},
): Promise<Report> {
  await init();
  const all: Input[] = [];
  for await (const input of inputs) all.push(input);
  const run = new Running(options, []);
  try {
    const jobs = all.map((input, at) => run.job(input, at, all.length));
    const outcomes = new Array<glue.Outcome>(all.length);
    const packages = await Promise.all(all.map((input) => isPackage(input)));
    const each = async (isZip: boolean, work: (source: AnySource, job: one.Job, at: number) => Promise<void>) => {
      for (const [at, input] of all.entries()) {
        const job = jobs[at];
        if (packages[at] === isZip && job) await work(input.source, job, at);
      }
    };
    if (packages.includes(true)) {
      await each(false, async (source, job) => {
        // What can be read only once is not read in advance.
        if (access(source) || typeof source === "string") await one.scan(source, job);
      });
    }
    await each(true, async (source, job, at) => {
      outcomes[at] = await orUnreadable(job, () => one.verify(randomly(source), job));
    });
    run.settle();
    await each(false, async (source, job, at) => {
      outcomes[at] = await orUnreadable(job, () => one.validate(source, job));
    });
    return run.finish(outcomes);
  } finally {
    run.free();
  }
}

async function isPackage(input: Input): Promise<boolean> {
  try {
    return await one.isPackage(access(input.source), input.name);
  } catch {
    return false;
  }
}

async function orUnreadable(job: one.Job, work: () => Promise<glue.Outcome>): Promise<glue.Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError) return one.unreadable(error.message, job);
    throw error;
  }
}

/** A run: what is shared by its inputs. */
class Running {
  readonly #own: glue.Options;
  readonly #beside: glue.Beside;
  readonly #options: RunOptions;
  readonly #watch: Watch;

  constructor(options: RunOptions, besides: readonly string[]) {
    this.#own = runOptions(options, besides);
    this.#beside = inside(() => new glue.Beside());
    this.#options = options;
    this.#watch = new Watch(options);
  }

  job(about: Omit<ValidateOptions, keyof RunOptions> & { name: string }, input: number, inputs: number): one.Job {
    const { name, uri, via = "argument", size } = about;
    return { options: this.#own, beside: this.#beside, name, uri, via, size, input, inputs, watch: this.#watch };
  }

  settle(): void {
    inside(() => this.#beside.settle());
  }

  finish(outcomes: readonly glue.Outcome[]): Report {
    const run = inside(() => new glue.Run(this.#own));
    outcomes.forEach((outcome) => inside(() => run.add(outcome)));
    return parseReport(inside(() => run.finish(baseline(this.#options))));
  }

  free(): void {
    free(this.#own);
    free(this.#beside);
  }
}
