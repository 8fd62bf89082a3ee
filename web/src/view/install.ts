// How the command is installed that the page names in many places.

import { h } from "../element.js";
import type { Page } from "../page.js";
import { command } from "./command.js";
import { panel } from "./panel.js";

/** Opens the panel. */
export function openInstall(page: Page): void {
  const words = page.words();
  panel(page, words.say("installTitle"),
    h("p", {}, words.count("installText", SITE.install.length)),
    ...SITE.install.map((text) => command(page, text)),
    h("p", { class: "dim" }, words.say("installCheck")),
    command(page, "resourcesync --version", false),
    SITE.project !== "" && h("p", {}, h("a", { href: SITE.project, rel: "noreferrer" }, words.say("installProject"))));
}
