// The number of findings that the page stores; counts are always exact.

/** For each rule and file: the default of the command, so that both write the same report. */
export const KEPT = 100;

/** In all: what the validator stores for several files. Reports from files may contain more. */
export const KEPT_IN_ALL = 10_000;
