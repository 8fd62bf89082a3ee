// The panel that repairs a document: repairs and diff, what remains after them, and the repaired document.

import { documents, core } from "../engine/validator.js";
import type { DiffLine } from "../engine/difference.js";
import type { Fixed, NotFixed } from "../engine/fix.js";
import { options } from "../engine/run.js";
import { survey } from "../engine/survey.js";
import { quoted } from "../command.js";
import { h, prose, uri, visible } from "../element.js";
import { icon } from "../icon.js";
import { save, type Page } from "../page.js";
import type { Given, Report } from "../state.js";
import { TABLE, type Word } from "../words/index.js";
import { command } from "./command.js";
import { repairsOf } from "./fix-button.js";
import { fileOf, fixable } from "./given.js";
import { panel } from "./panel.js";

/** Opens it for the chosen document, or the first one with findings. */
export function openFix(page: Page, report: Report, apply: (given: Given, file: Blob) => void): void {
  const words = page.words();
  const { state } = page.store;
  const all = fixable(state, report);
  const chosen = state.selected === null ? undefined : report.diagnostics[state.selected]?.input;
  let own = all.find(({ id }) => id === state.filters.input) ?? all.find(({ id }) => id === chosen) ?? all[0];
  if (!own) return;
  let zone = "";
  let asked = 0;
  const said = h("p", { class: "small", role: "status" });
  const every = h("button", { type: "button", class: "fix-all", on: { click: async () => {
    said.textContent = words.say("loading");
    const files = all.flatMap(({ id }) => fileOf(report, page.store.state, id) ?? []);
    try {
      const { file, documents, repairs, refused } = await survey({ task: "fixAll", files, wasm: await core(), ...(zone && { zone }) });
      if (documents > 0) save("repaired.zip", file, "application/zip");
      said.textContent = [documents > 0 ? words.count("fixAllDone", documents, { repairs: words.count("fixAllRepairs", repairs) }) : words.say("fixNone"), refused > 0 && words.count("fixAllRefused", refused)].filter(Boolean).join(" ");
    } catch (error) {
      said.textContent = visible(error instanceof Error ? error.message : String(error));
    }
  } } }, icon("save"), words.say("fixAll"));
  const outcome = h("div", { class: "fix-outcome", "aria-live": "polite" });
  const zoneField = h("input", { id: "fix-zone", class: "mono", list: "fix-zones", autocomplete: "off", spellcheck: "false", placeholder: "+09:00", "aria-describedby": "fix-zone-wrong fix-zone-more",
    on: { change: () => {
      zone = zoneField.value.trim();
      void draw();
    } } });
  const more = h("p", { id: "fix-zone-more", class: "small dim", role: "status" });
  const wrong = h("p", { id: "fix-zone-wrong", class: "small wrong", role: "alert" });
  const pick = h("select", { id: "fix-document", on: { change: () => {
    own = all[Number(pick.value)];
    void draw();
  } } }, ...all.map(({ name, id }, at) => h("option", { value: at, selected: id === own?.id }, visible(name))));
  const dialog = panel(page, words.say("fixTitle"),
    h("p", {}, words.say("fixLead")),
    h("div", { class: "fix-fields" },
      all.length > 1 && h("div", { class: "field" }, h("label", { for: "fix-document" }, words.say("fixDocument")), pick),
      h("div", { class: "field" }, h("label", { for: "fix-zone" }, words.say("fixZone")), zoneField,
        h("datalist", { id: "fix-zones" }, ...["Z", "+09:00", "+01:00", "-05:00"].map((value) => h("option", { value }))), more)),
    wrong,
    all.length > 1 && h("div", { class: "buttons fix-every" }, every, said),
    outcome);
  dialog.classList.add("wide");
  const draw = async () => {
    const now = ++asked;
    const given = own && fileOf(report, page.store.state, own.id);
    if (!own || !given) return;
    wrong.textContent = "";
    const zoned = (await repairsOf(page, report))?.get(own.id)?.zoned ?? 0;
    if (now !== asked) return;
    more.textContent = zoned > 0 && !zone ? words.say("fixMoreWithZone", { n: zoned }) : "";
    outcome.replaceChildren(h("p", { class: "dim" }, words.say("loading")));
    try {
      const fixed = await survey({ task: "fix", file: given.file, wasm: await core(), ...(zone && { zone }) });
      if (now !== asked) return;
      if ("refused" in fixed) return outcome.replaceChildren(h("p", {}, ...prose(refusal(page, fixed))));
      outcome.replaceChildren(...result(page, given, fixed, zone, () => {
        dialog.close();
        apply(given, fixed.file);
      }));
    } catch (error) {
      if (now !== asked) return;
      const text = error instanceof Error ? error.message : String(error);
      if (text.startsWith("zone:")) {
        wrong.textContent = words.say("fixZoneWrong");
        outcome.replaceChildren();
      } else outcome.replaceChildren(h("p", {}, visible(text)));
    }
  };
  void draw();
}

