// Every state of the page, as steps that lead to it from the first visit.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const sample = (name) => join(dirname(fileURLToPath(import.meta.url)), "../samples", name);

/** The validator never answers, so that a run stays as it is at its start. */
const STUCK = "window.Worker = class extends EventTarget { postMessage() {} terminate() {} };";

const broken = async (ui) => {
  await ui.give("#files", sample("changelist.xml"));
  await ui.phase();
  await ui.see(".group");
};
const wholeSource = async (ui) => {
  await ui.see(".samples button");
  await ui.run("document.querySelectorAll('.samples')[0].querySelectorAll('button')[3].click()");
  await ui.phase();
  await ui.see(".map-node");
};
const built = async (ui) => {
  await ui.set("#build-uris", "https://example.org/dataset/a.html 2026-03-12T13:00:00Z\nhttps://example.org/dataset/図版.png\n");
  await ui.set("#build-base", "https://example.org/dataset/");
  await ui.click("form button[type=submit]");
  await ui.see(".made li");
};

/** Writes the inputs that are no samples. */
export function inputs(folder) {
  mkdirSync(folder, { recursive: true });
  const put = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const names = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
  return {
    older: put("older.xml", `<urlset ${names}><rs:ln rel="up" href="https://example.org/c.xml"/><rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/><url><loc>https://example.org/a</loc><rs:md length="1"/></url></urlset>`),
    newer: put("newer.xml", `<urlset ${names}><rs:ln rel="up" href="https://example.org/c.xml"/><rs:md capability="resourcelist" at="2026-01-02T00:00:00Z"/><url><loc>https://example.org/a</loc><rs:md length="2"/></url></urlset>`),
    table: put("table.csv", "タイトル,リンク,更新日,サイズ\n図,https://example.org/a.pdf,2026/4/1,12\n"),
    copied: put("copied.json", JSON.stringify({ format: "resourcesync-sync-report", formatVersion: 1, run: { outcome: "incomplete", ended: "2026-04-01T00:00:00Z" }, source: "https://example.org/", counts: { created: 2, failed: 1 }, items: [{ uri: "https://example.org/a", result: "failed", code: "SYN-06" }], leftOut: 2, diagnostics: [{ code: "SYN-06", severity: "error", message: "another digest", help: "tell the Source" }] })),
    sitemap: put("sitemap.xml", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/a/1</loc><lastmod>2026-04-01</lastmod></url><url><loc>https://example.org/a/2</loc></url></urlset>`),
    response: put("identify.xml", `<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">\n<responseDate>2026-01-01T00:00:00Z</responseDate>\n<request verb="Identify">http://a.example/oai</request>\n<Identify>\n<repositoryName>リポジトリ</repositoryName>\n<baseURL>http://a.example/oai</baseURL>\n<protocolVersion>2.0</protocolVersion>\n<adminEmail>admin at a.example</adminEmail>\n<earliestDatestamp>2020-01-01</earliestDatestamp>\n<deletedRecord>persistent</deletedRecord>\n<granularity>YYYY-MM-DD</granularity>\n</Identify>\n</OAI-PMH>\n`),
    notReport: put("report.json", '{ "format": "resourcesync-report", "formatVersion": 9 }'),
    undetermined: put("deep.xml", `<urlset ${names}><rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/>${"<x>".repeat(600)}`),
    filtered: put("filtered.json", JSON.stringify(FILTERED)),
  };
}

/** A report whose verdict depends on a configuration. */
const FILTERED = {
  format: "resourcesync-report", formatVersion: 1, tool: { name: "resourcesync", version: "0.1.0" }, run: { status: "completed", profile: "standard", configuration: "resourcesync.toml" },
  verdict: "valid", afterFilters: true, summary: { errors: 0, warnings: 0, infos: 0, suppressed: 12, stored: 0, inputs: 1, entries: 4, bytes: 1100 },
  inputs: [{ id: 0, name: "changelist.xml", via: "argument", kind: "change-list", entries: 4, bytes: 1100, verdict: "valid" }], groups: [],
  suppressed: [{ code: "CL-13", severity: "error", input: 0, count: 2, stored: 0 }, { code: "AT-07", severity: "error", input: 0, count: 9, stored: 0 }, { code: "ADV-01", severity: "warning", input: 0, count: 1, stored: 0 }],
  diagnostics: [],
};

/** The states by name; `hash` is the address that is opened, `within` the part that is checked for accessibility. */
export const STATES = {
  start: { at: async () => undefined },
  "start, with text and settings": { at: async (ui) => {
    await ui.click(".drop .settings summary");
    await ui.run("document.querySelector('[aria-controls=paste]').click()");
    await ui.set("#paste-text", "<urlset>\n</urlset>");
  } },
  "start, with last checks": { at: async (ui) => {
    await broken(ui);
    await ui.until("kept", "return new Promise((done) => { const open = indexedDB.open('resourcesync-page'); open.onupgradeneeded = () => open.transaction.abort(); open.onerror = () => done(false); open.onsuccess = () => { const all = open.result.transaction('summaries').objectStore('summaries').count(); all.onsuccess = () => { open.result.close(); done(all.result > 0); }; }; })");
    await ui.click(".verdict > .buttons > button:last-child");
    await ui.see(".last-checks li");
  } },
  "start, with a URL": { at: async (ui) => {
    await ui.set("#url", "https://repository.example.org/.well-known/resourcesync");
  } },
  "report with errors": { at: broken },
  "finding, opened": { at: async (ui) => {
    await broken(ui);
    await ui.click(".finding");
    await ui.see(".detail .example");
    await ui.see(".source mark.shown");
  } },
  "no finding matches": { at: async (ui) => {
    await broken(ui);
    await ui.set("#search", "nothing like that");
    await ui.see(".nothing");
  } },
  // The menu covers what is below it.
  downloads: { within: ".menu", at: async (ui) => {
    await broken(ui);
    await ui.click(".menu summary");
  } },
  share: { at: async (ui) => {
    await broken(ui);
    await ui.click("button.share");
    await ui.see("dialog[open] .share-link");
  } },
  comparison: { at: async (ui) => {
    await broken(ui);
    await ui.give("#files", sample("resourcelist.xml"));
    await ui.until("two", "return document.querySelectorAll('.inputs .node').length > 2");
    await ui.click("button.compare");
    await ui.until("checks", "return document.querySelector('dialog[open] li button')");
    await ui.click("dialog[open] li button");
    await ui.see(".compared");
  } },
  "comparison, choosing": { at: async (ui) => {
    await broken(ui);
    await ui.click("button.compare");
    await ui.see("dialog[open]");
  } },
  "what changed": { at: async (ui, given) => {
    await ui.give("#files", given.older, given.newer);
    await ui.phase();
    await ui.click(".two-sides button");
    await ui.see(".changed .virtual td");
  } },
  "table with columns": { at: async (ui, given) => {
    await ui.give("#files", given.table);
    await ui.phase();
    await ui.see(".guide select");
  } },
  "report of a copy": { at: async (ui, given) => {
    await ui.give("#files", given.copied);
    await ui.see(".told h1");
  } },
  "how to install": { within: "dialog", at: async (ui) => {
    await broken(ui);
    await ui.click(".repeat .install");
    await ui.see("dialog[open] .command");
  } },
  repairs: { at: async (ui) => {
    await broken(ui);
    await ui.click("button.fix");
    await ui.see(".fix-outcome .diff");
  } },
  "repairs, applied": { at: async (ui) => {
    await broken(ui);
    await ui.click("button.fix");
    await ui.see(".fix-outcome .diff");
    await ui.click(".fix-outcome button.primary");
    await ui.see(".undo button");
    await ui.phase();
  } },
  editor: { at: async (ui) => {
    await broken(ui);
    await ui.click("[data-edit]");
    await ui.see("#edit-text");
    await ui.see(".edit-body button");
  } },
  "valid document": { at: async (ui) => {
    await ui.give("#files", sample("resourcelist.xml"));
    await ui.phase();
    await ui.see(".contents-list[data-known=true]");
  } },
  "package, with its table": { at: async (ui) => {
    await ui.give("#files", sample("resourcedump.zip"));
    await ui.phase();
    await ui.click(".tables summary");
    await ui.see(".table-place tbody tr");
  } },
  "several files": { at: async (ui) => {
    await ui.give("#files", sample("resourcelist.xml"), sample("changelist.xml"), sample("resourcedump.zip"));
    await ui.phase();
    await ui.see(".linked-place[data-known=true]");
  } },
  "whole Source, with map and timeline": { at: async (ui) => {
    await wholeSource(ui);
    await ui.run("document.querySelector('.map').open = true; document.querySelector('.timeline > summary').click()");
    await ui.see(".timeline svg[role=img]");
    await ui.click(".timeline details summary");
  } },
  undetermined: { at: async (ui, { undetermined }) => {
    await ui.give("#files", undetermined);
    await ui.phase();
  } },
  "valid after filters": { at: async (ui, { filtered }) => {
    await ui.give("#files", filtered);
    await ui.phase();
    await ui.see(".filtered");
  } },
  running: { at: async (ui) => {
    await ui.run(STUCK);
    await ui.give("#files", sample("changelist.xml"));
    await ui.phase("running");
  } },
  cancelled: { at: async (ui) => {
    await ui.run(STUCK);
    await ui.give("#files", sample("changelist.xml"));
    await ui.phase("running");
    await ui.click("button.cancel");
    await ui.phase("cancelled");
  } },
  "no report": { at: async (ui, { notReport }) => {
    await ui.give("#files", notReport);
    await ui.phase("failed");
  } },
  "a link to a report that is not here": { hash: "#/report?finding=3", at: async (ui) => void (await ui.see(".note")) },
  rules: { hash: "#/rules", at: async (ui) => void (await ui.see(".rule-list li")) },
  rule: { hash: "#/rules/RL-03", at: async (ui) => void (await ui.see(".rule-page .example")) },
  "unknown rule": { hash: "#/rules/XX-99", at: async (ui) => void (await ui.see(".rule-page")) },
  build: { hash: "#/build", at: async (ui) => void (await ui.see(".build-view")) },
  "build, refused": { hash: "#/build", at: async (ui) => {
    await ui.set("#build-uris", "https://example.org/dataset/b 2026-13-01\n");
    await ui.set("#build-base", "https://example.org/dataset/");
    await ui.click("form button[type=submit]");
    await ui.see("[role=alert] .verdict");
  } },
  "build, done": { hash: "#/build", at: async (ui) => {
    await built(ui);
    await ui.click(".made summary");
  } },
  privacy: { at: async (ui) => {
    await ui.click("#privacy");
    await ui.see("dialog[open] .policy");
  } },
  keys: { at: async (ui) => {
    await ui.click("#keys");
    await ui.see("dialog[open] .keys");
  } },
};

/** Further states, which `scripts/web --browser` shows; their own tests bring the page into them in Chromium. */
export const MORE_STATES = {
  "plain Sitemap": { at: async (ui, { sitemap }) => {
    await ui.give("#files", sitemap);
    await ui.phase();
    await ui.see(".guide button");
  } },
  "plan of a Destination": { at: async (ui) => {
    await wholeSource(ui);
    await ui.set("#outlook-since", "2026-04-01T10:00:00");
    await ui.click("form.outlook button");
    await ui.until("both plans", "return document.querySelectorAll('.outlook-plan').length === 2");
  } },
  "response of OAI-PMH": { at: async (ui, { response }) => {
    await ui.give("#files", response);
    await ui.phase();
    await ui.see(".group");
  } },
  "question whether checks are kept": { at: async (ui) => {
    await ui.run("localStorage.setItem('resourcesync-page', JSON.stringify({ ...JSON.parse(localStorage.getItem('resourcesync-page')), keep: undefined }));");
    await ui.go("");
    await ui.see("main > *");
    await broken(ui);
    await ui.see(".keep-question");
  } },
  "sharing a Source": { at: async (ui) => {
    await wholeSource(ui);
    await ui.click("button.share");
    await ui.see("dialog[open] .share-link");
  } },
};

/** The page with the keyboard alone: a sample, its findings, downloads, the language, and a Source that is built. */
export async function byKeyboard(ui) {
  await ui.tabTo(".samples li:nth-child(2) button");
  await ui.press("Enter");
  await ui.phase();
  await ui.press("j");
  await ui.press("Enter");
  await ui.until("detail", "return document.activeElement.matches('.detail h3')");
  await ui.tabTo(".detail .gutter-mark, .detail a, .detail .source");
  await ui.press("Escape");
  await ui.run("document.querySelector('.skip').focus()");
  await ui.tabTo(".menu summary");
  await ui.press("Enter");
  await ui.until("menu", "return document.querySelector('.menu').open");
  await ui.press("Escape");
  await ui.until("menu closed", "return !document.querySelector('.menu').open");
  await ui.tabTo(".chip");
  await ui.press(" ");
  await ui.until("chip", "return document.querySelector('.chip[aria-pressed=false]')");
  await ui.run("document.querySelector('.skip').focus()");
  await ui.tabTo("#language");
  const lang = await ui.run("return document.documentElement.lang");
  await ui.press("Enter");
  await ui.until("language", "return document.documentElement.lang !== arguments[0] && document.activeElement.id === 'language'", lang);
  await ui.run("document.querySelector('.skip').focus()");
  await ui.tabTo("#nav-build");
  await ui.press("Enter");
  await ui.see("#build-uris");
  await ui.tabTo("#build-uris");
  await ui.type("https://example.org/dataset/a.html");
  await ui.tabTo("#build-base");
  await ui.type("https://example.org/dataset/");
  await ui.press("Enter");
  await ui.see(".made li");
}
