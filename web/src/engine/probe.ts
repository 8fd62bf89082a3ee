// Tries to reach another host, from the page and from a worker: both have to fail by policy.

import { survey } from "./survey.js";

// A name that is reserved for documentation; nothing would answer even if the policy let the request pass.
const ELSEWHERE = "https://elsewhere.example.com/";

/** True if the policy stopped both. A request that merely found nobody counts as not stopped. */
export async function probe(): Promise<boolean> {
  const [page, worker] = await Promise.all([stopped(), survey({ task: "probe", url: ELSEWHERE })]);
  return page && worker;
}

async function stopped(): Promise<boolean> {
  let violated = false;
  const listener = () => (violated = true);
  document.addEventListener("securitypolicyviolation", listener);
  const reached = await fetch(ELSEWHERE, { mode: "no-cors" }).then(() => true, () => false);
  // The event follows the failure in a task of its own.
  await new Promise((done) => setTimeout(done, 50));
  document.removeEventListener("securitypolicyviolation", listener);
  return violated && !reached;
}
