// The button that opens the repairs, with their number; there is none if nothing can be repaired.

import type { Repairs } from "../engine/repairs.js";
import { survey } from "../engine/survey.js";
import { core } from "../engine/validator.js";
import { h } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Report } from "../state.js";
import { fileOf, fixable } from "./given.js";

/** Documents, and their bytes, in which repairs are counted before they are asked for. */
const DOCUMENTS = 200;
const BYTES = 16 << 20;

const counted = new WeakMap<Report, Promise<ReadonlyMap<number, Repairs> | null>>();

/** The repairs by input; null where the documents are too large to count them without being asked. */
export function repairsOf(page: Page, report: Report): Promise<ReadonlyMap<number, Repairs> | null> {
  let own = counted.get(report);
  if (!own) counted.set(report, (own = count(page, report).catch(() => null)));
  return own;
}

async function count(page: Page, report: Report): Promise<ReadonlyMap<number, Repairs> | null> {
  const all = fixable(page.store.state, report);
  const files = all.flatMap(({ id }) => fileOf(report, page.store.state, id)?.file ?? []);
  if (files.length !== all.length || files.length > DOCUMENTS || files.reduce((sum, { size }) => sum + size, 0) > BYTES) return null;
  const found = await survey({ task: "repairs", files, wasm: await core() });
  return new Map(all.map(({ id }, at) => [id, found[at] ?? { certain: 0, zoned: 0 }]));
}

/** The button; hidden until it is known that there is something to repair. */
export function fixButton(page: Page, report: Report): HTMLElement | false {
  const words = page.words();
  if (fixable(page.store.state, report).length === 0) return false;
  const number = h("span", { class: "number dim small" });
  const button = h("button", { type: "button", class: "fix", hidden: true, on: { click: async () => {
    const { openFix } = await import("./fix.js");
    openFix(page, report, page.repair);
  } } }, icon("fix"), words.say("fix"), number);
  void repairsOf(page, report).then((all) => {
    button.dataset["known"] = String(all !== null);
    if (!all) return void (button.hidden = false);
    const [certain, zoned] = [...all.values()].reduce(([one, other], own) => [one + own.certain, other + own.zoned], [0, 0]);
    number.textContent = certain > 0 ? words.count("fixMany", certain) : words.say("fixWithZone", { n: zoned });
    button.hidden = certain + zoned === 0;
  });
  return button;
}
