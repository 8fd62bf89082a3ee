// The build view: its documents are valid.

import { strict as assert } from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, command, drop, fits, give, over, root, start } from "./page.mjs";
import { archive } from "./zip.mjs";

let session;
let folder;
before(async () => {
  session = await start();
  folder = mkdtempSync(join(tmpdir(), "page-"));
});
after(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function built(page) {
  await page.locator("form button[type=submit]").click();
  await page.waitForSelector(".made li, .build-view [role=alert] .verdict");
}

test("from URIs comes a Source without a finding", async () => {
  const page = await session.open({ hash: "#/build" });
  await page.fill("#build-uris", "https://example.org/dataset/a.html 2026-03-12T13:00:00Z\nhttps://example.org/dataset/図版.png\n");
  await page.fill("#build-base", "https://example.org/dataset/");
  await page.fill("#build-about", "https://example.org/about.html");
  await built(page);
  assert.equal(await page.locator(".made li").count(), 3);
  await accessible(page, "built");
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".verdict h1"), "Valid");
  assert.match(await page.textContent(".contents"), /No findings/);
  assert.match(await page.textContent(".whole"), /Validated as a whole Source under https:\/\/example\.org\//);
  await session.leave(page);
});

test("from a folder come entries with length, type and digests", async () => {
  mkdirSync(join(folder, "dataset/sub"), { recursive: true });
  writeFileSync(join(folder, "dataset/hello.txt"), "hello");
  writeFileSync(join(folder, "dataset/sub/図 1.png"), "png");
  const page = await session.open({ hash: "#/build", lang: "ja" });
  await page.setInputFiles("#build-folder", join(folder, "dataset"));
  await page.fill("#build-base", "https://example.org/dataset/");
  await page.getByLabel("MD5").check();
  await built(page);
  const list = page.locator(".made li").last();
  await list.locator("summary").click();
  const text = await list.locator("pre").textContent();
  assert.match(text, /https:\/\/example\.org\/dataset\/hello\.txt/);
  assert.match(text, /sha-256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824/);
  assert.match(text, /md5:5d41402abc4b2a76b9719d911017c592/);
  assert.match(text, /length="5"/);
  assert.match(text, /sub\/%E5%9B%B3%201\.png/);
  await accessible(page, "built from a folder");
  await session.leave(page);
});

test("the command that repeats a publication is shown, with the table that it reads, and does it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "repeat-"));
  const repeats = async (page) => {
    const text = await page.textContent(".built .command code");
    assert.match(text, /^resourcesync build /);
    const [, ...options] = text.match(/'[^']*'|\S+/g).map((part) => part.replace(/^'|'$/g, ""));
    const { status, stderr } = spawnSync(command, [...options, "--no-config"], { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, `${text}: ${stderr}`);
    return readFileSync(join(folder, "public/resourcelist.xml"), "utf8");
  };
  const page = await session.open({ hash: "#/build" });
  await page.fill("#build-uris", `https://example.org/dataset/a,b.html 2026-03-12T13:00:00Z 12 text/html sha-256:${"0".repeat(64)}\nhttps://example.org/dataset/図版.png`);
  await page.fill("#build-base", "https://example.org/dataset/");
  await page.fill("#build-documents", "https://example.org/resourcesync/");
  await page.locator("form button[type=submit]").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".built button.table").click()]);
  await download.saveAs(join(folder, download.suggestedFilename()));
  const listed = await repeats(page);
  for (const part of ["a,b.html", "2026-03-12T13:00:00Z", 'length="12"', 'type="text/html"', `sha-256:${"0".repeat(64)}`, "%E5%9B%B3%E7%89%88.png"]) assert.ok(listed.includes(part), `${part}: ${listed}`);
  await accessible(page, "repeat", ".built");
  await session.leave(page);

  for (const old of ["public", "public.resourcesync"]) rmSync(join(folder, old), { recursive: true });
  mkdirSync(join(folder, "our files"));
  writeFileSync(join(folder, "our files/one.txt"), "one");
  const own = await session.open({ hash: "#/build", lang: "ja" });
  await own.setInputFiles("#build-folder", join(folder, "our files"));
  await own.fill("#build-base", "https://example.org/dataset/");
  await own.locator("form button[type=submit]").click();
  await own.waitForSelector(".built .command");
  assert.equal(await own.locator(".built button.table").count(), 0, "the folder is read itself");
  assert.match(await repeats(own), /one\.txt/);

  for (const old of ["public", "public.resourcesync"]) rmSync(join(folder, old), { recursive: true });
  await own.fill("#build-uris", "https://example.org/dataset/elsewhere.html");
  await own.locator("form button[type=submit]").click();
  const [both] = await Promise.all([own.waitForEvent("download"), own.locator(".built button.table").click()]);
  await both.saveAs(join(folder, both.suggestedFilename()));
  assert.match(await repeats(own), /elsewhere\.html[^]*one\.txt[^]*sha-256:/, "files are read where the table says");
  await session.leave(own);
  rmSync(folder, { recursive: true });
});

