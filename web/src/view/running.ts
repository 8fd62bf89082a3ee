// A run in progress: its progress, and the findings so far.

import { h, visible } from "../element.js";
import type { Page } from "../page.js";
import { rules } from "../rules.js";
import type { Live, State } from "../state.js";
import { counts } from "./counts.js";

/** Builds the view; counts are updated in place. */
export function running(page: Page): HTMLElement {
  const words = page.words();
  const bar = h("progress", { max: 1, value: 0, "aria-label": words.say("runningTitle") });
  const file = h("p", { class: "file" });
  const numbers = h("p", { class: "numbers dim" });
  const found = h("div", { class: "so-far" });
  const root = h("section", { class: "running card" },
    h("h1", { tabindex: -1 }, words.say("runningTitle")),
    file, bar, numbers,
    h("h2", {}, words.say("runningSoFar")), found,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "cancel", on: { click: () => page.cancel() } }, words.say("cancel"))));
  // Findings are named by their rule.
  rules(words.lang).catch(() => undefined);
  const draw = (live: Live) => {
    if (live.total > 0) bar.value = live.done / live.total;
    else bar.removeAttribute("value");
    file.textContent = live.of > 1 ? words.say("runningFile", { name: visible(live.name), at: live.at + 1, of: live.of }) : visible(live.name);
    numbers.textContent = line(page, live);
    found.replaceChildren(...counts(page, live));
  };
  const phase = page.store.state.phase;
  if (phase.at === "running") draw(phase.live);
  page.store.watch(root, (state: State) => {
    if (state.phase.at === "running") draw(state.phase.live);
  });
  return root;
}

function line(page: Page, live: Live): string {
  const words = page.words();
  if (live.done === 0) return words.say("runningStart");
  if (live.unit === "documents") {
    return [words.count("documents", live.done), words.count("runningEntries", live.entries), words.duration(live.seconds)].join(" · ");
  }
  const parts = [
    words.say("runningRate", { done: words.size(live.done), total: words.size(live.total) }),
    words.percent(live.done, live.total),
    words.count("runningEntries", live.entries),
    words.duration(live.seconds),
  ];
  // In the first ten seconds an estimate would fluctuate.
  if (live.seconds > 10 && live.done > 0) {
    parts.push(words.say("runningLeft", { time: words.duration((live.seconds * (live.total - live.done)) / live.done) }));
  }
  return parts.join(" · ");
}
