// Keyboard navigation through the findings: from one to the next, from rule to rule.

const FINDINGS = ".finding";

/** Opens the next or previous finding. Groups are opened as needed. */
export function step(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(FINDINGS)].filter((row) => row.offsetParent !== null);
  const at = all.findIndex((row) => row.getAttribute("aria-current") === "true");
  const next = all[at + by];
  const current = all[at]?.closest(".group");
  if (current && next?.closest(".group") !== current) {
    // The adjacent group may be closed: its findings are not in the page yet.
    const neighbour = groups()[groups().indexOf(current as HTMLElement) + by];
    if (neighbour instanceof HTMLDetailsElement && !neighbour.open) return open(neighbour, by === 1 ? "first" : "last");
  }
  if (next) choose(next);
  else if (at === -1) stepGroup(1);
}

/** Goes to the first finding of the next or previous group. */
export function stepGroup(by: 1 | -1): void {
  const at = groups().findIndex((group) => group.querySelector(`${FINDINGS}[aria-current=true]`));
  const next = groups()[at === -1 ? 0 : at + by];
  if (next) open(next, "first");
}

function groups(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(".groups > .group")];
}

function open(group: HTMLElement, which: "first" | "last"): void {
  if (group instanceof HTMLDetailsElement && !group.open) group.querySelector("summary")?.click();
  // The list of a group is created when it opens, before the next frame.
  requestAnimationFrame(() => {
    const rows = [...group.querySelectorAll<HTMLElement>(FINDINGS)];
    const row = which === "first" ? rows[0] : rows.at(-1);
    if (row) choose(row);
  });
}

function choose(row: HTMLElement): void {
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
  row.click();
}

/** Moves into the detail pane. */
export function toDetail(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".detail h3")?.focus());
}
