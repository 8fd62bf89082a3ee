/** The Python package, where its tests have installed it. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { root } from "./cases.mjs";

const above = join(root, "target/python");
/** Environments of other tests may be incomplete. */
const has = (path) => spawnSync(path, ["-c", "import resourcesync"], { stdio: "ignore" }).status === 0;
const environments = () => (existsSync(above) ? readdirSync(above).filter((name) => name.startsWith("venv")) : []);

/** An interpreter with the package; `undefined` if there is none. */
export const python = process.env.RESOURCESYNC_PYTHON ?? environments().map((name) => join(above, name, "bin/python")).find((path) => existsSync(path) && has(path));
