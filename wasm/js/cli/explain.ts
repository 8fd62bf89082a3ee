/** `resourcesync explain`. */

import { explain } from "../rules.js";
import type { Lang, Rule } from "../types.js";
import { Trouble, VALID } from "./trouble.js";
import { lang, one, said } from "./words.js";

/** Columns of prose. */
const WIDTH = 88;

const TITLES = {
  en: { message: "Message", what: "Rule", why: "Why it matters", mend: "How to fix it", wrong: "Wrong", right: "Right", derived: "derived", beyond: "beyond the standard" },
  ja: { message: "メッセージ", what: "内容", why: "影響", mend: "修正方法", wrong: "誤りの例", right: "正しい例", derived: "標準から導かれる要件", beyond: "標準の要件ではない" },
} as const;

export async function explaining(rest: string[]): Promise<number> {
  const own = said(rest, { format: { type: "string" }, lang: { type: "string" } });
  const format = one(own, "format", ["text", "json"]) ?? "text";
  const [name, more] = own.positionals;
  if (name === undefined || more !== undefined) throw new Trouble("explain takes one code or rule, such as RL-03");
  const rows = await explain(name, lang(own));
  process.stdout.write(format === "json" ? `${JSON.stringify(rows, null, 2)}\n` : page(rows, lang(own)));
  return VALID;
}

function page(rows: readonly Rule[], lang: Lang): string {
  const [row] = rows;
  if (!row) return "";
  const titles = TITLES[lang];
  const parts = [`${rows.length > 1 ? row.rule : `${row.code} ${row.detail ?? row.rule}`}\n\n`];
  for (const { code, severity, level, derived, section } of rows) {
    const weight = level === undefined ? titles.beyond : derived ? `${level} (${titles.derived})` : level;
    parts.push(`  ${code.padEnd(8)} ${[severity, weight, section].filter((part) => part !== undefined).join(", ")}\n`);
  }
  for (const part of ["message", "what", "why", "mend"] as const) parts.push(`\n${titles[part]}\n${wrapped(row[part])}`);
  for (const part of ["wrong", "right"] as const) {
    const example = row[part];
    if (example !== undefined) parts.push(`\n${titles[part]}\n${example.trimEnd().replace(/^/gm, "  ")}\n`);
  }
  return parts.join("");
}

/** Prose in lines; what has no blanks, as Japanese, is broken anywhere. */
function wrapped(prose: string): string {
  const lines = [];
  let line = "";
  let columns = 0;
  for (const word of prose.match(/[\u0020-\u02ff]+?(?: |$)|[^ ]/gu) ?? []) {
    const width = [...word].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0);
    if (columns + width > WIDTH + 1 && line !== "") {
      lines.push(line);
      [line, columns] = ["", 0];
    }
    line += word;
    columns += width;
  }
  return [...lines, line].map((line) => `  ${line.trimEnd()}\n`).join("");
}
