// A failed run: the error, the findings so far, and the next steps.

import { h, prose, visible } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Fault, Live } from "../state.js";
import type { Word } from "../words/index.js";
import { counts } from "./counts.js";
import { dropLine } from "./drop.js";

/** The title and the sentence. */
const WORDS: Record<Fault["kind"], [Word, Word]> = {
  read: ["failedTitle", "failedRead"],
  folder: ["failedFolderTitle", "failedFolder"],
  report: ["failedOpen", "failedReport"],
  engine: ["failedTitle", "failedEngine"],
  trap: ["failedTitle", "failedTrap"],
  nothing: ["failedTitle", "failedNothing"],
  shared: ["failedOpen", "sharedBroken"],
};

/** What failed. */
export function failedTitle({ kind }: Fault): Word {
  return WORDS[kind][0];
}

/** The reason in the language of the page, where it has a sentence for it. */
export function why(page: Page, { detail, reason }: Pick<Fault, "detail" | "reason">): string {
  return reason ? page.words().say(`refused${reason}`, { detail: visible(detail) }) : visible(detail);
}

/** Builds the view. */
export function failed(page: Page, fault: Fault, live: Live | null): HTMLElement {
  const words = page.words();
  const { given } = page.store.state;
  const [title, text] = WORDS[fault.kind];
  const detail = fault.detail && (fault.kind === "read" || fault.kind === "trap" || fault.kind === "shared");
  return h("div", {},
    h("section", { class: "verdict undetermined", role: "alert" },
      h("div", { class: "verdict-main" }, h("h1", { tabindex: -1 }, icon("undetermined", "large"), words.say(title)),
      h("p", {}, ...prose(words.say(text, { name: visible(fault.name), detail: why(page, fault) }))),
      fault.kind === "trap" && page.site.problems !== "" && h("p", {}, h("a", { href: page.site.problems, rel: "noreferrer" }, words.say("siteProblems"))),
      detail && h("details", {}, h("summary", {}, words.say("failedDetail")), h("pre", { tabindex: 0 }, visible(fault.detail)))),
      given.length > 0 && h("div", { class: "buttons" },
        h("button", { class: "primary", type: "button", on: { click: () => page.check(page.store.state.given) } }, words.say(fault.kind === "report" ? "tryAgain" : "runAgain")))),
    dropLine(page),
    live && h("section", { class: "card" }, h("h2", {}, words.say("failedLearned")), ...counts(page, live, "cancelledNone")));
}
