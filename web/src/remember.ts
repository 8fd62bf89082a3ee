// Remembers language and colours in the browser; nothing else is kept.

import type { State } from "./state.js";

const KEY = "resourcesync-page";

/** What was remembered. A browser that keeps nothing is fine. */
export function remembered(): Partial<Pick<State, "lang" | "theme">> {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    const { lang, theme } = kept;
    return {
      ...((lang === "en" || lang === "ja") && { lang }),
      ...((theme === "auto" || theme === "light" || theme === "dark") && { theme }),
    };
  } catch {
    return {};
  }
}

/** Remembers them. */
export function remember({ lang, theme }: State): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ lang, theme }));
  } catch {
    // Private windows may refuse; the page works all the same.
  }
}
