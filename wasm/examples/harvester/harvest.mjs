/**
 * Synchronizes a folder with a Source: streams a Change List and fetches the created and updated resources.
 *
 *     node harvest.mjs https://example.com/changelist.xml copy/
 */

import { createHash } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { entries } from "resourcesync";

/** The path of a resource in the folder: by host and path, so that it cannot be outside of the folder. */
function place(folder, uri) {
  const { host, pathname, search } = new URL(uri);
  const parts = `${pathname}${search}`.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  return join(folder, encodeURIComponent(host), ...parts.map(encodeURIComponent), "content");
}

/** True if the bytes match the listed digests. */
function isAnnounced(bytes, { length, hashes = {} }) {
  const known = { md5: "md5", "sha-1": "sha1", "sha-256": "sha256" };
  const digests = Object.entries(hashes).filter(([name]) => name in known);
  const isSame = ([name, digest]) => createHash(known[name]).update(bytes).digest("hex") === digest;
  return (length === undefined || BigInt(length) === BigInt(bytes.length)) && digests.every(isSame);
}

export async function harvest(changeList, folder) {
  const answer = await fetch(changeList);
  if (!answer.ok) throw new Error(`${changeList}: ${answer.status}`);
  const changes = entries(answer.body);
  const done = { written: 0, deleted: 0, refused: [] };
  // The next window is read after the entries of this one, so memory does not grow with the list.
  for await (const entry of changes) {
    const { uri, change } = entry;
    const path = place(folder, uri);
    if (change === "deleted") {
      await rm(path, { force: true });
      done.deleted += 1;
      continue;
    }
    const resource = await fetch(uri);
    const bytes = new Uint8Array(await resource.arrayBuffer());
    if (!resource.ok || !isAnnounced(bytes, entry)) {
      done.refused.push(uri);
      continue;
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.part`, bytes);
    await rename(`${path}.part`, path);
    done.written += 1;
  }
  const { kind, head } = await changes.head;
  return { kind, from: head.from, until: head.until, ...done };
}

if (process.argv[1] === import.meta.filename) {
  const [changeList, folder] = process.argv.slice(2);
  console.log(await harvest(changeList, folder));
}
