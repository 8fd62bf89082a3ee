// Runs the main states of the built page in browsers with a WebDriver: `node browsers.mjs FOLDER [webkit|firefox]`.
//
// Chromium has its own, larger tests in test/. This needs Debian's webkit2gtk-driver and xvfb, or firefox-esr and geckodriver.

import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "./serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [site = "dist", wanted = "webkit"] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const port = 4_500 + (process.pid % 1_000);

const DRIVERS = {
  webkit: {
    start: ["xvfb-run", ["-a", "-s", "-screen 0 1600x1200x24", "WebKitWebDriver", `--port=${port}`, "--host=127.0.0.1"]],
    // The sandbox of WebKitGTK does not start as root.
    env: process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" } : {},
    capabilities: { "webkitgtk:browserOptions": { binary: process.env.MINIBROWSER ?? "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", args: ["--automation"] } },
  },
  firefox: {
    start: ["geckodriver", ["--port", String(port), "--host", "127.0.0.1"]],
    env: {},
    capabilities: { browserName: "firefox", "moz:firefoxOptions": { binary: process.env.FIREFOX ?? "/usr/bin/firefox-esr", args: ["-headless"] } },
  },
};

const { start, env, capabilities } = DRIVERS[wanted];
const driver = spawn(...start, { env: { ...process.env, ...env }, stdio: "ignore", detached: true });
const server = await serve(resolve(site));
const folder = mkdtempSync(join(tmpdir(), "page-"));
let session = "";

async function call(method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
  return value;
}
const run = (script, ...args) => call("POST", `${session}/execute/sync`, { script, args });
const find = async (selector) => Object.values(await call("POST", `${session}/element`, { using: "css selector", value: selector }))[0];
const click = async (selector) => run("document.querySelector(arguments[0]).click()", selector);
const give = async (selector, file) => call("POST", `${session}/element/${await find(selector)}/value`, { text: file });

/** Waits until a script returns something true. */
async function until(what, script, ...args) {
  for (let left = 150; left > 0; left--) {
    const value = await run(script, ...args).catch(() => null);
    if (value) return value;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`${what}: not within 30 s`);
}
const text = (what, selector, part) => until(what, "return document.querySelector(arguments[0])?.textContent.includes(arguments[1])", selector, part).catch(async (error) => {
  throw new Error(`${error.message}, but: ${await run("return document.querySelector(arguments[0])?.textContent.slice(0, 300)", selector)}`);
});

/** Checks the page for WCAG 2.2 AA, as far as that can be automated. */
async function accessible(what) {
  await run(`${axe}; window.found = null; axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }).then(({ violations }) => (window.found = violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 120))), (error) => (window.found = [String(error)]));`);
  assert.deepEqual(await until(what, "return window.found"), [], what);
}

const STATES = {
  async "a report with its source"() {
    await give("#files", join(here, "samples/changelist.xml"));
    await text("verdict", ".verdict h1", "Invalid");
    await until("source", "return document.querySelector('.source mark.shown')");
    await accessible("report");
  },
  async "repairs, applied and undone"() {
    await click("button.fix");
    await until("diff", "return document.querySelector('.fix-outcome .diff')");
    await accessible("repairs");
    await click(".fix-outcome button.primary");
    await until("undo", "return document.querySelector('.undo button')");
    await click(".undo button");
    await until("undone", "return !document.querySelector('.undo') && document.querySelector('.verdict h1')");
  },
  async "a text that is edited"() {
    await click("[data-edit]");
    await until("editor", "return document.querySelector('#edit-text')");
    await run("const area = document.querySelector('#edit-text'); area.value = '<urlset'; area.dispatchEvent(new Event('input'));");
    await text("checked again", ".findings", "GEN-01");
    await accessible("editor");
  },
  async "another language, and a reload"() {
    await click("#language");
    await text("language", ".verdict h1", "不適合");
    await call("POST", `${session}/refresh`, {});
    await text("reloaded", ".verdict h1", "不適合");
    await click("#language");
    await text("language", ".verdict h1", "Invalid");
  },
  async "a package, with its table"() {
    await click(".verdict > .buttons > button:last-child");
    await until("start", "return document.querySelector('.drop')");
    await give("#files", join(here, "samples/resourcedump.zip"));
    await text("verdict", ".inputs", "resourcedump.zip");
    await click(".tables summary");
    await text("table", ".table-place", "Differs");
    await accessible("table");
  },
  async "a whole Source, with map and timeline"() {
    await click(".verdict > .buttons > button:last-child");
    await until("start", "return document.querySelector('.samples')");
    await run("document.querySelectorAll('.columns .samples button')[3].click()");
    await until("map", "return document.querySelector('.map-node')");
    await run("document.querySelector('.map').open = true; document.querySelector('.timeline > summary').click()");
    await until("timeline", "return document.querySelector('.timeline svg[role=img]')");
    await accessible("map");
  },
  async "the rules and the build view"() {
    await run("location.hash = '#/rules/RL-03'");
    await until("rule", "return document.querySelector('.rule-page .example')");
    await run("location.hash = '#/build'");
    await until("build", "return document.querySelector('#build-uris')");
    await run(`for (const [id, value] of [['build-uris', 'https://example.org/a'], ['build-base', 'https://example.org/']]) {
      const field = document.getElementById(id); field.value = value; field.dispatchEvent(new Event('input')); } document.querySelector('form button[type=submit]').click();`);
    await until("built", "return document.querySelectorAll('.made li').length === 3");
    await accessible("build");
  },
};

let failed = 0;
try {
  for (let left = 50; ; left--) {
    try {
      const { sessionId, capabilities: own } = await call("POST", "/session", { capabilities: { alwaysMatch: capabilities } });
      session = `/session/${sessionId}`;
      console.log(`${own.browserName} ${own.browserVersion}`);
      break;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((done) => setTimeout(done, 200));
    }
  }
  await call("POST", `${session}/window/rect`, { width: 1440, height: 1000 }).catch(() => undefined);
  await call("POST", `${session}/url`, { url: `${server.url}?lang=en` });
  await until("start", "return document.querySelector('.drop')");
  if (await run("return document.documentElement.lang") !== "en") await click("#language");
  for (const [name, state] of Object.entries(STATES)) {
    try {
      await state();
      console.log(`ok: ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`failed: ${name}: ${error.message}`);
      const shot = join(folder, "shot.png");
      writeFileSync(shot, Buffer.from(await call("GET", `${session}/screenshot`).catch(() => ""), "base64"));
      if (process.env.SHOTS) writeFileSync(join(process.env.SHOTS, `${wanted}-${failed}.png`), readFileSync(shot));
    }
  }
} finally {
  if (session) await call("DELETE", session).catch(() => undefined);
  // The driver and what it started are one group.
  process.kill(-driver.pid);
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
