// Where a report is no help: what the file is instead of a ResourceSync document, and what a host has to allow; each with a way on.

import { commandLine } from "../command.js";
import { write } from "../drafts.js";
import type { Listing } from "../engine/listing.js";
import { survey } from "../engine/survey.js";
import { core } from "../engine/validator.js";
import { h, prose, visible } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Report } from "../state.js";
import { command } from "./command.js";

/** The section; empty where the report needs none. */
export function guide(page: Page, report: Report): HTMLElement {
  const { phase } = page.store.state;
  const refused = phase.at === "done" && phase.refused;
  const place = h("div", { class: "guide-place" }, refused ? cors(page, refused) : "");
  if (!refused) void other(page, report).then((section) => section && place.append(section), () => undefined);
  return place;
}

/** What a host has to send so that a page can read it. */
function cors(page: Page, refused: readonly string[]): HTMLElement {
  const words = page.words();
  return h("section", { class: "note guide", "aria-labelledby": "guide-head" },
    h("h2", { id: "guide-head" }, words.say("corsHead")),
    h("p", {}, ...prose(words.say("corsText", { hosts: refused.map((origin) => `\`${visible(origin)}\``).join(words.say("comma")) }))),
    h("p", {}, words.say("corsCommand")),
    command(page, commandLine(page.store.state)),
    h("p", {}, words.say("corsServer")),
    h("pre", { tabindex: 0, translate: "no" }, "Access-Control-Allow-Origin: *"));
}

/** A file that is something else. */
async function other(page: Page, report: Report): Promise<HTMLElement | null> {
  const { given, phase } = page.store.state;
  const [own, ...others] = given;
  const [input] = report.inputs;
  if (!own || others.length > 0 || !input || (phase.at === "done" && phase.opened)) return null;
  if (input.kind !== "sitemap" && report.verdict === "valid") return null;
  if (/\.xlsx?$|\.ods$/i.test(own.name)) return section(page, "guideSheet");
  if (input.kind !== "sitemap" && input.kind !== "unknown") return null;
  const found = await survey({ task: "resources", file: own.file, name: own.name, wasm: await core() });
  if (found) return section(page, found.kind === "sitemap" ? "guideSitemap" : "guideTable", found);
  return input.kind === "sitemap" ? section(page, "guideIndex") : null;
}

function section(page: Page, text: "guideSitemap" | "guideTable" | "guideIndex" | "guideSheet", found?: Listing): HTMLElement {
  const words = page.words();
  return h("section", { class: "note guide", "aria-labelledby": "guide-head" },
    h("h2", { id: "guide-head" }, words.say(`${text}Head`)),
    h("p", {}, words.count(text, found?.count ?? 0)),
    found?.isCut && h("p", {}, words.say("guideCut", { n: found.count })),
    found && h("p", {}, h("button", { type: "button", class: "primary", on: { click: () => {
      write("lines", found.lines);
      if (found.base) write("base", found.base);
      page.store.set({ route: { view: "build" } });
    } } }, icon("next"), words.say("guideBuild"))));
}
