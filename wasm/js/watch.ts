/** What a long run owes to others: progress, findings while they are found, an ear for the signal, time to breathe. */

import type { Count, Diagnostic, RunOptions } from "./types.js";

/** Milliseconds between two calls of `onProgress`. */
const BETWEEN = 100;
/** Milliseconds of work before others get their turn. */
const TURN = 40;

/** What can be asked while it runs. */
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

  /** Says how far one input has come, if it is time or if it is the end. */
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

  /** True if others have waited long enough. */
  get isLate(): boolean {
    return now() - this.#breathed > TURN;
  }

  /** Lets others have their turn, then looks whether to go on. */
  async breathe(): Promise<void> {
    await new Promise<void>((go) => setTimeout(go, 0));
    this.#breathed = now();
    this.#options.signal?.throwIfAborted();
  }
}

function now(): number {
  return performance.now();
}
