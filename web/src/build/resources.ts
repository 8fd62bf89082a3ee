// The resources to list: from lines of text, or from the files of a folder.

import type { Engine } from "resourcesync/worker";
import type { Given } from "../state.js";
import { mediaType } from "./media-type.js";

/** A resource with the metadata of an entry in a Resource List. */
export interface Resource {
  uri: string;
  lastmod?: string;
  length?: number;
  type?: string;
  hashes?: Record<string, string>;
}

/** A resource that is at hand, and its path below the folder. */
export type ResourceFile = Resource & { path: string; file: Blob };

/** Parses lines: a URI, optionally followed by what else is known of it, in any order: last change, length, media type, digests. */
export function fromLines(text: string): Resource[] {
  return linesOf(text).map(({ line }) => {
    const [address = "", ...rest] = line.split(/\s+/);
    const resource: Resource = { uri: asUri(address) };
    for (const value of rest) {
      const [, algorithm, digest] = /^(md5|sha-256):([0-9a-f]+)$/i.exec(value) ?? [];
      if (algorithm && digest) resource.hashes = { ...resource.hashes, [algorithm.toLowerCase()]: digest.toLowerCase() };
      else if (/^\d{1,15}$/.test(value)) resource.length = Number(value);
      else if (/^[\w.+-]+\/[\w.+-]+$/.test(value)) resource.type = value;
      else resource.lastmod = value.replace(/^lastmod:/, "");
    }
    return resource;
  });
}

/** The lines with a resource, and their numbers from 1. */
export function linesOf(text: string): { line: string; number: number }[] {
  return text.split(/\r\n|\r|\n/).map((line, at) => ({ line: line.trim(), number: at + 1 })).filter(({ line }) => line !== "");
}

/** The places of the first resource that is listed twice. */
export function twice(resources: readonly Resource[]): [one: number, other: number] | undefined {
  const places = new Map<string, number>();
  for (const [at, { uri }] of resources.entries()) {
    const one = places.get(uri);
    if (one !== undefined) return [one, at];
    places.set(uri, at);
  }
  return undefined;
}

/** Whether a file, or a folder around it below the chosen one, is hidden; the command leaves these out. */
export function isHidden({ name }: Given): boolean {
  return name.includes("/.");
}

/** Computes the digests of files and their URIs below `base`. */
export async function fromFiles(
  files: readonly Given[],
  base: string,
  algorithms: readonly ("md5" | "sha-256")[],
  engine: Engine,
  onFile: (at: number, name: string) => void,
): Promise<ResourceFile[]> {
  const resources: ResourceFile[] = [];
  for (const [at, { name, file }] of files.entries()) {
    onFile(at, name);
    const { length, hashes } = await engine.hash(file, [...algorithms]);
    // The folder itself corresponds to the base.
    const path = name.split("/").slice(1);
    const type = mediaType(name);
    const changed = file instanceof File ? new Date(file.lastModified).toISOString().replace(/\.\d+Z$/, "Z") : undefined;
    resources.push({ uri: base + path.map(encoded).join("/"), path: path.join("/"), file, length, hashes, ...(type && { type }), ...(changed && { lastmod: changed }) });
  }
  return resources;
}

/** A name as the command writes it in a URI: only unreserved characters stay (RFC 3986 §2.3). */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Converts an IRI to a URI: non-ASCII characters are percent-encoded, others stay unchanged. */
export function asUri(text: string): string {
  return text.replace(/[^\u0021-\u007e]+/gu, (part) => encodeURIComponent(part));
}
