// The report of another command: the verdict, what to do, counts, what is not as it should be.

import { h, prose, readable, visible } from "../element.js";
import type { Told } from "../engine/told.js";
import { icon } from "../icon.js";
import { moment } from "../moment.js";
import type { Page } from "../page.js";
import { learn, TABLE, type Word } from "../words/index.js";
import { TOLD } from "../words/told.js";
import { badge } from "./code-frame.js";
import { dropLine, startOver } from "./drop.js";

learn(TOLD);

/** Builds the view. */
export function told(page: Page, own: Told): HTMLElement {
  const words = page.words();
  // A newer command may say more than this page has words for.
  const known = (prefix: string, name: string) => (`${prefix}.${name}` in TABLE ? words.say(`${prefix}.${name}` as Word) : visible(name));
  const advice = `do.${own.outcome}`;
  return h("div", { class: "told" },
    h("section", { class: `verdict ${own.look}` },
      h("div", { class: "verdict-main" },
        h("h1", { tabindex: -1 }, icon(own.look, "large"), known("outcome", own.outcome)),
        h("p", {}, ...prose(words.say("toldOf", { command: own.command }))),
        h("p", {}, own.of && readable(own.of), own.when && h("span", { class: "dim" }, ` ${visible(moment(page, own.when))}`)),
        own.error && h("p", {}, visible(own.error))),
      h("div", { class: "buttons" }, startOver(page))),
    advice in TABLE && h("section", { class: "note" }, h("h2", {}, words.say("toldDo")), h("p", {}, ...prose(words.say(advice as Word)))),
    own.counts.length > 0 && h("section", { class: "card" }, h("h2", {}, words.say("toldCounts")),
      h("dl", { class: "facts" }, ...own.counts.map(([name, count]) => h("div", {}, h("dt", {}, known("count", name)), h("dd", {}, words.number(count)))))),
    own.diagnostics.length > 0 && h("section", { class: "card" }, h("h2", {}, words.say("toldFindings")),
      h("ul", { class: "told-findings" }, ...own.diagnostics.map(({ code, severity, message, help }) => h("li", {},
        badge(page, severity), " ", h("code", { class: "code" }, visible(code)), h("p", {}, ...prose(message)), help && h("p", { class: "dim" }, ...prose(help)))))),
    own.items.length > 0 && h("section", { class: "card" }, h("h2", {}, words.say("toldItems")),
      h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": words.say("toldItems") },
        h("table", { class: "plain-table" },
          h("thead", {}, h("tr", {}, ...(["toldWhat", "column.uri", "sortCode"] as const).map((word) => h("th", { scope: "col" }, words.say(word))))),
          h("tbody", {}, ...own.items.map(({ uri, what, code }) => h("tr", {}, h("td", {}, known("count", what)), h("td", {}, readable(uri)), h("td", {}, code && h("code", { class: "code" }, visible(code)))))))),
      own.leftOut > 0 && h("p", { class: "dim" }, words.count("toldLeftOut", own.leftOut))),
    dropLine(page, false));
}
