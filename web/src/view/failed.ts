// A failed run: the error, the findings so far, and the next steps.

import { h, prose, visible } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Fault, Live } from "../state.js";
import type { Word } from "../words/index.js";
import { counts } from "./counts.js";
import { dropLine } from "./drop.js";

const WORDS: Record<Fault["kind"], Word> = {
  read: "failedRead",
  folder: "failedFolder",
  report: "failedReport",
  engine: "failedEngine",
  trap: "failedTrap",
  nothing: "failedNothing",
  shared: "sharedBroken",
};

/** Builds the view. */
export function failed(page: Page, fault: Fault, live: Live | null): HTMLElement {
  const words = page.words();
  const { given } = page.store.state;
  const detail = fault.detail && (fault.kind === "read" || fault.kind === "trap" || fault.kind === "shared");
  return h("div", {},
    h("section", { class: "verdict undetermined", role: "alert" },
      h("div", { class: "verdict-main" }, h("h1", { tabindex: -1 }, icon("undetermined", "large"), words.say("failedTitle")),
      h("p", {}, ...prose(words.say(WORDS[fault.kind], { name: visible(fault.name), detail: visible(fault.detail) }))),
      detail && h("details", {}, h("summary", {}, words.say("failedDetail")), h("pre", { tabindex: 0 }, visible(fault.detail)))),
      given.length > 0 && h("div", { class: "buttons" },
        h("button", { class: "primary", type: "button", on: { click: () => page.check(page.store.state.given) } }, words.say("runAgain")))),
    dropLine(page),
    live && h("section", { class: "card" }, h("h2", {}, words.say("failedLearned")), ...counts(page, live, "cancelledNone")));
}
