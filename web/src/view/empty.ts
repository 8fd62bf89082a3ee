// The page before any file was given.

import { h } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { SAMPLES, sample } from "../samples.js";
import { titleOf } from "../site.js";
import { dropZone } from "./drop.js";
import { lastChecks } from "./last-checks.js";
import { urlField } from "./url.js";

/** The drop zone, samples, and what is checked. */
export function empty(page: Page): HTMLElement {
  const words = page.words();
  const { phase } = page.store.state;
  return h("div", { class: "empty" },
    h("div", { class: "lead" }, h("h1", { tabindex: -1 }, titleOf(page)), h("p", {}, words.say("tagline"))),
    phase.at === "empty" && phase.lost && h("p", { class: "note" }, words.say("noReportHere")),
    dropZone(page),
    h("div", { class: "columns" },
      h("section", {},
        h("h2", {}, words.say("samplesHead")),
        h("ul", { class: "samples" }, ...SAMPLES.map(({ word, files, icon: shape }) =>
          h("li", {}, h("button", { class: "link", type: "button", on: { click: async () => page.check(await sample(files)) } },
            icon(shape), words.say(word)))))),
      lastChecks(page),
      h("section", {},
        h("h2", {}, words.say("checksHead")),
        h("ul", { class: "plain" }, h("li", {}, words.say("checks1")), h("li", {}, words.say("checks2")), h("li", {}, words.say("checks3")))),
      urlField(page)));
}
