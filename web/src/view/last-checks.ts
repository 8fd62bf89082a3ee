// The last checks: a list to open one of them, and the ways to keep none.

import { forget, kept, recall, type Summary } from "../checks.js";
import { h, visible } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { qualified } from "./filters.js";

/** Builds the section; the list follows as soon as it is read. */
export function lastChecks(page: Page): HTMLElement {
  const words = page.words();
  const list = h("ul", { class: "samples" });
  const clear = h("button", { class: "link small", type: "button", hidden: true, on: { click: async () => {
    await forget();
    page.announce(words.say("lastForgotten"));
    await draw();
  } } }, words.say("lastForget"));
  const keep = h("input", { type: "checkbox", id: "keep", checked: page.store.state.keep === true, on: { change: async () => {
    page.store.set({ keep: keep.checked });
    if (!keep.checked) await forget();
    await draw();
  } } });
  const draw = async () => {
    const all = page.store.state.keep ? await kept() : [];
    list.replaceChildren(...all.map((one) => h("li", {}, item(page, one))));
    clear.hidden = all.length === 0;
  };
  void draw();
  return h("section", { class: "last-checks" },
    h("h2", {}, words.say("lastHead")),
    list,
    h("label", { class: "tick small" }, keep, h("span", {}, words.say("lastKeep"))),
    clear);
}

function item(page: Page, { id, name, files, verdict, afterFilters, told }: Summary): HTMLElement {
  const words = page.words();
  const when = new Intl.DateTimeFormat(words.lang, { dateStyle: "medium", timeStyle: "short" }).format(id);
  return h("button", { class: "link", type: "button", on: { click: async () => {
    const check = await recall(id);
    if (check) page.resume(check);
  } } },
    icon(verdict), h("span", {},
      h("span", { class: "unseen" }, told ? `${words.say("toldOf", { command: told }).replaceAll("`", "")} ` : `${qualified(page, { verdict, ...(afterFilters && { afterFilters }) })} `),
      h("bdi", {}, visible(name)), files > 1 ? ` ${words.count("lastMore", files - 1)}` : "",
      h("span", { class: "dim small when" }, when)));
}
