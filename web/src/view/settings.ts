// The settings of a run, collapsed by default.

import { h } from "../element.js";
import type { Page } from "../page.js";
import type { Settings } from "../state.js";
import type { Word } from "../words/index.js";

/** Kinds that can be expected of a document. */
export const KINDS = [
  "source-description", "source-description-index", "capability-list", "resource-list", "resource-list-index", "resource-dump",
  "resource-dump-index", "resource-dump-manifest", "change-list", "change-list-index", "change-dump", "change-dump-index",
  "change-dump-manifest", "change-notification", "framework-notification",
] as const;

/** The form; changes apply to the next run. Responses of a repository have no kind and no digests. */
export function settingsForm(page: Page, again?: () => void, ofDocuments = true): HTMLElement {
  const words = page.words();
  const { settings } = page.store.state;
  const change = (change: Partial<Settings>) => {
    const settings = { ...page.store.state.settings, ...change };
    if ("expect" in change && change.expect === undefined) delete settings.expect;
    page.store.set({ settings });
  };
  const value = (event: Event) => (event.target as HTMLSelectElement).value;
  const option = (value: string, label: string, selected: boolean) => h("option", { value, selected }, label);
  return h("details", { class: "settings" },
    h("summary", {}, words.say("settings")),
    h("div", { class: "fields" },
      h("label", {}, h("span", {}, words.say("profile")),
        h("select", { on: { change: (event: Event) => change({ profile: value(event) as Settings["profile"] }) } },
          option("standard", words.say("profileStandard"), settings.profile === "standard"),
          option("strict", words.say("profileStrict"), settings.profile === "strict"),
          option("search-engines", words.say("profileSearchEngines"), settings.profile === "search-engines"))),
      ofDocuments && h("label", {}, h("span", {}, words.say("expect")),
        h("select", { on: { change: (event: Event) => change({ expect: (value(event) || undefined) as never }) } },
          option("", words.say("expectAny"), !settings.expect),
          ...KINDS.map((kind) => option(kind, words.say(`kind.${kind}` as Word), settings.expect === kind)))),
      ofDocuments && h("label", { class: "tick" },
        h("input", { type: "checkbox", checked: settings.fixity,
          on: { change: (event: Event) => change({ fixity: (event.target as HTMLInputElement).checked }) } }),
        h("span", {}, words.say("fixity"))),
      again && h("button", { type: "button", on: { click: again } }, words.say("again"))));
}
