// The files that belong to the page: beside it, or in it if the page is one file.

/** A file of the page, by its path. */
export async function fileOfPage(path: string, signal: AbortSignal | null = null): Promise<Response> {
  const answer = ONE_FILE ? contained(path) : await fetch(new URL(path, document.baseURI), { signal });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

/** The script of a worker, from files in their order, with the folder of the page in `base`, since a blob has no directory. */
export async function workerScript(paths: readonly string[]): Promise<string> {
  const base = `self.base=${JSON.stringify(new URL(".", document.baseURI).href)};\n`;
  const files = await Promise.all(paths.map(async (path) => (await fileOfPage(path)).text()));
  return URL.createObjectURL(new Blob([base, ...files], { type: "text/javascript" }));
}

function contained(path: string): Response {
  const place = document.getElementById(`file:${path}`);
  if (!place) return new Response(null, { status: 404 });
  const packed = Uint8Array.from(atob(place.textContent ?? ""), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}
