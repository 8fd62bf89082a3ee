// The build view: creates a valid small Source from resources.

import { RefusedError } from "resourcesync/worker";
import { isBase, unescaped } from "../address.js";
import { documentUris, make, type Made } from "../build/make.js";
import { repeat, TABLE, type Repeat } from "../build/repeat.js";
import { canSave, saveAll } from "../build/save.js";
import { asUri, fromFiles, fromLines, isHidden, linesOf, twice, type Resource } from "../build/resources.js";
import { draft, write } from "../drafts.js";
import { h, prose, uri, visible } from "../element.js";
import { survey } from "../engine/survey.js";
import { validator } from "../engine/validator.js";
import { icon } from "../icon.js";
import { chosenFolder, dropped, pickFolder } from "../gather.js";
import { save, type Page } from "../page.js";
import { sizeOf } from "../sizes.js";
import { rootOf, type Given } from "../state.js";
import { BUILD } from "../words/build.js";
import { learn } from "../words/index.js";
import { command } from "./command.js";

learn(BUILD);

// The input and the documents are kept when the language changes, and when the user comes back from another view.
const entered = { files: [] as Given[], hidden: 0, earlier: [] as File[], sha256: true, md5: false, dump: false, changeDump: false, made: [] as readonly Made[], repeat: null as Repeat | null };

/** Shows the documents in the view that is open: another one than they were built in, if the language changed meanwhile. */
let drawMade: (isNew: boolean) => void = () => undefined;

