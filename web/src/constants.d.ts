/** Whether this build of the page may fetch URLs that the user enters; set by the build. */
declare const WITH_URLS: boolean;
/** Whether this build is one file, which contains the others; set by the build. */
declare const ONE_FILE: boolean;
declare module "*.txt" {
  const text: string;
  export default text;
}
