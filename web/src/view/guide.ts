// Where a report is no help: what the file is instead of a ResourceSync document, and what a host has to allow; each with a way on.

import { commandLine } from "../command.js";
import { write } from "../drafts.js";
import type { Column, Listing, Role } from "../engine/listing.js";
import { survey } from "../engine/survey.js";
import { core } from "../engine/validator.js";
import { h, prose, visible } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import type { Report } from "../state.js";
import { learn } from "../words/index.js";
import { GUIDE } from "../words/guide.js";
import { command } from "./command.js";

learn(GUIDE);

/** What a column may be taken for, in the order of the choice. */
const ROLES: readonly Role[] = ["none", "uri", "lastmod", "length", "type", "md5", "sha-256"];

/** The section; empty where the report needs none. */
export function guide(page: Page, report: Report): HTMLElement {
  const { phase } = page.store.state;
  const refused = phase.at === "done" && phase.refused;
  const place = h("div", { class: "guide-place" }, refused ? cors(page, refused) : "");
  if (!refused) {
    void other(page, report).then((section) => {
      if (!section) return;
      place.append(section);
      // What is said of documents does not hold for other files; it does for a package.
      if (report.inputs[0]?.kind === "package") return;
      const sentence = place.closest(".result")?.querySelector(".verdict:not(.undetermined) .sentence");
      if (sentence) sentence.textContent = page.words().say(report.verdict === "valid" ? "guideValid" : "guideInvalid");
    }, () => undefined);
  }
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
  if (input.kind === "package") return report.groups.some(({ code }) => code === "PKG-01") ? section(page, "guidePackage") : null;
  if (input.kind !== "sitemap" && input.kind !== "unknown") return null;
  const found = await survey({ task: "resources", file: own.file, name: own.name, wasm: await core() });
  if (found) {
    const draw = (now: Listing): HTMLElement => {
      const shown = section(page, now.kind === "sitemap" ? "guideSitemap" : "guideTable", now, async (roles) => {
        const next = await survey({ task: "resources", file: own.file, name: own.name, wasm: await core(), roles });
        const drawn = draw(next ?? { ...now, count: 0, lines: "", columns: now.columns?.map((column, at) => ({ ...column, role: roles[at] ?? "none" })) ?? [] });
        const focused = shown.contains(document.activeElement) ? document.activeElement?.id : undefined;
        shown.replaceWith(drawn);
        if (focused) document.getElementById(focused)?.focus();
      });
      return shown;
    };
    return draw(found);
  }
  return input.kind === "sitemap" ? section(page, "guideIndex") : null;
}

function section(page: Page, text: "guideSitemap" | "guideTable" | "guideIndex" | "guideSheet" | "guidePackage", found?: Listing, choose?: (roles: Role[]) => Promise<void>): HTMLElement {
  const words = page.words();
  return h("section", { class: "note guide", "aria-labelledby": "guide-head" },
    h("h2", { id: "guide-head" }, words.say(`${text}Head`)),
    h("p", {}, words.count(text, found?.count ?? 0)),
    found?.isCut && h("p", {}, words.say("guideCut", { n: found.count })),
    found?.columns && choose && columns(page, found.columns, choose),
    found?.encoding !== undefined && h("p", { class: "small" }, words.say("guideEncoding", { encoding: found.encoding })),
    found && found.left.count > 0 && leftOut(page, found),
    found && found.strange > 0 && h("p", { class: "small" }, words.count("guideStrange", found.strange)),
    found && h("p", {}, h("button", { type: "button", class: "primary", disabled: found.count === 0, on: { click: () => {
      write("lines", found.lines);
      if (found.base) write("base", found.base);
      page.store.set({ route: { view: "build" } });
    } } }, icon("next"), words.say("guideBuild"))));
}

/** What has no URI that can be listed: how much, and the first of it. */
function leftOut(page: Page, { kind, left: { count, first } }: Listing): HTMLElement {
  const words = page.words();
  const isTable = kind === "table";
  const named = first.map(([at, value]) => words.say("contentsWith", { what: isTable ? words.say("line", { line: at }) : words.say("entry", { n: at }), of: visible(value.slice(0, 120)) || words.say("guideEmpty") }));
  return h("p", { class: "small left-out" }, words.count(isTable ? "guideLeft" : "guideLeftPages", count), " ", named.join(words.say("comma")), count > first.length && "…");
}

/** The columns of a table with their first values, and what each is taken for, to be corrected. */
function columns(page: Page, all: readonly Column[], choose: (roles: Role[]) => Promise<void>): HTMLElement {
  const words = page.words();
  const picks = all.map(({ title, role }, at) => {
    const pick = h("select", { id: `guide-column-${at}`, "aria-label": words.say("guideColumn", { name: visible(title) || words.number(at + 1) }), on: { change: () => {
      const chosen = pick.value as Role;
      // Each column but those that are left out is there once.
      void choose(picks.map((own) => (own === pick ? chosen : own.value === chosen ? "none" : own.value as Role)));
    } } }, ...ROLES.map((own) => h("option", { value: own, selected: own === role }, words.say(`role.${own}`))));
    return pick;
  });
  const most = Math.max(...all.map(({ values }) => values.length));
  return h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": words.say("guideColumns") },
    h("table", { class: "plain-table" },
      h("thead", {},
        h("tr", {}, ...all.map(({ title }) => h("th", { scope: "col" }, visible(title)))),
        h("tr", {}, ...picks.map((pick) => h("td", {}, pick)))),
      h("tbody", {}, ...Array.from({ length: most }, (_, row) => h("tr", {}, ...all.map(({ values }) => h("td", {}, visible((values[row] ?? "").slice(0, 120)))))))));
}
