// Reads files for the workers of the page as one file. In WebKit, those of a page from disk can hold a file but read none.

/** What a worker asks for. */
export type Wanted = { wanted: number; blob: Blob };
/** What it is given. */
export type Lent = { lent: number } & ({ bytes: ArrayBuffer } | { name: string; message: string });

/** Whether workers read by themselves. The script of the trial is started by `start`. */
export function workersRead(start: (script: string) => Worker): Promise<boolean> {
  const script = URL.createObjectURL(new Blob(["new Blob(['x']).arrayBuffer().then(() => postMessage(true), () => postMessage(false));"], { type: "text/javascript" }));
  const trial = start(script);
  return new Promise<boolean>((resolve, reject) => {
    trial.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data);
    trial.onerror = ({ message }) => reject(new Error(message || "the worker stopped"));
  }).finally(() => {
    trial.terminate();
    URL.revokeObjectURL(script);
  });
}

/** Answers what src/lent.ts asks in a worker. */
export function lend(worker: Worker): void {
  worker.addEventListener("message", async (event: MessageEvent<Wanted | { wanted?: never }>) => {
    const { data } = event;
    if (typeof data !== "object" || data?.wanted === undefined) return;
    // It is no message of what the worker is for.
    event.stopImmediatePropagation();
    const lent = data.wanted;
    await data.blob.arrayBuffer().then(
      (bytes) => worker.postMessage({ lent, bytes } satisfies Lent, [bytes]),
      ({ name, message }: DOMException) => worker.postMessage({ lent, name, message } satisfies Lent));
  });
}
