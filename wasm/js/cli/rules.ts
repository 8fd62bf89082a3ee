/** `resourcesync rules`. */

import { rules } from "../rules.js";
import { VALID } from "./trouble.js";
import { lang, one, said } from "./words.js";

const HEADS = {
  en: ["CODE", "LEVEL", "SEVERITY", "RULE", "DESCRIPTION"],
  ja: ["CODE", "LEVEL", "SEVERITY", "RULE", "説明"],
} as const;

export async function rulesTable(rest: string[]): Promise<number> {
  const own = said(rest, { format: { type: "string" }, lang: { type: "string" } });
  const format = one(own, "format", ["text", "json"]) ?? "text";
  const all = await rules(lang(own));
  if (format === "json") {
    process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
    return VALID;
  }
  const rows = all.map(({ code, level = "-", derived, severity, rule, detail, message, what }) => [
    code,
    derived ? `${level}*` : level,
    severity,
    detail === undefined ? rule : `${rule}: ${detail}`,
    detail === undefined ? what : message,
  ]);
  process.stdout.write([HEADS[lang(own)], ...rows].map(line).join(""));
  return VALID;
}

function line([code = "", level = "", severity = "", rule = "", what = ""]: readonly string[]): string {
  return `${code.padEnd(8)} ${level.padEnd(12)} ${severity.padEnd(9)} ${rule.padEnd(30)} ${what}\n`;
}
