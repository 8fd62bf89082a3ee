/** A headless Chromium and a file server for it, both ended by the caller. */

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

import { chromium } from "playwright-core";

import { root } from "./cases.mjs";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** The content security policy: only its own scripts, and wasm. */
export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:";

export async function begin(...flags) {
  const executablePath = process.env.CHROMIUM ?? BROWSERS.find(existsSync);
  if (!executablePath) throw new Error(`no Chromium at ${BROWSERS.join(", ")}: scripts/prepare installs one`);
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

/** Serves folders: `{ "/dist/": folder }`. Returns its address and a function to end it. */
export async function serve(folders, pages = {}, policy = POLICY) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    response.setHeader("Content-Security-Policy", policy);
    if (path in pages) return response.setHeader("Content-Type", "text/html; charset=utf-8").end(pages[path]);
    const [prefix, folder] = Object.entries(folders).find(([prefix]) => path.startsWith(prefix)) ?? [];
    const file = folder && join(folder, normalize(`/${path.slice(prefix.length)}`));
    if (!file || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
    createReadStream(file).pipe(response);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

export const folders = { "/dist/": join(root, "wasm/dist"), "/corpus/": join(root, "target/corpus") };
