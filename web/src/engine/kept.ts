// The number of findings per rule and file that the page stores; counts are always exact.

/** The default of the command, so that both write the same report. */
export const KEPT = 100;
