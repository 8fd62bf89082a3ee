/** Validates a file in a worker, which reads it in chunks; nothing is uploaded. */

import { Engine } from "resourcesync/worker";

const engine = new Engine();
const input = document.querySelector("input");
const bar = document.querySelector("progress");
const status = document.querySelector("pre");
let running = new AbortController();

input.addEventListener("change", async () => {
  // Choosing another file cancels the previous one.
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const [file] = input.files;
  bar.hidden = false;
  try {
    const report = await engine.validate(file, {
      signal,
      onProgress: ({ bytes, totalBytes }) => Object.assign(bar, { value: bytes, max: totalBytes }),
    });
    status.textContent = await engine.render(report, "text", { lang: navigator.language.startsWith("ja") ? "ja" : "en" });
    status.dataset.verdict = report.verdict;
  } catch (error) {
    if (!signal.aborted) status.textContent = error.message;
  }
  bar.hidden = true;
});
