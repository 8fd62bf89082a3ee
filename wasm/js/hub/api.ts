/** The exports of `resourcesync/hub` on every platform. */

export * from "../errors.js";
export type { WasmModule, WasmSource } from "../loader.js";
export type { Machine } from "../notify/machine.js";
export type { Channel, ChannelState, IncomingRequest, NotificationReply, NotificationRequest, SignatureAlgorithm, StateTurn } from "../notify/types.js";
export { HubDriver } from "./driver.js";
export { Hub } from "./hub.js";
export { init, initSync } from "./module.js";
export type { HubDriverOptions, HubEvent, HubOptions, HubPublisher, HubRequest, HubResponse, HubSend, HubTarget, HubTopic, HubTurn } from "./types.js";