test("a folder is listed like by the command that repeats it: the same files, URIs and types", async () => {
  const folder = mkdtempSync(join(tmpdir(), "same-"));
  const types = readFileSync(join(root, "web/src/build/media-types.txt"), "utf8").split("\n").slice(1).flatMap((line) => line.split(" ").slice(1));
  const hidden = [".env", ".git/config", "sub/.hidden/a.txt"];
  const names = ["a (1).txt", "it's*here!.txt", "sub/図 &;=+,@.PNG", "README", "a.tar", "a.7z", "a.unknown", "a.tar.gz", "a.", ...types.map((ending) => `a.${ending}`)];
  for (const name of [...hidden, ...names]) {
    mkdirSync(dirname(join(folder, "files", name)), { recursive: true });
    writeFileSync(join(folder, "files", name), "x");
  }
  const page = await session.open({ hash: "#/build" });
  await page.setInputFiles("#build-folder", join(folder, "files"));
  await page.waitForSelector(".hidden-files");
  assert.match(await page.textContent(".folder-place"), new RegExp(`${names.length} files.*3 hidden files .* are left out`));
  await accessible(page, "hidden files", ".folder-place");
  await page.fill("#build-base", "https://example.org/files/");
  await built(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download resourcelist.xml" }).click()]);
  const entries = (path) => readFileSync(path, "utf8").match(/<url>[^]*?<\/url>/g).map((entry) => entry.replace(/\s+/g, " ")).sort();
  const [, ...options] = (await page.textContent(".built .command code")).split(" ");
  execFileSync(command, [...options, "--no-config", "--quiet"], { cwd: folder });
  const listed = entries(await download.path());
  assert.equal(listed.length, names.length);
  assert.deepEqual(listed, entries(join(folder, "public/resourcelist.xml")));
  await session.leave(page);
  rmSync(folder, { recursive: true });
});

test("what is dropped as the folder is one folder", async () => {
  const page = await session.open({ hash: "#/build" });
  for (const names of [["a.txt"], ["one", "two"]]) {
    mkdirSync(join(folder, "dropped/one"), { recursive: true });
    mkdirSync(join(folder, "dropped/two"), { recursive: true });
    for (const name of ["a.txt", "one/b.txt", "two/b.txt"]) writeFileSync(join(folder, "dropped", name), "b");
    await drop(page, ".folder-place", names.map((name) => join(folder, "dropped", name)));
    await page.waitForFunction(() => /Choose or drop one folder/.test(document.querySelector(".folder-place [role=alert]")?.textContent ?? ""));
    await page.reload();
    await page.waitForSelector(".folder-place button");
  }
  await drop(page, ".folder-place", [join(folder, "dropped/one")]);
  await page.waitForFunction(() => /1 file,/.test(document.querySelector(".folder-place")?.textContent ?? ""));
  await session.leave(page);
});

test("more than 50,000 resources are split, with an index", async () => {
  const page = await session.open({ hash: "#/build" });
  await page.evaluate((count) => {
    const text = document.querySelector("#build-uris");
    text.value = Array.from({ length: count }, (_, at) => `https://example.org/dataset/${at}`).join("\n");
    text.dispatchEvent(new Event("input"));
  }, 50_001);
  await page.fill("#build-base", "https://example.org/dataset/");
  await built(page);
  assert.equal(await page.locator(".made li").count(), 5);
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  assert.equal(await over(page, 60_000), "done");
  assert.equal(await page.textContent(".verdict h1"), "Valid");
  await session.leave(page);
});

test("what cannot be listed is refused with a reason and a remedy", async () => {
  const page = await session.open({ hash: "#/build" });
  await page.fill("#build-base", "https://example.org/dataset/");
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /Enter URIs or choose a folder first/);
  await page.fill("#build-uris", "not a uri\n");
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /Could not build the documents/);
  await accessible(page, "refused");
  // What the shown command would refuse.
  const listed = "https://example.org/dataset/a";
  await page.fill("#build-uris", listed);
  await page.getByLabel("Resource Dump: ").check();
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /Resource Dump needs the files of all resources/);
  await page.getByLabel("Resource Dump: ").uncheck();
  const source = join(folder, "published");
  mkdirSync(source);
  for (const name of ["a", "resourcelist.xml", "capabilitylist.xml"]) writeFileSync(join(source, name), name);
  for (const [lines, given, said] of [
    [`${listed}\n\n${listed}\n`, null, /dataset\/a is listed twice, in lines 1 and 3/],
    ["https://example.org/.well-known/resourcesync", null, /resourcesync has the URI of a document of the Source/],
    [listed, source, /dataset\/a is listed twice, in line 1 and in the folder/],
    ["", source, /other resources \(2 in all\) have URIs of documents of the Source/],
  ]) {
    await page.fill("#build-uris", lines);
    if (given) await page.setInputFiles("#build-folder", given);
    await built(page);
    assert.match(await page.textContent("[role=alert]"), said);
  }
  await page.fill("#build-base", "example.org");
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /ends with a slash/);
  await session.leave(page);
});

