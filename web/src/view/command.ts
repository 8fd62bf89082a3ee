// A command line with a button that copies it.

import { h } from "../element.js";
import { icon } from "../icon.js";
import { copy, type Page } from "../page.js";

/** The command in a box; beside it, how it is installed. */
export function command(page: Page, text: string, installs = true): HTMLElement {
  const words = page.words();
  const button = h("button", { class: "quiet copy", type: "button", on: { click: () => copy(page, text, button) } },
    icon("copy"), h("span", { class: "label" }, words.say("copy")));
  // Options stay whole: a hyphen at the end of a line would read as another option.
  const parts = text.split(/(?<= )(?=-)|(?<=(?:^| )--?[\w-]+)(?= )/).map((part) => /^--?[\w-]+$/.test(part) ? h("span", { class: "option" }, part) : part);
  const install = installs && text.startsWith("resourcesync ") && h("button", { class: "quiet install", type: "button", "aria-haspopup": "dialog",
    on: { click: async () => (await import("./install.js")).openInstall(page, (own) => command(page, own, false)) } }, words.say("install"));
  return h("div", { class: "command" }, h("code", { translate: "no", tabindex: 0 }, ...parts), install, button);
}
