// A link to the current state: settings and filters always, the document only if it is small and the user selects it.

import { write } from "../address.js";
import { h } from "../element.js";
import { icon } from "../icon.js";
import { MOST, pack } from "../pack.js";
import { copy, type Page } from "../page.js";
import { saveReport } from "./downloads.js";
import { panel } from "./panel.js";

/** A button that opens the panel. */
export function share(page: Page): HTMLElement {
  return h("button", { type: "button", class: "share", on: { click: () => open(page) } }, icon("share"), page.words().say("share"));
}

async function open(page: Page): Promise<void> {
  const words = page.words();
  const { given, phase } = page.store.state;
  const only = given.length === 1 ? given[0] : undefined;
  const packed = only && only.file.size <= MOST * 64 ? await pack(only.file) : null;
  const fits = packed !== null && packed.bytes < MOST && phase.at === "done" && !phase.opened;
  const field = h("input", { class: "mono", readonly: true, "aria-label": words.say("share"), on: { focus: () => field.select() } });
  const tick = h("input", { type: "checkbox", id: "share-document", disabled: !fits, on: { change: () => draw() } });
  const text = h("p", {});
  const warning = h("p", { class: "note", hidden: true }, words.say("shareDocumentWarn"));
  const draw = () => {
    const document = tick.checked && packed && only ? { packed: packed.text, name: only.name } : true;
    field.value = new URL(write(page.store.state, document), location.href).href;
    warning.hidden = !tick.checked;
    text.textContent = words.say(tick.checked ? "shareTextDocument" : "shareText");
  };
  draw();
  const button = h("button", { type: "button", on: { click: () => copy(page, field.value, button) } }, h("span", { class: "label" }, words.say("copyLink")));
  panel(page, words.say("share"),
    phase.at === "done" && h("section", { class: "share-report" },
      h("h3", {}, words.say("shareReportHead")),
      h("p", {}, words.say("shareReport")),
      h("p", {}, h("button", { class: "primary", type: "button", on: { click: () => void saveReport(page, phase.report, "html") } }, icon("save"), words.say("shareReportSave")))),
    h("h3", {}, words.say("shareLinkHead")),
    text,
    location.protocol === "file:" && h("p", { class: "dim" }, words.say("shareFromDisk")),
    packed !== null && h("label", { class: "tick" }, tick, h("span", {}, words.say("shareDocument", { size: words.size(packed.bytes) }))),
    fits ? warning : h("p", { class: "dim" }, words.say(only ? "shareTooLarge" : "shareOne")),
    h("div", { class: "share-link" }, field, button));
}
