// A Source on the web: the exact command for its URL; a build that may fetch checks it at once.

import { urlCommand } from "../command.js";
import { draft, write } from "../drafts.js";
import { h } from "../element.js";
import type { Page } from "../page.js";
import { command } from "./command.js";

const EXAMPLE = "https://example.org/";

/** The URL that a text means; null if it means none. A host without a scheme is taken for https. */
export function urlOf(text: string): string | null {
  const own = text.trim();
  const whole = /^https?:\/\//i.test(own) ? own : /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(own) ? `https://${own}` : "";
  return whole !== "" && URL.canParse(whole) ? new URL(whole).href : null;
}

/** Builds the section. */
export function urlField(page: Page): HTMLElement {
  const words = page.words();
  const place = h("div", {});
  const wrong = h("p", { class: "small wrong", id: "url-wrong", role: "alert" });
  const field = h("input", { id: "url", type: "url", class: "mono", inputmode: "url", value: draft("url"), placeholder: EXAMPLE, autocomplete: "off", spellcheck: "false",
    "aria-describedby": "url-wrong", on: { input: () => {
      write("url", field.value);
      wrong.textContent = "";
      draw();
    } } });
  const only = h("input", { type: "checkbox", id: "url-only", on: { change: () => draw() } });
  const draw = () => place.replaceChildren(command(page, urlCommand(urlOf(field.value) ?? EXAMPLE, { alone: only.checked, lang: words.lang, settings: page.store.state.settings })));
  draw();
  page.store.watch(place, (state, before) => {
    if (state.settings !== before.settings) draw();
  });
  const go = () => {
    const url = urlOf(field.value);
    if (url && WITH_URLS) return page.checkUrl(url);
    // Elsewhere the command is what follows.
    if (url) return place.querySelector<HTMLElement>(".copy")?.click();
    wrong.textContent = words.say("urlWrong");
    field.focus();
  };
  return h("section", { class: "live-source" },
    h("h2", {}, words.say("liveHead")),
    h("p", {}, words.say(WITH_URLS ? "liveTextUrls" : "liveText")),
    h("form", { novalidate: true, on: { submit: (event: Event) => {
      event.preventDefault();
      go();
    } } },
      h("div", { class: "field" }, h("label", { for: "url" }, words.say("urlLabel")),
        h("div", { class: "share-link" }, field, WITH_URLS && h("button", { type: "submit", class: "primary" }, words.say("pasteCheck")))),
      wrong,
      !WITH_URLS && h("label", { class: "tick small" }, only, h("span", {}, words.say("urlAlone")))),
    WITH_URLS && h("p", { class: "small dim" }, words.say("urlCors")),
    place);
}
