// Tries to connect to another host, from the page and from a worker: the policy must block both.

import { survey } from "./survey.js";

// A name reserved for documentation, which would not respond even if the policy allowed the request.
const ELSEWHERE = "https://elsewhere.example.com/";

/** What both attempts show. Where that of the page failed for another reason than the policy, there is none. */
export async function probe(): Promise<"blocked" | "unclear" | "open"> {
  const [page, worker] = await Promise.all([stopped(), survey({ task: "probe", url: ELSEWHERE })]);
  if (!page || worker === "reached") return "open";
  return worker === "blocked" ? "blocked" : "unclear";
}

async function stopped(): Promise<boolean> {
  let violated = false;
  const listener = () => (violated = true);
  document.addEventListener("securitypolicyviolation", listener);
  const reached = await fetch(ELSEWHERE, { mode: "no-cors" }).then(() => true, () => false);
  // The event follows the failure in a separate task.
  await new Promise((done) => setTimeout(done, 50));
  document.removeEventListener("securitypolicyviolation", listener);
  return violated && !reached;
}
