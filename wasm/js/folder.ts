/** Folders: which files are validated, and how a mirror of a Source maps URIs to files. */

import type { FetchError } from "./crawl.js";
import { glue, inside } from "./module.js";
import { text, texts } from "./check-args.js";

/**
 * Whether a file of a folder is validated, by its path with `/`, like in the command: documents and packages by name, and
 * `.well-known/resourcesync`. Throws a `NotReadyError` before `init`.
 */
export function countsInFolder(path: string): boolean {
  text(path, "the path");
  return inside(() => glue.countsInFolder(path));
}

/** A folder that mirrors a Source below a URI, as for `validate --follow --base-uri`. */
export class Mirror {
  readonly #inner: glue.Mirror;

  /** Creates a mirror of a URI. Throws a `NotReadyError` before `init`. */
  constructor(base: string) {
    text(base, "the base URI");
    this.#inner = inside(() => new glue.Mirror(base));
  }

  /** The URI of the folder, with a trailing slash. */
  get base(): string {
    return inside(() => this.#inner.base);
  }

  /**
   * Maps a URI to a path below the folder, with `/`, or to the reason why it has none. The path of a folder stands for its
   * `index.html`.
   */
  path(uri: string): string | FetchError {
    text(uri, "the URI");
    try {
      return this.#inner.path(uri);
    } catch (error) {
      if (typeof error === "object" && error !== null && ("skipped" in error || "notFound" in error)) return error as FetchError;
      throw error;
    }
  }

  /** The URI of the file at a path below the folder. */
  uri(path: string): string {
    text(path, "the path");
    return inside(() => this.#inner.uri(path));
  }

  /** The starting point of a crawl, given the paths of existing files, if there is one. */
  start(paths: readonly string[]): string | undefined {
    texts(paths, "paths");
    return inside(() => this.#inner.start([...paths]));
  }
}
