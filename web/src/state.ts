// The state of the page: views read it and subscribe to its changes.

import type { Diagnostic, Group, Kind, Report } from "resourcesync/worker";
import type { Changed, NotCompared } from "./engine/changed.js";
import type { Compared } from "./engine/compare.js";
import type { Numbers } from "./engine/numbers.js";
import type { Reason } from "./engine/refused.js";
import type { Told } from "./engine/told.js";
import type { Lang } from "./words/index.js";

export type Severity = "error" | "warning" | "info";
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/** One file the user gave. */
export interface Given {
  name: string;
  file: File | Blob;
  via: "argument" | "folder";
  uri?: string;
  /** True if it was in the link. */
  shared?: true;
  /** True if it was pasted. */
  pasted?: true;
  /** True if it is in a folder and skipped. */
  ignored?: true;
}

/** What was chosen or dropped: the folder of a file, with a slash, or the file itself. */
export function rootOf({ name, via }: Given): string {
  return via === "folder" ? name.slice(0, name.indexOf("/") + 1) : name;
}

/** Whether files are in more than one folder: each stands for the same URI, so that they are no Source together. */
export function areApart(given: readonly Given[]): boolean {
  return new Set(given.filter(({ via }) => via === "folder").map(rootOf)).size > 1;
}

export interface Settings {
  profile: (typeof PROFILES)[number];
  expect?: Kind;
  fixity: boolean;
  /** The URI at which the files are published, to validate them as a whole Source. */
  base?: string;
  /** The URL of the Source on the web that was fetched. */
  url?: string;
  /** A folder with a Source Description is not followed. */
  separate?: true;
}

export interface Filters {
  severities: ReadonlySet<Severity>;
  text: string;
  input?: number;
  group: "rule" | "input" | "entry" | "none";
  /** Of groups, and of the findings in them. */
  sort: "severity" | "place" | "code";
  muted: ReadonlySet<string>;
  /** In a comparison: only new findings, or only those that were there before. */
  since?: "new" | "same";
}

export interface Route {
  view: "check" | "rules" | "build";
  /** The code or rule that is open in the rules view. */
  rule?: string;
}

/** The progress of a run. */
export interface Live {
  name: string;
  at: number;
  of: number;
  /** What `done` and `total` count. */
  unit: "bytes" | "documents";
  done: number;
  /** 0 if unknown: the size of a Source is known only at the end. */
  total: number;
  entries: number;
  seconds: number;
  counts: readonly { code: string; rule?: string; severity: Severity; count: number }[];
  found: readonly Diagnostic[];
}

export type Fault = { kind: "read" | "folder" | "report" | "engine" | "trap" | "nothing" | "shared"; name: string; detail: string; reason?: Reason };

export type Phase =
  /** `lost`: the address is that of a report that is not here. */
  | { at: "empty"; lost?: boolean }
  | { at: "running"; live: Live }
  /** `refused`: the origins that do not allow this page to read them. */
  | { at: "done"; report: Report; seconds: number | null; opened: boolean; starts?: readonly string[]; refused?: readonly string[] }
  /** The report of another command. */
  | { at: "told"; told: Told }
  | { at: "cancelled"; live: Live }
  | { at: "failed"; fault: Fault; live: Live | null };

/** A document that is linked and was not given. */
export interface Linked {
  uri: string;
  relation: string;
  from: string;
}

export interface State {
  lang: Lang;
  theme: "auto" | "light" | "dark";
  /** Single letters are shortcuts. */
  shortcuts: boolean;
  /** The last checks are kept in this browser; null until the user was asked. */
  keep: boolean | null;
  route: Route;
  settings: Settings;
  filters: Filters;
  given: readonly Given[];
  phase: Phase;
  /** Linked but missing documents; null until they were determined. */
  linked: readonly Linked[] | null;
  /** What the documents contain, if they are valid; null until they were read for it. */
  numbers: readonly Numbers[] | null;
  /** The URI at which the files are probably published. */
  guess: string | null;
  /** The id of the check that runs or is on show. */
  check: number | null;
  /** What changed since an earlier report; `swap` takes it for the later one. */
  compared: { name: string; result: Compared; swap?: () => void } | null;
  /** What changed in the resources since an earlier list or Source. */
  changed: { name: string; result: Changed | NotCompared } | null;
  /** The check before repairs were applied, to return to it. */
  undo: number | null;
  /** The text of the document is open to be edited. */
  editing: boolean;
  /** The finding that is open in the detail pane. */
  selected: number | null;
  /** The user opened it: a view of its own. */
  detail: boolean;
  /** Findings in the language of the page, unless it is English, by index in the report. */
  translated: readonly { message: string; help: string }[] | null;
}

/** Whether a report is about ResourceSync documents, not about responses of a repository. */
export function isOfDocuments({ run }: Report): boolean {
  return run.family === undefined;
}

/** Whether others can be validated together with the files of the report on show: these are at hand. */
export function isAtHand({ phase, given }: State): boolean {
  return phase.at === "done" && !phase.opened && given.length > 0;
}

export const NO_FILTERS: Filters = { severities: new Set(SEVERITIES), text: "", group: "rule", sort: "severity", muted: new Set() };

export const PROFILES = ["standard", "strict", "search-engines"] as const;
export const DEFAULT_SETTINGS: Settings = { profile: "standard", fixity: true };

type Listener = (state: State, before: State) => void;

/** Holds the state; listeners run once a frame at most. */
export class Store {
  #state: State;
  #before: State;
  readonly #listeners = new Set<Listener>();
  #waiting = false;

  constructor(first: State) {
    this.#state = first;
    this.#before = first;
  }

  get state(): State {
    return this.#state;
  }

  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => this.#tell());
  }

  filter(change: Partial<Filters>): void {
    this.set({ filters: { ...this.#state.filters, ...change } });
  }

  /** Notifies a listener of every change. */
  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** Notifies a listener of changes as long as its element is in the page. */
  watch(root: Node, listener: Listener): void {
    let seen = false;
    const own: Listener = (state, before) => {
      if (root.isConnected) {
        seen = true;
        listener(state, before);
      } else if (seen) {
        this.#listeners.delete(own);
      }
    };
    this.#listeners.add(own);
  }

  #tell(): void {
    this.#waiting = false;
    const [state, before] = [this.#state, this.#before];
    this.#before = state;
    for (const listener of [...this.#listeners]) listener(state, before);
  }
}

/** The displayed report, if there is one. */
export function report(state: State): Report | null {
  return state.phase.at === "done" ? state.phase.report : null;
}

export type { Diagnostic, Group, Report };
