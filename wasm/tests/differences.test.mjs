/** What two inventories say of the resources that differ. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as rs from "resourcesync";

await rs.init();

const entry = (name, length, more = {}) => ({ uri: `https://example.org/${name}`, length, ...more });

test("each difference has both versions of the resource, and in what they differ", () => {
  const old = [entry("a", 1), entry("b", 2, { type: "text/plain" }), entry("c", 3)];
  const now = [entry("a", 1), entry("b", 4, { type: "text/html" }), entry("d", 5)];
  const found = [...rs.differences(old, now)];
  assert.deepEqual(found.map(({ change, uri, differs }) => [change, uri.at(-1), differs]), [["updated", "b", ["length", "type"]], ["deleted", "c", []], ["created", "d", []]]);
  assert.deepEqual([found[0].old.length, found[0].new.length, found[1].new, found[2].old], [2, 4, undefined, undefined]);
  assert.throws(() => [...rs.differences([...old].reverse(), now)], /not sorted/);
});

test("only documents of one kind that list resources can be compared", () => {
  assert.equal(rs.incomparable("resource-list", "resource-list"), undefined);
  assert.equal(rs.incomparable("resource-list", "sitemap"), "kinds");
  assert.equal(rs.incomparable("change-list", "change-list"), "no-resources");
});
