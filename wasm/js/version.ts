/** The version, and what requests say of it, set when the package is built. */

declare const VERSION: string;
declare const USER_AGENT: string;

/** The version of the package and of the command. */
export const version: string = VERSION;

/** The `User-Agent` of requests: the version, and the address of the project once it has one. */
export const userAgent: string = USER_AGENT;
