// The only scripts that may be started: the page's own workers. The policy of the page lets nothing else through.

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

// Browsers without trusted types have the rest of the policy all the same.
const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy("page", {
  createScriptURL(url) {
    const own = new URL(url, document.baseURI);
    const isWorker = own.protocol === "blob:" && own.origin === location.origin;
    if (isWorker || own.href === new URL("service-worker.js", document.baseURI).href) return url;
    throw new TypeError(`not a script of this page: ${url}`);
  },
});

/** The address of a script, as the browser wants it to start a worker. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}
