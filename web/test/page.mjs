// Opens the built page in Chromium for the tests: one browser and one server for each file of tests. Where Chromium is installed without its windows,
// too, that is used: it starts in half the time. hub.test.mjs and scripts/web --browser use the whole browser.

import { strict as assert } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Chromium without windows, as Debian packages it. */
const SHELL = "/usr/bin/chromium-headless-shell";

/** The root of the repository. */
export const root = join(here, "../..");
/** The built page. */
export const dist = process.env.PAGE_DIST ?? join(here, "../dist");
/** The command, to compare with. */
export const command = process.env.RESOURCESYNC ?? join(root, "target/debug/resourcesync");
/** A sample. */
export const sample = (name) => join(here, "../samples", name);

export const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** Starts server and browser; `close` ends both. */
export async function start(folder = dist) {
  assert.ok(existsSync(join(folder, "index.html")), "build the page first: scripts/web --build");
  const server = await serve(folder);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : "/usr/bin/chromium"),
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const idle = new Map();
  return {
    url: server.url,
    browser,
    /**
     * The page as on a first visit; its errors are in `page.complaints`. What a test that left it, with the same options, changed is undone: starting a process
     * and reading all files again takes half the time of most tests. With `own` nothing is shared, for tests that change more than a page keeps.
     */
    async open({ lang = "en", theme = "light", size = "desktop", hash = "", workers = "block", permissions = [], zone, keep = true, own = workers !== "block" } = {}) {
      const kind = JSON.stringify([lang, theme, permissions, zone, keep]);
      let page = own ? undefined : idle.get(kind)?.pop();
      if (!page) {
        const context = await browser.newContext({ locale: lang, colorScheme: theme, serviceWorkers: workers, acceptDownloads: true, permissions, ...(zone && { timezoneId: zone }) });
        // The question whether checks are kept is answered, as after the first visit; `null` leaves it open.
        if (keep !== null) await context.addInitScript((keep) => location.protocol === "http:" && (localStorage["resourcesync-page"] ??= JSON.stringify({ keep })), keep);
        page = await context.newPage();
        page.kind = own ? undefined : kind;
      }
      await page.setViewportSize(SIZES[size] ?? size);
      page.complaints = [];
      page.on("pageerror", (error) => page.complaints.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !message.text().includes("Service Worker")) page.complaints.push(message.text());
      });
      await page.goto(server.url + hash);
      await page.waitForSelector("main > *");
      return page;
    },
    /** Ends the use of a page. */
    async leave(page) {
      if (page.kind === undefined) return page.context().close();
      page.removeAllListeners();
      await page.unrouteAll();
      await page.emulateMedia({ media: null, colorScheme: JSON.parse(page.kind)[1], reducedMotion: null, forcedColors: null, contrast: null });
      // Of the same origin, and without scripts.
      await page.goto(`${server.url}nothing`);
      await page.evaluate(() => [sessionStorage, localStorage].forEach((storage) => storage.clear()));
      const cdp = await page.context().newCDPSession(page);
      await cdp.send("Storage.clearDataForOrigin", { origin: new URL(server.url).origin, storageTypes: "all" });
      await cdp.send("Page.resetNavigationHistory");
      await cdp.detach();
      idle.set(page.kind, [...(idle.get(page.kind) ?? []), page]);
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** Passes files to the page, like the file chooser. */
export async function give(page, files) {
  await page.setInputFiles("#files", files);
}

/** Makes the browser's folder picker, which no driver can operate, return a folder: its handle comes from dropping the folder on the page. */
export async function picking(page, folder) {
  await page.evaluate(() => {
    const handle = new Promise((resolve) => addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      resolve(event.dataTransfer.items[0].getAsFileSystemHandle());
    }, { capture: true, once: true }));
    window.showDirectoryPicker = () => handle;
  });
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await cdp.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
  await page.evaluate(() => window.showDirectoryPicker().then(() => document.body.classList.remove("dropping")));
}

/** Drops files and folders on an element, which no event of a script can. */
export async function drop(page, selector, files) {
  const { x, y, width, height } = await page.locator(selector).boundingBox();
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await cdp.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + height / 2, data });
}

/** Waits for the end of a run, and returns its result. */
export async function over(page, timeout = 30_000) {
  await page.waitForSelector(".check:not([data-phase=empty]):not([data-phase=running])", { timeout });
  return page.getAttribute(".check", "data-phase");
}

/** Checks the page for WCAG 2.2 AA, as far as that can be automated. */
export async function accessible(page, what, within = "html") {
  // The policy of the page blocks scripts added by URL; this one is injected by the debugger.
  await page.evaluate(axe);
  const { violations } = await page.evaluate((within) => window.axe.run(within, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }), within);
  const said = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} – ${node.failureSummary?.split("\n")[1]?.trim()}`).join(" | ")}`);
  assert.deepEqual(said, [], what);
}

/** Asserts that nothing overflows the page horizontally. */
export async function fits(page, what) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= window, `${what}: ${wide} px wide in ${window} px`);
}
