// Builds the documents of a Source: Resource Lists, their index if necessary, a Change List and dumps if they are wanted,
// Capability List, Source Description.

import type { Engine, Head } from "resourcesync/worker";
import type { PackFiles } from "../engine/publish.js";
import { survey } from "../engine/survey.js";
import { core } from "../engine/validator.js";
import type { Resource, ResourceFile } from "./resources.js";

/** A document or package and its location. */
export interface Made {
  name: string;
  uri: string;
  file: Blob;
  /** The text of a document. */
  text?: string;
}

/** Maximum entries of one document (Sitemap protocol, adopted by Z39.99-2017 §7). */
const ENTRIES = 50_000;

/** What may be in the folder of the documents, as the command names them: no resource can be in its place. */
const DOCUMENTS = /^(?:(?:capabilitylist|resourcelist|changelist|resourcedump|changedump)[^/]*\.(?:xml|xml\.gz|zip)|about\.html|\.well-known\/resourcesync)$/;

// The standard recommends a link to a description, but it is optional.
const UNDESCRIBED = ["SD-03", "SD-08", "CAP-05"];

/** The URI of the Source Description. */
function descriptionOf(documents: string): string {
  return new URL("/.well-known/resourcesync", documents).href;
}

/** The URIs of resources that are those of documents, if these are published in a folder. */
export function documentUris(documents: string, resources: readonly Resource[]): string[] {
  const description = descriptionOf(documents);
  return resources.map(({ uri }) => uri).filter((uri) => uri === description || (uri.startsWith(documents) && DOCUMENTS.test(uri.slice(documents.length))));
}

/** Where a file is in a package. */
function inPackage({ path }: Pick<ResourceFile, "path">): string {
  return `/resources/${path}`;
}

/** The metadata of the documents. */
export interface About {
  /** The URI of the folder that the documents are published in; it ends with a slash. */
  documents: string;
  /** The start of the snapshot. */
  at: string;
  /** A page that describes the collection. */
  describedby?: string;
  /** Resource Lists of the earlier publication, and their index: the changes since then become a Change List. */
  earlier: readonly File[];
  /** The files, for the packages of the dumps that are wanted. */
  files: readonly ResourceFile[];
  dumps: { resources: boolean; changes: boolean };
}

/** Builds the documents. */
export async function make(engine: Engine, { documents, at, describedby, earlier, files, dumps }: About, resources: readonly Resource[]): Promise<Made[]> {
  const capabilityList = `${documents}capabilitylist.xml`;
  const description = descriptionOf(documents);
  const up = { rel: "up", href: capabilityList };
  const capabilities: { uri: string; capability: string }[] = [];
  const made: Made[] = [];
  const add = (name: string, text: string) => made.push({ name, uri: documents + name, text, file: new Blob([text], { type: "application/xml" }) });
  const areFiles = files.length === resources.length;
  if (dumps.changes && (earlier.length === 0 || !areFiles)) throw new Error("no-change-dump");
  if (dumps.resources && !areFiles) throw new Error("no-dump");
  const dump = async (kind: "resource-dump" | "change-dump", head: Head, bitstreams: PackFiles["bitstreams"], interval: { from?: string; until?: string }) => {
    const links = [up];
    const { file, length, sha256 } = await survey({ task: "packFiles", kind: `${kind}-manifest`, head: { ...head, links }, bitstreams, wasm: await core() });
    const capability = kind.replace("-", "");
    const name = `${capability}-0001.zip`;
    made.push({ name, uri: documents + name, file });
    add(`${capability}.xml`, await engine.build(kind, { ...head, links }, [{ uri: documents + name, type: "application/zip", length, hashes: { "sha-256": sha256 }, ...interval }]));
    capabilities.push({ uri: `${documents}${capability}.xml`, capability });
  };
  const parts: Resource[][] = [];
  for (let from = 0; from < resources.length; from += ENTRIES) parts.push(resources.slice(from, from + ENTRIES));
  if (parts.length <= 1) {
    add("resourcelist.xml", await engine.build("resource-list", { at, links: [up] }, parts[0] ?? []));
  } else {
    const index = { rel: "index", href: `${documents}resourcelist.xml` };
    for (const [number, part] of parts.entries()) add(`resourcelist-${String(number + 1).padStart(4, "0")}.xml`, await engine.build("resource-list", { at, links: [up, index] }, part));
    add("resourcelist.xml", await engine.build("resource-list-index", { at, links: [up] }, made.map(({ uri }) => ({ uri, at }))));
  }
  capabilities.push({ uri: `${documents}resourcelist.xml`, capability: "resourcelist" });
  if (earlier.length > 0) {
    const { changes, from } = await survey({ task: "changesSince", earlier, resources, at, wasm: await core() });
    add("changelist.xml", await engine.build("change-list", { from, links: [up] }, changes));
    capabilities.push({ uri: `${documents}changelist.xml`, capability: "changelist" });
    if (dumps.changes) {
      const interval = { from, until: at };
      const known = new Map(files.map((own) => [own.uri, own]));
      await dump("change-dump", interval, changes.map((entry) => {
        // A deleted resource has no file.
        const own = known.get(entry.uri);
        return own ? { entry: { ...entry, path: inPackage(own) }, file: own.file } : { entry };
      }), interval);
    }
  }
  if (dumps.resources) {
    await dump("resource-dump", { at }, files.map(({ file, ...entry }) => ({ entry: { ...entry, path: inPackage(entry) }, file })), {});
  }
  const described = describedby ? [{ rel: "describedby", href: describedby }] : [];
  const options = { ignore: describedby ? [] : UNDESCRIBED };
  const above = { links: [{ rel: "up", href: description }, ...described] };
  const list = await engine.build("capability-list", above, capabilities, options);
  const root = await engine.build("source-description", { links: described }, [{ uri: capabilityList, capability: "capabilitylist", links: described }], options);
  const top = (name: string, uri: string, text: string): Made => ({ name, uri, text, file: new Blob([text], { type: "application/xml" }) });
  return [top(".well-known/resourcesync", description, root), top("capabilitylist.xml", capabilityList, list), ...made];
}
