// A cancelled run: the findings, the files that were not checked, and the next steps.

import { h } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Live } from "../state.js";
import { counts } from "./counts.js";
import { dropLine } from "./drop.js";

/** Builds the view. */
export function cancelled(page: Page, live: Live): HTMLElement {
  const words = page.words();
  const amount = (n: number) => (live.unit === "bytes" ? words.size(n) : words.count("documents", n));
  const done = amount(live.done);
  const text = live.total > 0 ? words.say("cancelledText", { done, total: amount(live.total) }) : words.say("cancelledAfter", { done });
  return h("div", {},
    h("section", { class: "verdict undetermined" },
      h("div", { class: "verdict-main" },
        h("h1", { tabindex: -1 }, icon("undetermined", "large"), words.say("cancelledTitle")),
        h("p", {}, text)),
      h("div", { class: "buttons" },
        h("button", { class: "primary", type: "button", on: { click: () => page.check(page.store.state.given) } }, words.say("runAgain")))),
    dropLine(page),
    h("section", { class: "card" }, h("h2", {}, words.say("cancelledFound")), ...counts(page, live, "cancelledNone")));
}
