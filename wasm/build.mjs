/** Builds the contents of the package in dist/: module, scripts, types, texts. */

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { build } from "esbuild";

const own = dirname(fileURLToPath(import.meta.url));
const root = dirname(own);
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const dist = join(own, "dist");
const glue = join(own, "js/glue");

/** The entry points with a module, a feature and a folder of their own. */
const SEPARATE = ["notify", "hub", "sync", "oai"];

/** Inlining less makes a module a tenth smaller and a fifth slower. */
const INLINED = "-Cllvm-args=-inline-threshold=25";

/** How each module is built; what happens a few times for each request need not be fast. */
const MODULES = {
  core: { glue, feature: "whole" },
  validate: { glue: join(glue, "small"), inlined: INLINED },
  publish: { inlined: INLINED },
  notify: { optimized: "s" },
  hub: { optimized: "s" },
  sync: { optimized: "s" },
  oai: { inlined: INLINED },
};

/** How modules for tests are compiled. */
const QUICK = { CARGO_PROFILE_WASM_OPT_LEVEL: "1", CARGO_PROFILE_WASM_LTO: "off", CARGO_PROFILE_WASM_CODEGEN_UNITS: "16" };

/** Says that the modules in dist/ were built like that. */
const QUICKLY = join(root, "target/npm/quick");

const manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))?.[1];
if (version !== manifest.version) throw new Error(`package.json says ${manifest.version}, Cargo.toml ${version}`);
const address = /^repository = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))?.[1];
if (address !== manifest.homepage || `git+${address}.git` !== manifest.repository.url) throw new Error(`package.json names another address than Cargo.toml: ${address}`);

/** A host that ends with `.example` does not exist. */
const userAgent = `resourcesync/${version}${new URL(address).hostname.endsWith(".example") ? "" : ` (+${address})`}`;

function run(command, args, options = {}) {
  return execFileSync(command, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1 << 28, ...options });
}

function cargo(verb, features, flags, profile) {
  // A linter in place of the compiler would optimize less.
  const env = { ...process.env, RUSTC_WORKSPACE_WRAPPER: undefined, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: `-Ctarget-feature=+simd128 ${flags}`.trim(), ...profile };
  run("cargo", [verb, "--locked", "--quiet", "-p", "resourcesync-wasm", ...features, "--target", "wasm32-unknown-unknown", "--profile", "wasm"], { env });
}

/** What makes a module contain nothing else. */
const alone = (name) => ["--no-default-features", "--features", MODULES[name].feature ?? name];

/** Compiles a module, and writes the JavaScript next to it. */
function compile(into, features, flags, profile) {
  cargo("build", features, flags, profile);
  const module = join(target, "wasm32-unknown-unknown/wasm/resourcesync_wasm.wasm");
  // Its dependencies are others, so that it is built elsewhere.
  const apart = { ...process.env, CARGO_TARGET_DIR: join(target, "xtask") };
  run("cargo", ["run", "--locked", "--quiet", "--manifest-path", "xtask/Cargo.toml", module, into], { env: apart });
  checked(join(into, "glue.js"));
}

/** Has the glue refuse what is neither text nor bytes: it would pass on the zeros of an array of that length, or break the module. */
function checked(file) {
  const types = {
    passStringToWasm0: ['typeof arg !== "string"', "text was expected"],
    passArray8ToWasm0: ["!ArrayBuffer.isView(arg) || arg.BYTES_PER_ELEMENT !== 1", "bytes were expected, as a Uint8Array"],
  };
  let text = readFileSync(file, "utf8");
  for (const [name, [isWrong, message]] of Object.entries(types)) {
    const [head] = new RegExp(`function ${name}\\(arg,[^{]*\\{`).exec(text) ?? [];
    if (head === undefined) throw new Error(`${file} has no ${name}`);
    text = text.replace(head, `${head}\n    if (${isWrong}) throw { kind: "option", message: "${message}" };`);
  }
  writeFileSync(file, text);
}

/** The folder of a module's JavaScript. */
const glueOf = (name) => MODULES[name].glue ?? join(glue, name);

/** A module, optimized. */
function module(name) {
  const { optimized = "3", inlined = "" } = MODULES[name];
  console.error(`building ${name}.wasm; all modules take some minutes`);
  // One profile for all, so that what runs while compiling is compiled once.
  compile(glueOf(name), alone(name), inlined, { CARGO_PROFILE_WASM_OPT_LEVEL: optimized });
  // More makes the modules no smaller or faster, and takes three times as long.
  run(process.execPath, [join(own, "node_modules/binaryen/bin/wasm-opt"), join(glueOf(name), "glue_bg.wasm"), "-O1", "-o", join(dist, `${name}.wasm`)]);
}

/** One module that does what all do, under the name of each. */
function modulesForTests(names) {
  compile(glue, [], "", QUICK);
  for (const name of names) {
    mkdirSync(glueOf(name), { recursive: true });
    for (const file of ["glue.js", "glue.d.ts"]) if (glueOf(name) !== glue) copyFileSync(join(glue, file), join(glueOf(name), file));
    copyFileSync(join(glue, "glue_bg.wasm"), join(dist, `${name}.wasm`));
  }
}

/** The texts of rules, as the command has them. */
function texts() {
  const program = run("scripts/command", []).toString().trim();
  for (const lang of ["en", "ja"]) {
    const printed = run(program, ["rules", "--format", "json", "--lang", lang]);
    writeFileSync(join(dist, `rules.${lang}.json`), JSON.stringify(JSON.parse(printed)));
  }
  copyFileSync(join(root, "docs/report.schema.json"), join(dist, "report.schema.json"));
}

