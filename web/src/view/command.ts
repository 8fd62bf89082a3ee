// A command line with a button that copies it.

import { h } from "../element.js";
import { icon } from "../icon.js";
import { copy, type Page } from "../page.js";

/** The command in a box. */
export function command(page: Page, text: string): HTMLElement {
  const words = page.words();
  const button = h("button", { class: "quiet", type: "button", on: { click: () => copy(page, text, button) } },
    icon("copy"), h("span", { class: "label" }, words.say("copy")));
  return h("div", { class: "command" }, h("code", { translate: "no", tabindex: 0 }, text), button);
}
