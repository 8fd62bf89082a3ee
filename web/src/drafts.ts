// Text that the user is writing: kept for as long as the tab is open, through reloads and changes of language.

const KEY = "resourcesync-drafts";

/** The fields of the page that hold text. */
export interface Drafts {
  paste: string;
  lines: string;
  base: string;
  about: string;
  url: string;
  documents: string;
}

const drafts: Drafts = { paste: "", lines: "", base: "", about: "", url: "", documents: "", ...stored() };
let stores = true;

/** What is in a field. */
export function draft(field: keyof Drafts): string {
  return drafts[field];
}

/** Takes a change of a field. */
export function write(field: keyof Drafts, text: string): void {
  drafts[field] = text;
  save();
}

/** Whether drafts survive a reload; without it they are in memory only. */
export function storeDrafts(allowed: boolean): void {
  stores = allowed;
  save();
}

function save(): void {
  try {
    if (stores) sessionStorage.setItem(KEY, JSON.stringify(drafts));
    else sessionStorage.removeItem(KEY);
  } catch {
    // More than the browser stores, or it stores nothing.
  }
}

function stored(): Partial<Drafts> {
  try {
    const all = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return Object.fromEntries(Object.entries(all).filter(([, text]) => typeof text === "string"));
  } catch {
    return {};
  }
}
