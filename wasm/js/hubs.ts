/** The hubs of a published Source: what the options say of them, and sending what waits in its outbox. */

import { choice, known } from "./check-args.js";
import { OptionError } from "./errors.js";
import { uri, type Uri } from "./given.js";
import { reply } from "./notify/drive.js";
import { Machine, type Said } from "./notify/machine.js";
import type { NotificationRequest } from "./notify/types.js";
import { glue, inside } from "./publish-module.js";
import type { SourceFolder } from "./source-folder.js";

/** Notification channels, and how their hubs are notified. */
export interface HubOptions {
  /**
   * WebSub hubs. Each set gets notification channels, and the hubs are notified of each publication; `[]` withdraws the channels of earlier
   * publications.
   */
  hubs?: readonly Uri[] | undefined;
  /** The base URI of the topics, if they are not served from the folder but, for example, by the hub. */
  topicsUri?: string | undefined;
  /** Sends the notifications now, with one attempt each, or later: the next call and `resourcesync notify FOLDER` send what waits. */
  notify?: "now" | "later" | undefined;
  /** Sends the requests to hubs; by default the global `fetch`. Add the header fields that a hub asks of its publishers here. */
  fetch?: ((uri: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** The names of these options. @internal */
export const HUB_OPTIONS: readonly string[] = ["hubs", "topicsUri", "notify", "fetch"];

/** Milliseconds after which a request to a hub has failed. */
const PATIENCE = 30_000;

/** The channels that the options name, for the module. Throws an `OptionError` if they mean nothing. @internal */
export function channels({ hubs, topicsUri, notify = "now" }: HubOptions): { hubs: string[] | undefined; topicsUri: string | undefined } {
  known({ hubs, topicsUri, notify }, HUB_OPTIONS);
  choice(notify, ["now", "later"], "notify");
  const own = hubs && [...new Set(hubs.map((hub) => uri(hub, "a hub")))];
  const wrong = own?.find((hub) => !/^https?:/i.test(hub));
  if (wrong !== undefined) throw new OptionError(`hubs: \`${wrong}\` is not an http or https URI, such as \`https://hub.example/\``);
  if (topicsUri !== undefined && !own?.length) throw new OptionError("topicsUri needs hubs");
  return { hubs: own, topicsUri: topicsUri?.replace(/\/?$/, "/") };
}

/** The publisher of an outbox. */
class Waiting extends Machine<Said> {
  constructor(outbox: glue.PublishOutbox) {
    super(inside, outbox, (kind, said) => ({ kind, ...said }), {});
  }
}

/**
 * Sends what waits in the outbox of a locked folder, with one attempt each unless it is sent later; returns the number of notifications that
 * still wait, one for each hub. @internal
 */
export async function send(store: SourceFolder, { notify = "now", fetch: get = fetch }: HubOptions): Promise<number> {
  return await store.withOutbox(async (outbox, append) => {
    if (notify === "later" || inside(() => outbox.waiting) === 0) return inside(() => outbox.waiting);
    const machine = new Waiting(outbox);
    const limited = (uri: string, init: RequestInit) => get(uri, { ...init, signal: AbortSignal.timeout(PATIENCE) });
    const sent = async (request: NotificationRequest) => ({ request, ...(await reply(request, limited)) });
    const open = new Map<number, ReturnType<typeof sent>>();
    for (let turn = machine.tick(); ; ) {
      const keep = Object.entries(turn.keep).map(([key, value]) => ({ key, value }));
      if (keep.length > 0) append(inside(() => outbox.kept(JSON.stringify(keep))));
      for (const request of turn.requests) open.set(request.id, sent(request));
      if (open.size === 0) return inside(() => outbox.waiting);
      // Hubs do not wait for each other.
      const { request, response, error } = await Promise.race(open.values());
      open.delete(request.id);
      turn = response ? machine.responded(request, response) : machine.failed(request, error);
    }
  });
}
