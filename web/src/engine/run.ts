// One run: passes the files to the validator, and its results to the state.

import { InternalError, type Diagnostic, type Progress } from "resourcesync/worker";
import { areApart, isOfDocuments, report, rootOf, type Fault, type Given, type Live, type Settings, type State, type Store } from "../state.js";
import { nextId, type Check } from "../checks.js";
import { sizeOf } from "../sizes.js";
import { KEPT } from "./kept.js";
import { reasonOf } from "./refused.js";
import { reportIn } from "./report-file.js";
import { slices, turn } from "../turn.js";
import { mayBeResponses } from "./response-files.js";
import { isTold } from "./told.js";
import { survey, type Progress as SurveyProgress } from "./survey.js";
import { core, documents, module, validator } from "./validator.js";

/** Findings that are translated at once. */
const PART = 1_000;

// The findings per rule that are shown during the run.
const EARLY = 300;

let running: AbortController | null = null;

/** Ends the work before. The signal is aborted when other work begins, or this is cancelled: from then on its results must not be shown. */
export function begin(): AbortSignal {
  running?.abort();
  running = new AbortController();
  return running.signal;
}

/** Validates the given files. Always ends in `done`, `cancelled` or `failed`. */
export async function run(store: Store, all: readonly Given[]): Promise<void> {
  const signal = begin();
  const start = performance.now();
  // Those of several folders are validated separately, like by the command.
  const { base: followed, ...separately } = store.state.settings;
  if (followed && areApart(all)) store.set({ settings: separately });
  let { base } = store.state.settings;
  const { url } = store.state.settings;
  let live: Live = { name: all[0]?.name ?? url ?? "", at: 0, of: all.length, unit: base || url ? "documents" : "bytes", done: 0, total: 0, entries: 0, seconds: 0, counts: [], found: [] };
  const show = (change: Partial<Live>) => {
    if (signal.aborted) return;
    live = { ...live, ...change, seconds: (performance.now() - start) / 1000 };
    store.set({ phase: { at: "running", live } });
  };
  const fail = (fault: Fault) => {
    if (!signal.aborted) store.set({ phase: { at: "failed", fault, live: live.done > 0 ? live : null } });
  };

  store.set({ given: all, check: nextId(), linked: null, numbers: null, guess: null, selected: null, detail: false, translated: null, compared: null, changed: null, undo: null, editing: isPasted(all) });
  show({});
  try {
    if (WITH_URLS && url && all.length === 0) {
      const { profile, fixity } = store.state.settings;
      const tell = ([done, entries, uri]: SurveyProgress) => show({ done, entries, name: uri, of: 1 });
      const { report: result, refused } = await survey({ task: "web", url, wasm: await core(), options: { profile, fixity, maxPerRule: KEPT } }, { tell, signal });
      await turn();
      if (signal.aborted) return;
      store.set({ phase: { at: "done", report: result, seconds: (performance.now() - start) / 1000, opened: false, ...(refused.length > 0 && { refused }) }, translated: null });
      return void (await translate(store));
    }
    const marked = await mark(all);
    if (signal.aborted) return;
    store.set({ given: marked });
    const given = marked === all ? all : marked.filter(({ ignored }) => !ignored);
    if (given.length === 0) return fail({ kind: "nothing", name: "", detail: "" });
    show({ name: given[0]?.name ?? "", of: given.length });
    if (await isReport(given)) return await open(store, given[0] as Given, signal);
    if (given.length === 1 && await isTold((given[0] as Given).file)) return await tell(store, given[0] as Given, signal);
    const unreadable = given.length === 1 && await reading(given[0] as Given);
    if (unreadable) return fail(unreadable);
    if (await mayBeResponses(given)) {
      const profile = store.state.settings.profile === "strict" ? "strict" : "standard";
      const result = await survey({ task: "responses", given, wasm: await module("oai.wasm"), options: { profile, maxPerRule: KEPT } }, { signal });
      await turn();
      if (signal.aborted) return;
      if (result) {
        store.set({ phase: { at: "done", report: result, seconds: (performance.now() - start) / 1000, opened: false }, translated: null });
        return void (await translate(store));
      }
    }
    if (!base && !store.state.settings.separate && isSource(given)) {
      const { guess, certain } = await survey({ task: "links", given, wasm: await core() }, { signal });
      if (signal.aborted) return;
      if (guess && certain) store.set({ settings: { ...store.state.settings, base: (base = guess) } });
      show({ unit: base ? "documents" : "bytes" });
    }
    if (base) {
      const { profile, fixity } = store.state.settings;
      const question = { task: "whole" as const, given: marked, wasm: await core(), base, options: { profile, fixity, maxPerRule: KEPT } };
      const tell = ([done, entries, uri]: SurveyProgress) => show({ done, entries, name: uri, of: 1 });
      const { report: result, starts } = await survey(question, { tell, signal });
      await turn();
      if (signal.aborted) return;
      store.set({ phase: { at: "done", report: result, seconds: (performance.now() - start) / 1000, opened: false, starts }, translated: null });
      return void (await Promise.allSettled([translate(store), numbers(store, given)]));
    }
    show({ total: await sizeOf(given) });
    if (signal.aborted) return;
    const tally = new Tally(given);
    const asked = {
      ...options(store.state),
      onProgress: (progress: Progress) => show(tally.progress(progress)),
      onDiagnostics: (found: readonly Diagnostic[]) => show({ found: tally.found(found) }),
      signal,
    };
    const alone = await document(given);
    const result = alone
      ? await (await documents()).validate(alone.file, { ...asked, name: alone.name, via: alone.via, ...(alone.uri && { uri: alone.uri }) })
      : await (await validator()).validateAll(given.map(({ file, name, via, uri }) => ({ source: file, name, via, ...(uri && { uri }) })), asked);
    await turn();
    if (signal.aborted) return;
    const seconds = (performance.now() - start) / 1000;
    store.set({ phase: { at: "done", report: result, seconds, opened: false }, translated: null });
    await Promise.allSettled([translate(store), links(store, given), numbers(store, given)]);
  } catch (error) {
    const { name } = live;
    const detail = error instanceof Error ? error.message : String(error);
    fail({ kind: error instanceof InternalError ? "trap" : "engine", name, detail });
  }
}

