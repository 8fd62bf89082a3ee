/** Folders: which files count where one is validated, and which file a URI stands for where one mirrors a Source. */

import type { FetchError } from "./crawl.js";
import { glue, inside } from "./module.js";
import { text, texts } from "./check-args.js";

/**
 * True for the path of a file, joined with `/`, that is looked at where a folder is validated, as the command does: documents and
 * packages by their names, and `.well-known/resourcesync`. Throws a `NotReadyError` before `init`.
 */
export function countsInFolder(path: string): boolean {
  text(path, "the path");
  return inside(() => glue.countsInFolder(path));
}

/** A folder that mirrors what a Source publishes below a URI, as `validate --follow --base-uri` takes it. */
export class Mirror {
  readonly #inner: glue.Mirror;

  /** Of what is below a URI. Throws a `NotReadyError` before `init`. */
  constructor(base: string) {
    text(base, "the base URI");
    this.#inner = inside(() => new glue.Mirror(base));
  }

  /** The URI of the folder, with a slash at its end. */
  get base(): string {
    return inside(() => this.#inner.base);
  }

  /**
   * The path below the folder that a URI leads to, joined with `/`; or why it leads nowhere. A path that is a folder stands for its
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

  /** Where a crawl begins, given the paths that have a file; nothing if there is no place to begin at. */
  start(paths: readonly string[]): string | undefined {
    texts(paths, "paths");
    return inside(() => this.#inner.start([...paths]));
  }
}
