/**
 * The entry point for node: the module is read synchronously when it is used for the first time, so that `require` works too.
 *
 * In a bundle for a server the module is not next to the script, unless it is copied there: then the first call fails, not the import.
 */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

import { ofFile } from "./files.js";
import { SourceError } from "./errors.js";
import { platform } from "./platform.js";

function beside(name: string): URL {
  return new URL(`./${name}`, import.meta.url);
}

function missing(name: string, cause: unknown): SourceError {
  const fix = "copy it there from node_modules/resourcesync/dist, leave `resourcesync` out of the bundle, or import `resourcesync/inline`";
  return new SourceError(`${name} is not next to the script that was bundled: ${fix}`, cause);
}

function reading(name: string): () => Uint8Array<ArrayBuffer> {
  return () => {
    try {
      return readFileSync(beside(name));
    } catch (error) {
      throw missing(name, error);
    }
  };
}

platform.core.read = reading("core.wasm");
platform.publish.read = reading("publish.wasm");
platform.texts = async (lang) => {
  const name = `rules.${lang}.json`;
  let text;
  try {
    text = await readFile(beside(name), "utf8");
  } catch (error) {
    throw missing(name, error);
  }
  return JSON.parse(text);
};
platform.files = ofFile;

export * from "./api.js";
export type { HubOptions } from "./hubs.js";
export { publish, type PublishedChange, type PublishedRecords, type PublishOptions } from "./publish-records.js";
export { SourceFolder, type SetHistory } from "./source-folder.js";
export { Source, type EventBatch, type EventOptions, type PublishedEvents, type PublishEventsOptions, type SourceOptions } from "./source.js";
