// The only scripts that may be started: the workers of the page. The policy blocks everything else.

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

// Browsers without trusted types still apply the rest of the policy.
const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy("page", {
  createScriptURL(url) {
    const own = new URL(url, document.baseURI);
    const isWorker = own.protocol === "blob:" && own.origin === self.origin;
    if (isWorker || own.href === new URL("service-worker.js", document.baseURI).href) return url;
    throw new TypeError(`not a script of this page: ${url}`);
  },
});

/** The URL of a script, in the type that the browser requires to start a worker. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}
