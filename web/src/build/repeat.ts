// What repeats a publication every night: the command, and the table that it reads where the resources are not a folder.

import { quoted } from "../command.js";
import type { Resource, ResourceFile } from "./resources.js";

export interface Repeat {
  command: string;
  /** The table, unless the folder is read itself. */
  table?: Blob;
}

/** What was built. */
export interface Publication {
  base: string;
  documents: string;
  describedby: string;
  algorithms: readonly string[];
  dumps: boolean;
  /** The folder that was chosen, and its files. */
  folder: string;
  files: readonly ResourceFile[];
  listed: readonly Resource[];
}

/** The name of the table. */
export const TABLE = "resources.csv";

const COLUMNS = ["uri", "path", "lastmod", "length", "type", "hash"] as const;

export function repeat({ base, documents, describedby, algorithms, dumps, folder, files, listed }: Publication): Repeat {
  const isFolder = listed.length === 0;
  const parts = ["resourcesync", "build", ...(isFolder ? [quoted(folder)] : ["--from-csv", TABLE]), "--base-uri", quoted(base)];
  if (documents !== base) parts.push("--documents-uri", quoted(documents));
  if (describedby !== "") parts.push("--describedby", quoted(describedby));
  if (files.length > 0 && algorithms.join() !== "sha-256") parts.push("--hash", algorithms.join() || "none");
  if (dumps) parts.push("--dump");
  const command = [...parts, "--out", "public"].join(" ");
  if (isFolder) return { command };
  const rows = [...listed.map((own) => row(own, "")), ...files.map(({ uri, path }) => row({ uri }, `${folder}/${path}`))];
  return { command, table: new Blob([[COLUMNS, ...rows].map((cells) => `${cells.map(cell).join(",")}\r\n`).join("")], { type: "text/csv" }) };
}

function row({ uri, lastmod, length, type, hashes }: Resource, path: string): string[] {
  return [uri, path, lastmod ?? "", length === undefined ? "" : String(length), type ?? "", Object.entries(hashes ?? {}).map(([name, digest]) => `${name}:${digest}`).join(" ")];
}

/** A cell (RFC 4180). */
function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
