// Stores the user's choices about the page in the browser: language, colours, shortcuts, and whether checks are kept.

import type { State } from "./state.js";

const KEY = "resourcesync-page";

type Choices = Pick<State, "lang" | "theme" | "shortcuts" | "keep">;

/** The stored choices, or the defaults if the browser stores nothing. */
export function remembered(): Partial<Choices> {
  try {
    const { lang, theme, shortcuts, keep } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return {
      ...((lang === "en" || lang === "ja") && { lang }),
      ...((theme === "auto" || theme === "light" || theme === "dark") && { theme }),
      ...(typeof shortcuts === "boolean" && { shortcuts }),
      ...(typeof keep === "boolean" && { keep }),
    };
  } catch {
    return {};
  }
}

/** Stores them. */
export function remember({ lang, theme, shortcuts, keep }: State): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ lang, theme, shortcuts, keep }));
  } catch {
    // Private windows may reject this, which is harmless.
  }
}
