/** A callback for notifications in Express: `app.use("/", callback({ store, queue, callback }))`. */

import express from "express";
import { Subscriber } from "resourcesync/notify";

/** An application that replies to hubs; `store` is a map of values, `queue` receives events. Replace them with a database. */
export function callback({ store, queue, clock, callback }) {
  const app = express();
  app.disable("x-powered-by");
  // The signature is computed over the raw bytes.
  app.use(express.raw({ type: () => true, limit: "8mb" }));
  app.use((request, response) => {
    const subscriber = new Subscriber({ callback, clock, state: Object.fromEntries(store) });
    const [path, query = ""] = request.originalUrl.split(/\?(.*)/s);
    const body = Buffer.isBuffer(request.body) ? request.body : undefined;
    const turn = subscriber.answerSync({ method: request.method, path, query, headers: headers(request), body });
    // Stored first, since 202 promises that.
    for (const [key, value] of Object.entries(turn.keep)) value === null ? store.delete(key) : store.set(key, value);
    turn.events.forEach(queue);
    response.writeHead(turn.reply.status, turn.reply.headers.flat());
    response.end(turn.reply.body);
  });
  return app;
}

function* headers({ rawHeaders }) {
  for (let at = 0; at < rawHeaders.length; at += 2) yield [rawHeaders[at], rawHeaders[at + 1]];
}
