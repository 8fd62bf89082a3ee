// The check view, whose content depends on the phase of the run.

import { h } from "../element.js";
import type { Page } from "../page.js";
import type { State } from "../state.js";
import { cancelled } from "./cancelled.js";
import { empty } from "./empty.js";
import { failed } from "./failed.js";
import { result } from "./result.js";
import { running } from "./running.js";

/** Builds the view; it updates itself until it is removed from the page. */
export function check(page: Page): HTMLElement {
  const root = h("div", { class: "check" });
  const draw = (state: State) => {
    const { phase } = state;
    root.dataset["phase"] = phase.at;
    switch (phase.at) {
      case "empty": return root.replaceChildren(empty(page));
      case "running": return root.replaceChildren(running(page));
      case "done": return root.replaceChildren(result(page, phase.report));
      case "cancelled": return root.replaceChildren(cancelled(page, phase.live));
      case "failed": return root.replaceChildren(failed(page, phase.fault, phase.live));
    }
  };
  draw(page.store.state);
  page.store.watch(root, (state, before) => {
    const isNew = state.phase.at !== before.phase.at || state.lang !== before.lang
      || (state.phase.at === "empty" && state.phase !== before.phase)
      || (state.phase.at === "done" && before.phase.at === "done" && state.phase.report !== before.phase.report);
    if (!isNew) return;
    draw(state);
    // The focused button was removed: moves the focus to the heading of the new content.
    if (state.phase.at !== before.phase.at && state.phase.at !== "empty") {
      root.querySelector<HTMLElement>("h1, h2")?.focus({ preventScroll: true });
    }
  });
  return root;
}
