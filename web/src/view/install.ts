// How the command is installed that the page names in many places.

import { h } from "../element.js";
import type { Page } from "../page.js";
import { panel } from "./panel.js";

/** Opens the panel; `box` shows a command. */
export function openInstall(page: Page, box: (text: string) => HTMLElement): void {
  const words = page.words();
  const { install, project } = page.site;
  panel(page, words.say("installTitle"),
    h("p", {}, words.count("installText", install.length)),
    ...install.map(box),
    h("p", { class: "dim" }, words.say("installCheck")),
    box("resourcesync --version"),
    project !== "" && h("p", {}, h("a", { href: project, rel: "noreferrer" }, words.say("installProject"))));
}
