/** The side of the worker: executes one task after the other and posts the results. */

import { build, type Accepted } from "../build.js";
import { read } from "../entries.js";
import { SourceError } from "../errors.js";
import { countsInFolder } from "../folder.js";
import { hash } from "../hash.js";
import type { WasmSource } from "../loader.js";
import { init, initForDocuments } from "../loading.js";
import { formats, message, render } from "../render.js";
import { toJson } from "../report.js";
import type { RandomAccess, RunOptions, ByteSource } from "../types.js";
import { validate, validateAll, verifyPackage } from "../validate.js";
import { sendError, type Built, type Live, type Sent, type Task, type ToClient, type ToWorker } from "./messages.js";

/** The port in the worker. */
export interface Line {
  send(message: ToClient): void;
  listen(heard: (message: ToWorker) => void): void;
}

type Answer = { bytes?: Uint8Array | string | undefined; failed?: string };

function built({ kind, head, entries, options }: Extract<Task, { verb: "build" }>): Built {
  let accepted: Accepted | undefined;
  const text = build(kind, head, entries, { ...options, onAccepted: (found) => (accepted = found) });
  return accepted ? { text, accepted } : { text };
}

/** Serves the client. */
export function serve(line: Line): void {
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  let module: WasmSource | undefined;

  // A module passed by the client is the whole one.
  const given = async () => (module === undefined ? undefined : init(module));

  const ask = (job: number, source: number, where: { offset?: number; length?: number }) =>
    new Promise<Uint8Array | string | undefined>((give, fail) => {
      const wants = asked++;
      waiting.set(wants, ({ bytes, failed }) => (failed === undefined ? give(bytes) : fail(new SourceError(failed))));
      line.send({ job, wants, source, ...where });
    });

  const arrived = (job: number, sent: Sent): ByteSource | RandomAccess => {
    if (typeof sent !== "object" || sent instanceof Uint8Array || sent instanceof Blob) return sent;
    if ("access" in sent) {
      const { access, size } = sent;
      return { size, read: (offset, length) => ask(job, access, { offset, length }) as Promise<Uint8Array> };
    }
    return parts(job, sent.stream);
  };

  async function* parts(job: number, source: number): AsyncGenerator<Uint8Array | string> {
    let complete = false;
    try {
      for (;;) {
        const part = await ask(job, source, {});
        if (part === undefined) break;
        yield part;
      }
      complete = true;
    } finally {
      if (!complete) line.send({ job, closes: source });
    }
  }

  const live = (job: number, wanted: Live): RunOptions => ({
    ...(wanted.progress && { onProgress: (progress) => line.send({ job, progress }) }),
    ...(wanted.diagnostics && { onDiagnostics: (found, input) => line.send({ job, found, input }) }),
  });

  const work = async (job: number, task: Task): Promise<unknown> => {
    switch (task.verb) {
      case "ready":
        await initForDocuments();
        return undefined;
      case "validate":
        return toJson(await validate(arrived(job, task.source), { ...task.options, ...live(job, task.live) }));
      case "verifyPackage": {
        const source = arrived(job, task.source) as RandomAccess;
        return toJson(await verifyPackage(source, { ...task.options, ...live(job, task.live) }));
      }
      case "validateAll": {
        const inputs = task.inputs.map((input) => ({ ...input, source: arrived(job, input.source) }));
        return toJson(await validateAll(inputs, { ...task.options, ...live(job, task.live) }));
      }
      case "formats":
        await init();
        return formats();
      case "render":
        await init();
        return render(task.report, task.format, task.options);
      case "messages":
        await init();
        return task.found.map((found) => message(found, task.lang));
      case "build":
        await init();
        return built(task);
      case "read":
        return read(arrived(job, task.source) as ByteSource, task.options);
      case "countsInFolder":
        await init();
        return task.paths.map(countsInFolder);
      case "hash":
        return hash(arrived(job, task.source) as ByteSource, task.algorithms);
    }
  };

  line.listen((heard) => {
    if ("start" in heard) {
      module = heard.start;
      // The task that needs it reports the error.
      given().catch(() => undefined);
    } else if ("given" in heard) {
      waiting.get(heard.given)?.(heard);
      waiting.delete(heard.given);
    } else {
      const { job, task } = heard;
      void given()
        .then(() => work(job, task))
        .then(
          (done) => line.send({ job, done }),
          (error: unknown) => line.send({ job, error: sendError(error) }),
        );
    }
  });
}
