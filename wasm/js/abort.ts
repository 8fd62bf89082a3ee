/** Cancellation: work ends as soon as its signal aborts, also while a source stalls. */

/** The result of a promise, or a rejection with the reason of the signal, whichever is first. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((give, fail) => {
    const stop = () => fail(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    // Also handles the rejection of what nobody waits for any more.
    void promise.then(give, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Calls a function when the signal aborts; the result ends that. */
export function onAbort(signal: AbortSignal | undefined, stop: (reason: unknown) => void): () => void {
  if (!signal) return () => undefined;
  const heard = () => stop(signal.reason);
  if (signal.aborted) heard();
  else signal.addEventListener("abort", heard, { once: true });
  return () => signal.removeEventListener("abort", heard);
}

/** The values of an iterable, until the signal aborts. */
export async function* until<T>(values: Iterable<T> | AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<Awaited<T>> {
  const own = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await abortable(Promise.resolve(own.next()), signal);
      isOver = next.done === true;
      if (next.done) return;
      yield await next.value;
    }
  } finally {
    const closed = isOver ? undefined : Promise.resolve(own.return?.()).catch(() => undefined);
    // A stalled generator returns only after it has continued.
    if (!signal?.aborted) await closed;
  }
}
