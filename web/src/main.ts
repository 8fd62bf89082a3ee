// Starts the page: state from the address and the browser, the frame, the view of the route.

import { read } from "./address.js";
import { keep, nextId, recall } from "./checks.js";
import { storeDrafts } from "./drafts.js";
import { copyWhole, h, visible } from "./element.js";
import { abandon, begin, cancel, resume, run, translate, twoReports } from "./engine/run.js";
import { chosen, chosenFolder, dropped, pickFolder } from "./gather.js";
import { checkOfEntry, record, settled } from "./history.js";
import { offline } from "./offline.js";
import { unpack } from "./pack.js";
import { wordsOf, type Page } from "./page.js";
import { remember, remembered } from "./remember.js";
import { learnSite, titleOf } from "./site.js";
import { DEFAULT_SETTINGS, isAtHand, NO_FILTERS, rootOf, Store, type Given, type Report } from "./state.js";
import { check } from "./view/check.js";
import { failedTitle } from "./view/failed.js";
import { qualified } from "./view/filters.js";
import { frame } from "./view/frame.js";
import { listenForKeys } from "./view/keys.js";
import { listenForPrint } from "./view/print.js";
import { preferred } from "./words/index.js";

// The first view needs it: other words in its place afterwards would move.
const site = await learnSite();
const address = read(location.hash);
const memory = remembered();
const store = new Store({
  lang: address.lang ?? memory.lang ?? preferred(navigator.languages, site.language ?? "en"),
  theme: memory.theme ?? "auto",
  shortcuts: memory.shortcuts ?? true,
  keep: memory.keep ?? null,
  route: address.route,
  settings: address.settings,
  filters: address.filters,
  given: [],
  phase: { at: "empty", lost: address.ofReport && !address.document },
  linked: null,
  numbers: null,
  guess: null,
  check: null,
  compared: null,
  changed: null,
  undo: null,
  editing: false,
  selected: null,
  detail: false,
  translated: null,
});

const files = h("input", { type: "file", multiple: true, hidden: true, id: "files",
  on: { change: () => take(files, chosen) } });
const folder = h("input", { type: "file", webkitdirectory: true, hidden: true, id: "folder",
  on: { change: () => take(folder, chosenFolder) } });

const page: Page = {
  store,
  words: () => wordsOf(store.state.lang),
  site,
  announce: (text) => (built.status.textContent = text),
  check: (given, add = false) => {
    const roots = new Set(given.map(rootOf));
    const all = add ? [...store.state.given.filter((old) => !roots.has(rootOf(old))), ...given] : given;
    const { base: _, separate: __, url: ___, ...settings } = store.state.settings;
    // The base URI of other files does not apply to these.
    const same = add || given === store.state.given || store.state.phase.at === "empty";
    store.set({ filters: NO_FILTERS, ...(!same && { settings }) });
    void start(all);
  },
  checkUrl: (url) => {
    const { base: _, separate: __, ...settings } = store.state.settings;
    store.set({ route: { view: "check" }, filters: NO_FILTERS, settings: { ...settings, url } });
    void run(store, []);
  },
  repair: (given, file) => {
    const { check, given: all } = store.state;
    const repaired = new File([file], given.name.split("/").at(-1) ?? given.name, { type: file.type });
    void run(store, all.map((own) => (own === given ? { ...own, file: repaired } : own)));
    store.set({ filters: NO_FILTERS, undo: check });
  },
  undo: async () => {
    const { undo } = store.state;
    const check = undo === null ? undefined : await recall(undo);
    if (check) page.resume(check);
  },
  resume: (check) => {
    store.set({ route: { view: "check" }, filters: NO_FILTERS });
    void resume(store, check);
  },
  cancel: () => cancel(store),
  startOver: () => {
    startOver();
    store.set({ filters: NO_FILTERS, settings: DEFAULT_SETTINGS });
  },
  chooseFiles: () => files.click(),
  chooseFolder: () => gathered(pickFolder(folder)),
};

