// The question whether checks are kept in this browser. It is asked once; until it is answered nothing is kept.

import { forget, keep } from "../checks.js";
import { h } from "../element.js";
import type { Page } from "../page.js";

/** The question; empty once it is answered. */
export function keepQuestion(page: Page): HTMLElement {
  const words = page.words();
  const place = h("div", { class: "keep-place" });
  const answer = (own: boolean) => {
    page.store.set({ keep: own });
    page.announce(words.say(own ? "keepYesSaid" : "keepNoSaid"));
    if (own) void keep(page.store.state);
    else void forget();
  };
  const draw = () => place.replaceChildren(page.store.state.keep !== null ? "" : h("section", { class: "note keep-question", "aria-label": words.say("keepAsk") },
    h("span", {}, words.say("keepAsk")),
    h("span", { class: "buttons" },
      h("button", { type: "button", "data-keep": "yes", on: { click: () => answer(true) } }, words.say("keepYes")),
      h("button", { type: "button", "data-keep": "no", on: { click: () => answer(false) } }, words.say("keepNo")))));
  draw();
  page.store.watch(place, (state, before) => {
    if (state.keep !== before.keep) draw();
  });
  return place;
}