const text = (page, name) => page.locator(".made li", { has: page.locator("strong", { hasText: name }) }).locator("pre").textContent();

test("changes since an earlier list and a dump of the files come with the lists, and all of them as one ZIP", async () => {
  mkdirSync(join(folder, "files/sub"), { recursive: true });
  writeFileSync(join(folder, "files/kept.txt"), "kept");
  writeFileSync(join(folder, "files/sub/図.txt"), "new");
  const page = await session.open({ hash: "#/build" });
  await page.setInputFiles("#build-folder", join(folder, "files"));
  await page.fill("#build-base", "https://example.org/files/");
  await page.fill("#build-documents", "https://example.org/resourcesync/");
  const digest = createHash("sha256").update("kept").digest("hex");
  const earlier = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/>
    <url><loc>https://example.org/files/gone.txt</loc></url><url><loc>https://example.org/files/kept.txt</loc><rs:md hash="sha-256:${digest}" length="4" type="text/plain"/></url></urlset>`;
  await page.setInputFiles("#build-earlier", { name: "resourcelist.xml", mimeType: "application/xml", buffer: Buffer.from(earlier) });
  await page.getByLabel("Resource Dump: ").check();
  await page.getByLabel("Change Dump: ").check();
  await built(page);
  assert.deepEqual(await page.locator(".made strong").allTextContents(), [".well-known/resourcesync", "capabilitylist.xml", "resourcelist.xml", "changelist.xml",
    "changedump-0001.zip", "changedump.xml", "resourcedump-0001.zip", "resourcedump.xml"]);
  const changes = await text(page, "changelist.xml");
  assert.match(changes, /from="2026-01-01T00:00:00Z"/);
  assert.match(changes, /gone\.txt[\s\S]*change="deleted"/);
  assert.match(changes, /%E5%9B%B3\.txt[\s\S]*change="created"/);
  assert.doesNotMatch(changes, /kept\.txt/);
  await accessible(page, "built with changes and a dump");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download all" }).click()]);
  const zip = join(folder, "source.zip");
  await download.saveAs(zip);
  const out = join(folder, "unpacked");
  execFileSync("python3", ["-c", "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])", zip, out]);
  // The Change Dump contains what was created, and records what was deleted.
  const members = execFileSync(command, ["list", "--format", "json", join(out, "resourcesync/changedump-0001.zip")], { encoding: "utf8" });
  assert.match(members, /図\.txt/);
  assert.match(members, /gone\.txt/);
  assert.doesNotMatch(members, /kept\.txt/);
  // What was built is valid for the command too, as it would be published.
  execFileSync(command, ["validate", "--follow", "--base-uri", "https://example.org/", out], { stdio: "pipe" });
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".verdict h1"), "Valid");
  await session.leave(page);
});

