/** The other exports of the client of a worker. */

export * from "../errors.js";
export { parseReport, toJson } from "../report.js";
export { explain, rules } from "../rules.js";
export type * from "../model.js";
export type * from "../types.js";
export { version } from "../version.js";
export { Engine, type CallOptions, type EngineOptions, type SendOptions, type WorkerLike } from "./engine.js";
export type { WasmModule } from "../loader.js";
