// The rules in a language: loaded when first wanted.

import type { Rule } from "resourcesync/worker";
import type { Lang } from "./words/index.js";

const loaded = new Map<Lang, Promise<readonly Rule[]>>();
const byCode = new Map<Lang, Map<string, Rule>>();

/** All rules, one for each code, in the order of the catalogue. */
export function rules(lang: Lang): Promise<readonly Rule[]> {
  let own = loaded.get(lang);
  if (!own) {
    own = fetch(new URL(`rules.${lang}.json`, document.baseURI)).then((answer) => {
      if (!answer.ok) throw new Error(`rules.${lang}.json: ${answer.status}`);
      return answer.json() as Promise<readonly Rule[]>;
    });
    own.then((rules) => byCode.set(lang, new Map(rules.map((rule) => [rule.code, rule]))), () => undefined);
    own.catch(() => loaded.delete(lang));
    loaded.set(lang, own);
  }
  return own;
}

/** The rule that reports a code. */
export async function ruleOf(code: string, lang: Lang): Promise<Rule | undefined> {
  return (await rules(lang)).find((rule) => rule.code === code);
}

/** The same without waiting: nothing while the rules are not loaded. */
export function knownRule(code: string, lang: Lang): Rule | undefined {
  return byCode.get(lang)?.get(code);
}

export type { Rule };
