/** Publishes the events that it is sent, and answers. */

import { Source } from "resourcesync";

process.on("message", async ({ folder, base, events, snapshot, rotate, hubs }) => {
  try {
    const source = new Source(folder, base, { snapshot, rotate, hubs });
    for (const [verb, uri, length] of events) {
      if (verb === "delete") source.delete(uri);
      else source.upsert({ uri, length });
    }
    await source.publish();
    process.send("published");
  } catch (error) {
    process.send(String(error));
  }
});
