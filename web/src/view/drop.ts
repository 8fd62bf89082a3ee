// The drop zone: drop or select files, or paste a document.

import { draft, write } from "../drafts.js";
import { h } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { warm } from "../engine/validator.js";
import type { Word } from "../words/index.js";
import { settingsForm } from "./settings.js";

/** The large drop zone of the empty page. */
export function dropZone(page: Page): HTMLElement {
  const words = page.words();
  const paste = pasteBox(page);
  return h("section", { class: "drop", "aria-labelledby": "drop-title" },
    h("div", { class: "drop-place", on: { pointerenter: warm, focusin: warm } },
      icon("drop", "large"),
      h("h2", { id: "drop-title" }, words.say("dropTitle")),
      h("p", { class: "dim" }, words.say("dropHint")),
      h("div", { class: "buttons" },
        h("button", { class: "primary", type: "button", on: { click: () => page.chooseFiles() } }, words.say("chooseFiles")),
        h("button", { type: "button", on: { click: () => page.chooseFolder() } }, words.say("chooseFolder")),
        h("button", { type: "button", "aria-expanded": !paste.hidden ? "true" : "false", "aria-controls": "paste", on: { click: (event: Event) => {
          paste.hidden = !paste.hidden;
          (event.currentTarget as HTMLElement).setAttribute("aria-expanded", String(!paste.hidden));
          if (!paste.hidden) paste.querySelector("textarea")?.focus();
        } } }, words.say("pasteXml")))),
    paste,
    settingsForm(page));
}

function pasteBox(page: Page): HTMLElement {
  const words = page.words();
  const text = h("textarea", { id: "paste-text", rows: 8, spellcheck: "false", autocomplete: "off", translate: "no",
    placeholder: "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" …",
    on: { input: () => write("paste", text.value) } }, draft("paste"));
  const submit = () => {
    if (text.value.trim() === "") return text.focus();
    page.check([{ name: words.say("pasteName"), file: new Blob([text.value], { type: "application/xml" }), via: "argument", pasted: true }]);
  };
  return h("div", { id: "paste", class: "paste", hidden: draft("paste") === "" },
    h("label", { for: "paste-text" }, words.say("pasteLabel")),
    text,
    h("button", { class: "primary", type: "button", on: { click: submit } }, words.say("pasteCheck")));
}

/** A button that leads back to the start. */
export function startOver(page: Page): HTMLElement {
  return h("button", { type: "button", on: { click: () => page.startOver() } }, page.words().say("startOver"));
}

/** A slim line below a report: more files to check together with these. */
export function addLine(page: Page): HTMLElement {
  return line(page, "dropMore");
}

/** A slim line: other files to check; `over` adds the way back to the start. */
export function dropLine(page: Page, over = true): HTMLElement {
  return line(page, "dropOther", over && startOver(page));
}

function line(page: Page, word: Word, button: HTMLElement | false = false): HTMLElement {
  const words = page.words();
  return h("div", { class: "drop-line" },
    h("p", { class: "dim" }, icon("drop"), words.say(word)),
    h("div", { class: "buttons" },
      h("button", { type: "button", on: { click: () => page.chooseFiles() } }, words.say("chooseFiles")),
      button));
}