test("an earlier index needs its lists, and does not count as a list; other documents are refused", async () => {
  const head = (kind) => `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:ln rel="up" href="https://example.org/capabilitylist.xml"/><rs:md capability="${kind}" at="2026-01-01T00:00:00Z" from="2026-01-01T00:00:00Z"/>`;
  const list = (name, kind = "resourcelist") => `<urlset ${head(kind)}<url><loc>https://example.org/${name}</loc></url></urlset>`;
  const index = `<sitemapindex ${head("resourcelist")}${["1.xml", "2.xml"].map((name) => `<sitemap><loc>https://example.org/${name}</loc></sitemap>`).join("")}</sitemapindex>`;
  const page = await session.open({ hash: "#/build" });
  await page.fill("#build-base", "https://example.org/");
  await page.fill("#build-uris", "https://example.org/a\nhttps://example.org/b\n");
  const tries = async (files) => {
    await page.setInputFiles("#build-earlier", Object.entries(files).map(([name, own]) => ({ name, mimeType: "application/xml", buffer: Buffer.from(own) })));
    await built(page);
    return (await page.locator(".made").count()) > 0 ? text(page, "changelist.xml") : page.textContent("[role=alert] .verdict");
  };
  assert.match(await tries({ "index.xml": index, "1.xml": list("a") }), /is an index\. Choose all its lists with it; https:\/\/example\.org\/2\.xml is missing/);
  assert.match(await tries({ "changes.xml": list("a", "changelist") }), /not a Resource List/);
  const changes = await tries({ "1.xml": list("a"), "index.xml": index, "2.xml": list("gone") });
  assert.deepEqual(changes.match(/<loc>[^<]*|change="\w+"/g), ["<loc>https://example.org/b", 'change="created"', "<loc>https://example.org/gone", 'change="deleted"']);
  await session.leave(page);
});

test("a line that cannot be listed is named and selected", async () => {
  const page = await session.open({ hash: "#/build" });
  await page.fill("#build-base", "https://example.org/dataset/");
  await page.fill("#build-uris", "https://example.org/dataset/a\n\nhttps://example.org/dataset/b 2026-13-01\n");
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /Line 3: /);
  assert.equal(await page.evaluate(() => document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)), "https://example.org/dataset/b 2026-13-01");
  await page.fill("#build-uris", "https://example.org/dataset/a\n");
  await page.setInputFiles("#build-earlier", { name: "x.xml", mimeType: "application/xml", buffer: Buffer.from("<x/>") });
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /not a Resource List|unexpected|not/);
  await session.leave(page);
});

test("a refused line is described in the language of the page", async () => {
  const page = await session.open({ hash: "#/build", lang: "ja" });
  await page.fill("#build-uris", "https://example.org/dataset/b 2026-13-01\n");
  await page.fill("#build-base", "https://example.org/dataset/");
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /1 行目: lastmod の値 2026-13-01 が W3C Datetime ではない/);
  assert.equal(await page.getAttribute("[role=alert] a", "href"), "#/rules/AT-01");
  await session.leave(page);
});

