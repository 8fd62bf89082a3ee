// Prints the longest task of the page's main thread for large inputs: `node long-tasks.mjs [FOLDER] [--only NAME] [--repeat N]`.
//
// FOLDER is a built page (`dist`). Run it on an idle machine. For each input and each action it prints two numbers of the longest
// task, in milliseconds: elapsed time, and processor time of the thread, which depends less on what else runs.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { list, reportOf } from "./test/large-inputs.mjs";
import { over, picking, start } from "./test/page.mjs";
import { source, write } from "./test/source-set.mjs";
import { writeSparse } from "./test/zip.mjs";

/** Milliseconds that a task may take. */
const MOST = 100;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" }, repeat: { type: "string", default: "1" }, why: { type: "boolean" } } });
const folder = mkdtempSync(join(tmpdir(), "page-"));
const session = await start(resolve(positionals[0] ?? "dist"));

const digests = `<rs:md hash="sha-256:${"9f86d081".repeat(8)} md5:${"1e0d5cb8".repeat(4)}" length="8876" type="text/html"/>`;
const put = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const wide = (page) => page.locator(".map").evaluate((map) => (map.open = true));

/** Each input, and what is done with its report. */
const INPUTS = {
  "source of 1,000 documents, 200,000 findings": {
    files: () => write(join(folder, "source"), source({ sets: 4, changeLists: 248, broken: ["set-002 100"], missing: ["set-001 7", "set-001 8"], entries: 25_000, fault: 'hash="md5:wrong" length="x"' })) ?? join(folder, "source"),
    isFolder: true,
    actions: {
      map: async (page) => {
        await wide(page);
        await page.locator(".map-node.many").first().click();
      },
      timeline: async (page) => {
        await page.locator(".timeline > summary").click();
        await page.waitForSelector(".timeline svg[role=img]", { timeout: 120_000 });
      },
    },
  },
  "source of 1,000 documents, each with findings": {
    files: () => {
      const files = source({ sets: 4, changeLists: 248, entries: 3 });
      const wrong = Array.from({ length: 100 }, (_, at) => `<url><loc>https://repository.example.org/wrong/${at}</loc><rs:md change="modified" datetime="2026" hash="md5:xyz" length="x"/></url>`).join("\n");
      for (const name of Object.keys(files)) if (/changelist-\d/.test(name)) files[name] = files[name].replace("</urlset>", `${wrong}\n</urlset>`);
      write(join(folder, "each"), files);
      return join(folder, "each");
    },
    isFolder: true,
    actions: {},
  },
  "document of 50 MB": { files: () => put("fifty.xml", list(50_000, digests, "x".repeat(700))), actions: {} },
  "document of 50 MB in one line, 50,000 findings": {
    files: () => put("line.xml", list(50_000, digests.replace("md5:1e0d", "md5:xyz"), "x".repeat(700)).replaceAll("\n", "")),
    actions: { source: (page) => page.waitForSelector(".source mark.shown", { timeout: 60_000 }) },
  },
  "document with 200,000 findings": {
    files: () => put("faults.xml", list(50_000, `<rs:md hash="md5:xyz" length="x" type="?" modified="no"/>`)),
    actions: { source: (page) => page.waitForSelector(".source mark.shown", { timeout: 60_000 }) },
  },
  "report of 200,000 findings": { files: () => put("report.json", JSON.stringify(reportOf(200_000, 1))), actions: {} },
  "report of 1,000 documents and 200,000 findings": { files: () => put("reports.json", JSON.stringify(reportOf(200_000, 1_000))), actions: {} },
  "package of 2 GiB": { files: () => writeSparse(join(folder, "large.zip"), 2 ** 31) ?? join(folder, "large.zip"), actions: {} },
};

/** What is done with every report that has findings. */
const COMMON = {
  search: async (page) => {
    await page.fill("#search", "42");
    await page.waitForFunction(() => location.hash.includes("q=42"));
    await page.fill("#search", "");
  },
  group: async (page) => {
    for (const by of ["entry", "input", "none", "rule"]) await page.locator(".selects select").first().selectOption(by);
  },
  sort: async (page) => {
    for (const by of ["place", "code", "severity"]) await page.locator(".selects select").last().selectOption(by);
  },
  language: async (page) => {
    await page.locator("#language").click();
    await page.waitForFunction(() => /[\u3041-\u309f]/.test(document.querySelector(".group .title")?.textContent ?? ""), null, { timeout: 60_000 });
    await page.locator("#language").click();
  },
  compare: async (page) => {
    await page.locator("button.compare").click();
    await page.keyboard.press("Escape");
  },
  back: async (page) => {
    await page.evaluate(() => (location.hash = "#/rules"));
    await page.waitForSelector(".rule-list");
    await page.goBack();
    await page.waitForSelector(".verdict");
  },
};

