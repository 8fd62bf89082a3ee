// Checks a text again and again while it is written: one run at a time, and always the latest text last.

import { report as shown, type Store } from "../state.js";
import { options } from "./run.js";
import { documents, validator } from "./validator.js";

/** Milliseconds without a key before the text is checked. */
const PAUSE = 300;

/** Checks the text of the only document; `done` is called after each report. */
export class Recheck {
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #text: string | null = null;
  #running = false;

  constructor(readonly store: Store, readonly done: () => void) {}

  /** Takes a change. */
  take(text: string, pause = PAUSE): void {
    this.#text = text;
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => void this.#run(), pause);
  }

  /** Forgets a change that is not checked yet. */
  end(): void {
    this.#text = null;
    clearTimeout(this.#waiting);
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      while (this.#text !== null) {
        const text = this.#text;
        this.#text = null;
        await this.#check(text);
      }
    } finally {
      this.#running = false;
    }
  }

  async #check(text: string): Promise<void> {
    const { given: [own], check, lang, selected, phase } = this.store.state;
    const before = shown(this.store.state);
    if (!own || !before || phase.at !== "done") return;
    const file = new File([text], own.name, { type: "application/xml" });
    const start = performance.now();
    const { uri, via, name } = own;
    const report = await (await documents()).validate(file, { ...options(this.store.state), name, via, ...(uri && { uri }) });
    // The messages come with the report, so that no other language appears in between.
    const translated = lang === "en" ? null : await (await validator()).messages(report.diagnostics, lang);
    const now = this.store.state;
    // Meanwhile the user may have left the report, or changed the language.
    if (now.check !== check || now.phase.at !== "done" || !now.editing) return;
    const old = selected === null ? undefined : before.diagnostics[selected];
    const at = report.diagnostics.findIndex(({ code, fingerprint }) => code === old?.code && fingerprint === old.fingerprint);
    this.store.set({
      given: [{ ...own, file }], phase: { at: "done", report, seconds: (performance.now() - start) / 1000, opened: false },
      linked: null, numbers: null, guess: null, compared: null, changed: null, selected: at < 0 ? null : at, translated: now.lang === lang ? translated : null,
    });
    this.done();
  }
}
