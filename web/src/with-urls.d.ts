/** Whether this build of the page may fetch URLs that the user enters; set by the build. */
declare const WITH_URLS: boolean;
