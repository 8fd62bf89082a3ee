// Checks every state of the built page in a browser: `node browsers.mjs FOLDER|FILE.html chromium|firefox|webkit [OPTIONS]`. A file is opened from disk.
//
//   --look en,dark,narrow   only some languages, themes and widths
//   --state TEXT            only states whose name contains the text
//   --forced                with forced colours (Chromium and Firefox)
//   --shots FOLDER          also writes screenshots, in Chromium also those of paper
//
// Firefox needs Debian's firefox-esr and geckodriver, WebKit needs webkit2gtk-driver and xvfb.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { serve } from "./serve.mjs";
import { byKeyboard, inputs, MORE_STATES, STATES } from "./test/states.mjs";
import { LOOKS } from "./test/ui.mjs";

const { values: options, positionals: [site = "dist", browser = "chromium"] } = parseArgs({
  allowPositionals: true, options: { look: { type: "string", default: "" }, state: { type: "string", default: "" }, forced: { type: "boolean" }, shots: { type: "string" } },
});

/** Opens a browser. */
async function open(url) {
  if (browser !== "chromium") return (await import("./webdriver.mjs")).launch(browser, url, options);
  const { chromium } = await import("playwright-core");
  const { PlaywrightUi } = await import("./test/ui.mjs");
  const own = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await own.newContext({ serviceWorkers: "block", forcedColors: options.forced ? "active" : "none" });
  return Object.assign(new PlaywrightUi(await context.newPage(), url), { version: `Chromium ${own.version()}`, close: () => own.close() });
}

const folder = mkdtempSync(join(tmpdir(), "page-"));
const server = site.endsWith(".html") ? { url: pathToFileURL(resolve(site)).href, close() {} } : await serve(resolve(site));
const given = inputs(folder);
const words = options.look.split(",").filter(Boolean);
const looks = LOOKS.filter((look) => ["lang", "theme", "size"].every((part) => {
  const known = new Set(LOOKS.map((own) => own[part]));
  const asked = words.filter((word) => known.has(word));
  return asked.length === 0 || asked.includes(look[part]);
}));
if (options.shots) mkdirSync(options.shots, { recursive: true });
let [passed, failed] = [0, 0];
const ui = await open(server.url).catch((error) => {
  console.error(`${browser}: ${error.message}`);
  process.exit(2);
});
ui.forced = options.forced ?? false;
// An interrupted run ends its browser.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void ui.close().finally(() => process.exit(1)));
try {
  console.log(ui.version);
  for (const [name, { hash, at, within }] of Object.entries({ ...STATES, ...MORE_STATES, "keyboard alone": { at: byKeyboard } })) {
    if (!name.includes(options.state)) continue;
    const before = failed;
    for (const look of looks) {
      const what = `${name}: ${Object.values(look).join(", ")}`;
      try {
        await ui.open(look, hash);
        await at(ui, given);
        if (options.shots) await ui.shot(join(options.shots, `${name.replaceAll(/\W+/g, "-")}_${Object.values(look).join("-")}${options.forced ? "-forced" : ""}.png`));
        // Paper has one width, whatever that of the window is.
        if (options.shots && look.size === "wide") await ui.paper?.(join(options.shots, `${name.replaceAll(/\W+/g, "-")}_${look.lang}-${look.theme}-paper.png`));
        await ui.fits(what);
        await ui.accessible(what, within);
        // The order of Tab does not depend on language and theme.
        if (look.lang === "en" && look.theme === "light" && ["wide", "narrow"].includes(look.size)) await ui.reachable(what);
        passed += 1;
      } catch (error) {
        failed += 1;
        console.log(`not ok: ${what}: ${error.message}`);
        if (options.shots) await ui.shot(join(options.shots, `failed-${failed}.png`)).catch(() => undefined);
      }
    }
    console.log(`${failed > before ? "not ok" : "ok"}: ${name}: ${looks.length - failed + before} of ${looks.length} looks`);
  }
} finally {
  await ui.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`test result: ${failed > 0 ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