const carried = {
  name: "carried",
  setup(build) {
    // The module as base64, for the entry point that contains it.
    build.onResolve({ filter: /core\.wasm\.base64$/ }, () => ({ path: join(dist, "core.wasm"), namespace: "base64" }));
    build.onLoad({ filter: /.*/, namespace: "base64" }, ({ path }) => ({ contents: readFileSync(path), loader: "base64" }));
    // Resolved by the runtime.
    build.onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** The modules that entry points share: as entry points they get chunks of their own, so that bundlers leave out those that are not used. */
function modules() {
  const names = readdirSync(join(own, "js")).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
  const shared = names.map((name) => name.slice(0, -3)).filter((name) => !["node", "browser", "workerd", "lite", "inline"].includes(name));
  return Object.fromEntries(shared.map((name) => [`modules/${name}`, join(own, "js", `${name}.ts`)]));
}

/** The scripts. Entry points share chunks; the worker scripts are single files. */
async function scripts() {
  const js = (name) => join(own, "js", name);
  for (const name of readdirSync(dist)) if (name.endsWith(".js")) rmSync(join(dist, name));
  const shared = {
    bundle: true,
    format: "esm",
    target: "es2022",
    define: { VERSION: JSON.stringify(version), USER_AGENT: JSON.stringify(userAgent) },
    plugins: [carried],
    external: ["node:*"],
    outdir: dist,
    // What package.json says of side effects is said of dist/.
    ignoreAnnotations: true,
    legalComments: "none",
    logLevel: "warning",
  };
  await build({
    ...shared,
    splitting: true,
    chunkNames: "shared-[hash]",
    entryPoints: {
      node: js("node.ts"),
      browser: js("browser.ts"),
      workerd: js("workerd.ts"),
      lite: js("lite.ts"),
      inline: js("inline.ts"),
      ...Object.fromEntries(SEPARATE.flatMap((name) => [[name, js(`${name}/browser.ts`)], [`${name}-node`, js(`${name}/node.ts`)], [`${name}-workerd`, js(`${name}/workerd.ts`)]])),
      worker: js("worker/client.ts"),
      "worker-node": js("worker/client-node.ts"),
      ...modules(),
    },
  });
  rmSync(join(dist, "modules"), { recursive: true });
  await build({ ...shared, entryPoints: { cli: js("cli/main.ts") }, banner: { js: "#!/usr/bin/env node" } });
  await build({ ...shared, minify: true, entryPoints: { "worker-script": js("worker/script.ts") } });
  await build({ ...shared, entryPoints: { "worker-script-node": js("worker/script-node.ts") } });
}

/** Platforms that import modules compile them; the type has another name in each. */
const WASM_TYPES = `/** The compiled module: pass it to \`init\` or \`initSync\`. */
declare const module: import("./loader.js").WasmModule;
export default module;
`;

/** The command is an executable file. */
function command() {
  chmodSync(join(dist, "cli.js"), 0o755);
}

function types() {
  run(process.execPath, [join(own, "node_modules/typescript/bin/tsc"), "-p", own, "--outDir", dist], { stdio: "inherit" });
  // The declarations refer to those of the module.
  mkdirSync(join(dist, "glue"), { recursive: true });
  copyFileSync(join(glue, "glue.d.ts"), join(dist, "glue/glue.d.ts"));
  for (const name of ["core", "validate", ...SEPARATE]) writeFileSync(join(dist, `${name}.wasm.d.ts`), WASM_TYPES);
}

/** Every copy contains the licences. */
function licences() {
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(root, name), join(own, name));
}

/** The files that package.json promises. */
function promised() {
  const files = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(files));
  return [...new Set([...files(manifest.exports), ...files(manifest.bin)])];
}

// `build.mjs check` fails if something that is shipped has not been built, `build.mjs check --optimized` also if it was built for tests;
// `build.mjs alone` if a module does not compile without what the others have.
const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: "boolean" }, optimized: { type: "boolean" } } });
const [what = "all", ...names] = positionals;
if (what === "check") {
  const missing = promised().filter((name) => !existsSync(join(own, name)));
  if (missing.length > 0 || (values.optimized && existsSync(QUICKLY))) {
    console.error(`not built: ${missing.join(", ") || "modules that are optimized"}; run scripts/npm build`);
    process.exit(1);
  }
  process.exit(0);
}

if (what === "alone") {
  for (const name of Object.keys(MODULES)) cargo("check", alone(name), "", {});
  process.exit(0);
}

// `build.mjs scripts` rebuilds no module and no texts; `build.mjs module sync oai` these modules only; `build.mjs texts` the texts.
const unknown = names.filter((name) => !(name in MODULES));
if (!["all", "scripts", "module", "texts"].includes(what) || unknown.length > 0 || (what === "module") !== names.length > 0) {
  console.error(`usage: build.mjs [scripts | texts | alone | check [--optimized] | module NAME...] [--quick], with the modules ${Object.keys(MODULES).join(", ")}`);
  process.exit(2);
}
const { quick } = values;
if (what === "all") rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
mkdirSync(dirname(QUICKLY), { recursive: true });
if (quick) writeFileSync(QUICKLY, "");
const built = what === "all" ? Object.keys(MODULES) : names;
if (!quick) built.forEach(module);
else if (built.length > 0) modulesForTests(built);
if (what === "all" && !quick) rmSync(QUICKLY, { force: true });
if (what === "all" || what === "texts") texts();
types();
await scripts();
command();
licences();
