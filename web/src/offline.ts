// Makes the page work offline, and offers a new version instead of replacing it silently.

import { h } from "./element.js";
import { scriptUrl } from "./trusted.js";
import type { Page } from "./page.js";

/** Starts the service worker after the page was loaded. */
export function offline(page: Page): void {
  if (!("serviceWorker" in navigator)) return;
  window.addEventListener("load", async () => {
    try {
      const registration = await navigator.serviceWorker.register(scriptUrl("service-worker.js"));
      registration.addEventListener("updatefound", () => watch(page, registration.installing));
      if (registration.waiting) offer(page, registration.waiting);
      await navigator.serviceWorker.ready;
      document.documentElement.dataset["offline"] = "ready";
    } catch {
      // Without it everything works, but only online.
    }
  });
}

function watch(page: Page, worker: ServiceWorker | null): void {
  worker?.addEventListener("statechange", () => {
    // The first one has nothing to replace.
    if (worker.state === "installed" && navigator.serviceWorker.controller) offer(page, worker);
  });
}

function offer(page: Page, worker: ServiceWorker): void {
  const words = page.words();
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  document.body.append(h("div", { class: "update", role: "status" },
    h("p", {}, words.say("updateReady")),
    h("button", { type: "button", class: "primary", on: { click: () => worker.postMessage("take over") } }, words.say("updateNow"))));
}
