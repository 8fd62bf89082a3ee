/** Publishes as told by its parent, or once as told by its argument. */

import { publish } from "resourcesync";

async function run({ folder, base, at, fault, records }) {
  function* some() {
    for (const [number, record] of records.entries()) {
      if (fault === "raise" && number === 3) throw new Error("the connection is gone");
      yield record;
    }
  }
  try {
    await publish(folder, base, some(), { at, rotate: 6, describedby: `${base}about` });
    return true;
  } catch {
    return false;
  }
}

const [task] = process.argv.slice(2);
if (task) process.exitCode = (await run(JSON.parse(task))) ? 0 : 1;
else process.on("message", async (task) => process.send(await run(task)));
