/** Where this copy of the page leads; set by the build, from site.json or the file of `--site`. */
declare const SITE: {
  /** Commands of which one installs the command. */
  readonly install: readonly string[];
  /** The address of the project, of the place to report problems, and of who hosts this page; empty if there is none. */
  readonly project: string;
  readonly problems: string;
  readonly contact: string;
};