/** Builds the view. */
export function build(page: Page): HTMLElement {
  const words = page.words();
  const result = h("div", { class: "built" });
  const said = h("p", { class: "dim", role: "status" });
  const problem = h("div", { role: "alert" });
  const lines = h("textarea", { id: "build-uris", rows: 7, spellcheck: "false", translate: "no", "aria-describedby": "build-uris-hint",
    on: { input: () => write("lines", lines.value) } }, draft("lines"));
  const base = h("input", { id: "build-base", type: "url", class: "mono", value: draft("base"), placeholder: "https://example.org/dataset/",
    "aria-describedby": "build-base-hint", on: { input: () => write("base", base.value) } });
  const about = h("input", { id: "build-about", type: "url", class: "mono", value: draft("about"), placeholder: "https://example.org/about.html",
    "aria-describedby": "build-about-hint", on: { input: () => write("about", about.value) } });
  const documents = h("input", { id: "build-documents", type: "url", class: "mono", value: draft("documents"), placeholder: "https://example.org/resourcesync/",
    "aria-describedby": "build-documents-hint", on: { input: () => write("documents", documents.value) } });
  const tick = (id: "sha256" | "md5" | "dump" | "changeDump", label: string) => h("label", { class: "tick" },
    h("input", { type: "checkbox", checked: entered[id], on: { change: (event: Event) => (entered[id] = (event.target as HTMLInputElement).checked) } }),
    h("span", {}, label));
  const go = h("button", { class: "primary", type: "submit" }, words.say("buildGo"));

  const refuse = (...texts: Node[][]) => problem.replaceChildren(h("div", { class: "verdict invalid" },
    h("div", { class: "verdict-main" }, h("h2", {}, words.say("buildRefused")), ...texts.map((text) => h("p", {}, ...text)))));
  const draw = (isNew: boolean) => {
    if (entered.made.length > 0) show(page, result, entered.made, entered.repeat, isNew);
    else result.replaceChildren();
  };
  const submit = async () => {
    entered.made = [];
    draw(false);
    problem.replaceChildren();
    const address = base.value.trim();
    if (!isBase(address)) {
      base.focus();
      return refuse(prose(words.say("baseWrong")));
    }
    const place = documents.value.trim() || address;
    if (!isBase(place)) {
      documents.focus();
      return refuse(prose(words.say("baseWrong")));
    }
    const described = about.value.trim();
    const algorithms = [entered.md5 && "md5", entered.sha256 && "sha-256"].filter(Boolean) as ("md5" | "sha-256")[];
    // Changes made while the files are read are after this moment (Z39.99-2017 §10.1).
    const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    go.disabled = true;
    try {
      const engine = await validator();
      const files = entered.files;
      const found = await fromFiles(files, address, algorithms, engine, (number, name) =>
        (said.textContent = words.say("buildHashing", { name: visible(name), at: number + 1, of: files.length })));
      const listed = fromLines(lines.value);
      const resources: Resource[] = [...listed, ...found.map(({ path: _, file: __, ...resource }) => resource)];
      if (resources.length === 0) return refuse(prose(words.say("buildNothing")));
      const [one, other] = twice(resources) ?? [];
      if (one !== undefined && other !== undefined) return refuse(prose(again(page, lines, resources[one]?.uri ?? "", [one, other])));
      const taken = documentUris(place, resources);
      if (taken.length > 0) return refuse(prose(words.count("buildTaken", taken.length, { uri: visible(taken[0] ?? "") })), prose(words.say("buildTakenHelp")));
      said.textContent = words.say("buildWriting");
      entered.made = await make(engine, { documents: place, at, earlier: entered.earlier, files: found, dumps: { resources: entered.dump, changes: entered.changeDump }, ...(described && { describedby: asUri(described) }) }, resources);
      entered.repeat = repeat({ base: address, documents: place, describedby: described && asUri(described), algorithms, dumps: entered.dump || entered.changeDump, folder: files[0]?.name.split("/")[0] ?? ".", files: found, listed });
      drawMade(true);
    } catch (error) {
      refuse(...await reason(page, error, lines));
    } finally {
      said.textContent = "";
      go.disabled = false;
    }
  };

  drawMade = draw;
  draw(false);
  return h("div", { class: "build-view" },
    h("div", { class: "lead" }, h("h1", { tabindex: -1 }, words.say("buildTitle")), h("p", {}, words.say("buildLead"))),
    h("form", { class: "card", novalidate: true, on: { submit: (event: Event) => {
      event.preventDefault();
      void submit();
    } } },
      h("h2", {}, words.say("buildWhat")),
      h("div", { class: "two" },
        h("div", { class: "field" }, h("label", { for: "build-uris" }, words.say("buildUris")), lines,
          h("p", { class: "dim small", id: "build-uris-hint" }, ...prose(words.say("buildUrisHint")))),
        h("p", { class: "or dim" }, words.say("buildOr")),
        folderField(page)),
      earlierField(page),
      h("h2", {}, words.say("buildWhere")),
      h("div", { class: "field" }, h("label", { for: "build-base" }, words.say("buildBase")), base,
        h("p", { class: "dim small", id: "build-base-hint" }, words.say("buildBaseHint"))),
      h("div", { class: "field" }, h("label", { for: "build-documents" }, words.say("buildDocuments")), documents,
        h("p", { class: "dim small", id: "build-documents-hint" }, words.say("buildDocumentsHint"))),
      h("div", { class: "field" }, h("label", { for: "build-about" }, words.say("buildAbout")), about,
        h("p", { class: "dim small", id: "build-about-hint" }, ...prose(words.say("buildAboutHint")))),
      h("fieldset", {}, h("legend", {}, words.say("buildAlgorithms")), tick("sha256", "SHA-256"), tick("md5", "MD5")),
      h("fieldset", { class: "stacked" }, h("legend", {}, words.say("buildAlso")), tick("dump", words.say("buildDump")), tick("changeDump", words.say("buildChangeDump"))),
      h("div", { class: "buttons" }, go, said)),
    problem, result);
}

