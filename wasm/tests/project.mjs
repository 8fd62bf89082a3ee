/** A fresh project with the packed package installed in it. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./cases.mjs";

/** Creates a fresh project with this name; returns its folder and the packed package. */
export function fresh(name) {
  const project = join(root, "target/npm", name);
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true }));
  // Without its check: the modules may have been built to be tested.
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", project], { cwd: join(root, "wasm") });
  const tarball = readdirSync(project).find((name) => name.endsWith(".tgz"));
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--offline", `./${tarball}`], { cwd: project });
  return { project, tarball: join(project, tarball) };
}
