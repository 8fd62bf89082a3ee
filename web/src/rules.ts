// The rules in a language, loaded on first use.

import type { Rule } from "resourcesync/worker";
import { fileOfPage } from "./own.js";
import type { Lang } from "./words/index.js";

const loaded = new Map<Lang, Promise<readonly Rule[]>>();
const byCode = new Map<Lang, Map<string, Rule>>();
let places = new Map<string, number>();

/** All rules, one for each code, in the order of the catalogue. */
export function rules(lang: Lang): Promise<readonly Rule[]> {
  let own = loaded.get(lang);
  if (!own) {
    own = fileOfPage(`rules.${lang}.json`).then((answer) => answer.json() as Promise<readonly Rule[]>);
    own.then((rules) => {
      byCode.set(lang, new Map(rules.map((rule) => [rule.code, rule])));
      places = new Map(rules.map(({ code }, at) => [code, at]));
    }, () => undefined);
    own.catch(() => loaded.delete(lang));
    loaded.set(lang, own);
  }
  return own;
}

/** The rule that reports a code. */
export async function ruleOf(code: string, lang: Lang): Promise<Rule | undefined> {
  return (await rules(lang)).find((rule) => rule.code === code);
}

/** The same without waiting: `undefined` until the rules are loaded. */
export function knownRule(code: string, lang: Lang): Rule | undefined {
  return byCode.get(lang)?.get(code);
}

/** The place of a code in the catalogue; the end for one that is not in it, and for all while the rules are not loaded. */
export function placeOf(code: string): number {
  return places.get(code) ?? Number.MAX_SAFE_INTEGER;
}

export type { Rule };
