// Downloads: the report in several formats, rendered by the same code as in the command.

import { toJson, type Format } from "resourcesync/worker";
import { h } from "../element.js";
import { icon } from "../icon.js";
import { reportIn } from "../engine/report-file.js";
import { survey } from "../engine/survey.js";
import { core, validator } from "../engine/validator.js";
import { save, type Page } from "../page.js";
import type { Report } from "../state.js";
import type { Word } from "../words/index.js";

/** The formats that the page offers, and their labels. */
const OFFERED = [
  { format: "html", word: "downloadHtml" },
  { format: "json", word: "downloadJson" },
  { format: "sarif", word: "downloadSarif" },
  { format: "markdown", word: "downloadMarkdown" },
  { format: "junit", word: "downloadJunit" },
  { format: "github", word: "downloadGithub" },
  { format: "csv", word: "downloadCsv" },
] as const satisfies readonly { format: Format; word: Word }[];

/** A button with a menu of formats. */
export function downloads(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const menu = h("details", { class: "menu" },
    h("summary", {}, icon("save"), words.say("download")),
    h("ul", {}, ...OFFERED.map((own) => h("li", {},
      h("button", { class: "quiet", type: "button", "data-format": own.format, on: { click: async () => {
        menu.open = false;
        await saveReport(page, report, own.format);
      } } }, words.say(own.word))))));
  // A click outside an open menu closes it, and so does leaving it with the keyboard.
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  return menu;
}

/** Downloads the report in a format. */
export async function saveReport(page: Page, report: Report, name: Format): Promise<void> {
  try {
    const text = await written(page, report, name);
    const format = (await (await validator()).formats()).find((own) => own.name === name);
    if (format) save(`report.${format.extension}`, text, format.mediaType);
  } catch (error) {
    page.announce(page.words().say("downloadFailed", { detail: error instanceof Error ? error.message : String(error) }));
  }
}

async function written(page: Page, report: Report, format: Format): Promise<string | Blob> {
  const { given, phase } = page.store.state;
  // A report opened from a file is rendered from that file, since the page shows only a part of large
  // reports.
  const file = phase.at === "done" && phase.opened ? given[0]?.file : undefined;
  if (file && format === await reportIn(file)) return file;
  if (format === "json" && !file) return toJson(report);
  const { lang } = page.store.state;
  if (file) return survey({ task: "render", file, format, lang, wasm: await core() });
  return (await validator()).render(report, format, { lang });
}

