/** The errors of the package. An invalid document is never one of them: that is a result. */

import type { Diagnostic, Reason } from "./types.js";

/** What every error of this package is; `code` says which. */
export class ResourceSyncError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** An option or an argument that means nothing. */
export class OptionError extends ResourceSyncError {
  constructor(message: string) {
    super("OPTION", message);
  }
}

/** The source could not be read to its end; `cause` is what it threw. */
export class SourceError extends ResourceSyncError {
  /** The reason for the report, where it is one of the library's. */
  readonly reason: Reason | undefined;
  constructor(message: string, cause?: unknown, reason?: Reason) {
    super("SOURCE", message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The module that does this is not loaded yet: `await init()` first, or use a function that returns a promise. */
export class NotReadyError extends ResourceSyncError {
  constructor() {
    super("NOT_READY", "the module that does this is not loaded yet: `await init()` first");
  }
}

/** A text that is not what it should be, such as a report that is none. */
export class FormatError extends ResourceSyncError {
  constructor(message: string) {
    super("FORMAT", message);
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

/** A document cannot be read further; `diagnostic` says why and where. */
export class ReadError extends ResourceSyncError {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super("READ", `${diagnostic.message} (${diagnostic.code})`);
    this.diagnostic = diagnostic;
  }
}

/** What was to be built would break a requirement; `diagnostic` says which. */
export class RefusedError extends ResourceSyncError {
  readonly diagnostic: Diagnostic;
  /** The place of the entry among those given, from 0, where it was one of several. */
  readonly index: number | undefined;
  /** True if nothing is wrong but that the document is full: begin the next one. */
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

/** The module failed. It was replaced: the next call works. Please report it as a bug. */
export class InternalError extends ResourceSyncError {
  constructor(message: string, cause?: unknown) {
    super("INTERNAL", message, cause === undefined ? undefined : { cause });
  }
}
