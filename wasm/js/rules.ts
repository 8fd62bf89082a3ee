/** The texts of all codes and rules, loaded on demand. */

import { NotFoundError, OptionError } from "./errors.js";
import { text } from "./check-args.js";
import { nearest } from "./nearest.js";
import { platform } from "./platform.js";
import type { Lang, Rule } from "./types.js";

const loaded = new Map<Lang, Promise<readonly Rule[]>>();

async function load(lang: Lang): Promise<readonly Rule[]> {
  if (!platform.texts) throw new OptionError("rules: this entry does not know where the texts are; import rules.en.json");
  return platform.texts(lang);
}

/** All codes with their rules, in the order of the catalogue; the details of `GEN-01` come last. */
export function rules(lang: Lang = "en"): Promise<readonly Rule[]> {
  if (lang !== "en" && lang !== "ja") return Promise.reject(new OptionError(`lang: \`${String(lang)}\` is none of en, ja`));
  let all = loaded.get(lang);
  if (!all) {
    all = load(lang);
    // The next call tries again.
    all.catch(() => loaded.delete(lang));
    loaded.set(lang, all);
  }
  return all;
}

/**
 * What a code (`RL-03`), a detail (`XML-07`) or a rule (`missing-at`) means: one row for a code, one for each code of a rule.
 *
 * Rejected with a `NotFoundError`, which may have a `suggestion`, if there is none of this name, and with a `SourceError` if the
 * texts could not be loaded.
 */
export async function explain(codeOrRule: string, lang: Lang = "en"): Promise<readonly Rule[]> {
  text(codeOrRule, "a code or rule");
  const all = await rules(lang);
  const upper = codeOrRule.toUpperCase();
  const named = all.filter((row) => row.code === upper || (row.rule === codeOrRule && !row.detail));
  if (named.length > 0) return named;
  const near = nearest(codeOrRule, new Set(all.flatMap((row) => [row.code, row.rule])));
  const advice = near === undefined ? "" : `; did you mean \`${near}\`?`;
  throw new NotFoundError(`no code or rule is called \`${codeOrRule}\`${advice}`, near);
}
