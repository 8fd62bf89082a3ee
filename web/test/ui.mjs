// What the states of the page need from a browser; drivers of browsers supply `run`, `give`, `press`, `go` and `resize`.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Widths of a desktop, a laptop, a tablet, a phone and the smallest phone; the desktop at 200 % zoom has half its pixels. */
export const SIZES = {
  wide: { width: 1440, height: 900 }, laptop: { width: 1024, height: 768 }, zoomed: { width: 720, height: 450 },
  tablet: { width: 768, height: 1024 }, narrow: { width: 375, height: 812 }, smallest: { width: 320, height: 640 },
};

/** The spacing of text that WCAG 1.4.12 requires pages to bear. */
const SPACING = "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }";

/** Every language, theme and width. */
export const LOOKS = ["en", "ja"].flatMap((lang) => ["light", "dark"].flatMap((theme) => Object.keys(SIZES).map((size) => ({ lang, theme, size }))));

export class Ui {
  /** Colours are forced, and those of the stylesheet have no meaning for contrast. */
  forced = false;

  /** Opens the page as it is on the first visit, with a language and a theme. */
  async open({ lang, theme, size }, hash = "") {
    await this.resize(SIZES[size]);
    await this.forget(JSON.stringify({ lang, theme, shortcuts: true, keep: true }));
    await this.go(hash);
    await this.see("main > *");
  }

  async until(what, script, ...args) {
    for (let left = 300; left > 0; left--) {
      const value = await this.run(script, ...args).catch(() => null);
      if (value) return value;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`${what}: it did not happen; the page has: ${await this.run("return document.querySelector('main')?.innerText.slice(0, 300)")}`);
  }

  see(selector) {
    return this.until(selector, "return document.querySelector(arguments[0])", selector);
  }

  /** Clicks the first element that matches; `text` is part of its text. */
  async click(selector, text = "") {
    await this.until(`${selector} ${text}`, "const own = [...document.querySelectorAll(arguments[0])].find((one) => one.textContent.includes(arguments[1])); own?.click(); return own !== undefined;", selector, text);
  }

  async set(selector, value) {
    await this.see(selector);
    await this.run("const field = document.querySelector(arguments[0]); field.value = arguments[1]; field.dispatchEvent(new Event('input')); field.dispatchEvent(new Event('change'));", selector, value);
  }

  /** Waits for the end of a run. */
  phase(name = "done") {
    return this.see(`.check[data-phase=${name}]`);
  }

  /** Presses Tab until an element has the focus. */
  async tabTo(selector) {
    for (let left = 150; left > 0; left--) {
      await this.press("Tab");
      if (await this.run("return document.activeElement.matches(arguments[0])", selector)) return;
    }
    throw new Error(`Tab does not lead to ${selector}`);
  }

  /** Checks the page for WCAG 2.2 AA, as far as that can be automated. */
  async accessible(what, within = "html") {
    // Content that the browser skips overflows its box, and would seem to cover what follows.
    await this.run("const sheet = new CSSStyleSheet(); sheet.replaceSync('* { content-visibility: visible !important; }'); document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];");
    await this.run(`if (!window.axe) { ${axe} } window.found = null; window.axe.run(${JSON.stringify(within)}, { runOnly: ${JSON.stringify(TAGS)}, rules: { "color-contrast": { enabled: ${!this.forced} } } }).then(({ violations }) => (window.found = violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + " – " + node.failureSummary?.split("\\n")[1]?.trim()).join(" | "))), (error) => (window.found = [String(error)]));`);
    assert.deepEqual(await this.until(what, "return window.found"), [], what);
  }

  /** Nothing overflows the page, no text is a placeholder, and no label is cut off. */
  async fits(what) {
    const { wide, window, odd, out, cut } = await this.run(`
      const text = [...document.querySelectorAll("header, main > *, dialog")].filter((one) => !one.querySelector(".rule-list")).map((one) => one.innerText).join("\\n");
      const shown = [...document.querySelectorAll("main button, main a, main summary, main label, main h1, main h2, main h3, header *, dialog :not(input)")].filter((one) => one.checkVisibility());
      return {
        wide: document.documentElement.scrollWidth, window: document.documentElement.clientWidth,
        odd: text.match(/\\{\\w+\\}|undefined|\\[object|NaN/)?.[0] ?? null,
        // A field may be wider than its card and still fit the window. What scrolls contains what is wider.
        out: [...document.querySelectorAll("main :is(p, label, input, select, textarea, button, h2, h3, pre, dd, svg), dialog[open] :is(p, label, input, select, button)")].filter((one) => {
          if (!one.checkVisibility() || one.closest(".unseen, .skip, [hidden]")) return false;
          for (let own = one.parentElement; own; own = own.parentElement) {
            if (getComputedStyle(own).overflowX !== "visible") return false;
            if (own.matches(".card, .pane, .note, .verdict, dialog, section")) return one.getBoundingClientRect().right > own.getBoundingClientRect().right + 1;
          }
          return false;
        }).map((one) => one.outerHTML.slice(0, 160)),
        cut: shown.filter((one) => !one.title && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1 && /hidden|clip/.test(getComputedStyle(one).overflowX) && !one.closest(".unseen, .skip")).map((one) => one.outerHTML.slice(0, 160)),
      };`);
    assert.ok(wide <= window, `${what}: ${wide} px wide in ${window} px`);
    assert.equal(odd, null, what);
    assert.deepEqual(out, [], `${what}: beyond its card`);
    assert.deepEqual(cut, [], `${what}: cut off`);
  }