/** Shows a check again that was kept. */
export async function resume(store: Store, { id, phase, given, settings }: Check): Promise<void> {
  abandon();
  store.set({ phase, check: id, given, settings, linked: null, numbers: null, guess: null, selected: null, detail: false, translated: null, compared: null, changed: null, undo: null, editing: isPasted(given) });
  if (phase.at === "told") return;
  const checked = phase.opened || !isOfDocuments(phase.report) ? [] : given.filter(({ ignored }) => !ignored);
  await Promise.allSettled([translate(store), settings.base || checked.length === 0 || links(store, checked), checked.length === 0 || numbers(store, checked)]);
}

/** Cancels the run: its worker ends immediately, and the findings so far stay visible. */
export function cancel(store: Store): void {
  const phase = store.state.phase;
  if (phase.at !== "running") return;
  running?.abort();
  store.set({ phase: { at: "cancelled", live: phase.live } });
}

/** Discards a run silently, since another one starts. */
export function abandon(): void {
  running?.abort();
}

/** The options of the command, for the engine. */
export function options(state: State): { profile: Settings["profile"]; fixity: boolean; maxPerRule: number; expect?: never } {
  const { profile, fixity, expect } = state.settings;
  return { profile, fixity, maxPerRule: KEPT, ...(expect && { expect: expect as never }) };
}

/** Translates the shown findings to the language of the page, if it differs from that of the report. */
export async function translate(store: Store): Promise<void> {
  const shown = report(store.state);
  const { lang, translated } = store.state;
  if (!shown || lang === "en" || translated) return;
  const engine = await validator();
  const messages: { message: string; help: string }[] = [];
  for (const part of slices(shown.diagnostics, PART)) {
    messages.push(...await engine.messages(part, lang));
    if (report(store.state) !== shown || store.state.lang !== lang) return;
  }
  store.set({ translated: messages });
}

async function links(store: Store, given: readonly Given[]): Promise<void> {
  const shown = report(store.state);
  const { linked, guess } = await survey({ task: "links", given, wasm: await core() });
  if (report(store.state) === shown) store.set({ linked, guess });
}

async function numbers(store: Store, given: readonly Given[]): Promise<void> {
  const shown = report(store.state);
  if (!shown || shown.verdict !== "valid" || shown.groups.length > 0) return;
  const found = await survey({ task: "numbers", given, wasm: await core() });
  if (report(store.state) === shown) store.set({ numbers: found });
}

