/** The texts of rules, fetched. */

import { SourceError } from "./errors.js";
import type { Rule } from "./types.js";

export async function fetched(where: URL): Promise<readonly Rule[]> {
  const answer = await fetch(where);
  if (!answer.ok) throw new SourceError(`the texts of the rules could not be loaded: ${answer.status} for ${where.href}`);
  return (await answer.json()) as readonly Rule[];
}
