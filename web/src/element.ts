// Creates elements. Text is always inserted as text; nothing on the page parses markup.

type Child = Node | string | false | null | undefined;

export interface Props {
  class?: string;
  id?: string;
  on?: Partial<Record<keyof HTMLElementEventMap, (event: never) => void>>;
  /** Any other attribute; `true` is present, `false` and `undefined` are absent. */
  [attribute: string]: unknown;
}

/** One element with its attributes, listeners and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value as object)) {
        element.addEventListener(event, listener as EventListener);
      }
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== undefined && value !== null) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children.flat()) {
    if (child) element.append(child);
  }
  return element;
}

/** Characters of code that is not broken, such as a datetime. */
const SHORT = 26;

/** Text in which backticks delimit code. */
export function prose(text: string): Node[] {
  return text.split("`").map((part, at, all) => {
    const closed = at % 2 === 1 && at < all.length - 1;
    if (closed) return h("code", { translate: "no", ...(part.length <= SHORT && { class: "short" }) }, visible(part));
    const open = at % 2 === 1;
    return document.createTextNode(open ? `\`${part}` : part);
  });
}

/** A template: its placeholders are named, not filled in. */
export function template(text: string): Node[] {
  return text.split(/(`[^`]*`|\{\w+\})/).filter(Boolean).map((part) => {
    if (/^\{\w+\}$/.test(part)) return h("var", {}, named(part));
    return part.startsWith("`") ? h("code", { translate: "no" }, ...part.slice(1, -1).split(/(\{\w+\})/).filter(Boolean).map((inner) =>
      (/^\{\w+\}$/.test(inner) ? h("var", {}, named(inner)) : visible(inner)))) : document.createTextNode(part);
  });
}

function named(placeholder: string): string {
  return `<${placeholder.slice(1, -1).replaceAll("_", " ")}>`;
}

// Controls, bidi overrides and zero-width characters, by which a document could change the display of its
// surroundings.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ue000-\uf8ff]/gu;

/** Text with invisible characters escaped like in reports: `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** A URI or path: one word that breaks after slashes first, and anywhere if it must. */
export function uri(text: string, className = "uri"): HTMLElement {
  const parts = visible(text).split(/(?<=[^/]\/)(?=[^/])/);
  return h("span", { class: className, translate: "no", dir: "ltr" }, parts.flatMap((part, at) => (at > 0 ? [h("wbr"), part] : [part])));
}

/** Characters of a URI that is shown whole. */
const WHOLE = 96;
const HEAD = 48;
const TAIL = 40;

/** A URI for reading: letters that are percent-encoded are decoded, and a long one lacks its middle. What is copied is the whole one. */
export function readable(text: string, className = "uri"): HTMLElement {
  const decoded = text.replace(/(?:%[89a-f][0-9a-f])+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const characters = [...decoded];
  const short = characters.length > WHOLE ? `${characters.slice(0, HEAD).join("")}…${characters.slice(-TAIL).join("")}` : decoded;
  const own = uri(short, className);
  if (short !== text) {
    own.dataset["whole"] = text;
    own.title = visible(text);
  }
  return own;
}

/** What is copied contains URIs as they are, not as they are shown. */
export function copyWhole(event: ClipboardEvent): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !(event.target instanceof Element) || event.target.closest("input, textarea")) return;
  const range = selection.getRangeAt(0);
  const shown = [...document.querySelectorAll<HTMLElement>("[data-whole]")].filter((own) => selection.containsNode(own, true));
  if (shown.length === 0) return;
  // One that is selected alone is copied as such.
  const [only] = shown;
  const isInside = shown.length === 1 && only?.contains(range.startContainer) && only.contains(range.endContainer);
  if (isInside && range.toString() !== only?.textContent) return;
  let text = selection.toString();
  for (const own of shown) text = text.replace(own.textContent ?? "", () => own.dataset["whole"] ?? "");
  event.clipboardData?.setData("text/plain", text);
  event.preventDefault();
}
