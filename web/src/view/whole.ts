// The form to validate the files as a whole Source, and its result.

import { isBase } from "../address.js";
import { h, prose } from "../element.js";
import type { Page } from "../page.js";
import { areApart, type Report } from "../state.js";

/** A form with the URI of the folder; false for a single document, and for files of several folders. */
export function whole(page: Page, report: Report): HTMLElement | false {
  const words = page.words();
  const { given, settings } = page.store.state;
  const { base } = settings;
  const documents = report.inputs.filter(({ parent }) => parent === undefined).length;
  if (areApart(given) || (!base && documents < 2 && !given.some(({ via }) => via === "folder"))) return false;
  const wrong = h("p", { class: "small wrong", id: "whole-wrong", role: "alert" });
  const field = h("input", { type: "url", class: "mono", id: "whole-base", value: base ?? page.store.state.guess ?? "", placeholder: "https://example.org/",
    "aria-describedby": "whole-wrong" });
  const again = (base?: string) => {
    const { base: _, separate: __, ...settings } = page.store.state.settings;
    page.store.set({ settings: base ? { ...settings, base } : { ...settings, separate: true } });
    page.check(page.store.state.given);
  };
  const form = h("form", { class: "whole card", novalidate: true, on: { submit: (event: Event) => {
    event.preventDefault();
    const address = field.value.trim();
    if (isBase(address)) return again(address);
    wrong.replaceChildren(...prose(words.say("baseWrong")));
    field.focus();
  } } },
    h("h2", {}, words.say("wholeHead")),
    h("p", { class: "dim" }, base ? words.say("wholeDone", { base }) : words.say("wholeText")),
    h("div", { class: "field" }, h("label", { for: "whole-base" }, words.say("wholeBase")),
      h("div", { class: "share-link" }, field, h("button", { type: "submit", class: base ? "" : "primary" }, words.say("wholeGo")))),
    wrong,
    base && h("p", {}, h("button", { type: "button", class: "link", on: { click: () => again() } }, words.say("wholeUndo"))));
  page.store.watch(form, (state, before) => {
    if (state.guess !== before.guess && field.value === "" && state.guess) field.value = state.guess;
  });
  return form;
}
