// The place of the source in the detail: the document of the finding where it is at hand, else the excerpt of the report.

import { h } from "../element.js";
import type { Page } from "../page.js";
import type { Diagnostic, Report } from "../state.js";
import { codeFrame } from "./code-frame.js";
import { fileOf } from "./given.js";
import type { SourceView } from "./source.js";

type Span = NonNullable<Diagnostic["span"]>;

export class SourcePlace {
  readonly root = h("div", { class: "source-place" });
  /** The document that is open or being opened. */
  #input = -1;
  #view: Promise<SourceView> | null = null;
  #asked = 0;

  constructor(readonly page: Page, readonly report: Report) {}

  /** Shows the place of a finding. */
  show(found: Diagnostic): void {
    if (found.span && this.#leads(found.input)) return void this.#open(found.input, found.span, found);
    this.#excerpt(found);
  }

  /** Shows another place, perhaps in another document. */
  lead(input: number, span: Span): void {
    void this.#open(input, span, null).then(() => this.root.querySelector<HTMLElement>(".source")?.focus());
  }

  clear(): void {
    this.#asked += 1;
    this.root.replaceChildren();
  }

  #leads(input: number): boolean {
    return fileOf(this.report, this.page.store.state, input) !== undefined;
  }

  #excerpt(found: Diagnostic, asked = ++this.#asked): void {
    this.#asked = asked;
    const frame = codeFrame(this.page, found);
    this.root.replaceChildren(...(frame ? [frame] : []));
  }

  async #open(input: number, span: Span, found: Diagnostic | null): Promise<void> {
    const asked = ++this.#asked;
    try {
      if (this.#input !== input) {
        this.#input = input;
        this.#view = this.#load(input);
      }
      const opening = this.#view;
      // The excerpt is there at once; the document takes its place.
      if (found && !this.root.firstElementChild?.matches(".source")) this.#excerpt(found, asked);
      const view = await opening;
      if (!view || asked !== this.#asked) return;
      if (view.root.parentNode !== this.root) this.root.replaceChildren(view.root);
      await view.show(span);
    } catch {
      // Too large, gone, or not text: the report has an excerpt.
      if (this.#input === input) this.#input = -1;
      if (found && asked === this.#asked) this.#excerpt(found, asked);
    }
  }

  async #load(input: number): Promise<SourceView> {
    const file = fileOf(this.report, this.page.store.state, input)?.file;
    if (!file) throw new Error("not at hand");
    const { SourceView } = await import("./source.js");
    return new SourceView(this.page, this.report, input, file).open();
  }
}
