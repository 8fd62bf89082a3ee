// A long list, rendered in steps: the first items, and a button that adds the next.

import { h } from "../element.js";
import type { Page } from "../page.js";

/** Fills a list; `wrap` wraps the button for the type of list. */
export function stepped<T>(
  page: Page,
  place: HTMLElement,
  items: readonly T[],
  step: number,
  draw: (item: T, at: number) => HTMLElement,
  wrap: (button: HTMLElement) => HTMLElement = (button) => h("li", { class: "more" }, button),
): void {
  let drawn = 0;
  const more = () => {
    const next = items.slice(drawn, drawn + step).map((item, at) => draw(item, drawn + at));
    drawn += next.length;
    place.append(...next);
    const left = items.length - drawn;
    if (left > 0) {
      const button = h("button", { class: "link", type: "button", on: { click: () => {
        row.remove();
        const before = place.lastElementChild;
        more();
        // Keeps the focus at the new items.
        (before?.nextElementSibling?.querySelector<HTMLElement>("button, a, summary") ?? before as HTMLElement | null)?.focus();
      } } }, page.words().say("more", { n: Math.min(step, left) }));
      const row = wrap(button);
      place.append(row);
    }
  };
  more();
}
