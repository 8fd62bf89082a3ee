/** The functions that return a report. */

import { until } from "./abort.js";
import { OptionError } from "./errors.js";
import { init } from "./loading.js";
import { atHand, forDocuments, whole, wholly, type glue, type Module } from "./module.js";
import { ABOUT_A_RUN, ABOUT_AN_INPUT, input, iterable, known } from "./check-args.js";
import * as inputs from "./input.js";
import { runAll, Running } from "./run.js";
import { access, content, ownName, type Access } from "./sources.js";
import type {
  Bytes,
  Input,
  OpenFile,
  PackageSource,
  RandomAccess,
  Report,
  RunOptions,
  ByteSource,
  SyncRandomAccess,
  ValidateOptions,
} from "./types.js";

/**
 * Validates a document, or verifies a package: a ZIP is detected by its first bytes, or by a name that ends in `.zip`. One that comes as a
 * stream is read into memory, up to the limit `packageBytes`.
 *
 * An invalid document is a result. The promise is rejected if the source cannot be read (`SourceError`), an option is invalid
 * (`OptionError`), or the signal aborts.
 */
export async function validate(source: ByteSource | RandomAccess | OpenFile, options: ValidateOptions = {}): Promise<Report> {
  known(options, [...ABOUT_A_RUN, ...ABOUT_AN_INPUT]);
  options.signal?.throwIfAborted();
  content(source);
  const name = options.name ?? ownName(source) ?? "document.xml";
  // Baselines need the whole module.
  const module = inputs.isZipName(name) || options.baseline !== undefined ? await wholly() : await forDocuments();
  const settled = await inputs.settled(source, name, options.limits?.packageBytes, module, options.signal);
  const own = access(settled);
  if (own && (await inputs.isPackage(own, name, module, options.signal))) return verified(own, name, options);
  return alone(module, options, name, (job) => inputs.validate(settled, job, inputs.unread));
}

/**
 * Verifies a package: its structure, its manifest, and every length and digest the manifest lists.
 *
 * A source that is not a ZIP archive is reported as an unreadable package. The promise is rejected as for `validate`.
 */
export async function verifyPackage(source: PackageSource, options: ValidateOptions = {}): Promise<Report> {
  known(options, [...ABOUT_A_RUN, ...ABOUT_AN_INPUT]);
  return verified(randomly(source), options.name ?? ownName(source) ?? "package.zip", options);
}

async function verified(own: Access, name: string, options: ValidateOptions): Promise<Report> {
  return alone(await wholly(), options, name, (job) => inputs.verify(own, job));
}

/** Random access, which packages need. */
export function randomly(source: unknown): Access {
  const own = access(source);
  if (!own) throw new OptionError("a package is read from bytes, a Blob, an open file, or an object with `size` and `read`");
  return own;
}

async function alone(
  module: Module,
  options: ValidateOptions,
  name: string,
  work: (job: inputs.Job) => Promise<glue.Outcome>,
): Promise<Report> {
  const run = new Running(options, ABOUT_AN_INPUT, module);
  try {
    return run.finish(await work(run.job({ ...options, name }, 0, 1)));
  } finally {
    run.free();
  }
}

/** Synchronous `validate`, for strings and bytes. Throws the errors of `validate`, and a `NotReadyError` before `init`. */
export function validateSync(source: string | Bytes, options: ValidateOptions = {}): Report {
  known(options, [...ABOUT_A_RUN, ...ABOUT_AN_INPUT]);
  content(source);
  const name = options.name ?? "document.xml";
  if (inputs.isPackageSync(source, name)) return atOnce(whole, options, name, (job) => inputs.verifySync(randomly(source), job));
  return atOnce(options.baseline === undefined ? atHand() : whole, options, name, (job) => inputs.validateSync(source, job));
}

/** Synchronous `verifyPackage`; `read` must be synchronous. Throws as `validateSync`. */
export function verifyPackageSync(source: Bytes | SyncRandomAccess | OpenFile, options: ValidateOptions = {}): Report {
  known(options, [...ABOUT_A_RUN, ...ABOUT_AN_INPUT]);
  return atOnce(whole, options, options.name ?? "package.zip", (job) => inputs.verifySync(randomly(source), job));
}

function atOnce(module: Module, options: ValidateOptions, name: string, work: (job: inputs.Job) => glue.Outcome): Report {
  const run = new Running(options, ABOUT_AN_INPUT, module);
  try {
    return run.finish(work(run.job({ ...options, name }, 0, 1)));
  } finally {
    run.free();
  }
}

/**
 * Validates several inputs into one report, like the command: packages are verified first, and dumps are compared with the
 * packages among the inputs. An input that cannot be read is a finding (`INP-01`). Rejected with an `OptionError` if an option or
 * an input is invalid.
 */
export async function validateAll(
  given: Iterable<Input> | AsyncIterable<Input>,
  options: RunOptions = {},
): Promise<Report> {
  known(options, ABOUT_A_RUN);
  iterable(given, "what is validated", true);
  await init();
  return runAll(checked(until(given, options.signal)), options, inputs.unread);
}

/** Checks the inputs; an invalid one ends the run before anything is read. */
async function* checked(inputs: Iterable<Input> | AsyncIterable<Input>): AsyncGenerator<Input> {
  for await (const given of inputs) yield input(given);
}
