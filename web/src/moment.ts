// Moments for the reader: in the time zone of the browser, with UTC beside it.

import { h, visible } from "./element.js";
import { instant } from "./engine/datetime.js";
import type { Page } from "./page.js";

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes much longer than using it. */
export function formatted(page: Page, name: string, style: Intl.DateTimeFormatOptions, time: number): string {
  const { lang } = page.words();
  const key = `${lang} ${name}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat(lang, style)));
  return format.format(time);
}

const STYLE = { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short" } as const;

/** A moment in both zones; in one, where the browser is in UTC. */
export function zoned(page: Page, time: number): string {
  const [local, utc] = [formatted(page, "local", STYLE, time), formatted(page, "utc", { ...STYLE, timeZone: "UTC" }, time)];
  return local === utc ? utc : page.words().say("timeBoth", { local, utc });
}

/** A datetime of a document in the reader's zone, and as it is written. A date alone is in no zone, and neither is a time without one. */
export function moment(page: Page, text: string): string {
  const time = instant(text);
  if (time === undefined || new Date(time).getTimezoneOffset() === 0) return text;
  return page.words().say("timeBoth", { local: formatted(page, "local", STYLE, time), utc: text });
}

/** Characters of a moment that fit in a line of the narrowest phone. */
const LINE = 25;

/** A moment that is not broken at its hyphens. */
export function momentPlace(page: Page, text: string): HTMLElement {
  const said = visible(moment(page, text));
  return h("span", { class: said.length <= LINE ? "number" : "" }, said);
}
