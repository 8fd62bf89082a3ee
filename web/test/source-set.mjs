// Writes Sources for the tests: many documents, broken and missing ones.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const BASE = "https://repository.example.org/";
const NAMES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const ABOUT = `<rs:ln rel="describedby" href="${BASE}about.html"/>`;

/** A document. */
export const document = (md, up, entries, root = "urlset") => `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${NAMES}>${up ? `<rs:ln rel="up" href="${BASE}${up}"/>` : ""}<rs:md ${md}/>\n${entries.join("\n")}\n</${root}>\n`;
const url = (loc, md = "", more = "") => `<url><loc>${BASE}${loc}</loc>${md && `<rs:md ${md}/>`}${more}</url>`;

/** Writes files below a folder. */
export function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A Source with this number of sets, each with a Resource List and this number of Change Lists of one day each. */
export function source({ sets, changeLists, broken = [], missing = [], entries = 3, fault = "" }) {
  const files = {};
  const names = Array.from({ length: sets }, (_, at) => `set-${String(at).padStart(3, "0")}`);
  files[".well-known/resourcesync"] = document('capability="description"', "", names.map((name) => url(`${name}/capabilitylist.xml`, 'capability="capabilitylist"', ABOUT))).replace("<rs:md", `${ABOUT}<rs:md`);
  for (const name of names) {
    const capabilities = [url(`${name}/resourcelist.xml`, 'capability="resourcelist"'), url(`${name}/changelist.xml`, 'capability="changelist"')];
    files[`${name}/capabilitylist.xml`] = document('capability="capabilitylist"', ".well-known/resourcesync", capabilities).replace("<rs:md", `${ABOUT}<rs:md`);
    files[`${name}/resourcelist.xml`] = document('capability="resourcelist" at="2026-04-01T00:00:00Z" completed="2026-04-01T01:00:00Z"', `${name}/capabilitylist.xml`,
      Array.from({ length: entries }, (_, at) => url(`${name}/res/${at}`, fault || 'length="100"')));
    const day = (at) => new Date(Date.UTC(2026, 3, 1 + at)).toISOString().replace(".000", "");
    const lists = Array.from({ length: changeLists }, (_, at) => `${name}/changelist-${String(at).padStart(4, "0")}.xml`);
    const index = lists.map((list, at) => `<sitemap><loc>${BASE}${list}</loc><rs:md from="${day(at)}" until="${day(at + 1)}"/></sitemap>`);
    files[`${name}/changelist.xml`] = document(`capability="changelist" from="${day(0)}" until="${day(changeLists)}"`, `${name}/capabilitylist.xml`, index, "sitemapindex");
    for (const [at, list] of lists.entries()) {
      if (missing.includes(`${name} ${at}`)) continue;
      const change = broken.includes(`${name} ${at}`) ? "modified" : at % 3 === 0 ? "created" : at % 3 === 1 ? "updated" : "deleted";
      const md = `<rs:ln rel="up" href="${BASE}${name}/capabilitylist.xml"/><rs:ln rel="index" href="${BASE}${name}/changelist.xml"/>`;
      files[list] = document(`capability="changelist" from="${day(at)}" until="${day(at + 1)}"`, "", [url(`${name}/res/${at % 3}`, `change="${change}" datetime="${day(at).replace("T00", "T12")}"`)]).replace("<rs:md", `${md}<rs:md`);
    }
  }
  return files;
}
