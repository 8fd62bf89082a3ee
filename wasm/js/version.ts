/** The version, set when the package is built. */

declare const VERSION: string;

/** The version of the package and of the command. */
export const version: string = VERSION;
