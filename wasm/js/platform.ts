/**
 * What an entry point tells the package of its platform. Nothing is imported and nothing is loaded here, so that a bundle contains no more
 * than it uses.
 */

import type { HubSend } from "./hub/types.js";
import type { Usual, WasmBytes, WasmModule } from "./loader.js";
import type { Access } from "./sources.js";
import type { Lang, OpenFile, Rule } from "./types.js";

/** A module of the package on this platform. */
export interface Location {
  /** Where it is loaded from. */
  usual?: Usual | undefined;
  /** Reads it synchronously at the first use. */
  read?: () => WasmBytes | WasmModule;
}

/** Set by the entry points. */
export const platform: {
  /** The whole module. */
  core: Location;
  /** The small module, which only validates documents. */
  validate: Location;
  /** The module that publishes to a folder, in node. */
  publish: Location;
  /** The module for notifications. */
  notify: Location;
  /** The module of the hub. */
  hub: Location;
  /** The module for following Change Lists. */
  sync: Location;
  /** The module for harvesting and checking OAI-PMH repositories. */
  oai: Location;
  /** Whether `fetch` sends `Accept-Encoding`, and shows all header fields of a response. */
  allHeaders?: boolean;
  /** Loads the texts of the rules. */
  texts?: (lang: Lang) => Promise<readonly Rule[]>;
  /** Sends the requests of a hub to allowed addresses. */
  send?: HubSend;
  /** Computes a SHA-256 with the instructions of the processor. */
  sha256?: () => { update(bytes: Uint8Array): void; digest(): Uint8Array };
  /** Random access to open files. */
  files?: (file: OpenFile) => Access;
} = { core: {}, validate: {}, publish: {}, notify: {}, hub: {}, sync: {}, oai: {} };
