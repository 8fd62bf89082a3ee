// Opens a report from a file, and reduces it to a size that the page can show.

import { parseReport, type Report } from "resourcesync/worker";
import { KEPT } from "./kept.js";

/** Maximum bytes of a report. */
const MOST = 512 << 20;

/** The report; counts stay exact, only the first findings of each rule and input are kept. */
export async function open(file: Blob): Promise<Report> {
  if (file.size > MOST) throw new Error(`larger than ${MOST} bytes`);
  const report = parseReport((await file.text()).replace(/^\ufeff/, ""));
  const kept = new Map<string, number>();
  const diagnostics = report.diagnostics.filter(({ code, severity, input }) => {
    const key = `${input} ${code} ${severity}`;
    const count = (kept.get(key) ?? 0) + 1;
    kept.set(key, count);
    return count <= KEPT;
  });
  return diagnostics.length === report.diagnostics.length ? report : { ...report, diagnostics };
}
