/** The exports of `resourcesync/oai` on every platform. */

export * from "../errors.js";
export type { WasmModule, WasmSource } from "../loader.js";
export { oaiKind, type OaiKind, ProviderCheck, validateProvider, validateResponses } from "./check.js";
export type { SendOptions } from "./exchange.js";
export { Harvest, harvest, IncompleteHarvest, type MachineOptions, readPage } from "./harvest.js";
export { init, initSync } from "./module.js";
export type { CheckOptions, CheckStep, Harvested, HarvestOptions, HarvestStep, OaiHeader, OaiPage, OaiRecord, OaiResponse, OaiSource, PageFacts, Proof } from "./types.js";