test("a Change Dump without files or an earlier list is refused with what it needs", async () => {
  const page = await session.open({ hash: "#/build" });
  await page.fill("#build-base", "https://example.org/dataset/");
  await page.fill("#build-uris", "https://example.org/dataset/new\n");
  await page.getByLabel("Change Dump: ").check();
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /needs an earlier Resource List and the files of all resources/);
  const earlier = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/></urlset>`;
  await page.setInputFiles("#build-earlier", { name: "resourcelist.xml", mimeType: "application/xml", buffer: Buffer.from(earlier) });
  mkdirSync(join(folder, "more"), { recursive: true });
  writeFileSync(join(folder, "more/a.txt"), "a");
  await page.setInputFiles("#build-folder", join(folder, "more"));
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /needs an earlier Resource List and the files of all resources/);
  assert.equal(await page.locator(".made").count(), 0);
  await session.leave(page);
});

test("what was built is saved to a folder, the documents that lead to others last", async () => {
  const page = await session.open({ own: true });
  // The private folder of the origin in place of the picker, which only a person can use.
  await page.addInitScript(() => {
    window.showDirectoryPicker = () => navigator.storage.getDirectory();
    window.order = [];
    const own = FileSystemDirectoryHandle.prototype.getFileHandle;
    FileSystemDirectoryHandle.prototype.getFileHandle = function (name, options) {
      window.order.push(name);
      return own.call(this, name, options);
    };
  });
  await page.goto(`${session.url}#/build`);
  await page.reload();
  await page.fill("#build-uris", "https://example.org/dataset/a.html\n");
  await page.fill("#build-base", "https://example.org/dataset/");
  await built(page);
  const preview = page.locator(".made li").first();
  await preview.locator("summary").click();
  await page.getByRole("button", { name: "Save to a folder" }).click();
  await page.waitForFunction(() => document.querySelector(".built [role=status]")?.textContent.startsWith("Saved to"));
  assert.deepEqual(await page.evaluate(() => window.order), ["resourcelist.xml", "capabilitylist.xml", "resourcesync"]);
  const text = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    return (await (await (await root.getDirectoryHandle(".well-known")).getFileHandle("resourcesync")).getFile()).text();
  });
  assert.equal(text.trim(), (await preview.locator("pre").textContent()).trim());
  await accessible(page, "saved");
  // Who closes the picker has saved nothing, and sees no error.
  await page.evaluate(() => {
    window.showDirectoryPicker = () => Promise.reject(new DOMException("closed", "AbortError"));
  });
  await built(page);
  await page.getByRole("button", { name: "Save to a folder" }).click();
  assert.equal(await page.textContent(".built [role=status]"), "");
  await session.leave(page);
});

const sitemap = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/a/1</loc><lastmod>2026-04-01</lastmod></url><url><loc>https://example.org/a/b/2</loc></url><url><loc>https://example.org/a/3</loc><lastmod>2024</lastmod></url><url><loc>ftp://example.org/4</loc></url></urlset>';
const shiftJis = Buffer.concat([Buffer.from([0x91, 0xe8, 0x96, 0xbc]), Buffer.from(",URL,"), Buffer.from([0x8d, 0x58, 0x90, 0x56, 0x93, 0xfa]), Buffer.from('\r\n"x, y",https://example.org/a/1,2026-04-01\r\nz,https://example.org/a/b/2,\r\n')]);

for (const [what, file, head, said, third] of [
  ["a Sitemap", { name: "sitemap.xml", mimeType: "application/xml", buffer: Buffer.from(sitemap) }, /This is a Sitemap.*lists 3 pages.*1 entry without a URI.*entry 4 \(ftp:\/\/example\.org\/4\)/, /No errors were found, but this is not a ResourceSync document/, "\nhttps://example.org/a/3\tlastmod:2024"],
  ["a table in Shift_JIS", { name: "list.csv", mimeType: "text/csv", buffer: shiftJis }, /a table or a list of URIs.*2 URIs were found.*read as Shift_JIS/, /cannot use this file as it is/, ""],
]) {
  test(`${what} is named as such, and leads to a Source with two clicks`, async () => {
    const page = await session.open();
    await give(page, file);
    await over(page);
    await page.waitForSelector(".guide");
    assert.match(await page.textContent(".guide"), head);
    assert.match(await page.textContent(".verdict .sentence"), said);
    await accessible(page, what);
    await page.locator(".guide button").click();
    await page.waitForSelector("#build-uris");
    assert.equal(await page.inputValue("#build-uris"), `https://example.org/a/1\t2026-04-01\nhttps://example.org/a/b/2${third}`);
    assert.equal(await page.inputValue("#build-base"), "https://example.org/a/");
    await page.locator("form button.primary").click();
    await page.waitForSelector(".made");
    // A year alone is no length.
    const times = (await text(page, "resourcelist.xml")).match(/<lastmod>[^<]*|length=/g);
    assert.deepEqual(times, ["<lastmod>2026-04-01", ...(third ? ["<lastmod>2024"] : [])]);
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  });
}

