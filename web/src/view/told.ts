// The report of another command: the verdict, what to do, counts, findings, what is not as it should be.

import { write } from "../address.js";
import { h, prose, readable, template, visible } from "../element.js";
import type { Told } from "../engine/told.js";
import { icon } from "../icon.js";
import { momentPlace } from "../moment.js";
import type { Page } from "../page.js";
import { ruleOf, type Rule } from "../rules.js";
import { learn, TABLE, type Word } from "../words/index.js";
import { TOLD } from "../words/told.js";
import { badge } from "./code-frame.js";
import { dropLine, startOver } from "./drop.js";
import { stepped } from "./stepped.js";

learn(TOLD);

/** Findings and items that are shown at first, and at each further step. */
const STEP = 50;

/** Builds the view. */
export function told(page: Page, own: Told): HTMLElement {
  const words = page.words();
  // A newer command may say more than this page has words for.
  const known = (prefix: string, name: string) => (`${prefix}.${name}` in TABLE ? words.say(`${prefix}.${name}` as Word) : visible(name));
  const advice = `do.${own.outcome}`;
  const section = (word: Word, ...content: (Node | false)[]) => h("section", { class: "card" }, h("h2", {}, words.say(word)), ...content);
  const findings = h("ul", { class: "told-findings" });
  stepped(page, findings, own.diagnostics, STEP, (found) => finding(page, found));
  const rows = h("tbody", {});
  stepped(page, rows, own.items, STEP,
    ({ uri, what, code, why }) => h("tr", {}, h("td", {}, known("count", what)), h("td", {}, uri && readable(uri), why && h("div", { class: "dim" }, ...prose(why))), h("td", {}, code && codeOf(page, code))),
    (button) => h("tr", {}, h("td", { colspan: 3 }, button)));
  const isPlan = own.outcome === "planned";
  return h("div", { class: "told" },
    h("section", { class: `verdict ${own.look}` },
      h("div", { class: "verdict-main" },
        h("h1", { tabindex: -1 }, icon(own.look, "large"), known("outcome", own.outcome)),
        h("p", {}, ...prose(words.say("toldOf", { command: own.command }))),
        h("p", {}, own.of && readable(own.of), own.when && h("span", { class: "dim" }, " ", momentPlace(page, own.when))),
        own.error && h("p", {}, visible(own.error))),
      h("div", { class: "buttons" }, startOver(page))),
    advice in TABLE && h("section", { class: "note" }, h("h2", {}, words.say("toldDo")), h("p", {}, ...prose(words.say(advice as Word)))),
    own.counts.length > 0 && section(isPlan ? "toldPlanned" : "toldCounts",
      h("dl", { class: "facts" }, ...own.counts.map(([name, count]) => h("div", {}, h("dt", {}, known("count", name)), h("dd", {}, words.number(count)))))),
    own.diagnostics.length > 0 && section("toldFindings", findings),
    own.items.length > 0 && section(isPlan ? "toldPlan" : "toldItems",
      h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": words.say("toldItems") },
        h("table", { class: "plain-table" },
          h("thead", {}, h("tr", {}, ...(["toldWhat", "toldWhich", "sortCode"] as const).map((word) => h("th", { scope: "col" }, words.say(word))))),
          rows)),
      own.leftOut > 0 && h("p", { class: "dim" }, words.count("toldLeftOut", own.leftOut))),
    dropLine(page, false));
}

/** A finding of such a report; without a message it has that of its rule. */
export function finding(page: Page, { code, severity, message, help, count }: Told["diagnostics"][number]): HTMLElement {
  const words = page.words();
  const times = count > 1 && h("span", { class: "dim" }, words.say("toldTimes", { n: count }));
  const place = h("li", {});
  const draw = (rule?: Rule) => place.replaceChildren(
    badge(page, message === "" && rule ? rule.severity : severity), " ", codeOf(page, code), " ", times || "",
    h("p", {}, ...(message !== "" ? prose(message) : template(rule?.message ?? ""))),
    ...(help || rule?.help ? [h("p", { class: "dim" }, ...(help ? prose(help) : template(rule?.help ?? "")))] : []));
  draw();
  if (message === "" || help === "") void ruleOf(code, words.lang).then((rule) => rule && draw(rule), () => undefined);
  return place;
}

/** A code, as a link to its rule. */
function codeOf(page: Page, code: string): HTMLElement {
  return h("a", { class: "code", href: write({ ...page.store.state, route: { view: "rules", rule: code } }) }, visible(code));
}