const built = frame(page);
const note = h("p", { class: "drop-note", "aria-hidden": "true" });
document.body.append(built.header, built.main, built.footer, built.status, note, files, folder);

/** Validates the files; of two reports, shows the later one compared with the earlier one. */
async function start(all: readonly Given[]): Promise<void> {
  const signal = begin();
  const two = await twoReports(all);
  if (signal.aborted) return;
  // Together with the start of the run, so that no other view comes between them in the history.
  store.set({ route: { view: "check" } });
  await (two ? compareReports(...two) : run(store, all));
}

/** Shows a report, compared with another one that is taken for the earlier one. */
async function compareReports(before: Given, after: Given): Promise<void> {
  await run(store, [after]);
  const { compareWith } = await import("./view/compare.js");
  if (store.state.given[0] === after) await compareWith(page, before.name, before.file, () => void compareReports(after, before));
}

function startOver(lost = false): void {
  abandon();
  store.set({ phase: { at: "empty", lost }, given: [], check: null, linked: null, numbers: null, guess: null, compared: null, changed: null, undo: null, editing: false, selected: null, detail: false, translated: null });
}

/** Validates files as soon as the browser has handed them out. */
function gathered(files: Promise<Given[] | null>): void {
  const add = isAtHand(store.state);
  files.then(
    (given) => given && page.check(given, add),
    // A file may be gone, or the browser may deny access to it.
    (error: Error) => {
      startOver();
      store.set({ route: { view: "check" }, check: nextId(), phase: { at: "failed", fault: { kind: "folder", name: "", detail: error.message }, live: null } });
    });
}

function take(input: HTMLInputElement, gather: (files: FileList) => Given[]): void {
  if (input.files && input.files.length > 0) page.check(gather(input.files), isAtHand(store.state));
  input.value = "";
}

async function show(first = false): Promise<void> {
  const { route } = store.state;
  const put = (view: HTMLElement) => {
    built.main.replaceChildren(view);
    if (first) return;
    scrollTo(0, 0);
    built.main.focus({ preventScroll: true });
  };
  if (route.view === "check") return put(check(page));
  // Other views than the first are loaded on demand.
  const view = route.view === "rules" ? (await import("./view/rules.js")).rules : (await import("./view/build.js")).build;
  if (store.state.route.view === route.view) put(view(page));
}

function dress(): void {
  const { lang, theme } = store.state;
  const root = document.documentElement;
  // Even the same value would make the browser style the whole page again.
  if (root.lang !== lang) root.lang = lang;
  if (root.dataset["theme"] !== theme) root.dataset["theme"] = theme;
  document.body.classList.toggle("detail-open", store.state.detail && store.state.phase.at === "done" && store.state.route.view === "check");
  document.title = title();
  note.textContent = page.words().say("dropNow");
}

function title(): string {
  const words = page.words();
  const { phase, route } = store.state;
  const name = titleOf(page);
  if (route.view === "rules") return `${route.rule ?? words.say("rulesTitle")} – ${name}`;
  if (route.view === "build") return `${words.say("navBuild")} – ${name}`;
  if (phase.at === "running") {
    const { done, total } = phase.live;
    return `${total > 0 ? words.percent(done, total) : words.say("runningTitle")} – ${name}`;
  }
  if (phase.at === "told") return `${words.say("toldOf", { command: phase.told.command }).replaceAll("`", "")} – ${name}`;
  if (phase.at === "done") return `${[qualified(page, phase.report), subject(phase.report)].filter(Boolean).join(": ")} – ${name}`;
  return name;
}

/** What a report is about: the folder, or the first file. */
function subject({ inputs }: Report): string {
  const [first] = store.state.given;
  const all = inputs.filter(({ parent }) => parent === undefined);
  const file = visible((all[0]?.name ?? "").split("/").at(-1) ?? "");
  if (first?.via === "folder") return visible(first.name.split("/")[0] ?? "");
  return all.length > 1 ? `${file} ${page.words().count("lastMore", all.length - 1)}` : file;
}