/** Runs an action, and returns the longest task of the main thread in it. */
async function measured(page, action) {
  await session.browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "v8", ...(values.why ? ["disabled-by-default-v8.cpu_profiler", "mojom", "ipc", "blink", "IndexedDB"] : [])] });
  let failure;
  try {
    await action();
    // What follows in the background, such as keeping the report, counts as well.
    await page.waitForTimeout(1_500);
  } catch (error) {
    failure = error;
  }
  const { traceEvents } = JSON.parse((await session.browser.stopTracing()).toString());
  if (failure) throw failure;
  const mains = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`));
  // The profiler of `--why` has a task of its own.
  const starts = traceEvents.filter(({ name }) => name === "CpuProfiler::StartProfiling");
  const tasks = traceEvents.filter(({ ph, pid, tid, name, ts, dur }) => ph === "X" && dur && mains.has(`${pid} ${tid}`) && /RunTask$/.test(name)
    && !starts.some((own) => own.pid === pid && own.tid === tid && own.ts >= ts && own.ts < ts + dur));
  const longest = tasks.reduce((most, own) => (own.dur > (most?.dur ?? 0) ? own : most), null);
  const busiest = tasks.reduce((most, own) => ((own.tdur ?? 0) > (most?.tdur ?? 0) ? own : most), null);
  const parts = busiest && values.why ? [...inside(traceEvents, longest), ...profile(traceEvents, busiest)] : [];
  return { elapsed: (longest?.dur ?? 0) / 1_000, cpu: (busiest?.tdur ?? 0) / 1_000, parts };
}

/** What the browser did in a task, by elapsed time; synchronous calls of other processes take time without processor time. */
function inside(events, { pid, tid, ts, dur }) {
  const sums = new Map();
  for (const own of events) {
    if (own.ph !== "X" || own.pid !== pid || own.tid !== tid || own.ts < ts || own.ts + (own.dur ?? 0) > ts + dur || !own.dur) continue;
    const what = `${own.name} ${own.args?.data?.type ?? own.args?.data?.functionName ?? own.args?.info ?? ""}`.trim();
    const sum = sums.get(what) ?? { count: 0, elapsed: 0, cpu: 0 };
    sums.set(what, { count: sum.count + 1, elapsed: sum.elapsed + own.dur, cpu: sum.cpu + (own.tdur ?? 0) });
  }
  return [...sums].sort((one, other) => other[1].elapsed - one[1].elapsed).slice(0, 10)
    .map(([what, { count, elapsed, cpu }]) => `${(elapsed / 1_000).toFixed(1)} ms elapsed, ${(cpu / 1_000).toFixed(1)} ms processor, ${count} × ${what}`);
}

/** The functions that took most of a task, with those they called. */
function profile(events, { pid, tid, ts, dur }) {
  const begin = events.find((own) => own.name === "Profile" && own.pid === pid && own.tid === tid);
  const sums = new Map();
  const nodes = new Map();
  let time = begin?.args.data.startTime ?? 0;
  for (const { args } of events.filter((own) => own.name === "ProfileChunk" && own.pid === pid && own.id === begin?.id)) {
    const { cpuProfile, timeDeltas = [] } = args.data;
    for (const { id, parent, callFrame } of cpuProfile?.nodes ?? []) nodes.set(id, { name: `${callFrame.functionName}:${callFrame.lineNumber ?? ""}`, parent });
    for (const [at, sample] of (cpuProfile?.samples ?? []).entries()) {
      time += timeDeltas[at] ?? 0;
      if (time < ts || time > ts + dur) continue;
      const seen = new Set();
      for (let node = nodes.get(sample); node; node = nodes.get(node.parent)) seen.add(node.name);
      for (const name of seen) sums.set(name, (sums.get(name) ?? 0) + (timeDeltas[at] ?? 0));
    }
  }
  return [...sums].sort((one, other) => other[1] - one[1]).slice(0, 16).map(([name, sum]) => `${Math.round(sum / 1_000)} ms ${name}`);
}

let failed = false;
try {
  for (const [name, { files, isFolder, actions }] of Object.entries(INPUTS)) {
    if (values.only && !name.includes(values.only)) continue;
    const given = files();
    for (let round = 0; round < Number(values.repeat); round++) {
      const page = await session.open();
      if (isFolder) await picking(page, given);
      const results = { check: await measured(page, async () => {
        if (isFolder) await page.getByRole("button", { name: "Choose a folder" }).first().click();
        else await page.setInputFiles("#files", given);
        if (await over(page, 600_000) !== "done") throw new Error(`${name}: not checked`);
      }) };
      const all = await page.locator("#search").count() > 0 ? { ...actions, ...COMMON } : actions;
      for (const [what, action] of Object.entries(all)) results[what] = await measured(page, () => action(page));
      for (const [what, { elapsed, cpu, parts }] of Object.entries(results)) {
        failed ||= elapsed > MOST;
        console.log(`${elapsed > MOST ? "over" : "ok  "} ${elapsed.toFixed(0).padStart(5)} ms (${cpu.toFixed(0)} ms processor)  ${name}: ${what}`);
        if (values.why && elapsed > 30) console.log(parts.map((part) => `        ${part}`).join("\n"));
      }
      await page.context().close();
    }
    rmSync(given, { recursive: true, force: true });
  }
} finally {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
