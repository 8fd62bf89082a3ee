/** Events of publishers and subscribers. */

import { parseReport } from "../report.js";
import type { Said } from "./machine.js";
import type { NotificationEvent } from "./types.js";

/** An event, from an output of the module. */
export function event(kind: string, said: Said, body: Uint8Array): NotificationEvent {
  if (kind === "notified") {
    const { channel, source, topic, capabilityList, body: _, ...notification } = said;
    return { kind, channel, source, topic, ...(capabilityList !== undefined && { capabilityList }), notification: { ...notification, body } } as NotificationEvent;
  }
  if (kind === "apply") return { kind, ...said, body } as unknown as NotificationEvent;
  if (kind === "changed") {
    const { kind: announces, ...rest } = said;
    return { kind, ...rest, announces } as unknown as NotificationEvent;
  }
  if (kind === "found" && said["report"] !== undefined) return { kind, ...said, report: parseReport(JSON.stringify(said["report"])) } as unknown as NotificationEvent;
  return { kind, ...said } as unknown as NotificationEvent;
}
