// Writes ZIP archives for the tests: ordinary ones, hostile ones, and a sparse one of 2 GiB.

import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

/** One stored member; the values of `lies` replace those of its local header. */
export function archive(members, lies = {}) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, data } of members) {
    const body = Buffer.from(data);
    const facts = { name: Buffer.from(name), crc: crc32(body), size: body.length };
    const local = header(0x04034b50, { ...facts, ...lies[name] });
    parts.push(local, body);
    directory.push(central(facts, offset));
    offset += local.length + body.length;
  }
  return Buffer.concat([...parts, ...directory, end(directory, offset)]);
}

function header(signature, { name, crc, size }) {
  const fixed = Buffer.alloc(30);
  fixed.writeUInt32LE(signature, 0);
  fixed.writeUInt16LE(20, 4);
  fixed.writeUInt16LE(0x21, 12);
  fixed.writeUInt32LE(crc, 14);
  fixed.writeUInt32LE(size, 18);
  fixed.writeUInt32LE(size, 22);
  fixed.writeUInt16LE(name.length, 26);
  return Buffer.concat([fixed, name]);
}

function central({ name, crc, size }, offset) {
  const fixed = Buffer.alloc(46);
  fixed.writeUInt32LE(0x02014b50, 0);
  fixed.writeUInt16LE(20, 4);
  fixed.writeUInt16LE(20, 6);
  fixed.writeUInt16LE(0x21, 14);
  fixed.writeUInt32LE(crc, 16);
  fixed.writeUInt32LE(size, 20);
  fixed.writeUInt32LE(size, 24);
  fixed.writeUInt16LE(name.length, 28);
  fixed.writeUInt32LE(offset, 42);
  return Buffer.concat([fixed, name]);
}

function end(directory, offset) {
  const fixed = Buffer.alloc(22);
  fixed.writeUInt32LE(0x06054b50, 0);
  fixed.writeUInt16LE(directory.length, 8);
  fixed.writeUInt16LE(directory.length, 10);
  fixed.writeUInt32LE(directory.reduce((sum, own) => sum + own.length, 0), 12);
  fixed.writeUInt32LE(offset, 16);
  return fixed;
}

/** A manifest of a Resource Dump for members with their digests. */
export function manifest(members) {
  const entries = members.map(({ path, length, sha256 }) => `  <url>
    <loc>https://repository.example.org${path}</loc>
    <rs:md hash="sha-256:${sha256}" length="${length}" type="application/pdf" path="${path}"/>
  </url>
`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://repository.example.org/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2026-04-01T09:00:00Z"/>
${entries.join("")}</urlset>
`;
}

/** A package of a valid Change Dump: one resource was updated, another one deleted. */
export function changeDump() {
  const data = "the second edition";
  const sha256 = createHash("sha256").update(data).digest("hex");
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://repository.example.org/capabilitylist.xml"/>
  <rs:md capability="changedump-manifest" from="2026-04-01T00:00:00Z" until="2026-04-02T00:00:00Z"/>
  <url><loc>https://repository.example.org/one</loc><rs:md change="updated" datetime="2026-04-01T09:00:00Z" hash="sha-256:${sha256}" length="${data.length}" type="text/plain" path="/one.txt"/></url>
  <url><loc>https://repository.example.org/two</loc><rs:md change="deleted" datetime="2026-04-01T10:00:00Z"/></url>
</urlset>
`;
  return { package: archive([{ name: "manifest.xml", data: text }, { name: "one.txt", data }]), manifest: text };
}

/** A package with one member of zeros, as a sparse file. */
export function writeSparse(path, size) {
  const zeros = Buffer.alloc(1 << 20);
  const hash = createHash("sha256");
  let crc = 0;
  for (let left = size; left > 0; left -= zeros.length) {
    const piece = zeros.subarray(0, Math.min(left, zeros.length));
    hash.update(piece);
    crc = crc32(piece, crc);
  }
  const text = Buffer.from(manifest([{ path: "/large.pdf", length: size, sha256: hash.digest("hex") }]));
  const first = { name: Buffer.from("manifest.xml"), crc: crc32(text), size: text.length };
  const large = { name: Buffer.from("large.pdf"), crc, size };
  const start = Buffer.concat([header(0x04034b50, first), text]);
  const local = header(0x04034b50, large);
  const at = start.length + local.length + size;
  const directory = [central(first, 0), central(large, start.length)];
  const file = openSync(path, "w");
  ftruncateSync(file, at);
  writeSync(file, Buffer.concat([start, local]), 0, start.length + local.length, 0);
  const rest = Buffer.concat([...directory, end(directory, at)]);
  writeSync(file, rest, 0, rest.length, at);
  closeSync(file);
}
