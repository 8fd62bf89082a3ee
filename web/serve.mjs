// Serves a folder on 127.0.0.1 for looking at the page and for its tests: `node serve.mjs FOLDER [PORT]`.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { join, normalize, extname } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml",
  ".png": "image/png", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json", ".xml": "application/xml", ".zip": "application/zip",
};

/** Starts the server; port 0 selects any free port. `headers` are sent with every file. */
export function serve(folder, port = 0, headers = {}) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const found = await stat(file).catch(() => null);
    if (!found?.isFile() || !["GET", "HEAD"].includes(request.method)) return response.writeHead(404).end();
    const { path: sent, size, coding } = await smallest(file, found.size, request.headers["accept-encoding"] ?? "");
    response.writeHead(200, {
      ...headers,
      "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-length": size, "cache-control": "no-cache", vary: "accept-encoding",
      ...(coding && { "content-encoding": coding }),
    });
    if (request.method === "HEAD") return response.end();
    createReadStream(sent).pipe(response);
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve({ url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() })));
}

/** The precompressed version of a file that the browser accepts, or the file. */
async function smallest(path, size, accepted) {
  for (const [ending, coding] of [["br", "br"], ["gz", "gzip"]]) {
    const packed = new RegExp(`\\b${coding}\\b`).test(accepted) && await stat(`${path}.${ending}`).catch(() => null);
    if (packed) return { path: `${path}.${ending}`, size: packed.size, coding };
  }
  return { path, size };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serve(process.argv[2], Number(process.argv[3] ?? 8017));
  console.log(`the page is at ${url} (Ctrl-C ends it)`);
}
