/** The exports of `resourcesync/notify` on every platform. */

export * from "../errors.js";
export type { WasmModule, WasmSource } from "../loader.js";
export type * from "../model.js";
export type * from "../types.js";
export type { Given, GivenEntry, GivenHead, Moment, Uri } from "../given.js";
export { drive } from "./drive.js";
export { Listener } from "./listener.js";
export { init, initSync } from "./module.js";
export type { Machine } from "./machine.js";
export { announce, announceDocuments, readNotification, sign, signatureError, topicReply, verifySignature } from "./payloads.js";
export { Publisher } from "./publisher.js";
export { Subscriber } from "./subscriber.js";
export type {
  AnnounceOptions,
  Channel,
  ChannelState,
  Delivery,
  IncomingRequest,
  ListenerOptions,
  Notification,
  NotificationEvent,
  NotificationReply,
  NotificationRequest,
  PublishedDocument,
  PublisherOptions,
  RunResult,
  SignatureAlgorithm,
  SignatureError,
  StateTurn,
  SubscriberOptions,
  Topic,
  Turn,
} from "./types.js";
