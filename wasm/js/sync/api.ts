/** The exports of `resourcesync/sync` on every platform. */

export * from "../errors.js";
export type { WasmModule, WasmSource } from "../loader.js";
export type { FetchOptions } from "./exchange.js";
export { ChangeFollower, followChanges } from "./follower.js";
export { init, initSync } from "./module.js";
export { changes, decide, dryRun, MismatchError, survey, verifying } from "./survey.js";
export type { Checkpoint, FollowedChanges, FollowOptions, FollowRequest, KnownResource, LastChange, Outlook, PullCheckpoint, PulledResource, PullOptions, Surveyed, SyncReport } from "./types.js";
