/** What keeps the command from doing its work, said on the standard error. */

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
  // Names of files may hold what a terminal would obey.
  const visible = words.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
  process.stderr.write(`${what}: ${visible}\n`);
}

/** Why the system refuses, in its own words. */
export function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  const known: Record<string, string> = {
    ENOENT: "no such file or folder",
    EACCES: "permission denied",
    EPERM: "permission denied",
    EISDIR: "it is a folder",
    ENOTDIR: "a path component is not a folder",
    ENOSPC: "no space left on the device",
    EROFS: "the file system is read-only",
    ENAMETOOLONG: "not a possible file name",
  };
  return (code !== undefined && known[code]) || (error instanceof Error ? error.message : String(error));
}
