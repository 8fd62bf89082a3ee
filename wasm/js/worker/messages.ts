/** The messages between client and worker. */

import {
  FormatError,
  InternalError,
  NotFoundError,
  OptionError,
  ReadError,
  RefusedError,
  ResourceSyncError,
  SourceError,
  WorkerError,
} from "../errors.js";
import type { Accepted, BuildOptions } from "../build.js";
import type { WasmSource } from "../loader.js";
import type { ReadOptions } from "../entries.js";
import type { Entry, Head } from "../model.js";
import type { Diagnostic, Format, Kind, Lang, Progress, RenderOptions, ValidateOptions } from "../types.js";

/** A source in a message: one that cannot be posted is read by its number. */
export type Sent = string | Uint8Array | Blob | { readonly stream: number } | { readonly access: number; readonly size: number };

export interface SentInput {
  readonly source: Sent;
  readonly name: string;
  readonly uri?: string | undefined;
  readonly via?: "argument" | "stdin" | "folder" | undefined;
}

/** Options without values that cannot be posted. */
export type SentOptions = Omit<ValidateOptions, "onProgress" | "onDiagnostics" | "signal" | "baseline"> & { baseline?: string };

/** The result of building. */
export interface Built {
  readonly text: string;
  readonly accepted?: Accepted;
}

/** A task. */
export type Task =
  | { readonly verb: "ready" | "formats" }
  | { readonly verb: "validate" | "verifyPackage"; readonly source: Sent; readonly options: SentOptions; readonly live: Live }
  | { readonly verb: "validateAll"; readonly inputs: readonly SentInput[]; readonly options: SentOptions; readonly live: Live }
  | { readonly verb: "render"; readonly report: string; readonly format: Format; readonly options: RenderOptions }
  | { readonly verb: "messages"; readonly found: readonly Pick<Diagnostic, "code" | "args" | "cause">[]; readonly lang: Lang }
  | { readonly verb: "build"; readonly kind: Kind; readonly head: Head; readonly entries: readonly Entry[]; readonly options: BuildOptions }
  | { readonly verb: "read"; readonly source: Sent; readonly options: Pick<ReadOptions, "limits"> }
  | { readonly verb: "countsInFolder"; readonly paths: readonly string[] }
  | { readonly verb: "hash"; readonly source: Sent; readonly algorithms: readonly string[] };

/** The callbacks in use; others are not served. */
export interface Live {
  readonly progress: boolean;
  readonly diagnostics: boolean;
}

/** To the worker. */
export type ToWorker =
  | { readonly start: Exclude<WasmSource, URL | Response> | undefined }
  | { readonly job: number; readonly task: Task }
  | { readonly job: number; readonly given: number; readonly bytes?: Uint8Array | string | undefined; readonly failed?: string };

/** To the client. */
export type ToClient =
  | { readonly job: number; readonly done: unknown }
  | { readonly job: number; readonly error: SentError }
  | { readonly job: number; readonly progress: Progress }
  | { readonly job: number; readonly found: readonly Diagnostic[]; readonly input: number }
  /** The next part of a stream, or bytes at an offset. */
  | { readonly job: number; readonly wants: number; readonly source: number; readonly offset?: number; readonly length?: number }
  /** This stream is no longer needed. */
  | { readonly job: number; readonly closes: number };

/** An error in a message. */
export interface SentError {
  readonly code: string;
  readonly message: string;
  readonly diagnostic?: Diagnostic | undefined;
  readonly index?: number | undefined;
  readonly full?: boolean | undefined;
  readonly suggestion?: string | undefined;
}

export function sendError(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ResourceSyncError)) return { code: "INTERNAL", message };
  const { diagnostic, index, full, suggestion } = error as Partial<SentError>;
  return { code: error.code, message, diagnostic, index, full, suggestion };
}

/** Restores the error; `cause` is the error of the source on this side, if any. */
export function takeError(sent: SentError, cause?: unknown): ResourceSyncError {
  const { code, message, diagnostic, index, full, suggestion } = sent;
  switch (code) {
    case "OPTION":
      return new OptionError(message);
    case "SOURCE":
      return new SourceError(message, cause);
    case "FORMAT":
      return new FormatError(message);
    case "NOT_FOUND":
      return new NotFoundError(message, suggestion);
    case "WORKER":
      return new WorkerError(message);
    case "READ":
      return diagnostic ? new ReadError(diagnostic) : new InternalError(message);
    case "REFUSED":
      return diagnostic ? new RefusedError(diagnostic, { index, full }) : new InternalError(message);
    default:
      return new InternalError(message);
  }
}
