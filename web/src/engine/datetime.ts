// W3C Datetimes as the core accepts them: six forms, strictly.

const FORM = /^\d{4}(-(0[1-9]|1[0-2])(-(\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?)?)?$/;

/** Whether a text is a datetime; a year, a month or a date is one, too. */
export function isDatetime(text: string): boolean {
  const found = FORM.exec(text);
  const day = found?.[4];
  return found !== null && (day === undefined || new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === Number(day));
}

/** The moment of a datetime with a time zone; undefined for anything else, which browsers would still read in one way or another. */
export function instant(text: string | undefined): number | undefined {
  return text !== undefined && text.includes("T") && isDatetime(text) ? Date.parse(text) : undefined;
}
