// What a Destination would do: the plan of a first run, and of one that continues from a moment.

import type { SyncReport } from "resourcesync/sync";
import { survey } from "../engine/survey.js";
import { core, module } from "../engine/validator.js";
import { h, prose, readable, visible } from "../element.js";
import { moment } from "../moment.js";
import type { Page } from "../page.js";
import { learn, TABLE, type Word } from "../words/index.js";
import { OUTLOOK } from "../words/outlook.js";
import { TOLD } from "../words/told.js";
import { stepped } from "./stepped.js";
import { finding } from "./told.js";

learn(OUTLOOK);
learn(TOLD);

/** Resources that are shown at first, and at each further step. */
const STEP = 20;

/** The card; only a whole Source has a plan. */
export function outlook(page: Page): HTMLElement {
  const words = page.words();
  const since = h("input", { type: "datetime-local", step: 1, id: "outlook-since" });
  const place = h("div", { class: "outlook-plans", "aria-live": "polite" });
  const button = h("button", { type: "submit" }, words.say("outlookGo"));
  return h("form", { class: "outlook card", novalidate: true, on: { submit: async (event: Event) => {
    event.preventDefault();
    const { given, settings: { base } } = page.store.state;
    const at = since.value === "" ? undefined : new Date(since.value).toISOString().replace(".000Z", "Z");
    button.disabled = true;
    try {
      const [wasm, sync] = await Promise.all([core(), module("sync.wasm")]);
      const { first, next } = await survey({ task: "outlook", given, wasm, sync, base: base ?? "", ...(at && { since: at }) });
      place.replaceChildren(plan(page, words.say("outlookFirst"), first), next ? plan(page, words.say("outlookNext", { at: moment(page, at ?? "") }), next) : "");
    } catch (error) {
      place.replaceChildren(h("p", { class: "wrong" }, words.say("outlookFailed", { detail: visible(error instanceof Error ? error.message : String(error)) })));
    }
    button.disabled = false;
  } } },
    h("h2", {}, words.say("outlookHead")),
    h("p", { class: "dim" }, ...prose(words.say("outlookText"))),
    h("div", { class: "field" }, h("label", { for: "outlook-since" }, words.say("outlookSince")), h("div", { class: "share-link" }, since, button)),
    place);
}

/** One plan: what is done and why, and what the machine found. */
function plan(page: Page, head: string, report: SyncReport): HTMLElement {
  const words = page.words();
  const { counts, plan: own } = report;
  const [deleted = 0, withheld = 0] = [counts["deleted"], counts["withheld"]];
  const todo = [
    own && own.requests > 0 && (own.bytes > 0 ? words.count("outlookFetch", own.requests, { size: words.size(own.bytes) }) : words.count("outlookFetchUnsized", own.requests)),
    deleted > 0 && words.count("outlookDelete", deleted),
    withheld > 0 && words.count("outlookWithheld", withheld),
  ].filter((text) => text !== false && text !== undefined);
  const facts = (["created", "updated", "deleted", "unchanged", "failed"] as const).filter((name) => (counts[name] ?? 0) > 0);
  const findings = h("ul", { class: "told-findings" });
  // The messages of these rules are in English; the catalogue has them in both languages.
  stepped(page, findings, report.diagnostics, STEP, (found) => finding(page, {
    code: found.code, severity: found.severity as "error", message: words.lang === "en" ? found.message : "", help: words.lang === "en" ? found.help : "", count: 1,
  }));
  const rows = h("ul", { class: "outlook-items" });
  stepped(page, rows, report.items, STEP, ({ uri, action, result }) => h("li", {}, h("span", { class: "dim" }, known(page, result === "planned" ? action : result), " "), readable(uri)));
  return h("section", { class: "note outlook-plan" },
    h("h3", {}, head),
    own ? h("p", {}, words.say("outlookBecause", { what: words.say(own.kind === "changes" ? "outlookChanges" : "outlookLists"), why: words.say(`why.${own.why}` as Word) })) : h("p", {}, words.say("outlookUnread")),
    own && h("p", {}, h("strong", {}, todo.length > 0 ? todo.join(words.lang === "ja" ? "" : " ") : words.say("outlookNothing"))),
    own?.why === "gap" && own.requests > 0 && h("p", { class: "dim" }, words.say("outlookUpper")),
    facts.length > 0 && h("dl", { class: "facts" }, ...facts.map((name) => h("div", {}, h("dt", {}, words.say(`count.${name}`)), h("dd", {}, words.number(counts[name] ?? 0))))),
    report.diagnostics.length > 0 && findings,
    report.items.length > 0 && h("details", {}, h("summary", {}, words.say("outlookWhich")), rows));
}

/** A newer machine may say more than this page has words for. */
function known(page: Page, name: string): string {
  return `count.${name}` in TABLE ? page.words().say(`count.${name}` as Word) : visible(name);
}
