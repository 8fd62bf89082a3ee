// Why a file is not read as a report. The page has a sentence for each reason, in both languages.

export type Reason = "Version" | "Damaged" | "Large" | "Bare";

export class Refused extends Error {
  constructor(readonly reason: Reason, detail = "") {
    super(detail);
  }
}

/** The reason of an error, if the page has a sentence for it. */
export function reasonOf(error: unknown): { reason?: Reason } {
  return error instanceof Refused ? { reason: error.reason } : {};
}
