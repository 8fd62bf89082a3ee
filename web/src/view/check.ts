// The check view, whose content depends on the phase of the run, and the text of the document while it is edited.

import { h, prose } from "../element.js";
import type { Page } from "../page.js";
import { isOfDocuments, type State } from "../state.js";
import { turn } from "../turn.js";
import { cancelled } from "./cancelled.js";
import type { Editor } from "./editor.js";
import { empty } from "./empty.js";
import { failed } from "./failed.js";
import { result, type Stage } from "./result.js";
import { running } from "./running.js";

/** Builds the view; it updates itself until it is removed from the page. */
export function check(page: Page): HTMLElement {
  const view = h("div", { class: "check-view" });
  const text = new EditPlace(page);
  const root = h("div", { class: "check" }, text.root, view);
  const draw = ({ phase }: State, focus = false) => {
    const { view: own, stages } = built(page, phase);
    view.replaceChildren(own);
    // The focused button was removed: moves the focus to the heading of the new content. That needs its layout, so it is a stage too.
    if (focus) stages.unshift(() => view.querySelector<HTMLElement>("h1, h2")?.focus({ preventScroll: true }));
    void (async () => {
      for (const stage of stages) {
        await turn();
        // Another view took its place.
        if (own.parentNode !== view) return;
        stage();
      }
      root.dataset["phase"] = phase.at;
    })();
  };
  draw(page.store.state);
  const edit = (state: State) => {
    root.classList.toggle("editing", state.editing && isEditable(state));
    void text.draw(state);
  };
  edit(page.store.state);
  page.store.watch(root, (state, before) => {
    edit(state);
    const isNew = state.phase.at !== before.phase.at || state.lang !== before.lang
      || (state.phase.at === "empty" && state.phase !== before.phase)
      || (state.phase.at === "told" && before.phase.at === "told" && state.phase.told !== before.phase.told)
      || (state.phase.at === "done" && before.phase.at === "done" && state.phase.report !== before.phase.report);
    if (isNew) draw(state, state.phase.at !== before.phase.at && state.phase.at !== "empty");
  });
  return root;
}

function built(page: Page, phase: State["phase"]): { view: HTMLElement; stages: Stage[] } {
  switch (phase.at) {
    case "empty": return { view: empty(page), stages: [] };
    case "running": return { view: running(page), stages: [] };
    case "done": return result(page, phase.report);
    case "told": {
      const place = h("div", {});
      return { view: place, stages: [() => void import("./told.js").then(({ told }) => {
        place.append(told(page, phase.told));
        place.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
      })] };
    }
    case "cancelled": return { view: cancelled(page, phase.live), stages: [] };
    case "failed": return { view: failed(page, phase.fault, phase.live), stages: [] };
  }
}

/** Bytes of a document that can be edited. */
export const EDITABLE = 1 << 20;

/** Whether the text on show can be edited: there is one document, it is at hand, and not too large. */
export function isEditable(state: State): boolean {
  return isSingle(state) && (state.given[0]?.file.size ?? 0) <= EDITABLE;
}

/** Whether there is one document, and it is at hand. */
export function isSingle({ phase, given }: State): boolean {
  return phase.at === "done" && !phase.opened && given.length === 1 && phase.report.inputs.length === 1 && phase.report.inputs[0]?.kind !== "package" && isOfDocuments(phase.report);
}

/** Says why a text cannot be edited. */
async function refused(page: Page, { given: [own] }: State): Promise<void> {
  const words = page.words();
  const start = new Uint8Array(await own?.file.slice(0, 2).arrayBuffer() ?? new ArrayBuffer(0));
  const isCompressed = start[0] === 0x1f && start[1] === 0x8b;
  const { panel } = await import("./panel.js");
  panel(page, words.say("edit"), h("p", {}, ...prose(words.say(isCompressed ? "editCompressed" : "editEncoding"))));
}

/** The place of the editor. It stays while reports come and go. */
class EditPlace {
  readonly root = h("div", { class: "edit-place" });
  #open: Editor | null = null;
  #shown = "";

  constructor(readonly page: Page) {}

  async draw(state: State): Promise<void> {
    const wanted = state.editing && isEditable(state) ? `${state.check} ${state.lang}` : "";
    if (wanted === this.#shown) return;
    const isSame = wanted.split(" ")[0] === this.#shown.split(" ")[0];
    this.#shown = wanted;
    const before = isSame ? this.#open : null;
    this.#open?.end();
    this.#open = null;
    if (!wanted) {
      const hadFocus = this.root.contains(document.activeElement);
      this.root.replaceChildren();
      if (hadFocus) document.querySelector<HTMLElement>("[data-edit]")?.focus();
      return;
    }
    // The button disappears, and its focus with it.
    const isAsked = document.activeElement?.matches("[data-edit]") ?? false;
    const { editor } = await import("./editor.js");
    const own = await editor(this.page, before);
    if (wanted !== this.#shown) return;
    if (!own) {
      this.page.store.set({ editing: false });
      if (isAsked) void refused(this.page, state);
      return;
    }
    this.#open = own;
    this.root.replaceChildren(own.root);
    own.draw();
    if (isAsked) own.focus();
  }
}
