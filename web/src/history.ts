// The history of the browser: each view is an entry of its own, so that Back and Forward lead from one to the other.

import { write } from "./address.js";
import type { State } from "./state.js";

/** What an entry of the history holds beyond its address. */
interface Entry {
  /** The check that is on show. */
  check: number | null;
  /** The entry before it is the same report, without a finding in front. */
  above?: true;
}

let shown = "start";

/** What distinguishes one view from another; filters and settings do not. */
function view({ route, phase, check, detail }: State): string {
  if (route.view !== "check") return `${route.view} ${route.rule ?? ""}`;
  if (phase.at === "empty") return "start";
  return `check ${check}${detail ? " finding" : ""}`;
}

/** The check of the current entry; undefined for an entry that a link or the user made. */
export function checkOfEntry(): number | null | undefined {
  return (history.state as Entry | null)?.check;
}

/** Makes the current entry stand for what is on show: the state came from the history. */
export function settled(state: State): void {
  shown = view(state);
}

/** Brings address and history up to date. */
export function record(state: State): void {
  const address = write(state);
  const now = view(state);
  const entry: Entry = { check: state.phase.at === "empty" ? null : state.check };
  if (now !== shown && shown !== `${now} finding`) {
    history.pushState({ ...entry, ...(now === `${shown} finding` && { above: true }) }, "", address);
  } else if (address !== (location.hash || "#/") || checkOfEntry() !== entry.check) {
    const { above } = (history.state as Entry | null) ?? {};
    history.replaceState({ ...entry, ...(state.detail && above && { above }) }, "", address);
  }
  shown = now;
}

/** Leaves a finding: back to the entry of its report, if that is the one before. */
export function leaveFinding(close: () => void): void {
  if ((history.state as Entry | null)?.above) history.back();
  else close();
}
