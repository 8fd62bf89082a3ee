/** Publishes the events that it is sent, and ends. */

import { Source } from "resourcesync";

process.once("message", async ({ folder, base, events, snapshot, rotate, hubs }) => {
  const source = new Source(folder, base, { snapshot, rotate, hubs });
  for (const [verb, uri, length] of events) {
    if (verb === "delete") source.delete(uri);
    else source.upsert({ uri, length });
  }
  await source.publish();
  process.exit(0);
});
