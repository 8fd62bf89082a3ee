/** What surveys of a small Source give, on any platform. */

import { BASE, serving, small } from "./small-source.mjs";

const NOW = Date.parse("2026-01-01T00:00:00Z");

/** `sync` is `resourcesync/sync`. */
export async function surveyed({ changes, dryRun, init, survey, verifying }) {
  await init();
  const source = small();
  const { asked, fetch } = serving(source);
  const taken = async (run) => {
    const all = [];
    for await (const { change, uri } of run) all.push(`${change} ${uri.slice(BASE.length)}`);
    return all.sort();
  };
  const run = survey(BASE, { fetch, now: NOW });
  const first = await taken(run);
  const { checkpoint } = run;
  source.changes.push(["2025-07-01T00:00:00Z", "deleted", "old"]);
  const { old: _, ...left } = source.resources;
  source.resources = left;
  const later = await taken(changes(checkpoint, { fetch, now: NOW }));
  const { first: plan, next } = await dryRun(BASE, { fetch, now: NOW, since: "2025-02-15T00:00:00Z" });
  const read = async (listed) => {
    // A Response around the stream has an error of its own in browsers.
    const reader = verifying(new Response("one").body, listed).getReader();
    let text = "";
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) text += new TextDecoder().decode(next.value);
    } catch (error) {
      return error.code;
    }
    return text;
  };
  const verified = [await read({ length: 3, hash: "md5:f97c5d29941bfb1b2fdab0874906ab82" }), await read({ length: 4 })];
  return { asked, first, checkpoint, later, plans: [plan.plan, next.plan, next.counts], verified };
}
