/** `resourcesync list`. */

import { closeSync, openSync } from "node:fs";

import { openPackage } from "../packages.js";
import { FOUND, reason, say, Trouble, UNSURE, VALID } from "./trouble.js";
import { one, said } from "./words.js";

export async function listing(rest: string[]): Promise<number> {
  const own = said(rest, { format: { type: "string" }, "no-fixity": { type: "boolean" } });
  const format = one(own, "format", ["text", "json"]) ?? "text";
  const [path, more] = own.positionals;
  if (path === undefined || more !== undefined) throw new Trouble("list takes one package");
  const fd = opened(path);
  try {
    const { report, members, toList } = await unpacked(fd, path, own.values["no-fixity"] === true);
    if (format === "json") {
      process.stdout.write(toList());
    } else {
      const rows = members.map(({ name, kind, state, size, resources }) => [state, kind, String(size), visible(name), resources.map(({ uri = "" }) => visible(uri)).join(" ")]);
      process.stdout.write(table([["STATE", "KIND", "BYTES", "NAME", "URI"], ...rows]));
      if (report.verdict !== "valid") say("warning", `the package is ${report.verdict}; resourcesync validate says why`);
    }
    return report.summary.errors > 0 ? FOUND : report.verdict === "valid" ? VALID : UNSURE;
  } finally {
    closeSync(fd);
  }
}

async function unpacked(fd: number, name: string, noFixity: boolean) {
  const own = await openPackage({ fd }, { name, fixity: !noFixity });
  return { report: own.report, members: own.members, toList: () => own.toList() };
}

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw new Trouble(`${path} could not be opened: ${reason(error)}`);
  }
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd");
}

function table(rows: string[][]): string {
  const widths = [0, 1, 2, 3].map((at) => Math.min(60, Math.max(...rows.map((row) => row[at]?.length ?? 0))));
  const cell = (text: string, at: number) => (at === 2 ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0));
  return rows.map((row) => `${row.map(cell).join("  ").trimEnd()}\n`).join("");
}