function folderField(page: Page): HTMLElement {
  const words = page.words();
  const place = h("div", { class: "folder-place" });
  const choose = h("input", { type: "file", webkitdirectory: true, hidden: true, id: "build-folder",
    on: { change: () => {
      if (choose.files) take(chosenFolder(choose.files));
      choose.value = "";
    } } });
  const wrong = (text: string) => place.append(h("p", { class: "small wrong", role: "alert" }, text));
  const take = (files: Given[]) => {
    if (new Set(files.map(rootOf)).size > 1 || files.some(({ via }) => via !== "folder")) return wrong(words.say("buildOneFolder"));
    entered.files = files.filter((own) => !isHidden(own));
    entered.hidden = files.length - entered.files.length;
    void draw();
  };
  const gathered = (files: Promise<Given[] | null>) => void files.then((own) => own && take(own),
    (error: Error) => wrong(words.say("failedFolder", { detail: visible(error.message) })));
  const draw = async () => {
    const { files, hidden } = entered;
    const size = await sizeOf(files);
    if (files !== entered.files) return;
    place.replaceChildren(
      h("button", { type: "button", on: { click: () => gathered(pickFolder(choose)) } }, words.say("chooseFolder")),
      ...(files.length > 0
        ? [h("p", {}, words.count("buildFiles", files.length, { size: words.size(size) }), " ",
          h("button", { type: "button", class: "link", on: { click: () => take([]) } }, words.say("buildForget")))]
        : [h("p", { class: "dim small" }, words.say("buildFolderHint"))]),
      ...(hidden > 0 ? [h("p", { class: "dim small hidden-files" }, words.count("buildHidden", hidden))] : []));
  };
  void draw();
  place.addEventListener("dragover", (event) => event.preventDefault());
  const field = h("div", { class: "field folder" }, h("span", { class: "label" }, words.say("buildFolder")), place, choose);
  field.addEventListener("drop", (event) => {
    if (!event.dataTransfer) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    gathered(dropped(event.dataTransfer));
  });
  return field;
}

/** The Resource Lists of the earlier publication, for a Change List. */
function earlierField(page: Page): HTMLElement {
  const words = page.words();
  const names = h("p", { class: "small" });
  const choose = h("input", { type: "file", multiple: true, accept: ".xml,.gz", hidden: true, id: "build-earlier", on: { change: () => {
    entered.earlier = [...choose.files ?? []];
    choose.value = "";
    draw();
  } } });
  const draw = () => names.replaceChildren(...(entered.earlier.length > 0
    ? [h("bdi", {}, visible(entered.earlier.map(({ name }) => name).join(words.say("comma")))), " ", h("button", { type: "button", class: "link", on: { click: () => {
      entered.earlier = [];
      draw();
    } } }, words.say("buildForget"))]
    : []));
  draw();
  return h("div", { class: "field" }, h("span", { class: "label" }, words.say("buildEarlier")),
    h("div", { class: "buttons" }, h("button", { type: "button", on: { click: () => choose.click() } }, words.say("chooseFiles")), names),
    h("p", { class: "dim small" }, words.say("buildEarlierHint")), choose);
}

/** The path at which a file is published below the root of its host. */
function pathOf({ uri: address }: Made): string {
  return unescaped(new URL(address).pathname).slice(1);
}

function show(page: Page, place: HTMLElement, made: readonly Made[], again: Repeat | null, isNew: boolean): void {
  const words = page.words();
  const check = () => page.check(made.map((own) => ({ name: `source/${pathOf(own)}`, file: own.file, via: "folder", uri: own.uri })));
  const all = async () => save("source.zip", await survey({ task: "zipped", files: made.map((own) => ({ name: pathOf(own), file: own.file })) }), "application/zip");
  const saved = h("p", { class: "dim", role: "status" });
  // A document comes after those that it leads to, so a harvester never follows a link to nothing.
  const keep = () => saveAll([...made].reverse().map((own) => ({ path: pathOf(own), file: own.file }))).then(
    (name) => name !== null && (saved.textContent = words.say("buildSaved", { name: visible(name) })),
    (error: Error) => (saved.textContent = words.say("buildSaveFailed", { detail: visible(error.message) })));
  const head = h("h2", { tabindex: -1 }, words.say("buildDone"));
  place.replaceChildren(h("section", { class: "card" },
    head,
    h("p", {}, words.say("buildDoneText")),
    h("ul", { class: "made" }, ...made.map((own) => madeItem(page, own))),
    h("div", { class: "buttons" }, h("button", { type: "button", on: { click: check } }, words.say("buildCheck")),
      made.reduce((sum, { file }) => sum + file.size, 0) <= MOST && h("button", { type: "button", on: { click: all } }, icon("save"), words.say("buildAll")),
      canSave() && h("button", { type: "button", on: { click: keep } }, icon("folder"), words.say("buildSave"))),
    saved,
    ...(again ? repeated(page, again) : [])));
  if (isNew) head.focus();
}

