// The texts of the page: one table for both languages, and functions to fill in values.

import type { BUILD } from "./build.js";
import { CHECK } from "./check.js";
import { FIX } from "./fix.js";
import { FRAME } from "./frame.js";
import { REPORT } from "./report.js";
import { RULES } from "./rules.js";
import { SOURCE } from "./source.js";
import { TABLES } from "./tables.js";
import type { COMPARE } from "./compare.js";
import type { GUIDE } from "./guide.js";
import type { OUTLOOK } from "./outlook.js";
import type { PRIVACY } from "./privacy.js";
import type { TOLD } from "./told.js";

export type Lang = "en" | "ja";

/** English, Japanese. A count has a form for one and a form for many, split by `|`. */
export type Entry = readonly [en: string, ja: string];

const ALWAYS = { ...FRAME, ...CHECK, ...REPORT, ...RULES, ...FIX, ...TABLES, ...SOURCE } satisfies Record<string, Entry>;

export type Word = keyof typeof ALWAYS | keyof typeof BUILD | keyof typeof COMPARE | keyof typeof GUIDE | keyof typeof OUTLOOK | keyof typeof PRIVACY | keyof typeof TOLD;

/** The words that are there; a view that is loaded on demand brings its own. */
export const TABLE = ALWAYS as Record<string, Entry> as Record<Word, Entry>;

/** Adds the words of a view. */
export function learn(more: Partial<Record<Word, Entry>>): void {
  Object.assign(TABLE, more);
}
export type Values = Record<string, string | number>;

/** The language of a browser's preferences; another one if it prefers neither. */
export function preferred(languages: readonly string[], other: Lang): Lang {
  const known = languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "ja" || tag === "en");
  return (known as Lang | undefined) ?? other;
}

/** The words of one language. */
export class Words {
  readonly #at: 0 | 1;
  readonly #numbers: Intl.NumberFormat;
  readonly #short: Intl.NumberFormat;

  constructor(readonly lang: Lang) {
    this.#at = lang === "ja" ? 1 : 0;
    this.#numbers = new Intl.NumberFormat(lang);
    this.#short = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
  }

  /** A text with values for `{name}`, and numbers formatted for the language. */
  say(word: Word, values: Values = {}): string {
    const text = TABLE[word][this.#at];
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === "number" ? this.number(value) : (value ?? "");
    });
  }

  /** A count: the text has `{n}`, and two forms if the language has a plural. */
  count(word: Word, n: number, values: Values = {}): string {
    const forms = this.say(word, { ...values, n }).split("|");
    return (n === 1 ? forms[0] : forms.at(-1)) ?? "";
  }

  number(n: number): string {
    return this.#numbers.format(n);
  }

  /** Bytes in the largest unit that fits, in powers of ten like in reports. */
  size(bytes: number): string {
    for (const [unit, name] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]] as const) {
      if (bytes >= unit) return `${this.#short.format(bytes / unit)} ${name}`;
    }
    return this.count("bytes", Math.round(bytes));
  }

  duration(seconds: number): string {
    if (seconds < 60) return this.say("seconds", { n: this.#short.format(seconds) });
    return this.say("minutes", { m: Math.floor(seconds / 60), s: Math.round(seconds % 60) });
  }

  percent(part: number, whole: number): string {
    const share = whole > 0 ? Math.min(1, part / whole) : 0;
    return new Intl.NumberFormat(this.lang, { style: "percent" }).format(share);
  }
}
