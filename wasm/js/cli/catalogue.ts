/** `resourcesync explain` and `resourcesync rules`, rendered by the core. */

import { glue, inside } from "../module.js";
import { Trouble, VALID } from "./trouble.js";
import { all, lang, one, said } from "./words.js";

export async function explain(rest: string[]): Promise<number> {
  const own = said(rest, { format: { type: "string" }, lang: { type: "string" } });
  const format = one(own, "format", ["text", "json", "markdown"]) ?? "text";
  const [name, more] = own.positionals;
  if (name === undefined || more !== undefined) throw new Trouble("explain takes one code or rule, such as RL-03");
  process.stdout.write(inside(() => glue.explanation(name, lang(own), format)));
  return VALID;
}

export async function rules(rest: string[]): Promise<number> {
  const own = said(rest, { format: { type: "string" }, lang: { type: "string" }, select: { type: "string", multiple: true } });
  const format = one(own, "format", ["text", "json"]) ?? "text";
  process.stdout.write(inside(() => glue.catalogue(all(own, "select"), lang(own), format)));
  return VALID;
}
