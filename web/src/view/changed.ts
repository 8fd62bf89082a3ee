// What changed in the resources: counts that filter, a table, and a Change List.

import type { Changed, NotCompared } from "../engine/changed.js";
import { survey } from "../engine/survey.js";
import { core } from "../engine/validator.js";
import { h, prose, visible } from "../element.js";
import { icon } from "../icon.js";
import { save, type Page } from "../page.js";
import { rootOf, type Given, type State } from "../state.js";
import { COMPARE } from "../words/compare.js";
import { learn } from "../words/index.js";
import { kindOf } from "./inputs.js";
import { VirtualTable } from "./table.js";

learn(COMPARE);

/**
 * Compares the resources of others with those of the files on show, or of some of them, of which it is unknown which is older. An extra
 * comparison says nothing where it is not possible.
 */
export async function changedSince(page: Page, name: string, old: readonly Given[], { sides, isExtra = false }: { sides?: readonly Given[]; isExtra?: boolean } = {}): Promise<void> {
  const words = page.words();
  const { given, check } = page.store.state;
  page.announce(words.say("loading"));
  try {
    const result = await survey({ task: "whatChanged", old, new: sides ?? given, isUnordered: sides !== undefined, wasm: await core() });
    if (page.store.state.check !== check || (isExtra && "refused" in result)) return;
    page.store.set({ changed: { name: "order" in result && result.order === "swapped" ? named(sides ?? given) : name, result } });
    page.announce("refused" in result ? refusal(page, result).replaceAll("`", "") : sentence(page, result));
  } catch (error) {
    if (page.store.state.check === check) page.announce(words.say("compareFailed", { name, detail: error instanceof Error ? error.message : String(error) }));
  }
}

/** What files are called together. */
export function named(given: readonly Given[]): string {
  const [first] = given;
  return first?.via === "folder" ? first.name.split("/")[0] ?? "" : first?.name ?? "";
}

/** The two lists or folders that were given; null if these are more or fewer. */
export function twoSides(given: readonly Given[]): [Given[], Given[]] | null {
  const sides = new Map<string, Given[]>();
  for (const own of given) {
    const key = rootOf(own);
    const side = sides.get(key);
    if (side) side.push(own);
    else if (sides.size === 2) return null;
    else sides.set(key, [own]);
  }
  const [one, other] = [...sides.values()];
  return one && other ? [one, other] : null;
}

function sentence(page: Page, { counts }: Changed): string {
  const words = page.words();
  return [words.count("changedCreated", counts.created), words.count("changedUpdated", counts.updated), words.count("changedDeleted", counts.deleted)].join(words.say("comma"));
}

function refusal(page: Page, result: NotCompared): string {
  const words = page.words();
  if ("name" in result) return words.say(result.refused === "part" ? "changedPart" : "changedUnread", { name: visible(result.name), detail: visible(result.detail) });
  const { refused, old, new: own } = result;
  const kinds = (all: readonly string[]) => all.map((kind) => kindOf(page, kind)).join(words.say("comma")) || "–";
  return words.say(refused === "kinds" ? "changedKinds" : "changedNone", { old: kinds(old), new: kinds(own) });
}

/** The result, above the findings. */
export function changed(page: Page, { name, result }: NonNullable<State["changed"]>): HTMLElement {
  const words = page.words();
  const close = h("button", { type: "button", class: "quiet bare", "aria-label": words.say("compareEnd"), title: words.say("compareEnd"), on: { click: () => page.store.set({ changed: null }) } }, icon("close"));
  const head = h("div", { class: "edit-head" }, h("h2", { id: "changed-head", tabindex: -1 }, words.say("changedHead", { name: visible(name) })), close);
  if ("refused" in result) return h("section", { class: "changed card", "aria-labelledby": "changed-head" }, head, h("p", {}, ...prose(refusal(page, result))));
  const table = new VirtualTable(page, { ...result }, `changes-${name}`);
  const chips = (["created", "updated", "deleted"] as const).map((change) => h("button", { type: "button", class: "chip", "data-change": change, "aria-pressed": "false", disabled: result.counts[change] === 0,
    on: { click: ({ currentTarget }: Event) => {
      const isOn = (currentTarget as HTMLElement).getAttribute("aria-pressed") === "true";
      for (const chip of chips) chip.setAttribute("aria-pressed", String(chip === currentTarget && !isOn));
      table.only(isOn ? undefined : { column: result.columns.indexOf("change"), value: change });
    } } }, words.count(`changed${change[0]?.toUpperCase() ?? ""}${change.slice(1)}` as "changedCreated", result.counts[change])));
  const said = h("p", { class: "small dim", role: "status" });
  const list = h("button", { type: "button", class: "change-list", on: { click: async () => {
    try {
      save("changelist.xml", await survey({ task: "changeList", id: result.id }), "application/xml");
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      said.textContent = detail === "no-snapshot" ? words.say("changedNoSnapshot") : detail === "several-sets" ? words.say("changedSets") : visible(detail);
    }
  } } }, icon("save"), words.say("changedList"));
  const total = result.counts.created + result.counts.updated + result.counts.deleted;
  return h("section", { class: "changed card", "aria-labelledby": "changed-head" }, head,
    result.order && h("p", {}, ...prose(words.say(result.order === "swapped" ? "changedSwapped" : "changedUnordered", { name: visible(name) }))),
    h("div", { class: "chips", role: "group", "aria-label": words.say("changedFilter") }, ...chips, h("span", { class: "dim" }, words.count("changedSame", result.counts.same))),
    total === 0 ? h("p", {}, words.say("changedNothing")) : h("div", {}, h("div", { class: "buttons" }, list, said), table.root));
}
