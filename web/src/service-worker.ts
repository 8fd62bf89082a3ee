// Caches the page for offline use: all files of one build or none, and never files of the user.

/// <reference lib="webworker" />
export {};

declare const self: ServiceWorkerGlobalScope;
/** The files of this build and its name, inserted by the build. */
declare const FILES: readonly string[];
declare const BUILD: string;

const NAME = `page-${BUILD}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name.startsWith("page-") && name !== NAME).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  url.search = "";
  url.hash = "";
  const kept = caches.open(NAME).then((cache) => cache.match(url.href));
  event.respondWith(kept.then((own) => own ?? fetch(event.request)));
  if (url.pathname.endsWith("/site.json")) event.waitUntil(renew(url.href));
});

/** What the host says may change without a build: it is as it was at the last visit, and is fetched for the next one. */
async function renew(url: string): Promise<void> {
  const fresh = await fetch(url, { cache: "no-cache" }).catch(() => null);
  if (fresh?.ok) await (await caches.open(NAME)).put(url, fresh);
}
