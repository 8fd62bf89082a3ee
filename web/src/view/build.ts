// The build view: creates a valid small Source from resources.

import { RefusedError } from "resourcesync/worker";
import { isBase, unescaped } from "../address.js";
import { make, type Made } from "../build/make.js";
import { asUri, fromFiles, fromLines, type Resource } from "../build/resources.js";
import { draft, write } from "../drafts.js";
import { h, prose, uri, visible } from "../element.js";
import { validator } from "../engine/validator.js";
import { chosenFolder, dropped } from "../gather.js";
import { save, type Page } from "../page.js";
import type { Given } from "../state.js";

// The input is kept when the language changes.
const entered = { files: [] as Given[], sha256: true, md5: false };

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
  const tick = (id: "sha256" | "md5", label: string) => h("label", { class: "tick" },
    h("input", { type: "checkbox", checked: entered[id], on: { change: (event: Event) => (entered[id] = (event.target as HTMLInputElement).checked) } }),
    h("span", {}, label));
  const go = h("button", { class: "primary", type: "submit" }, words.say("buildGo"));

  const refuse = (text: Node[]) => problem.replaceChildren(h("div", { class: "verdict invalid" }, h("h2", {}, words.say("buildRefused")), h("p", {}, ...text)));
  const submit = async () => {
    result.replaceChildren();
    problem.replaceChildren();
    const address = base.value.trim();
    if (!isBase(address)) {
      base.focus();
      return refuse(prose(words.say("buildBaseWrong")));
    }
    const described = about.value.trim();
    const algorithms = [entered.md5 && "md5", entered.sha256 && "sha-256"].filter(Boolean) as ("md5" | "sha-256")[];
    // Changes made while the files are read are after this moment (Z39.99-2017 §10.1).
    const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    go.disabled = true;
    try {
      const engine = await validator();
      const files = entered.files;
      const resources: Resource[] = [...fromLines(lines.value), ...await fromFiles(files, address, algorithms, engine, (number, name) =>
        (said.textContent = words.say("buildHashing", { name: visible(name), at: number + 1, of: files.length })))];
      if (resources.length === 0) return refuse(prose(words.say("buildNothing")));
      said.textContent = words.say("buildWriting");
      show(page, result, await make(engine, { base: address, at, ...(described && { describedby: asUri(described) }) }, resources));
    } catch (error) {
      refuse(reason(page, error));
    } finally {
      said.textContent = "";
      go.disabled = false;
    }
  };

  return h("div", { class: "build-view" },
    h("div", { class: "lead" }, h("h1", { tabindex: -1 }, words.say("buildTitle")), h("p", {}, words.say("buildLead"))),
    h("form", { class: "card", novalidate: true, on: { submit: (event: Event) => {
      event.preventDefault();
      void submit();
    } } },
      h("h2", {}, words.say("buildWhat")),
      h("div", { class: "two" },
        h("div", { class: "field" }, h("label", { for: "build-uris" }, words.say("buildUris")), lines,
          h("p", { class: "dim small", id: "build-uris-hint" }, words.say("buildUrisHint"))),
        h("p", { class: "or dim" }, words.say("buildOr")),
        folderField(page)),
      h("h2", {}, words.say("buildWhere")),
      h("div", { class: "field" }, h("label", { for: "build-base" }, words.say("buildBase")), base,
        h("p", { class: "dim small", id: "build-base-hint" }, words.say("buildBaseHint"))),
      h("div", { class: "field" }, h("label", { for: "build-about" }, words.say("buildAbout")), about,
        h("p", { class: "dim small", id: "build-about-hint" }, words.say("buildAboutHint"))),
      h("fieldset", {}, h("legend", {}, words.say("buildAlgorithms")), tick("sha256", "SHA-256"), tick("md5", "MD5")),
      h("div", { class: "buttons" }, go, said)),
    problem, result);
}

function folderField(page: Page): HTMLElement {
  const words = page.words();
  const place = h("div", { class: "folder-place" });
  const choose = h("input", { type: "file", webkitdirectory: true, hidden: true, id: "build-folder",
    on: { change: () => {
      if (choose.files) entered.files = chosenFolder(choose.files);
      choose.value = "";
      draw();
    } } });
  const draw = () => {
    const { files } = entered;
    const size = files.reduce((sum, { file }) => sum + file.size, 0);
    place.replaceChildren(
      h("button", { type: "button", on: { click: () => choose.click() } }, words.say("chooseFolder")),
      ...(files.length > 0
        ? [h("p", {}, words.count("buildFiles", files.length, { size: words.size(size) }), " ",
          h("button", { type: "button", class: "link", on: { click: () => {
            entered.files = [];
            draw();
          } } }, words.say("buildForget")))]
        : [h("p", { class: "dim small" }, words.say("buildFolderHint"))]));
  };
  draw();
  place.addEventListener("dragover", (event) => event.preventDefault());
  const field = h("div", { class: "field folder" }, h("span", { class: "label" }, words.say("buildFolder")), place, choose);
  field.addEventListener("drop", (event) => {
    if (!event.dataTransfer) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    void dropped(event.dataTransfer).then((files) => {
      entered.files = files;
      draw();
    });
  });
  return field;
}

function show(page: Page, place: HTMLElement, made: readonly Made[]): void {
  const words = page.words();
  const check = () => page.check(made.map(({ text, uri: address }) =>
    ({ name: `source${unescaped(new URL(address).pathname)}`, file: new Blob([text], { type: "application/xml" }), via: "folder", uri: address })));
  const head = h("h2", { tabindex: -1 }, words.say("buildDone"));
  place.replaceChildren(h("section", { class: "card" },
    head,
    h("p", {}, words.say("buildDoneText")),
    h("ul", { class: "made" }, ...made.map((own) => madeItem(page, own))),
    h("div", { class: "buttons" }, h("button", { type: "button", on: { click: check } }, words.say("buildCheck")))));
  head.focus();
}

const PREVIEW = 60;

function madeItem(page: Page, { name, uri: address, text }: Made): HTMLElement {
  const words = page.words();
  const lines = text.slice(0, 20_000).split("\n").slice(0, PREVIEW);
  const file = name.split("/").at(-1) ?? name;
  return h("li", {},
    h("div", { class: "made-head" },
      h("div", {}, h("strong", { translate: "no" }, name), uri(address),
        name.startsWith(".well-known") && h("span", { class: "dim small" }, words.say("buildWellKnown"))),
      h("button", { type: "button", on: { click: () => save(file, text, "application/xml") } },
        words.say("buildDownload"), h("span", { class: "unseen" }, ` ${name}`))),
    h("details", {}, h("summary", {}, words.say("buildPreview"), h("span", { class: "dim small" }, words.say("buildLines", { n: lines.length }))),
      h("pre", { tabindex: 0, translate: "no" }, lines.join("\n"))));
}

function reason(page: Page, error: unknown): Node[] {
  const words = page.words();
  if (error instanceof RefusedError) {
    const { message, help, entry, code } = error.diagnostic;
    const text = entry ? words.say("buildRefusedAt", { n: entry.index, message }) : message;
    return [...prose(text), document.createTextNode(` (${code}) `), ...prose(help)];
  }
  return prose(error instanceof Error ? error.message : String(error));
}
