/** The exports of `resourcesync/notify` on every platform. */

export * from "../errors.js";
export type { WasmModule, WasmSource } from "../loader.js";
export type * from "../model.js";
export type * from "../types.js";
export { drive } from "./drive.js";
export { init, initSync } from "./loading.js";
export { announce, announceDocuments, readNotification, sign, signatureError, topicReply, verifySignature } from "./payloads.js";
export { Publisher } from "./publisher.js";
export { Subscriber } from "./subscriber.js";
export type {
  AnnounceOptions,
  CallbackRequest,
  Channel,
  ChannelState,
  Delivery,
  Notification,
  NotificationEvent,
  NotificationReply,
  NotificationRequest,
  PublishedDocument,
  PublisherOptions,
  SignatureAlgorithm,
  SignatureError,
  SubscriberOptions,
  Topic,
  Turn,
} from "./types.js";
