// Drives Firefox and WebKitGTK by WebDriver.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Ui } from "./test/ui.mjs";

/** How each driver is started, on a port. */
const DRIVERS = {
  webkit: (port) => ({
    start: ["xvfb-run", ["-a", "-s", "-screen 0 1600x1400x24", "WebKitWebDriver", `--port=${port}`, "--host=127.0.0.1"]],
    // The sandbox of WebKitGTK does not start as root.
    env: process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" } : {},
    capabilities: { "webkitgtk:browserOptions": { binary: process.env.MINIBROWSER ?? "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", args: ["--automation"] } },
  }),
  firefox: (port, forced) => ({
    start: ["geckodriver", ["--port", String(port), "--host", "127.0.0.1"]],
    env: {},
    capabilities: { browserName: "firefox", "moz:firefoxOptions": {
      binary: process.env.FIREFOX ?? "/usr/bin/firefox-esr", args: ["-headless"],
      // 2: the colours of the system, or of the user, in place of those of the page.
      prefs: { "browser.display.document_color_use": forced ? 2 : 0, "layout.css.forced-colors.enabled": true },
    } },
  }),
};

const KEYS = { Tab: "\ue004", Enter: "\ue007", Escape: "\ue00c", ArrowDown: "\ue015", ArrowRight: "\ue014" };

/** Starts a driver and its browser; `close` ends both. */
export async function launch(name, url, { forced = false } = {}) {
  const port = 4_500 + (process.pid % 1_000);
  const { start, env, capabilities } = DRIVERS[name](port, forced);
  const driver = spawn(...start, { env: { ...process.env, ...env }, stdio: "ignore", detached: true });
  const failed = new Promise((_, reject) => driver.once("error", () => reject(new Error(`${start[0]} is not installed`))));
  failed.catch(() => undefined);
  const ui = new WebDriverUi(port, url, driver);
  for (let left = 100; ; left--) {
    try {
      await Promise.race([failed, ui.start(capabilities)]);
      return ui;
    } catch (error) {
      if (left === 0 || driver.pid === undefined) {
        await ui.close();
        throw error;
      }
      await new Promise((done) => setTimeout(done, 200));
    }
  }
}

class WebDriverUi extends Ui {
  #session = "";
  constructor(port, url, driver) {
    super();
    Object.assign(this, { port, url, driver });
  }
  async #call(method, path, body) {
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, { method, headers: { "content-type": "application/json" }, ...(body && { body: JSON.stringify(body) }) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }
  async start(capabilities) {
    const { sessionId, capabilities: own } = await this.#call("POST", "/session", { capabilities: { alwaysMatch: capabilities } });
    this.#session = `/session/${sessionId}`;
    this.version = `${own.browserName} ${own.browserVersion}`;
  }
  run(script, ...args) {
    return this.#call("POST", `${this.#session}/execute/sync`, { script, args });
  }
  async give(selector, ...files) {
    for (let left = 3; ; left--) {
      const element = Object.values(await this.#call("POST", `${this.#session}/element`, { using: "css selector", value: selector }))[0];
      try {
        return await this.#call("POST", `${this.#session}/element/${element}/value`, { text: files.join("\n") });
      } catch (error) {
        // The view was drawn again between the two calls.
        if (left === 0 || !/stale element/.test(error.message)) throw error;
      }
    }
  }
  async type(text) {
    for (const key of text) await this.press(key);
  }
  async press(key) {
    const value = KEYS[key] ?? key;
    await this.#call("POST", `${this.#session}/actions`, { actions: [{ type: "key", id: "keyboard", actions: [{ type: "keyDown", value }, { type: "keyUp", value }] }] });
  }
  async resize({ width, height }) {
    const rect = `${this.#session}/window/rect`;
    await this.#call("POST", rect, { width, height });
    // The window has edges and bars.
    const [inner, outer] = await this.run("return [[innerWidth, innerHeight], [outerWidth, outerHeight]]");
    await this.#call("POST", rect, { width: width + outer[0] - inner[0], height: height + outer[1] - inner[1] });
  }
  async forget(choices) {
    await this.go("");
    // The page holds its database open, so that it can only be emptied.
    await this.run(`
      localStorage.setItem("resourcesync-page", arguments[0]);
      sessionStorage.clear();
      return new Promise((done) => {
        const request = indexedDB.open("resourcesync-page");
        request.onupgradeneeded = () => request.transaction.abort();
        request.onerror = () => done();
        request.onsuccess = () => {
          const all = request.result.transaction([...request.result.objectStoreNames], "readwrite");
          for (const name of request.result.objectStoreNames) all.objectStore(name).clear();
          all.oncomplete = all.onabort = () => done(request.result.close());
        };
      });`, choices);
    await this.#call("POST", `${this.#session}/url`, { url: "about:blank" });
  }
  async go(hash) {
    await this.#call("POST", `${this.#session}/url`, { url: this.url + hash });
  }
  async shot(path) {
    // The driver takes what was drawn last.
    await this.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))));");
    writeFileSync(path, Buffer.from(await this.#call("GET", `${this.#session}/screenshot`), "base64"));
  }
  async close() {
    if (this.#session) await this.#call("DELETE", this.#session).catch(() => undefined);
    // The driver and what it started are one group.
    if (this.driver.pid) process.kill(-this.driver.pid);
  }
}