/** How the same is published every night. */
function repeated(page: Page, { command: text, table }: Repeat): HTMLElement[] {
  const words = page.words();
  return [
    h("h3", {}, words.say("buildRepeat")),
    h("p", {}, words.say("buildRepeatText")),
    command(page, text),
    ...(table ? [h("p", {}, words.say("buildRepeatTable")), h("p", {}, h("button", { type: "button", class: "table", on: { click: () => save(TABLE, table, table.type) } }, icon("save"), TABLE))] : []),
  ];
}

const PREVIEW = 60;
/** Bytes of files that are put into one ZIP. */
const MOST = 2 ** 31;

function madeItem(page: Page, { name, uri: address, text, file: content }: Made): HTMLElement {
  const words = page.words();
  const all = (text ?? "").slice(0, 20_000).trimEnd().split("\n");
  const lines = all.slice(0, PREVIEW);
  const isCut = all.length > PREVIEW || (text ?? "").length > 20_000;
  const file = name.split("/").at(-1) ?? name;
  return h("li", {},
    h("div", { class: "made-head" },
      h("div", {}, h("strong", { translate: "no" }, name), uri(address),
        name.startsWith(".well-known") && h("span", { class: "dim small" }, words.say("buildWellKnown"))),
      h("button", { type: "button", on: { click: () => save(file, content, content.type) } },
        words.say("buildDownload"), h("span", { class: "unseen" }, ` ${name}`))),
    text !== undefined && h("details", {}, h("summary", {}, words.say("buildPreview"), h("span", { class: "dim small" }, isCut ? words.say("buildFirstLines", { n: lines.length }) : words.count("buildLines", lines.length))),
      h("pre", { tabindex: 0, translate: "no" }, lines.join("\n"))));
}

/** Why the documents could not be built, and what to do. */
async function reason(page: Page, error: unknown, lines: HTMLTextAreaElement): Promise<Node[][]> {
  const words = page.words();
  if (error instanceof RefusedError) {
    const { entry, code } = error.diagnostic;
    const [translated] = words.lang === "en" ? [] : await (await validator()).messages([error.diagnostic], words.lang);
    const { message, help } = translated ?? error.diagnostic;
    const line = entry && lineOf(lines.value, entry);
    if (line !== undefined) mark(lines, line);
    const text = line !== undefined ? words.say("buildRefusedLine", { n: line, message }) : entry ? words.say("buildRefusedAt", { n: entry.index, message }) : message;
    return [[...prose(text), document.createTextNode(" "), h("a", { class: "code", href: `#/rules/${code}` }, visible(code))], prose(help)];
  }
  const text = error instanceof Error ? error.message : String(error);
  const [, part] = /^no-part (.*)/.exec(text) ?? [];
  if (part) return [prose(words.say("buildEarlierPart", { name: visible(part) }))];
  const known = { "no-snapshot": "buildEarlierWrong", "no-change-dump": "buildChangeDumpNeeds", "no-dump": "buildDumpNeeds" } as const;
  return [prose(Object.hasOwn(known, text) ? words.say(known[text as keyof typeof known]) : text)];
}

/** Where a resource is listed again: in lines, of which the second is selected, or in the folder. */
function again(page: Page, lines: HTMLTextAreaElement, address: string, places: readonly [number, number]): string {
  const all = linesOf(lines.value);
  const [one, other] = places.map((place) => all[place]?.number);
  if (other !== undefined) mark(lines, other);
  return page.words().say(other !== undefined ? "buildTwice" : "buildTwiceFile", { uri: visible(address), one: one ?? 0, other: other ?? 0 });
}

/** The line of a refused entry: that of its URI, else the one at its place. */
function lineOf(text: string, { index, loc }: { index: number; loc?: string }): number | undefined {
  const all = linesOf(text);
  const uris = fromLines(text);
  const same = uris.findIndex(({ uri: own }) => own === loc);
  return all[same >= 0 ? same : loc === undefined ? index - 1 : -1]?.number;
}

/** Selects a line. */
function mark(lines: HTMLTextAreaElement, line: number): void {
  const before = lines.value.split("\n").slice(0, line - 1).reduce((sum, own) => sum + own.length + 1, 0);
  lines.focus();
  lines.setSelectionRange(before, before + (lines.value.split("\n")[line - 1] ?? "").length);
}
