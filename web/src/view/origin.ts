// What a requirement is based on.

import { visible } from "../element.js";
import type { Page } from "../page.js";

/** `MUST: Z39.99-2017 §7`, or that the standard does not require it. */
export function origin(page: Page, of: { code: string; level?: string; derived?: boolean; section?: string }): string {
  const words = page.words();
  if (!of.level) return words.say(of.code.startsWith("ADV-") ? "advice" : "beyond");
  const level = of.derived ? words.say("derived", { level: of.level }) : of.level;
  return of.section ? `${level} · ${visible(of.section)}` : level;
}
