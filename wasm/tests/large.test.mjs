/** A package of 2 GiB, verified in node and in a worker of Chromium without loading it into memory. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { crc32 } from "node:zlib";

import { root } from "./cases.mjs";
import { begin, folders, serve } from "./chromium.mjs";

const MIB = 1 << 20;
const SIZE = 2048 * MIB;
/** The memory that a run may need in addition, in MiB. */
const ROOM = 128;
const folder = join(root, "target/npm/large");
const path = join(folder, "large.zip");

/** A member that is stored, as its header in the archive (`at` absent) or in the directory. */
function header(name, size, crc, at) {
  const bytes = Buffer.alloc(at === undefined ? 30 : 46);
  let place = bytes.writeUInt32LE(at === undefined ? 0x04034b50 : 0x02014b50);
  if (at !== undefined) place = bytes.writeUInt16LE(20, place);
  for (const word of [20, 0, 0, 0, 0x21]) place = bytes.writeUInt16LE(word, place);
  for (const word of [crc, size, size]) place = bytes.writeUInt32LE(word, place);
  bytes.writeUInt16LE(name.length, place);
  if (at !== undefined) bytes.writeUInt32LE(at, 42);
  return Buffer.concat([bytes, Buffer.from(name)]);
}

/** Writes a package with a member of zeros, as a sparse file. */
function zeros(path) {
  const block = Buffer.alloc(16 * MIB);
  const md5 = createHash("md5");
  let crc = 0;
  for (let at = 0; at < SIZE; at += block.length) {
    md5.update(block);
    crc = crc32(block, crc);
  }
  const manifest = Buffer.from(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/><rs:md capability="resourcedump-manifest" at="2024-01-01T00:00:00Z"/>
<url><loc>http://example.com/zeros</loc><rs:md hash="md5:${md5.digest("hex")}" length="${SIZE}" type="application/octet-stream" path="/zeros"/></url></urlset>`);
  const members = [["zeros", SIZE, crc, undefined], ["manifest.xml", manifest.length, crc32(manifest), manifest]];
  const fd = openSync(path, "w");
  const directory = [];
  let at = 0;
  for (const [name, size, crc, bytes] of members) {
    directory.push(header(name, size, crc, at));
    at += writeSync(fd, header(name, size, crc), 0, undefined, at);
    if (bytes) writeSync(fd, bytes, 0, undefined, at);
    at += size;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  ftruncateSync(fd, at);
  writeSync(fd, Buffer.concat([central, end]), 0, undefined, at);
  closeSync(fd);
}

before(() => {
  mkdirSync(folder, { recursive: true });
  zeros(path);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("node verifies it in bounded memory", () => {
  const script = `import { openSync } from "node:fs"; import { verifyPackage } from "resourcesync";
    const { verdict, groups } = await verifyPackage({ fd: openSync(${JSON.stringify(path)}) });
    console.log(JSON.stringify({ verdict, groups, most: process.resourceUsage().maxRSS / 1024 }));`;
  const { verdict, groups, most } = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: join(root, "wasm"), encoding: "utf8" }));
  assert.deepEqual({ verdict, groups }, { verdict: "valid", groups: [] });
  assert.ok(most <= ROOM, `${most} MiB`);
});

test("a worker of Chromium verifies it in bounded memory", async () => {
  const browser = await begin();
  const server = await serve(folders, { "/": '<!doctype html><title>a page</title><input type="file">' });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.setInputFiles("input", path);
    await page.evaluate(async () => {
      const { Engine } = await import("/dist/worker.js");
      globalThis.engine = new Engine();
      // Loads the module for packages first, so that its own memory is not measured.
      await globalThis.engine.hash("");
    });
    const before = await memory(browser);
    let most = before;
    let isOver = false;
    const watch = (async () => {
      for (; !isOver; await new Promise((turn) => setTimeout(turn, 200))) most = Math.max(most, await memory(browser));
    })();
    const { verdict, groups } = await page.evaluate(async () => {
      const { verdict, groups } = await globalThis.engine.validate(document.querySelector("input").files[0]);
      return { verdict, groups };
    });
    isOver = true;
    // A pending measurement must not outlive the browser.
    await watch;
    assert.deepEqual({ verdict, groups }, { verdict: "valid", groups: [] });
    assert.ok(most - before <= ROOM, `${most - before} MiB above ${before}`);
  } finally {
    await browser.close();
    server.close();
  }
});

/** Private memory of the pages of a browser in MiB. */
async function memory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const own = ({ id }) => Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0) / 1024;
  return Math.max(...processInfo.filter(({ type }) => type === "renderer").map(own));
}