  /** The same at every width, from the state that was reached at one of them. */
  async fitsAll(what) {
    for (const [name, size] of Object.entries(SIZES)) {
      await this.resize(size);
      // What is drawn for its width is drawn again.
      await this.until("drawn", "window.drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => (window.drawn = true))); return true");
      await this.until("drawn", "return window.drawn");
      await this.fits(`${what}, ${name}`);
    }
  }

  /** Spaces the text of the page wider, like the stylesheet of a reader. */
  async space() {
    await this.run("const sheet = new CSSStyleSheet(); sheet.replaceSync(arguments[0]); document.adoptedStyleSheets = [sheet];", SPACING);
  }

  /** Tab reaches every control in view, and shows where it is. */
  async reachable(what) {
    const count = await this.run(`
      const root = document.querySelector("dialog[open]") ?? document;
      const all = [...root.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }));
      window.left = new Set(all);
      window.unmarked = [];
      window.covered = [];
      window.onfocusin = null;
      document.addEventListener("focusin", (window.onreach = ({ target }) => {
        window.left.delete(target);
        // The frame of a field may show it for the field.
        const isMarked = [target, target.parentElement].some((one) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(one);
          return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
        });
        // A window in the background shows no focus.
        if (!isMarked && document.hasFocus()) window.unmarked.push(target.outerHTML.slice(0, 120));
        requestAnimationFrame(() => {
          if (document.activeElement !== target || !document.hasFocus()) return;
          const isSeen = () => {
            const { left, right, top, bottom } = target.getBoundingClientRect();
            const points = [[(left + right) / 2, (top + bottom) / 2], [left + 3, top + 3], [right - 3, bottom - 3], [left + 3, bottom - 3], [right - 3, top + 3]];
            return points.some(([x, y]) => target.contains(document.elementFromPoint(x, y)));
          };
          if (isSeen()) return;
          // Some browsers scroll to the focus after this frame.
          target.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
          if (!isSeen()) window.covered.push(target.outerHTML.slice(0, 120));
        });
      }), true);
      // WebKit reports no focus of a field that consists of several, such as one for a moment.
      window.onreached = () => window.left.has(document.activeElement) && window.onreach({ target: document.activeElement });
      document.addEventListener("keyup", window.onreached, true);
      all[0]?.focus();
      return all.length;`);
    // Browsers add stops of their own, such as areas that scroll.
    const most = Math.min(Math.ceil(count * 1.3) + 10, 100);
    for (let pressed = 0; pressed < most; pressed++) await this.press("Tab");
    const { left, unmarked, covered } = await this.run(`
      document.removeEventListener("focusin", window.onreach, true);
      document.removeEventListener("keyup", window.onreached, true);
      return { left: [...window.left].filter((one) => one.isConnected).map((one) => one.outerHTML.slice(0, 120)), unmarked: window.unmarked, covered: window.covered };`);
    if (count < most) assert.deepEqual(left, [], `${what}: Tab does not reach`);
    assert.deepEqual(unmarked, [], `${what}: focus is not visible`);
    assert.deepEqual(covered, [], `${what}: focus is covered`);
  }
}

/** Chromium, driven by Playwright. */
export class PlaywrightUi extends Ui {
  constructor(page, url) {
    super();
    Object.assign(this, { page, url });
  }
  run(script, ...args) {
    return this.page.evaluate(`(function () { ${script} }).apply(null, ${JSON.stringify(args)})`);
  }
  give(selector, ...files) {
    return this.page.setInputFiles(selector, files);
  }
  press(key) {
    return this.page.keyboard.press(key);
  }
  type(text) {
    return this.page.keyboard.type(text);
  }
  resize(size) {
    return this.page.setViewportSize(size);
  }
  async forget(choices) {
    await this.page.goto(this.url);
    await this.run("localStorage.setItem('resourcesync-page', arguments[0]); sessionStorage.clear(); indexedDB.deleteDatabase('resourcesync-page');", choices);
    await this.page.goto("about:blank");
  }
  async go(hash) {
    await this.page.goto(this.url + hash);
  }
  shot(path) {
    return this.page.screenshot({ path, fullPage: true });
  }
  /** The page as it is printed, in the width of A4. */
  async paper(path) {
    const size = this.page.viewportSize();
    await this.resize({ width: 794, height: 1123 });
    await this.page.emulateMedia({ media: "print" });
    await this.run("dispatchEvent(new Event('beforeprint'));");
    await this.shot(path);
    await this.run("dispatchEvent(new Event('afterprint'));");
    await this.page.emulateMedia({ media: null });
    await this.resize(size);
  }
}
