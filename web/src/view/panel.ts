// A panel over the page that closes with Escape, its button, or a click outside, and restores focus.

import { h } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";

/** Opens a panel with a title. */
export function panel(page: Page, title: string, ...content: (Node | false)[]): HTMLDialogElement {
  const words = page.words();
  const dialog = h("dialog", { class: "panel", "aria-labelledby": "panel-title" },
    h("div", { class: "panel-head" },
      h("h2", { id: "panel-title", tabindex: -1 }, title),
      h("button", { class: "quiet bare", type: "button", "aria-label": words.say("close"), on: { click: () => dialog.close() } }, icon("close"))),
    h("div", { class: "panel-body" }, ...content));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector<HTMLElement>("h2")?.focus();
  return dialog;
}