store.listen((state, before) => {
  dress();
  if (state.lang !== before.lang || state.theme !== before.theme || state.shortcuts !== before.shortcuts || state.keep !== before.keep) remember(state);
  if (state.keep !== before.keep) storeDrafts(state.keep !== false);
  if (state.lang !== before.lang) {
    store.set({ translated: null });
    void translate(store);
  }
  if (state.route.view !== before.route.view || (state.lang !== before.lang && state.route.view !== "check")) void show();
  record(state);
  if (state.phase !== before.phase) void keep(state);
  if (state.phase.at !== before.phase.at) tell();
});

// Changes of state are announced once; changing counts are not.
function tell(): void {
  const words = page.words();
  const { phase } = store.state;
  if (phase.at === "running") page.announce(words.say("runningTitle"));
  if (phase.at === "told") page.announce(words.say("toldOf", { command: phase.told.command }).replaceAll("`", ""));
  if (phase.at === "cancelled") page.announce(words.say("cancelledTitle"));
  if (phase.at === "failed") page.announce(words.say(failedTitle(phase.fault)));
  if (phase.at === "done") {
    const { summary } = phase.report;
    page.announce([qualified(page, phase.report), words.count("errors", summary.errors), words.count("warnings", summary.warnings)].join(", "));
  }
}

async function follow(): Promise<void> {
  const { route, filters, settings, lang, document, finding, ofReport } = read(location.hash);
  const opened = { selected: finding ?? store.state.selected, detail: finding !== undefined };
  if (lang) store.set({ lang });
  if (document) {
    try {
      page.check([{ name: document.name, file: await unpack(document.packed), via: "argument", shared: true }]);
      store.set({ filters, settings, ...opened });
    } catch (error) {
      store.set({ route, phase: { at: "failed", fault: { kind: "shared", name: document.name, detail: String(error) }, live: null } });
    }
  } else if (route.view !== "check") {
    // Other views have their own address; the filters of the report are restored later.
    store.set({ route, filters: { ...store.state.filters, text: filters.text } });
  } else {
    // An entry that a link made is about the check on show.
    const id = checkOfEntry() === undefined && ofReport ? store.state.check : checkOfEntry() ?? null;
    const check = id === null || id === store.state.check ? undefined : await recall(id);
    if (check) void resume(store, check);
    else if (id === null || id !== store.state.check) startOver(id !== null);
    store.set({ route, filters, settings: check?.settings ?? settings, ...(store.state.check !== null && opened) });
  }
  // Before the listeners of the state: what they record is the entry that is there.
  settled(store.state);
}

// A drop anywhere on the page counts; without this the browser would open the file instead.
let depth = 0;
const over = (by: number) => document.body.classList.toggle("dropping", (depth = Math.max(0, depth + by)) > 0);
const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
window.addEventListener("dragenter", (event) => carriesFiles(event) && over(1));
window.addEventListener("dragleave", (event) => carriesFiles(event) && over(-1));
window.addEventListener("dragover", (event) => carriesFiles(event) && event.preventDefault());
window.addEventListener("drop", (event) => {
  if (event.defaultPrevented || !event.dataTransfer || !carriesFiles(event)) return;
  event.preventDefault();
  depth = 0;
  over(0);
  gathered(dropped(event.dataTransfer));
});
window.addEventListener("popstate", () => void follow());

listenForKeys(page);
listenForPrint(page);
document.addEventListener("copy", copyWhole);
dress();
storeDrafts(store.state.keep !== false);
settled(store.state);
// A reload comes back to the check that was on show.
const again = address.document ?? checkOfEntry();
void (again ? follow() : Promise.resolve()).then(() => show(true));
offline(page);
