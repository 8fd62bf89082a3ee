// How the command is installed that the page names in many places.

import { h } from "../element.js";
import type { Page } from "../page.js";
import { panel } from "./panel.js";

/** Opens the panel; `box` shows a command. */
export function openInstall(page: Page, box: (text: string) => HTMLElement): void {
  const words = page.words();
  panel(page, words.say("installTitle"),
    h("p", {}, words.count("installText", SITE.install.length)),
    ...SITE.install.map(box),
    h("p", { class: "dim" }, words.say("installCheck")),
    box("resourcesync --version"),
    SITE.project !== "" && h("p", {}, h("a", { href: SITE.project, rel: "noreferrer" }, words.say("installProject"))));
}
