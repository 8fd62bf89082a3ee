// The text of the only document: edited, checked while it is written, with findings in the gutter.

import { write } from "../drafts.js";
import { h, visible } from "../element.js";
import { Recheck } from "../engine/edit.js";
import { text as textOf } from "../engine/fix.js";
import { icon } from "../icon.js";
import { save, type Page } from "../page.js";
import { report as shown, SEVERITIES, type Diagnostic, type State } from "../state.js";
import { said } from "./finding.js";

/** Height of a line in pixels, as in the stylesheet. */
const HEIGHT = 24;
/** Earlier texts that can be returned to. */
const STEPS = 200;

/** Opens the text; undefined if it is not UTF-8. `before` is the same text in another language of the page. */
export async function editor(page: Page, before: Editor | null): Promise<Editor | undefined> {
  const [own] = page.store.state.given;
  if (!own) return undefined;
  if (before) return new Editor(page, own.name, before.text, before);
  const text = await textOf(own.file);
  return text === null ? undefined : new Editor(page, own.name, text);
}

export class Editor {
  readonly root: HTMLElement;
  readonly #area: HTMLTextAreaElement;
  readonly #gutter = h("div", { class: "edit-gutter" });
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  readonly #recheck: Recheck;
  /** Line ends of the document: a field has only one kind. */
  readonly #ends: string;
  readonly #past: string[];
  readonly #future: string[];
  #last: string;
  #at = Number.NEGATIVE_INFINITY;
  #lines = new Map<number, number[]>();

  constructor(readonly page: Page, readonly name: string, text: string, before?: Editor) {
    const words = page.words();
    this.#past = before ? before.#past : [];
    this.#future = before ? before.#future : [];
    this.#ends = text.includes("\r\n") ? "\r\n" : "\n";
    this.#recheck = new Recheck(page.store, () => this.#tell());
    this.#area = h("textarea", { id: "edit-text", wrap: "off", spellcheck: "false", autocomplete: "off", autocapitalize: "off", translate: "no", dir: "ltr",
      "aria-label": words.say("editOf", { name: visible(name) }), "aria-describedby": "edit-hint",
      on: { input: () => this.#changed(), scroll: () => this.#draw(), keyup: () => this.#follow(), click: () => this.#follow() } });
    this.#area.value = text;
    this.#last = this.#area.value;
    const button = (word: "editUndo" | "editRedo", act: () => void) => h("button", { type: "button", class: "quiet", disabled: true, on: { click: act } }, words.say(word));
    this.#undo = button("editUndo", () => this.#step(this.#past, this.#future));
    this.#redo = button("editRedo", () => this.#step(this.#future, this.#past));
    this.root = h("section", { class: "editor pane", "aria-labelledby": "edit-head" },
      h("div", { class: "edit-head" },
        h("h2", { id: "edit-head" }, words.say("edit"), " ", h("span", { class: "dim" }, visible(name))),
        h("div", { class: "buttons" }, this.#undo, this.#redo,
          h("button", { type: "button", class: "quiet", on: { click: () => save(name, this.text, "application/xml") } }, icon("save"), words.say("editSave")),
          h("button", { type: "button", class: "quiet bare", "aria-label": words.say("editClose"), title: words.say("editClose"),
            on: { click: () => page.store.set({ editing: false }) } }, icon("close")))),
      h("p", { class: "dim small", id: "edit-hint" }, words.say("editHint")),
      h("div", { class: "edit-body" }, this.#gutter, this.#area));
    page.store.watch(this.root, (state, before) => {
      if (state.phase !== before.phase || state.translated !== before.translated) this.#marks();
      if (state.selected !== before.selected) this.#show(state);
    });
    this.#marks();
    // A change that the editor before this one did not check yet.
    if (before) this.#settle(0);
  }

  /** The text with the line ends of the document. */
  get text(): string {
    return this.#ends === "\n" ? this.#area.value : this.#area.value.replaceAll("\n", this.#ends);
  }

  focus(): void {
    this.#area.focus();
  }

  /** Draws what depends on the height of the field. */
  draw(): void {
    this.#draw();
  }

  end(): void {
    this.#recheck.end();
  }

  #changed(): void {
    // Keys that follow each other are one step.
    const now = performance.now();
    if (now - this.#at > 1_000) {
      this.#past.push(this.#last);
      if (this.#past.length > STEPS) this.#past.shift();
    }
    this.#at = now;
    this.#future.length = 0;
    this.#settle();
  }

  #settle(pause?: number): void {
    this.#last = this.#area.value;
    this.#undo.disabled = this.#past.length === 0;
    this.#redo.disabled = this.#future.length === 0;
    write("paste", this.text);
    this.#draw();
    this.#recheck.take(this.text, pause);
  }

  #step(from: string[], to: string[]): void {
    const text = from.pop();
    if (text === undefined) return;
    to.push(this.#area.value);
    this.#area.value = text;
    this.#at = Number.NEGATIVE_INFINITY;
    this.#settle(0);
    // A button that became disabled loses the focus.
    if (document.activeElement === document.body) this.#area.focus();
  }

  #tell(): void {
    const words = this.page.words();
    const report = shown(this.page.store.state);
    if (!report) return;
    const { summary, verdict } = report;
    this.page.announce(words.say("editSaid", { verdict: words.say(verdict), counts: [words.count("errors", summary.errors), words.count("warnings", summary.warnings)].join(words.say("comma")) }));
  }

  /** The findings of each line. */
  #marks(): void {
    this.#lines = new Map();
    shown(this.page.store.state)?.diagnostics.forEach(({ span }, at) => {
      if (!span) return;
      const own = this.#lines.get(span.start.line);
      if (own) own.push(at);
      else this.#lines.set(span.start.line, [at]);
    });
    this.#draw();
  }

