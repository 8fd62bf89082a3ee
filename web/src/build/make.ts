// Builds the documents of a small Source: Resource Lists, their index if necessary, Capability List, Source
// Description.

import type { Engine } from "resourcesync/worker";
import type { Resource } from "./resources.js";

/** A document and its location. */
export interface Made {
  name: string;
  uri: string;
  text: string;
}

/** Maximum entries of one document (Sitemap protocol, adopted by Z39.99-2017 §7). */
const ENTRIES = 50_000;

// The standard recommends a link to a description, but it is optional.
const UNDESCRIBED = ["SD-03", "SD-08", "CAP-05"];

/** The metadata of the documents. */
export interface About {
  /** The URI of the folder they are published in; it ends with a slash. */
  base: string;
  /** The start of the snapshot. */
  at: string;
  /** A page that describes the collection. */
  describedby?: string;
}

/** Builds the documents. */
export async function make(engine: Engine, { base, at, describedby }: About, resources: readonly Resource[]): Promise<Made[]> {
  const capabilityList = `${base}capabilitylist.xml`;
  const description = new URL("/.well-known/resourcesync", base).href;
  const up = { rel: "up", href: capabilityList };
  const parts: Resource[][] = [];
  for (let from = 0; from < resources.length; from += ENTRIES) parts.push(resources.slice(from, from + ENTRIES));
  const list = `${base}resourcelist.xml`;
  const lists: Made[] = [];
  if (parts.length <= 1) {
    lists.push({ name: "resourcelist.xml", uri: list, text: await engine.build("resource-list", { at, links: [up] }, parts[0] ?? []) });
  } else {
    for (const [number, part] of parts.entries()) {
      const name = `resourcelist-${String(number + 1).padStart(4, "0")}.xml`;
      const head = { at, links: [up, { rel: "index", href: list }] };
      lists.push({ name, uri: base + name, text: await engine.build("resource-list", head, part) });
    }
    const entries = lists.map(({ uri }) => ({ uri, at }));
    lists.push({ name: "resourcelist.xml", uri: list, text: await engine.build("resource-list-index", { at, links: [up] }, entries) });
  }
  const described = describedby ? [{ rel: "describedby", href: describedby }] : [];
  const options = { ignore: describedby ? [] : UNDESCRIBED };
  const above = { links: [{ rel: "up", href: description }, ...described] };
  const capabilities = await engine.build("capability-list", above, [{ uri: list, capability: "resourcelist" }], options);
  const sets = [{ uri: capabilityList, capability: "capabilitylist", links: described }];
  const root = await engine.build("source-description", { links: described }, sets, options);
  return [
    { name: ".well-known/resourcesync", uri: description, text: root },
    { name: "capabilitylist.xml", uri: capabilityList, text: capabilities },
    ...lists,
  ];
}
