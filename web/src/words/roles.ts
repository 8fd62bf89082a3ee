// What the role of a related place is called: every role in `core/src/report/i18n/labels.rs`.

import type { Word } from "./index.js";

/** The words for the role of a related place. */
export const ROLES: Record<string, Word> = {
  after: "roleAfter",
  before: "roleBefore",
  bound: "roleBound",
  "capability-list": "kind.capability-list",
  entry: "roleEntry",
  first: "roleFirst",
  found: "roleFound",
  lastmod: "roleLastmod",
  "left-out": "roleLeftOut",
  listed: "roleListed",
  "lists-more": "roleListsMore",
  member: "roleMember",
  "source-description": "kind.source-description",
};