  #draw(): void {
    const report = shown(this.page.store.state);
    const first = Math.floor(this.#area.scrollTop / HEIGHT);
    const count = Math.ceil(this.#area.clientHeight / HEIGHT) + 1;
    const all = this.#area.value.split("\n").length;
    const { selected } = this.page.store.state;
    const current = selected === null ? undefined : report?.diagnostics[selected]?.span?.start.line;
    const rows: HTMLElement[] = [];
    for (let line = first + 1; line <= Math.min(all, first + count); line++) {
      const places = this.#lines.get(line) ?? [];
      rows.push(h("div", { class: `edit-line${line === current ? " current" : ""}` }, report && places.length > 0 && this.#mark(report.diagnostics, places), h("span", { class: "line-number" }, String(line))));
    }
    const top = h("div", { class: "edit-lines" }, ...rows);
    top.style.transform = `translateY(${first * HEIGHT - this.#area.scrollTop}px)`;
    const focused = this.#gutter.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["at"] : undefined;
    this.#gutter.replaceChildren(top);
    if (focused) this.#gutter.querySelector<HTMLElement>(`[data-at="${focused}"]`)?.focus({ preventScroll: true });
  }

  #mark(diagnostics: readonly Diagnostic[], places: number[]): HTMLElement {
    const words = this.page.words();
    const worst = SEVERITIES.find((severity) => places.some((at) => diagnostics[at]?.severity === severity)) ?? "info";
    const report = shown(this.page.store.state);
    const text = places.map((at) => `${diagnostics[at]?.code}: ${report ? said(this.page, report, at).message : ""}`).join("; ");
    const next = () => places[(places.indexOf(this.page.store.state.selected ?? -1) + 1) % places.length] ?? null;
    return h("button", { type: "button", class: "gutter-mark", "data-at": places[0], title: visible(text), "aria-label": `${words.say(worst)}: ${visible(text)}`,
      on: { click: () => {
        this.page.store.set({ selected: next() });
        this.#show(this.page.store.state);
      } } }, icon(worst));
  }

  /** The finding of the line with the caret. */
  #follow(): void {
    const line = this.#area.value.slice(0, this.#area.selectionStart).split("\n").length;
    const places = this.#lines.get(line);
    const { selected } = this.page.store.state;
    if (places && (selected === null || !places.includes(selected))) this.page.store.set({ selected: places[0] ?? null });
  }

  /** Scrolls to the finding, and selects it unless the user is writing. */
  #show(state: State): void {
    const span = state.selected === null ? undefined : shown(state)?.diagnostics[state.selected]?.span;
    if (!span || document.activeElement === this.#area) return this.#draw();
    const top = (span.start.line - 1) * HEIGHT;
    if (top < this.#area.scrollTop || top > this.#area.scrollTop + this.#area.clientHeight - 2 * HEIGHT) this.#area.scrollTop = Math.max(0, top - 3 * HEIGHT);
    const bytes = new TextEncoder().encode(this.text);
    const place = (offset: number) => {
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, offset));
      return this.#ends === "\n" ? text.length : text.replaceAll("\r\n", "\n").length;
    };
    this.#area.setSelectionRange(place(span.offset), place(span.offset + span.length));
    this.#draw();
  }
}
