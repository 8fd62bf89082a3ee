/** Arguments: the checked result of node's `parseArgs`. */

import { parseArgs, type ParseArgsConfig } from "node:util";

import type { Lang } from "../types.js";
import { Trouble } from "./trouble.js";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Values of options by name; repeated ones in their order. */
export interface Said {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: string[];
  /** Options and their values as they were written. */
  readonly tokens: readonly { name: string; value: string | undefined }[];
}

export function said(rest: string[], options: Options): Said {
  try {
    const { values, positionals, tokens } = parseArgs({ args: rest, options, allowPositionals: true, tokens: true });
    const written = tokens.flatMap((token) => (token.kind === "option" ? [{ name: token.name, value: token.value }] : []));
    return { values, positionals, tokens: written };
  } catch (error) {
    throw new Trouble(error instanceof Error ? error.message : String(error));
  }
}

export function text(said: Said, name: string): string | undefined {
  const value = said.values[name];
  return typeof value === "string" ? value : undefined;
}

/** Values of a repeatable option, split at commas. */
export function all(said: Said, name: string): string[] {
  const values = said.values[name];
  return (Array.isArray(values) ? values : []).flatMap((value) => String(value).split(","));
}

export function count(said: Said, name: string): number | undefined {
  const value = text(said, name);
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw new Trouble(`--${name}: \`${value}\` is no number`);
  return Number(value);
}

export function one<T extends string>(said: Said, name: string, of: readonly T[]): T | undefined {
  const value = text(said, name);
  if (value === undefined || of.includes(value as T)) return value as T | undefined;
  throw new Trouble(`--${name}: \`${value}\` is none of ${of.join(", ")}`);
}

export function lang(said: Said): Lang {
  return one(said, "lang", ["en", "ja"]) ?? "en";
}
