/** The errors of the package. An invalid document is a result, never an error. */

import type { Diagnostic, Reason } from "./types.js";

/** Base class of all errors of this package; `code` identifies the class. */
export class ResourceSyncError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** An invalid option or argument. */
export class OptionError extends ResourceSyncError {
  constructor(message: string) {
    super("OPTION", message);
  }
}

/** The source could not be read to the end; `cause` is the error that it threw. */
export class SourceError extends ResourceSyncError {
  /** The reason for the report, if it has a code of the library. */
  readonly reason: Reason | undefined;
  constructor(message: string, cause?: unknown, reason?: Reason) {
    super("SOURCE", message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The module is not loaded yet: call `await init()` first, or use an asynchronous function. */
export class NotReadyError extends ResourceSyncError {
  constructor() {
    super("NOT_READY", "the module that does this is not loaded yet: `await init()` first");
  }
}

/** A string in the wrong format, such as one that is not a report. */
export class FormatError extends ResourceSyncError {
  constructor(message: string) {
    super("FORMAT", message);
  }
}

/**
 * A folder cannot be published: it is foreign, its state is damaged, another run holds the lock, or a file cannot be written; `cause` is the
 * error of the system. The published folder is unchanged, unless the file is that of the notifications, which follow with the next publication.
 */
export class PublishError extends ResourceSyncError {
  constructor(message: string, options?: ErrorOptions) {
    super("PUBLISH", message, options);
  }
}

/**
 * The records are probably incomplete: publishing them would delete more than `maxDelete` allows, or their number is not that of
 * `expectEntries`. The published folder is unchanged.
 */
export class GuardError extends ResourceSyncError {
  constructor(message: string) {
    super("GUARD", message.replace("with --max-delete ", "with maxDelete: ").replace("--expect-entries", "expectEntries"));
  }
}

/** There is no code or rule of this name. */
export class NotFoundError extends ResourceSyncError {
  readonly suggestion: string | undefined;
  constructor(message: string, suggestion?: string) {
    super("NOT_FOUND", message);
    this.suggestion = suggestion;
  }
}

/** A document cannot be parsed further; `diagnostic` is the finding. */
export class ReadError extends ResourceSyncError {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super("READ", `${diagnostic.message} (${diagnostic.code})`);
    this.diagnostic = diagnostic;
  }
}

/** An item was rejected since it violates a requirement; `diagnostic` is the finding. */
export class RefusedError extends ResourceSyncError {
  readonly diagnostic: Diagnostic;
  /** The 0-based position of the entry, if it was one of several. */
  readonly index: number | undefined;
  /** True if the document is full; start the next one. */
  readonly full: boolean;
  constructor(diagnostic: Diagnostic, about: { index?: number | undefined; full?: boolean | undefined } = {}) {
    super("REFUSED", `${diagnostic.message} (${diagnostic.code})`);
    this.diagnostic = diagnostic;
    this.index = about.index;
    this.full = about.full ?? false;
  }
}

/** The worker ended, or could not be started. */
export class WorkerError extends ResourceSyncError {
  constructor(message: string, cause?: unknown) {
    super("WORKER", message, cause === undefined ? undefined : { cause });
  }
}

/** The module failed and was replaced; the next call works. Please report it as a bug. */
export class InternalError extends ResourceSyncError {
  constructor(message: string, cause?: unknown) {
    super("INTERNAL", message, cause === undefined ? undefined : { cause });
  }
}
