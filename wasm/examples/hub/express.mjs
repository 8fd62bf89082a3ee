/** A hub in Express: `app.use("/", hub({ store, publicUri, token, signal }).app)`. */

import express from "express";
import { Hub, HubDriver } from "resourcesync/hub";

/** A hub with one topic; `store` loads and saves its rows. One instance at a time may run. */
export async function hub({ store, publicUri, token, allow = [], log, signal }) {
  const own = new Hub({
    publicUri,
    topics: [{ uri: `${publicUri}t/changes`, kind: "change-notification", publishers: ["example"], serve: true }],
    publishers: [{ name: "example", tokenSha256: token }],
    allow,
    state: await store.load(),
  });
  const driver = new HubDriver(own, { keep: (values) => store.save(values), onEvent: log, signal });
  const app = express();
  app.disable("x-powered-by");
  // Signatures are computed over the raw bytes.
  app.use(express.raw({ type: () => true, limit: "8mb" }));
  app.use(async (request, response) => {
    const [path, query] = request.originalUrl.split(/\?(.*)/s);
    const body = Buffer.isBuffer(request.body) ? request.body : undefined;
    const reply = await driver.answer(request.ip, { method: request.method, path, query, headers: headers(request), body });
    response.writeHead(reply.status, reply.headers.flat());
    response.end(reply.body);
  });
  // A reply that could not be stored is not sent; the client tries again.
  app.use((error, request, response, next) => (response.headersSent ? next(error) : response.sendStatus(error.status ?? 503)));
  return { app, own, driver };
}

function* headers({ rawHeaders }) {
  for (let at = 0; at < rawHeaders.length; at += 2) yield [rawHeaders[at], rawHeaders[at + 1]];
}
