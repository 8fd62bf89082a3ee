// The line between the findings and the detail, which can be moved with the pointer and with the keyboard.

import { h } from "../element.js";
import { arrange, chosenLayout } from "../layout.js";
import type { Page } from "../page.js";

/** The share of the findings: its limits, what is usual, and a step of the keyboard. */
const LEAST = 0.25;
const MOST = 0.75;
const USUAL = 0.55;
const STEP = 0.03;
/** What clicks go through, for those who cannot drag. */
const WIDTHS = [0.4, USUAL, 0.7];

/** The separator; `panes` are divided by it. */
export function splitter(page: Page, panes: () => HTMLElement): HTMLElement {
  const own = h("div", { class: "splitter", role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": page.words().say("splitter"), "aria-valuemin": LEAST * 100, "aria-valuemax": MOST * 100 });
  const show = (share: number) => {
    own.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    panes().style.setProperty("--findings", `${share}fr`);
    panes().style.setProperty("--detail", `${1 - share}fr`);
  };
  const move = (share: number) => {
    const now = Math.min(MOST, Math.max(LEAST, share));
    arrange({ share: now });
    show(now);
  };
  own.addEventListener("keydown", (event) => {
    const { key, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey) return;
    const now = chosenLayout().share ?? USUAL;
    const next = key === "ArrowLeft" ? now - STEP : key === "ArrowRight" ? now + STEP : key === "Home" ? LEAST : key === "End" ? MOST : null;
    if (next === null) return;
    event.preventDefault();
    move(next);
  });
  let isMoved = false;
  own.addEventListener("pointerdown", (event) => {
    isMoved = false;
    event.preventDefault();
    own.setPointerCapture(event.pointerId);
    own.focus({ preventScroll: true });
  });
  own.addEventListener("pointermove", (event) => {
    if (!own.hasPointerCapture(event.pointerId)) return;
    const [left, right] = [own.previousElementSibling, own.nextElementSibling].map((pane) => pane?.getBoundingClientRect());
    isMoved ||= event.movementX !== 0;
    if (left && right && isMoved) move((event.clientX - left.left) / (right.right - left.left));
  });
  own.addEventListener("click", () => {
    const now = chosenLayout().share ?? USUAL;
    if (!isMoved) move(WIDTHS.find((width) => width > now + 0.01) ?? WIDTHS[0] ?? USUAL);
  });
  queueMicrotask(() => show(chosenLayout().share ?? USUAL));
  return own;
}
