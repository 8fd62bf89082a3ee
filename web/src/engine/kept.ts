// How many findings of each rule and file the page keeps; counts are exact beyond it.

/** The default of the command, so that both write the same report. */
export const KEPT = 100;
