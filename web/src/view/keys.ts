// The keys: what they do, and the list of them.

import { h } from "../element.js";
import { leaveFinding } from "../history.js";
import type { Page } from "../page.js";
import { SEVERITIES } from "../state.js";
import type { Word } from "../words/index.js";
import { panel } from "./panel.js";
import { step, stepGroup, toDetail } from "./walk.js";

const LIST: readonly [keys: string[], word: Word][] = [
  [["j"], "keyNext"],
  [["k"], "keyPrevious"],
  [["Shift", "j"], "keyNextRule"],
  [["Shift", "k"], "keyPreviousRule"],
  [["Enter"], "keyDetail"],
  [["/"], "keySearch"],
  [["e", "w", "i"], "keySeverity"],
  [["o"], "keyOpen"],
  [["Esc"], "keyEscape"],
  [["?"], "keyHelp"],
];

/** Shows the list. */
export function openKeys(page: Page): void {
  const words = page.words();
  const rows = LIST.map(([keys, word]) =>
    h("div", {}, h("dt", {}, ...keys.map((key) => h("kbd", {}, key))), h("dd", {}, words.say(word))));
  const tick = h("input", { type: "checkbox", id: "shortcuts", checked: page.store.state.shortcuts,
    on: { change: () => page.store.set({ shortcuts: tick.checked }) } });
  panel(page, words.say("keys"),
    h("label", { class: "tick" }, tick, h("span", {}, words.say("keysSingle"))),
    h("dl", { class: "keys" }, ...rows));
}

/** Handles keys, except in text fields. */
export function listenForKeys(page: Page): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const writing = target.closest("input, textarea, select");
    if (event.key === "Escape") {
      if (writing instanceof HTMLInputElement && writing.type === "search") writing.blur();
      else if (page.store.state.phase.at === "running") page.cancel();
      else if (page.store.state.detail) leaveFinding(() => page.store.set({ detail: false }));
      return;
    }
    if (writing || (event.key.length === 1 && !page.store.state.shortcuts)) return;
    const act = action(page, event.key, target);
    if (act) {
      event.preventDefault();
      act();
    }
  });
}

function action(page: Page, key: string, target: HTMLElement): (() => void) | null {
  const check = page.store.state.route.view === "check";
  switch (key) {
    case "?": return () => openKeys(page);
    case "/": return () => document.querySelector<HTMLElement>("input[type=search]")?.focus();
    case "o": return check ? () => page.chooseFiles() : null;
    case "j": return check ? () => step(1) : null;
    case "k": return check ? () => step(-1) : null;
    case "J": return check ? () => stepGroup(1) : null;
    case "K": return check ? () => stepGroup(-1) : null;
    case "Enter": return check && target.matches(".finding") ? () => {
      target.click();
      toDetail();
    } : null;
    case "e":
    case "w":
    case "i": {
      const severity = SEVERITIES.find((severity) => severity.startsWith(key));
      if (!severity || page.store.state.phase.at !== "done") return null;
      return () => toggle(page, severity);
    }
    default: return null;
  }
}

/** Shows or hides a severity; at least one stays visible. */
export function toggle(page: Page, severity: (typeof SEVERITIES)[number]): void {
  const severities = new Set(page.store.state.filters.severities);
  if (!severities.delete(severity)) severities.add(severity);
  page.store.filter({ severities: severities.size > 0 ? severities : new Set(SEVERITIES) });
}