/** Text that was written here is edited here. */
function isPasted(given: readonly Given[]): boolean {
  return given.length === 1 && given[0]?.pasted === true;
}

/** One folder with a Source Description where harvesters look for it. */
function isSource(given: readonly Given[]): boolean {
  return given.every(({ via }) => via === "folder") && !areApart(given)
    && given.some((own) => own.name === `${rootOf(own)}.well-known/resourcesync`);
}

// Marks the files of a folder that are skipped, like the command.
async function mark(all: readonly Given[]): Promise<readonly Given[]> {
  const inFolders = all.filter(({ via }) => via === "folder");
  if (inFolders.length === 0) return all;
  const counts = await (await validator()).countsInFolder(inFolders.map(({ name }) => name));
  const ignored = new Set(inFolders.filter((_, at) => !counts[at]));
  if (ignored.size === 0) return all;
  return all.map((given) => (ignored.has(given) ? { ...given, ignored: true as const } : given));
}

// An earlier report is shown. Everything else is validated.
async function isReport([only, ...others]: readonly Given[]): Promise<boolean> {
  return only !== undefined && others.length === 0 && await reportIn(only.file) !== null;
}

/** Two reports, the one with the earlier file first; null if these are other files. */
export async function twoReports(given: readonly Given[]): Promise<[Given, Given] | null> {
  const [one, two, ...others] = given;
  if (!one || !two || others.length > 0) return null;
  if (await reportIn(one.file) === null || await reportIn(two.file) === null) return null;
  const written = ({ file }: Given) => (file instanceof File ? file.lastModified : 0);
  return written(one) <= written(two) ? [one, two] : [two, one];
}

/** The only input, if it is a document: the small module is enough for it. Packages begin with `PK`. */
async function document([only, ...others]: readonly Given[]): Promise<Given | null> {
  if (!only || others.length > 0 || /\.zip$/i.test(only.name)) return null;
  return (await only.file.slice(0, 2).text().catch(() => "PK")) === "PK" ? null : only;
}

async function open(store: Store, { file, name }: Given, signal: AbortSignal): Promise<void> {
  const phase = await survey({ task: "open", file }, { signal }).then(
    (report): State["phase"] => ({ at: "done", report, seconds: null, opened: true }), (error: Error) => unopened(name, error));
  await turn();
  if (signal.aborted) return;
  store.set({ phase });
  await translate(store);
}

/** Shows the report of another command. */
async function tell(store: Store, { file, name }: Given, signal: AbortSignal): Promise<void> {
  const phase = await survey({ task: "told", file }, { signal }).then((told): State["phase"] => ({ at: "told", told }), (error: Error) => unopened(name, error));
  if (!signal.aborted) store.set({ phase });
}

function unopened(name: string, error: Error): State["phase"] {
  return { at: "failed", fault: { kind: "report", name, detail: error.message, ...reasonOf(error) }, live: null };
}

// A file may change or be removed after it was chosen, which the browser detects only when reading it. For several files the
// report contains the error.
async function reading({ file, name }: Given): Promise<Fault | null> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return null;
  } catch (error) {
    return { kind: "read", name, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Sums up the progress of the inputs. */
class Tally {
  readonly #before: number[] = [];
  readonly #found: Diagnostic[] = [];
  readonly #counts = new Map<number, Progress["counts"]>();

  constructor(given: readonly Given[]) {
    let sum = 0;
    for (const { file } of given) {
      this.#before.push(sum);
      sum += file.size;
    }
  }

  progress(progress: Progress): Partial<Live> {
    this.#counts.set(progress.input, progress.counts);
    const sums = new Map<string, { code: string; severity: Progress["counts"][number]["severity"]; count: number }>();
    for (const counts of this.#counts.values()) {
      for (const { code, severity, count } of counts) {
        const key = `${code} ${severity}`;
        const sum = sums.get(key) ?? { code, severity, count: 0 };
        sums.set(key, { ...sum, count: sum.count + count });
      }
    }
    return {
      name: progress.name,
      at: progress.input,
      done: (this.#before[progress.input] ?? 0) + progress.bytes,
      entries: progress.entries,
      counts: [...sums.values()],
    };
  }

  found(found: readonly Diagnostic[]): readonly Diagnostic[] {
    const room = EARLY - this.#found.length;
    if (room > 0) this.#found.push(...found.slice(0, room));
    return this.#found;
  }
}
