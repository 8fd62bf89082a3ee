/** Errors and exit statuses of the command. */

import { SourceError } from "../errors.js";

/** Everything was checked and nothing reaches `--fail-on`. */
export const VALID = 0;
/** A finding reaches `--fail-on`. */
export const FOUND = 1;
/** Something could not be checked or written, or the usage is wrong. */
export const UNSURE = 2;

/** One line for the user. */
export class Trouble extends Error {}

/** Writes a line. */
export function say(what: "error" | "warning", error: unknown): void {
  const words = error instanceof Error ? error.message : String(error);
  // File names may contain escape sequences.
  const visible = words.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
  process.stderr.write(`${what}: ${visible}\n`);
}

const CODES: Readonly<Record<string, readonly [code: string | undefined, text: string]>> = {
  ENOENT: ["no-such-path", "no such file or folder"],
  EACCES: ["permission-denied", "permission denied"],
  EPERM: ["permission-denied", "permission denied"],
  EISDIR: ["is-folder", "it is a folder"],
  ENOTDIR: ["not-folder", "a path component is not a folder"],
  ENOSPC: ["no-space", "no space left on the device"],
  EROFS: ["read-only", "the file system is read-only"],
  ENAMETOOLONG: ["invalid-file-name", "invalid file name"],
  ELOOP: [undefined, "Too many levels of symbolic links"],
};

/** The text of a system error. */
export function reason(error: unknown): string {
  const known = CODES[String((error as NodeJS.ErrnoException).code)];
  return known?.[1] ?? (error instanceof Error ? error.message : String(error));
}

/** A system error, for the report. */
export function sourceError(error: unknown): SourceError {
  const code = CODES[String((error as NodeJS.ErrnoException).code)]?.[0];
  return new SourceError(reason(error), error, code === undefined ? undefined : { code });
}
