/** The exports of `resourcesync/sync` on every platform. */

export * from "../errors.js";
export type { WasmModule, WasmSource } from "../loader.js";
export { ChangeFollower, followChanges } from "./follower.js";
export { init, initSync } from "./module.js";
export type { Checkpoint, FollowedChanges, FollowOptions, FollowRequest, LastChange } from "./types.js";
