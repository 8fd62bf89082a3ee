// The rules: a list to search, and one of them in full.

import { write } from "../address.js";
import { h, prose, template, visible } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { rules as load, type Rule } from "../rules.js";
import { turn } from "../turn.js";
import { TABLE, type Word } from "../words/index.js";
import { badge } from "./code-frame.js";
import { origin } from "./origin.js";
import { example } from "./example.js";

/** Rules that are drawn before the page gets its turn. */
const AT_ONCE = 40;

/** Builds the view. */
export function rules(page: Page): HTMLElement {
  const words = page.words();
  const root = h("div", { class: "rules-view" }, h("p", { class: "dim" }, words.say("loading")));
  const draw = () => {
    load(words.lang).then((all) => {
      const { rule } = page.store.state.route;
      root.replaceChildren(rule ? one(page, all, rule) : list(page, all));
    }, (error: Error) => root.replaceChildren(h("p", { role: "alert" }, error.message)));
  };
  draw();
  page.store.watch(root, (state, before) => {
    if (state.route.view !== "rules" || state.route.rule === before.route.rule) return;
    draw();
    scrollTo(0, 0);
  });
  return root;
}

function list(page: Page, all: readonly Rule[]): HTMLElement {
  const words = page.words();
  const result = h("div", { class: "families" });
  const count = h("p", { class: "dim", role: "status" });
  const search = h("input", { type: "search", id: "search", value: page.store.state.filters.text, "aria-label": words.say("rulesSearch"),
    placeholder: words.say("rulesHint"), on: { input: () => {
      page.store.filter({ text: search.value });
      void draw();
    } } });
  let asked = 0;
  const draw = async () => {
    const now = ++asked;
    const text = search.value.trim().toLowerCase();
    const found = text ? all.filter((rule) => matches(rule, text)) : all;
    count.textContent = words.count("rulesCount", found.length);
    const families = new Map<string, Rule[]>();
    for (const rule of found) {
      const family = rule.code.split("-")[0] ?? "";
      families.set(family, [...(families.get(family) ?? []), rule]);
    }
    result.replaceChildren();
    if (found.length === 0) result.append(h("p", {}, words.say("rulesNone")));
    let drawn = 0;
    for (const [family, own] of families) {
      if (drawn >= AT_ONCE) {
        drawn = 0;
        await turn();
        // Another search began.
        if (now !== asked) return;
      }
      result.append(section(page, family, own));
      drawn += own.length;
    }
  };
  void draw();
  return h("div", {},
    h("div", { class: "lead" }, h("h1", { tabindex: -1 }, words.say("rulesTitle")), h("p", {}, words.say("rulesLead"))),
    h("div", { class: "filters" }, h("div", { class: "search" }, icon("search"), search), count),
    result);
}

function matches(rule: Rule, text: string): boolean {
  return [rule.code, rule.rule, rule.detail, rule.message, rule.what, rule.why, rule.fix].some((part) => part?.toLowerCase().includes(text));
}

function section(page: Page, family: string, own: Rule[]): HTMLElement {
  const words = page.words();
  const word = `family.${family}`;
  return h("section", {},
    h("h2", {}, h("code", { class: "code" }, family), " ", word in TABLE ? words.say(word as Word) : "",
      h("span", { class: "number dim" }, words.number(own.length))),
    h("ul", { class: "rule-list" }, ...own.map((rule) =>
      h("li", {}, h("a", { href: write({ ...page.store.state, route: { view: "rules", rule: rule.code } }) },
        h("span", { class: `mark ${rule.severity}` }, icon(rule.severity), h("span", { class: "unseen" }, words.say(rule.severity))),
        h("code", { class: "code" }, rule.code),
        h("span", { class: "title" }, h("span", {}, ...(rule.detail ? template(rule.message) : prose(rule.what))),
          h("span", { class: "rule dim", translate: "no" }, rule.detail ?? rule.rule)))))));
}

function one(page: Page, all: readonly Rule[], name: string): HTMLElement {
  const words = page.words();
  const rule = all.find((rule) => rule.code === name.toUpperCase()) ?? all.find((rule) => rule.rule === name);
  const back = h("p", {}, h("a", { href: write({ ...page.store.state, route: { view: "rules" } }) }, words.say("ruleAll")));
  if (!rule) {
    return h("article", { class: "rule-page" }, back, h("h1", { tabindex: -1 }, words.say("rulesTitle")),
      h("p", {}, ...prose(words.say("ruleUnknown", { code: visible(name) }))));
  }
  const others = all.filter((other) => other.rule === rule.rule && other.code !== rule.code && !other.detail);
  return h("article", { class: "rule-page" },
    back,
    h("h1", { tabindex: -1 }, h("code", { class: "code" }, rule.code), " ", h("span", { translate: "no" }, rule.detail ?? rule.rule)),
    h("p", { class: "badges" }, badge(page, rule.severity), h("span", { class: "dim" }, origin(page, rule))),
    h("h2", {}, words.say("whatHead")), h("p", {}, ...prose(rule.what)),
    h("h2", {}, words.say("whyHead")), h("p", {}, ...prose(rule.why)),
    h("h2", {}, words.say("fixHead")), h("p", {}, ...prose(rule.fix)),
    rule.wrong && rule.right && h("h2", {}, words.say("exampleHead")),
    rule.wrong && rule.right && example(page, rule.wrong, rule.right),
    h("h2", {}, words.say("message")), h("p", {}, ...template(rule.message)),
    others.length > 0 && h("h2", {}, words.say("sameRule")),
    others.length > 0 && h("p", { class: "others" }, ...others.slice(0, 40).map((other) =>
      h("a", { class: "code", href: write({ ...page.store.state, route: { view: "rules", rule: other.code } }) }, other.code))));
}
