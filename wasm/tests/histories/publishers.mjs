/** The faces that publish into one folder: the npm package, the Python package and the command, as processes that can fail. */

import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { root } from "../cases.mjs";
import { python } from "../installed.mjs";

const CHILD = fileURLToPath(new URL("events.mjs", import.meta.url));
const PYTHON = fileURLToPath(new URL("events.py", import.meta.url));
const COMMAND = process.env.RESOURCESYNC ?? join(root, "target/debug/resourcesync");

/** How long a process publishes about, in milliseconds: kills come before. */
const MOMENTS = { npm: 25, python: 25, command: 45 };

/** A process that publishes what it is told until it fails, or is killed. */
class Worker {
  #start;
  #child;

  constructor(start) {
    this.#start = start;
  }

  async run(task, { killed, full }) {
    const { child, tell, answers } = (this.#child ??= this.#start());
    const limit = (bytes) => spawnSync("prlimit", ["--pid", String(child.pid), `--fsize=${bytes}:`]);
    if (full !== undefined) limit(full);
    const over = new AbortController();
    const heard = (source, event) => once(source, event, { signal: over.signal }).catch(() => new Promise(() => undefined));
    const answer = Promise.race([heard(answers, answers === child ? "message" : "line"), heard(child, "exit").then(() => ["killed"])]);
    tell(task);
    const kill = killed === undefined ? undefined : after(killed).then(() => child.kill("SIGKILL"));
    let [text] = await answer;
    over.abort();
    await kill;
    if (killed !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit");
    if (full !== undefined) limit("unlimited");
    if (child.exitCode !== null || child.signalCode !== null) this.#child = undefined;
    return text;
  }

  end() {
    this.#child?.child.kill();
  }
}

function npm() {
  const child = fork(CHILD, { stdio: "ignore" });
  return { child, answers: child, tell: (task) => child.send(task) };
}

function packageOfPython() {
  // Bytecode that other programs share would be cut where it can write no large file.
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(python, [PYTHON], { env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => undefined);
  return { child, answers: createInterface(child.stdout), tell: (task) => child.stdin.write(`${JSON.stringify(task)}\n`) };
}

/** Publishes events, or all records, by a command. */
async function command({ folder, base, events, snapshot, rotate, hubs, model }, { killed, full }) {
  const own = ["build", "--quiet", "--base-uri", base, "--out", folder, "--rotate", String(rotate), ...hubs.flatMap((hub) => ["--hub", hub, "--allow-host", new URL(hub).host])];
  const change = ([verb, uri, length]) => (verb === "delete" ? `deleted,${uri},` : `upsert,${uri},${length}`);
  const rows = model ? ["uri,length", ...Object.entries(model).map(([uri, length]) => `${uri},${length}`)] : ["change,uri,length", ...events.map(change)];
  const input = model ? ["--from-csv", "-", "--max-delete", "100%"] : ["--changes", "-", "--snapshot", snapshot];
  const args = [COMMAND, ...own, ...input];
  // Without the signal a write that is too large fails, as on a full disk.
  const limited = full === undefined ? args : ["bash", "-c", `trap '' XFSZ; exec prlimit --fsize=${full} "$0" "$@"`, ...args];
  const child = spawn(limited[0], limited.slice(1), { stdio: ["pipe", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${rows.join("\n")}\n`);
  const timer = killed === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killed);
  const [status] = await once(child, "close");
  clearTimeout(timer);
  return status === 0 ? "published" : status === null ? "killed" : `${status}: ${errors}`;
}

/** The faces that are there, each with `run(task, {killed, full})`: it is killed after milliseconds, or can write no file above a number of bytes. */
export function publishers(context) {
  const workers = { npm: new Worker(npm), ...(python && { python: new Worker(packageOfPython) }) };
  for (const worker of Object.values(workers)) context.after(() => worker.end());
  return { ...workers, ...(existsSync(COMMAND) && { command: { run: command } }) };
}

/** When to kill a face that publishes, in milliseconds. */
export const moment = (face, below) => below(MOMENTS[face]);
