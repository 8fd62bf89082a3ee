/** The exports of the package on every platform. */

export { crawl, type CrawlOptions, type CrawlProgress, type Fetch, type FetchError, type FetchRequest, type FetchResponse } from "./crawl.js";
export { build, Builder, write, type Accepted, type BuildOptions, type DocumentOptions } from "./build.js";
export { entries, read, readSync, type About, type EntryStream, type ReadOptions } from "./entries.js";
export * from "./errors.js";
export { countsInFolder, Mirror } from "./folder.js";
export type { Given, GivenEntry, GivenHead, Moment, Uri } from "./given.js";
export { hash, type HashOptions } from "./hash.js";
export type { WasmModule, WasmSource } from "./loader.js";
export { init, initSync } from "./loading.js";
export { openPackage, type Member, type MemberResource, type Package } from "./packages.js";
export { compare, type ComparedCount, type Comparison, type Unchecked } from "./compare.js";
export { diff, differences, incomparable, type Aspect, type Difference } from "./diff.js";
export { merge } from "./merge.js";
export { createPackage, type Bitstream, type Packed } from "./pack.js";
export { Publication, type Announced, type ChangeHistory, type DumpHistory, type OnRefused, type PublicationOptions, type Published, type Step, type Store } from "./publish.js";
export { explanation, formats, message, render } from "./render.js";
export { parseReport, toJson } from "./report.js";
export { repair, type Repair, type Repaired, type RepairOptions } from "./repair.js";
export { explain, rules } from "./rules.js";
export type * from "./model.js";
export type * from "./types.js";
export { validate, validateAll, validateSync, verifyPackage, verifyPackageSync } from "./validate.js";
export { version } from "./version.js";
