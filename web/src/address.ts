// The address: view, filters and settings are stored after the `#`, so that a link restores them.

import type { Kind } from "resourcesync/worker";
import { DEFAULT_SETTINGS, NO_FILTERS, PROFILES, SEVERITIES, type Filters, type Route, type Settings, type State } from "./state.js";
import type { Lang } from "./words/index.js";

/** The contents of an address. */
export interface Address {
  route: Route;
  filters: Filters;
  settings: Settings;
  lang?: Lang;
  /** A document contained in the link, compressed, and its name. */
  document?: { packed: string; name: string };
  /** The finding that is open, by its place in the report. */
  finding?: number;
  /** True if the link was created from a report. */
  ofReport: boolean;
}

/** Parses the text after the `#`. Unknown parts are ignored. */
export function read(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [head = "", ...rest] = path.split("/").map(unescaped);
  const given = new URLSearchParams(query);
  const route: Route = head === "rules" ? { view: "rules", ...(rest[0] && { rule: rest[0] }) }
    : { view: head === "build" ? "build" : "check" };
  const packed = given.get("doc");
  const lang = given.get("lang");
  const finding = /^[1-9]\d{0,8}$/.exec(given.get("finding") ?? "");
  return {
    route,
    filters: filters(given),
    settings: settings(given),
    ...((lang === "en" || lang === "ja") && { lang }),
    ...(packed && { document: { packed, name: given.get("name") || "shared.xml" } }),
    ...(finding && { finding: Number(finding[0]) - 1 }),
    ofReport: head === "report",
  };
}

function filters(given: URLSearchParams): Filters {
  const asked = given.get("severity")?.split(",") ?? [];
  const severities = SEVERITIES.filter((severity) => asked.includes(severity));
  const input = given.get("input");
  const group = given.get("group");
  const sort = given.get("sort");
  return {
    // Without any severity the list would always be empty.
    severities: new Set(severities.length > 0 ? severities : SEVERITIES),
    text: given.get("q") ?? "",
    ...(input && /^\d{1,9}$/.test(input) && { input: Number(input) }),
    group: group === "input" || group === "entry" || group === "none" ? group : "rule",
    sort: sort === "place" || sort === "code" ? sort : "severity",
    muted: new Set(given.get("hide")?.split(",").filter((code) => /^[A-Z]{2,4}-\d{2,3}$/.test(code)) ?? []),
  };
}

function settings(given: URLSearchParams): Settings {
  const expect = given.get("expect");
  const base = given.get("base");
  return {
    profile: PROFILES.find((profile) => profile === given.get("profile")) ?? DEFAULT_SETTINGS.profile,
    fixity: given.get("fixity") !== "no",
    ...(expect && /^[a-z-]{1,40}$/.test(expect) && { expect: expect as Kind }),
    ...(base && isBase(base) && { base }),
    ...(given.get("separate") === "yes" && { separate: true as const }),
  };
}

/** The address of the current state. A shared one contains the language. */
export function write(state: State, shared?: { packed: string; name: string } | true): string {
  const { route, filters, settings } = state;
  const query = new URLSearchParams();
  if (route.view === "check") {
    if (filters.severities.size < SEVERITIES.length) query.set("severity", [...filters.severities].join(","));
    if (filters.input !== undefined) query.set("input", String(filters.input));
    if (filters.group !== NO_FILTERS.group) query.set("group", filters.group);
    if (filters.sort !== NO_FILTERS.sort) query.set("sort", filters.sort);
    if (filters.muted.size > 0) query.set("hide", [...filters.muted].join(","));
    if (settings.profile !== DEFAULT_SETTINGS.profile) query.set("profile", settings.profile);
    if (!settings.fixity) query.set("fixity", "no");
    if (settings.expect) query.set("expect", settings.expect);
    if (settings.separate) query.set("separate", "yes");
    if (settings.base) query.set("base", settings.base);
  }
  if (filters.text && route.view !== "build") query.set("q", filters.text);
  if (route.view === "check" && state.phase.at === "done" && state.detail && state.selected !== null) query.set("finding", String(state.selected + 1));
  if (shared) query.set("lang", state.lang);
  if (typeof shared === "object") {
    query.set("name", shared.name);
    query.set("doc", shared.packed);
  }
  const path = route.view === "rules" ? `rules${route.rule ? `/${encodeURIComponent(route.rule)}` : ""}`
    : route.view === "build" ? "build"
    : state.phase.at === "empty" ? "" : "report";
  // Unescaped commas keep these lists readable.
  const text = query.toString().replaceAll("%2C", ",");
  return `#/${path}${text && `?${text}`}`;
}

/** True for a URI that a folder can represent. */
export function isBase(text: string): boolean {
  return /^https?:\/\/[^/]/.test(text) && text.endsWith("/") && URL.canParse(text);
}

/** Percent-decoded text; as it is where that is not possible. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
