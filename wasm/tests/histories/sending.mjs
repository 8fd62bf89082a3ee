/** Publishes one record with hubs, as a process that can be killed. */

import { publish } from "resourcesync";

const [folder, base, length, ...hubs] = process.argv.slice(2);
await publish(folder, base, [{ uri: `${base}a`, length: Number(length) }], { hubs });
