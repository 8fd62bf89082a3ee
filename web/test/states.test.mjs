// Every state of the page in Chromium: accessible, nothing cut off, every control reached by Tab. Each state is reached in two looks
// that differ in language, theme and width, and shown at every width and on paper; `scripts/web --browser` reaches all states in all looks and browsers.

import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { start } from "./page.mjs";
import { byKeyboard, inputs, STATES } from "./states.mjs";
import { PlaywrightUi, SIZES } from "./ui.mjs";

const LOOKS = [
  [{ lang: "en", theme: "light", size: "wide" }, { lang: "ja", theme: "dark", size: "narrow" }],
  [{ lang: "ja", theme: "light", size: "laptop" }, { lang: "en", theme: "dark", size: "smallest" }],
  [{ lang: "en", theme: "dark", size: "tablet" }, { lang: "ja", theme: "light", size: "zoomed" }],
];

let session;
let folder;
let given;
before(async () => {
  session = await start();
  folder = mkdtempSync(join(tmpdir(), "page-"));
  given = inputs(folder);
});
after(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const [at, [name, state]] of Object.entries(STATES).entries()) {
  test(`state: ${name}`, async () => {
    const page = await session.open();
    const ui = new PlaywrightUi(page, session.url);
    for (const look of LOOKS[at % LOOKS.length]) {
      const what = `${name}: ${Object.values(look).join(", ")}`;
      await ui.open(look, state.hash);
      await state.at(ui, given);
      assert.equal(await page.getAttribute("html", "lang"), look.lang);
      await ui.fits(what);
      await ui.accessible(what, state.within);
      if (look.lang === "en") await ui.reachable(what);
      await ui.fitsAll(what);
      await ui.resize(SIZES.tablet);
      await page.emulateMedia({ media: "print" });
      await ui.fits(`${what}, on paper`);
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(251, 251, 249)", "paper is light");
      await page.emulateMedia({ media: null });
    }
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  });
}

for (const name of ["start", "report with errors", "finding, opened", "repairs", "editor", "valid document", "whole Source, with map and timeline", "valid after filters", "rule", "build, done"]) {
  test(`wide spacing loses nothing: ${name}`, async () => {
    const page = await session.open();
    const ui = new PlaywrightUi(page, session.url);
    for (const lang of ["en", "ja"]) {
      await ui.open({ lang, theme: "light", size: "wide" }, STATES[name].hash);
      await STATES[name].at(ui, given);
      await ui.space();
      await ui.fits(`${name}, ${lang}, wide spacing`);
    }
    await session.leave(page);
  });
}

test("everything is done with the keyboard alone", async () => {
  const page = await session.open();
  const ui = new PlaywrightUi(page, session.url);
  await ui.open({ lang: "en", theme: "light", size: "wide" });
  await byKeyboard(ui);
  assert.deepEqual(page.complaints, []);
  await session.leave(page);
});
