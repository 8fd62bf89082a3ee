// The interface of every view: the state, the texts, and the actions of the user.

import type { Check } from "./checks.js";
import type { Site } from "./site.js";
import type { Given, Store } from "./state.js";
import { Words } from "./words/index.js";

export interface Page {
  store: Store;
  words(): Words;
  /** What the host of this copy says about it. */
  site: Site;
  /** Announces a change to screen readers. */
  announce(text: string): void;
  /** Validates files, together with the previous ones if `add` is true. */
  check(files: readonly Given[], add?: boolean): void;
  /** Fetches and validates a Source on the web, in the build that may. */
  checkUrl(url: string): void;
  /** Validates the files again, one of them repaired. */
  repair(given: Given, file: Blob): void;
  /** Shows the check before the repair. */
  undo(): Promise<void>;
  /** Shows a check that was kept. */
  resume(check: Check): void;
  cancel(): void;
  startOver(): void;
  chooseFiles(): void;
  chooseFolder(): void;
}

const cache = new Map<string, Words>();

/** The texts of a language, created once. */
export function wordsOf(lang: Words["lang"]): Words {
  let words = cache.get(lang);
  if (!words) cache.set(lang, (words = new Words(lang)));
  return words;
}

/** Copies text and briefly confirms it on the button. */
export async function copy(page: Page, text: string, button: HTMLElement): Promise<void> {
  const words = page.words();
  const said = await navigator.clipboard.writeText(text).then(() => words.say("copied"), () => words.say("notCopied"));
  page.announce(said);
  const label = button.querySelector(".label") ?? button;
  const before = label.textContent;
  label.textContent = said;
  setTimeout(() => (label.textContent = before), 1500);
}

/** Downloads a file. */
export function save(name: string, text: string | Blob, type: string): void {
  const url = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
