// What the host of this copy says about it: `site.json` beside the page, which can be changed without a build.

import usual from "../site.json" with { type: "json" };
import { fileOfPage } from "./own.js";
import type { Page } from "./page.js";
import type { Lang } from "./words/index.js";

/** A text in both languages, or one for both. */
export type Text = string | Readonly<Record<Lang, string>>;

export interface Site {
  /** The name of this copy; null if it has none of its own. */
  title: Text | null;
  /** The language of visitors whose browser prefers neither; null if that is English. */
  language: Lang | null;
  /** Commands of which one installs the command. */
  install: readonly string[];
  /** The address of the project, of the place to report problems, and of who hosts this page; empty if there is none. */
  project: string;
  problems: string;
  contact: string;
  /** Further links of the footer. */
  links: readonly { text: Text; href: string }[];
}

const ADDRESS = /^(https?:\/\/|mailto:)/;

const isString = (value: unknown): value is string => typeof value === "string";
const isAddress = (value: unknown) => isString(value) && (value === "" || ADDRESS.test(value));
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown) => (isString(value) ? value !== "" : isObject(value) && ["en", "ja"].every((lang) => isString(value[lang]) && value[lang] !== ""));

/** What each value has to be; docs/page.md says it in words. */
const RULES: Record<keyof Site, (value: unknown) => boolean> = {
  title: (value) => value === null || isText(value),
  language: (value) => value === null || value === "en" || value === "ja",
  install: (value) => Array.isArray(value) && value.length > 0 && value.every(isString),
  project: isAddress,
  problems: isAddress,
  contact: isAddress,
  links: (value) => Array.isArray(value) && value.every((link) => isObject(link) && isText(link["text"]) && link["href"] !== "" && isAddress(link["href"])),
};

/** What such a file says, and the names of what is wrong with it, which does not count. */
export function read(value: unknown): { site: Site; wrong: string[] } {
  const own = Object.entries(isObject(value) ? value : {});
  const isRight = ([name, value]: [string, unknown]) => Object.hasOwn(RULES, name) && RULES[name as keyof Site](value);
  return { site: { ...usual, ...Object.fromEntries(own.filter(isRight)) } as unknown as Site, wrong: own.filter((one) => !isRight(one)).map(([name]) => name) };
}

/** A text of the host in a language. */
export function textOf(text: Text, lang: Lang): string {
  return typeof text === "string" ? text : text[lang];
}

/** The name of this copy of the page. */
export function titleOf(page: Page): string {
  const [words, { title }] = [page.words(), page.site];
  return title === null ? words.say("title") : textOf(title, words.lang);
}

/** Milliseconds for which the first view waits for the file. */
const PATIENCE = 3_000;

/** Reads the file; without it, everything is as usual. */
export async function learnSite(): Promise<Site> {
  try {
    const answer = await fileOfPage("site.json", AbortSignal.timeout(PATIENCE));
    const { site, wrong } = read(await answer.json());
    if (wrong.length > 0) console.warn("site.json", wrong);
    return site;
  } catch (error) {
    console.warn("site.json", error);
    return read({}).site;
  }
}
