/** The verbs that give a report. */

import { OptionError } from "./errors.js";
import { init, type glue } from "./module.js";
import * as one from "./one.js";
import { ABOUT_AN_INPUT } from "./names.js";
import { runAll, Running } from "./run.js";
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

/** Bytes at any offset, which a package needs. */
export function randomly(source: unknown): Access {
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
  return runAll(inputs, options);
}