test("an index of Sitemaps, a spreadsheet and a ZIP file without a manifest say what to drop instead, and a broken document is none of them", async () => {
  const page = await session.open();
  const index = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.org/s.xml</loc></sitemap></sitemapindex>';
  for (const [name, text, said] of [["index.xml", index, /index of Sitemaps/], ["list.xlsx", "PK\u0003\u0004", /save.*as CSV/i],
    ["source.zip", archive([{ name: "resourcelist.xml", data: "" }]), /no manifest.*unpack it and drop the folder/]]) {
    await give(page, { name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
    await over(page);
    await page.waitForSelector(".guide");
    assert.match(await page.textContent(".guide"), said);
    await page.getByRole("button", { name: "Start over" }).click();
  }
  await give(page, { name: "broken.xml", mimeType: "application/xml", buffer: Buffer.from("<urlset><url>") });
  await over(page);
  await page.waitForSelector(".finding");
  assert.equal(await page.locator(".guide").count(), 0);
  assert.match(await page.textContent(".verdict .sentence"), /must be fixed/);
  await session.leave(page);
});

test("rows without a URI are counted and named, and values that are no dates are left out", async () => {
  const page = await session.open();
  // As spreadsheets in Europe write it.
  const table = '"Titel, Untertitel, Größe";url;date\nA;https://example.org/Größe;2026-04\nB;www.example.org/b;2026-04-02\nC;https://example.org/c;2026\nD;doi:10.1/x;\n"E\ne";;2026-04-01\nF;/path;\nG;https://example.org/élève;2026/13/45\n';
  await give(page, { name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(table, "latin1") });
  await over(page);
  await page.waitForSelector(".guide");
  assert.match(await page.textContent(".guide"), /3 URIs were found.*read as Windows-1252.*4 rows without a URI .* left out: line 3 \(www\.example\.org\/b\), line 5 \(doi:10\.1\/x\), line 6 \(empty\)….*1 value is not a valid date/s);
  await page.locator(".guide button.primary").click();
  assert.equal(await page.inputValue("#build-uris"), "https://example.org/Größe\t2026-04\nhttps://example.org/c\tlastmod:2026\nhttps://example.org/élève");
  await built(page);
  assert.equal(await page.locator(".made").count(), 1);
  await session.leave(page);
});

const MD5 = "1584abdf8ebdc9802ac0c6a7402c03b6";
const TABLE = `番号;リンク;更新日;ファイルサイズ;形式;MD5;備考\r\n1;https://example.org/a/図.pdf;2026/4/1;"1,234";application/pdf;${MD5};よい\r\n2;https://example.org/a/2.pdf;昨日;99;PDF;;\r\n`;

test("columns of a table are recognised by Japanese headings, previewed, corrected by hand, and become entries", async () => {
  const page = await session.open({ lang: "ja" });
  await give(page, { name: "一覧.csv", mimeType: "text/csv", buffer: Buffer.from(`\ufeff${TABLE}`, "utf16le") });
  await over(page);
  await page.waitForSelector(".guide table select");
  const roles = () => page.locator(".guide select").evaluateAll((all) => all.map(({ value }) => value));
  assert.deepEqual(await roles(), ["none", "uri", "lastmod", "length", "type", "md5", "none"]);
  assert.match(await page.textContent(".guide table"), /2026\/4\/1.*1,234/s);
  // A word is no date, and `PDF` no media type.
  assert.match(await page.textContent(".guide"), /読み取れない値が 2 件/);
  await accessible(page, "columns", ".guide");
  for (const width of [1440, 375, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await fits(page, `${width} px`);
  }
  await page.locator(".guide select").nth(4).selectOption("none");
  await page.waitForFunction(() => /読み取れない値が 1 件/.test(document.querySelector(".guide")?.textContent ?? ""));
  assert.deepEqual(await roles(), ["none", "uri", "lastmod", "length", "none", "md5", "none"]);
  await page.locator(".guide button.primary").click();
  await page.locator("form button.primary").click();
  await page.waitForSelector(".made");
  const list = page.locator(".made li", { has: page.locator("strong", { hasText: /^resourcelist\.xml$/ }) });
  const [download] = await Promise.all([page.waitForEvent("download"), list.getByRole("button").first().click()]);
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, new RegExp(`<loc>https://example.org/a/%E5%9B%B3.pdf</loc>\\s*<lastmod>2026-04-01</lastmod>\\s*<rs:md hash="md5:${MD5}" length="1234"/>`));
  assert.match(text, /2\.pdf<\/loc>\s*<rs:md length="99"\/>/);
  await session.leave(page);
});
