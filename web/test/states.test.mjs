// Every state of the page in Chromium: accessible, nothing cut off, every control reached by Tab. Each state is shown in two looks
// that differ in language, theme and width; `scripts/web --browser` shows all states in all looks and browsers.

import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { start } from "./page.mjs";
import { byKeyboard, inputs, STATES } from "./states.mjs";
import { PlaywrightUi } from "./ui.mjs";

const LOOKS = [
  [{ lang: "en", theme: "light", size: "wide" }, { lang: "ja", theme: "dark", size: "narrow" }],
  [{ lang: "ja", theme: "light", size: "wide" }, { lang: "en", theme: "dark", size: "narrow" }],
  [{ lang: "en", theme: "dark", size: "tablet" }, { lang: "ja", theme: "light", size: "narrow" }],
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
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
}

for (const name of ["start", "report with errors", "finding, opened", "repairs", "editor", "valid document", "whole Source, with map and timeline", "valid after filters", "rule", "build, done"]) {
  test(`320 pixels and wide spacing lose nothing: ${name}`, async () => {
    const page = await session.open();
    const ui = new PlaywrightUi(page, session.url);
    for (const lang of ["en", "ja"]) {
      await ui.open({ lang, theme: "light", size: "narrow" }, STATES[name].hash);
      await ui.resize({ width: 320, height: 640 });
      await STATES[name].at(ui, given);
      await ui.fits(`${name}, ${lang}, 320 pixels`);
      await ui.resize({ width: 1280, height: 800 });
      await ui.space();
      await ui.fits(`${name}, ${lang}, wide spacing`);
    }
    await page.context().close();
  });
}

test("everything is done with the keyboard alone", async () => {
  const page = await session.open();
  const ui = new PlaywrightUi(page, session.url);
  await ui.open({ lang: "en", theme: "light", size: "wide" });
  await byKeyboard(ui);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
