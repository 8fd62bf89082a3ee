/** Writes one package from bitstreams and their entries. */

import type { Accepted, BuildOptions } from "./build.js";
import { asText, type GivenEntry, type GivenHead } from "./given.js";
import type { Entry, Head } from "./model.js";
import { free, glue, inside } from "./module.js";
import { BUILD_OPTIONS, iterable, known, object, text } from "./check-args.js";
import { reading } from "./input.js";
import { buildOptions } from "./options.js";
import type { ByteSource } from "./types.js";

/** A resource and the bytes of its bitstream; a deletion has none. */
export interface Bitstream {
  readonly entry: GivenEntry;
  readonly bytes?: ByteSource | undefined;
}

/** A package that was written. */
export interface Packed {
  /** Its manifest, for a separate copy. */
  readonly manifest: string;
  readonly length: number;
  /** The digest of the package, for `hash`. */
  readonly sha256: string;
  /** Findings that did not prevent packing. */
  readonly accepted: Accepted;
}

/**
 * Generates a package in chunks; the return value has the metadata for its entry in the dump.
 *
 * Throws a `RefusedError` for an error that verification would report, such as a wrong length in an entry, and a `SourceError` if
 * bytes cannot be read.
 */
export async function* createPackage(
  kind: "resource-dump-manifest" | "change-dump-manifest",
  head: GivenHead,
  bitstreams: Iterable<Bitstream> | AsyncIterable<Bitstream>,
  options: BuildOptions = {},
): AsyncGenerator<Uint8Array, Packed, undefined> {
  known(options, BUILD_OPTIONS);
  text(kind, "the kind");
  iterable(bitstreams, "what is packed", true);
  const own = buildOptions(options);
  let packing: glue.Packing | undefined;
  try {
    const writer = (packing = inside(() => new glue.Packing(own, kind, asText<Head>(head))));
    for await (const bitstream of bitstreams) {
      object(bitstream, "a bitstream");
      const { entry, bytes } = bitstream;
      inside(() => writer.push(asText<Entry>(entry)));
      for await (const window of contentOf(bytes)) {
        inside(() => writer.write(window));
        const written = inside(() => writer.take());
        if (written.length > 0) yield written;
      }
    }
    packing = undefined;
    const { rest, manifest, length, sha256, accepted } = inside(() => writer.finish()) as Omit<Packed, "accepted"> & { rest: Uint8Array; accepted: string };
    yield rest;
    return { manifest, length, sha256, accepted: JSON.parse(accepted) as Accepted };
  } finally {
    free(packing);
    free(own);
  }
}

/** The bytes of a bitstream, window by window. */
export async function* contentOf(bytes: Bitstream["bytes"]): AsyncGenerator<Uint8Array> {
  if (bytes !== undefined) yield* reading(bytes);
}
