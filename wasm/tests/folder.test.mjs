/** Folders: the selection of files, and the mapping of URIs to files. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { countsInFolder, init, Mirror } from "resourcesync";

await init();

test("documents, packages and the well-known place count in a folder", () => {
  for (const path of ["a.xml", "a/B.XML.GZ", "part1.zip", "site/.well-known/resourcesync"]) assert.ok(countsInFolder(path), path);
  for (const path of ["a.txt", "resourcesync", "a.xml/b", ""]) assert.ok(!countsInFolder(path), path);
});

test("a URI leads to a file of the mirror, or not, and why", () => {
  const mirror = new Mirror("https://Example.com/data");
  assert.equal(mirror.base, "https://example.com/data/");
  assert.equal(mirror.path("https://example.com/data/a%20b/#c"), "a b/index.html");
  assert.equal(mirror.uri("a b/日本.xml"), "https://example.com/data/a%20b/%E6%97%A5%E6%9C%AC.xml");
  assert.deepEqual(mirror.path("https://example.com/other"), { skipped: { code: "outside-base", args: { base: "https://example.com/data/" } } });
  assert.deepEqual(mirror.path("https://example.com/data/a%2fb"), { notFound: { code: "invalid-file-name" } });
  assert.equal(mirror.start(["robots.txt", "a.xml"]), "https://example.com/data/robots.txt");
  assert.equal(mirror.start(["a.xml"]), undefined);
});
