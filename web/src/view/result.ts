// A report: the verdict, then inputs, findings and the detail of one finding side by side.

import { commandLine } from "../command.js";
import { h, prose } from "../element.js";
import type { Page } from "../page.js";
import type { Report } from "../state.js";
import { command } from "./command.js";
import { contents } from "./contents.js";
import { detail } from "./detail.js";
import { addLine, dropLine } from "./drop.js";
import { findings } from "./findings.js";
import { hasSeveral, inputs, linked } from "./inputs.js";
import { settingsForm } from "./settings.js";
import { whole } from "./whole.js";
import { verdict } from "./verdict.js";

/** Builds the view of a report. */
export function result(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const { phase, given } = page.store.state;
  const opened = phase.at === "done" && phase.opened;
  const clean = report.groups.length === 0;
  const several = hasSeveral(report);
  const panes = h("div", { class: `panes${clean ? " clean" : ""}${several ? "" : " single"}` },
    several && inputs(page, report), clean && report.verdict === "valid" ? contents(page, report) : findings(page, report), !clean && detail(page, report));
  return h("div", { class: "result" },
    verdict(page, report),
    given[0]?.shared && h("p", { class: "note" }, ...prose(words.say("sharedText", { name: given[0].name, size: words.size(given[0].file.size) }))),
    panes,
    !several && linked(page),
    opened ? dropLine(page, false) : addLine(page),
    !opened && whole(page, report),
    !opened && given.length > 0 && h("section", { class: "repeat" },
      h("h2", {}, words.say("commandLabel")),
      command(page, commandLine(page.store.state)),
      settingsForm(page, () => page.check(page.store.state.given))));
}
