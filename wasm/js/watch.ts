/** Callbacks of a long run: progress, findings, the signal, and yielding to the event loop. */

import type { Count, Diagnostic, RunOptions } from "./types.js";

/** Milliseconds between two calls of `onProgress`. */
const BETWEEN = 100;
/** Milliseconds of work before yielding to the event loop. */
const TURN = 40;

/** The state of a running validation. */
interface Running {
  readonly entries?: number;
  counts(): string;
  fresh?(): string | undefined;
}

/** Watches one run. */
export class Watch {
  readonly #options: RunOptions;
  #told = 0;
  #breathed = now();

  constructor(options: RunOptions) {
    this.#options = options;
    options.signal?.throwIfAborted();
  }

  /** Reports the progress of one input, if it is due or at the end. */
  tell(running: Running, about: { name: string; input: number; inputs: number; totalBytes?: number }, bytes: number, end = false): void {
    const { onProgress, onDiagnostics } = this.#options;
    if (!onProgress && !onDiagnostics) return;
    const time = now();
    if (!end && time - this.#told < BETWEEN) return;
    this.#told = time;
    onProgress?.({
      ...about,
      bytes: about.totalBytes === undefined ? bytes : Math.min(bytes, about.totalBytes),
      entries: running.entries ?? 0,
      counts: JSON.parse(running.counts()) as Count[],
    });
    const fresh = onDiagnostics && running.fresh?.();
    if (fresh) onDiagnostics(JSON.parse(fresh) as Diagnostic[], about.input);
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** Whether it is time to yield. */
  get isLate(): boolean {
    return now() - this.#breathed > TURN;
  }

  /** Yields to the event loop, then checks the signal. */
  async breathe(): Promise<void> {
    await new Promise<void>((go) => setTimeout(go, 0));
    this.#breathed = now();
    this.#options.signal?.throwIfAborted();
  }
}

function now(): number {
  return performance.now();
}
