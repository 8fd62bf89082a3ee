// The surveyor's worker: finds what documents link to, opens reports, and tries the policy.

import type { Answer, Question } from "./engine/survey.js";
import { links } from "./engine/links.js";
import { open } from "./engine/open.js";

onmessage = async ({ data }: MessageEvent<Question>) => {
  const answer = await work(data).then(
    (value): Answer => ({ id: data.id, value }),
    (error: unknown): Answer => ({ id: data.id, error: error instanceof Error ? error.message : String(error) }));
  postMessage(answer);
};

async function work(question: Question): Promise<unknown> {
  switch (question.task) {
    case "probe": return probe(question.url);
    case "links": return links(question.given, question.wasm);
    case "open": return open(question.file);
  }
}

/** True if the policy stopped the request; that nobody answered is something else. */
async function probe(url: string): Promise<boolean> {
  let violated = false;
  const listener = () => (violated = true);
  addEventListener("securitypolicyviolation", listener);
  const reached = await fetch(url, { mode: "no-cors" }).then(() => true, () => false);
  await new Promise((done) => setTimeout(done, 50));
  removeEventListener("securitypolicyviolation", listener);
  return violated && !reached;
}
