// A report: the verdict, then inputs, findings and the detail of one finding side by side.

import { commandLine } from "../command.js";
import { h, prose } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";
import { areApart, isAtHand, isOfDocuments, type Report, type State } from "../state.js";
import { command } from "./command.js";
import { contents } from "./contents.js";
import { detail } from "./detail.js";
import { addLine, dropLine } from "./drop.js";
import { findings } from "./findings.js";
import { keepQuestion } from "./keep.js";
import { hasSeveral, inputs, linked } from "./inputs.js";
import { hasMap, map } from "./map.js";
import { settingsForm } from "./settings.js";
import { splitter } from "./splitter.js";
import { tables } from "./table.js";
import { timeline } from "./timeline.js";
import { whole } from "./whole.js";
import { verdict } from "./verdict.js";

/** What changed since an earlier report, once one was chosen. */
function comparison(page: Page): HTMLElement {
  const place = h("div", { class: "compared-place" });
  const draw = async ({ compared: own }: State) => {
    if (!own) return place.replaceChildren();
    const { compared } = await import("./compare.js");
    if (page.store.state.compared === own) place.replaceChildren(compared(page, own));
  };
  void draw(page.store.state);
  page.store.watch(place, (state, before) => {
    if (state.compared === before.compared) return;
    void draw(state).then(() => place.querySelector<HTMLElement>("h2")?.focus());
  });
  return place;
}

/** A part that few reports need: loaded after the others. */
function part(load: () => Promise<HTMLElement>): HTMLElement {
  const place = h("div", {});
  void load().then((own) => place.replaceWith(own), () => undefined);
  return place;
}

/** What changed in the resources, once something to compare with was chosen; before, the offer if there are two sides. */
function resourcesChanged(page: Page, report: Report): HTMLElement {
  const place = h("div", { class: "changed-place" });
  const draw = async ({ changed: own, given }: State) => {
    if (own) {
      const { changed } = await import("./changed.js");
      if (page.store.state.changed === own) place.replaceChildren(changed(page, own));
      return;
    }
    place.replaceChildren();
    if (given.length < 2) return;
    const { changedSince, named, twoSides } = await import("./changed.js");
    const sides = twoSides(given.filter(({ ignored }) => !ignored));
    // Documents of different kinds are not meant to be compared.
    const kinds = new Set(report.inputs.filter(({ parent }) => parent === undefined).map(({ kind }) => kind));
    if (!sides || page.store.state.changed || (given.length === 2 && kinds.size > 1)) return;
    const words = page.words();
    place.replaceChildren(h("p", { class: "note two-sides" }, words.say("changedTwo"), " ",
      h("button", { type: "button", on: { click: () => void changedSince(page, named(sides[0]), sides[0], { sides: sides[1] }) } }, icon("compare"), words.say("changedGo"))));
  };
  void draw(page.store.state);
  page.store.watch(place, (state, before) => {
    if (state.changed === before.changed) return;
    void draw(state).then(() => place.querySelector<HTMLElement>("h2")?.focus());
  });
  return place;
}

/** A part that is built after the others, in a task of its own. */
export type Stage = () => void;

/** Builds the view of a report: the verdict at once, then the findings, then the rest. */
export function result(page: Page, report: Report): { view: HTMLElement; stages: Stage[] } {
  const words = page.words();
  const { phase, given, settings } = page.store.state;
  const opened = phase.at === "done" && phase.opened;
  const clean = report.groups.length === 0;
  const ofDocuments = isOfDocuments(report);
  const several = hasSeveral(report);
  const stages: Stage[] = [];
  const later = (build: () => HTMLElement | false, className = "stage") => {
    const place = h("div", { class: className });
    stages.push(() => {
      const built = build();
      if (built) place.replaceWith(built);
      else place.remove();
    });
    return place;
  };
  const found = later(() => (clean && report.verdict === "valid" && ofDocuments ? contents(page, report) : findings(page, report)), "pane findings");
  const overview = hasMap(report) && later(() => map(page, report));
  const panes: HTMLElement = h("div", { class: `panes${clean ? " clean" : ""}${several ? "" : " single"}` },
    several && later(() => inputs(page, report), "pane inputs"),
    found,
    !clean && splitter(page, () => panes),
    !clean && later(() => detail(page, report), "pane detail"));
  const time = ofDocuments && later(() => timeline(page, report));
  const view = h("div", { class: "result" },
    verdict(page, report),
    part(() => import("./guide.js").then(({ guide }) => guide(page, report))),
    page.store.state.undo !== null && h("p", { class: "note undo" }, words.say("fixApplied"), " ",
      h("button", { type: "button", class: "link", on: { click: () => void page.undo() } }, words.say("fixUndo"))),
    !opened && ofDocuments && areApart(given) && h("p", { class: "note apart" }, words.say("wholeApart")),
    comparison(page),
    !opened && ofDocuments && resourcesChanged(page, report),
    keepQuestion(page),
    given[0]?.shared && h("p", { class: "note" }, ...prose(words.say("sharedText", { name: given[0].name, size: words.size(given[0].file.size) }))),
    // What is found comes first; without findings, what there is.
    clean && overview,
    clean && overview && time,
    panes,
    !clean && overview,
    !(clean && overview) && time,
    !several && ofDocuments && linked(page),
    ofDocuments && later(() => tables(page, report)),
    isAtHand(page.store.state) ? addLine(page) : dropLine(page, false),
    !opened && ofDocuments && later(() => whole(page, report)),
    !opened && ofDocuments && settings.base !== undefined && part(() => import("./outlook.js").then(({ outlook }) => outlook(page))),
    !opened && (given.length > 0 || settings.url !== undefined) && h("section", { class: "repeat" },
      h("h2", {}, words.say("commandLabel")),
      command(page, commandLine(page.store.state)),
      settingsForm(page, () => (settings.url ? page.checkUrl(settings.url) : page.check(page.store.state.given)), ofDocuments)));
  return { view, stages };
}