function refusal(page: Page, { refused, detail }: NotFixed): string {
  const words = page.words();
  if (refused === "lossy") return words.say("fixLossy", { detail });
  return words.say(refused === "compressed" ? "fixCompressed" : "fixEncoding");
}

function result(page: Page, given: Given, fixed: Fixed, zone: string, apply: () => void): Node[] {
  const words = page.words();
  const name = given.name.split("/").at(-1) ?? given.name;
  if (fixed.total === 0) return [h("div", { class: "nothing" }, icon("info", "large"), h("p", {}, words.say("fixNone")), h("p", { class: "dim" }, words.say("fixNoneText")))];
  const left = h("p", { class: "fix-left", role: "status" }, words.say("fixChecking"));
  void remaining(page, given, fixed.file).then((text) => left.replaceChildren(...text), () => left.remove());
  return [
    h("h3", {}, words.count("fixCount", fixed.total)),
    left,
    fixed.rewritten && h("p", { class: "note" }, words.say("fixRewritten")),
    h("div", { class: "buttons" },
      h("button", { type: "button", class: "primary", on: { click: apply } }, words.say("fixApply")),
      h("button", { type: "button", on: { click: () => save(name, fixed.file, "application/xml") } }, icon("save"), words.say("fixDownload"))),
    h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": words.say("fixRepairs") },
      h("table", { class: "plain-table" },
        h("thead", {}, h("tr", {}, ...(["line1", "fixWhat", "path", "fixChange"] as const).map((word) => h("th", { scope: "col", class: word }, words.say(word))))),
        h("tbody", {}, ...fixed.repairs.map(({ kind, span, path, before, after }) => h("tr", {},
          h("td", { class: "number" }, words.number(span.start.line)),
          h("td", { class: "words" }, kindOfRepair(page, kind)),
          h("td", { class: "path" }, uri(path, "uri mono")),
          h("td", {}, h("del", {}, side(page, kind, before)), " → ", h("ins", {}, side(page, kind, after)))))))),
    fixed.total > fixed.repairs.length && h("p", { class: "dim" }, words.say("fixMore", { n: fixed.repairs.length, all: fixed.total })),
    h("h3", {}, words.say("fixDiff")),
    diff(page, fixed.parts),
    fixed.allParts > fixed.parts.length && h("p", { class: "dim" }, words.say("fixMoreParts", { n: fixed.parts.length, all: fixed.allParts })),
    h("h3", {}, words.say("commandLabel")),
    command(page, `resourcesync fix --in-place ${zone ? `--zone ${zone} ` : ""}${quoted(given.name)}`),
  ].filter((node): node is HTMLElement => Boolean(node));
}

/** What remains after the repairs. */
async function remaining(page: Page, { name, via, uri }: Given, file: Blob): Promise<Node[]> {
  const words = page.words();
  const { verdict, summary } = await (await documents()).validate(file, { ...options(page.store.state), name, via, ...(uri && { uri }) });
  const counts = [summary.errors > 0 && words.count("errors", summary.errors), summary.warnings > 0 && words.count("warnings", summary.warnings)].filter(Boolean);
  const left = counts.length > 0 ? words.say("fixLeft", { counts: counts.join(words.say("comma")) }) : words.say(verdict === "valid" ? "fixLeftNone" : verdict);
  const { settings, given } = page.store.state;
  // The other documents were not read again.
  const alone = settings.base || given.length > 1 ? ` ${words.say("fixLeftAlone")}` : "";
  return [icon(verdict), document.createTextNode(` ${left}${alone}`)];
}

function kindOfRepair(page: Page, kind: string): string {
  const word = `repair.${kind}`;
  return word in TABLE ? page.words().say(word as Word) : visible(kind);
}

/** One side of a repair; of a new order, the place of the entry. */
function side(page: Page, kind: string, value: string): string {
  return kind === "order" ? page.words().say("fixPlace", { n: visible(value) }) : visible(value);
}

/** The parts that differ. */
function diff(page: Page, parts: readonly DiffLine[][]): HTMLElement {
  const words = page.words();
  const signs = { both: " ", old: "−", new: "+" } as const;
  const sides = { both: "", old: words.say("fixOld"), new: words.say("fixNew") };
  return h("div", { class: "diff", tabindex: 0, role: "region", "aria-label": words.say("fixDiff"), translate: "no", dir: "ltr" },
    ...parts.map((lines) => h("div", { class: "diff-part" }, ...lines.map(({ side, line, text, mark }) => {
      const [from, to] = mark ?? [0, 0];
      const part = (start: number, end?: number) => visible(text.slice(start, end).replaceAll("\t", "  "));
      const tag = side === "old" ? "del" : "ins";
      return h("div", { class: `diff-line ${side}` },
        h("span", { class: "line-number" }, String(line)), h("span", { class: "sign", "aria-hidden": "true" }, signs[side]),
        sides[side] !== "" && h("span", { class: "unseen" }, `${sides[side]}: `),
        h("code", {}, mark ? part(0, from) : part(0), mark && to > from ? h(tag, {}, part(from, to)) : "", mark ? part(to) : ""));
    }))));
}
