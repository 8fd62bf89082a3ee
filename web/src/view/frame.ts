// The frame around every view: header, footer, live region, the panels on privacy and keys.

import { h } from "../element.js";
import { icon } from "../icon.js";
import { offlineHint } from "../offline.js";
import type { Page } from "../page.js";
import { textOf, titleOf } from "../site.js";
import type { State } from "../state.js";
import { write } from "../address.js";
import { openKeys } from "./keys.js";
import { openPrivacy } from "./privacy.js";

/** Builds the frame; the view of the route goes into `main`. */
export function frame(page: Page): { header: HTMLElement; main: HTMLElement; footer: HTMLElement; status: HTMLElement } {
  const header = h("header", { class: "top" });
  const main = h("main", { id: "main", tabindex: -1 });
  const footer = h("footer", { class: "bottom" });
  const status = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
  const draw = (state: State) => {
    header.replaceChildren(...head(page, state));
    footer.replaceChildren(...foot(page));
  };
  draw(page.store.state);
  page.store.listen((state, before) => {
    const same = state.lang === before.lang && state.theme === before.theme && state.route === before.route
      && state.phase.at === before.phase.at;
    if (same) return;
    const focused = document.activeElement?.closest<HTMLElement>("header.top [id]")?.id;
    draw(state);
    if (focused) document.getElementById(focused)?.focus();
  });
  return { header, main, footer, status };
}

function head(page: Page, state: State): HTMLElement[] {
  const words = page.words();
  const link = (view: "check" | "rules" | "build", label: string) => h("a", {
    id: `nav-${view}`,
    href: write({ ...state, route: { view }, filters: { ...state.filters, text: state.route.view === view ? state.filters.text : "" } }),
    "aria-current": state.route.view === view && "page",
  }, label);
  const other = state.lang === "en" ? "ja" : "en";
  const themes = { auto: "themeAuto", light: "themeLight", dark: "themeDark" } as const;
  return [
    h("a", { class: "skip", href: "#main", on: { click: (event: Event) => {
      event.preventDefault();
      document.getElementById("main")?.focus();
    } } }, words.say("skip")),
    h("p", { class: "brand" }, ...brand(titleOf(page))),
    h("nav", { "aria-label": words.say("navigation") },
      link("check", words.say("navCheck")), link("rules", words.say("navRules")), link("build", words.say("navBuild"))),
    h("div", { class: "tools" },
      h("button", { id: "privacy", class: "quiet private", type: "button", on: { click: () => openPrivacy(page) } },
        icon("lock"), h("span", { class: "label" }, words.say(WITH_URLS ? "privateUrls" : "private"))),
      h("select", { id: "theme", "aria-label": words.say("theme"), on: { change: (event: Event) => {
        page.store.set({ theme: (event.target as HTMLSelectElement).value as State["theme"] });
      } } }, ...(["auto", "light", "dark"] as const).map((theme) =>
        h("option", { value: theme, selected: state.theme === theme }, words.say(themes[theme])))),
      h("button", { id: "language", class: "quiet", type: "button", lang: other,
        on: { click: () => page.store.set({ lang: other }) } }, other === "ja" ? "日本語" : "English"),
      h("button", { id: "keys", class: "quiet bare", type: "button", "aria-label": words.say("keys"), title: words.say("keys"),
        on: { click: () => openKeys(page) } }, icon("keys"))),
  ];
}

/** The title, with the name of the standard before it set off. */
function brand(title: string): (Node | string)[] {
  const [, name, rest] = /^(ResourceSync)\b(.*)$/.exec(title) ?? [];
  return name === undefined || rest === undefined ? [title] : [h("span", { translate: "no" }, name), rest];
}

function foot(page: Page): HTMLElement[] {
  const words = page.words();
  const { site } = page;
  const link = (text: string, href: string) => h("a", { href, rel: "noreferrer" }, text);
  return [
    h("span", {}, words.say("version", { version: document.documentElement.dataset["version"] ?? "" })),
    link(words.say("standard"), "https://www.openarchives.org/rs/toc"),
    h("span", {}, words.say("sources")),
    ...([["project", "siteProject"], ["problems", "siteProblems"], ["contact", "siteContact"]] as const).flatMap(([name, word]) =>
      (site[name] === "" ? [] : [link(words.say(word), site[name])])),
    ...site.links.map(({ text, href }) => link(textOf(text, words.lang), href)),
    ...offlineHint(page),
  ];
}
