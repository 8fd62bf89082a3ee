// Makes the page work offline, and offers a new version instead of replacing it silently.

import { h } from "./element.js";
import { scriptUrl } from "./trusted.js";
import type { Page } from "./page.js";

/** What is said without a network. */
const nowOffline = WITH_URLS ? "offlineNowUrls" : "offlineNow";

/** The offer of the browser to install the page, which not every browser makes. */
type Offer = Event & { prompt(): Promise<unknown> };
let offered: Offer | null = null;

/** Starts the service worker, after the page was loaded. */
export function offline(page: Page): void {
  const mark = () => (document.documentElement.dataset["network"] = navigator.onLine ? "on" : "off");
  mark();
  for (const event of ["online", "offline"]) window.addEventListener(event, mark);
  window.addEventListener("offline", () => isReady() && page.announce(page.words().say(nowOffline)));
  window.addEventListener("beforeinstallprompt", (event) => {
    // The button takes the place of what the browser would show by itself.
    event.preventDefault();
    offered = event as Offer;
    document.documentElement.dataset["install"] = "offered";
  });
  window.addEventListener("appinstalled", installed);
  if (ONE_FILE) document.documentElement.dataset["offline"] = "ready";
  if (ONE_FILE || !("serviceWorker" in navigator)) return;
  if (document.readyState === "complete") void start(page);
  else window.addEventListener("load", () => void start(page));
}

function isReady(): boolean {
  return document.documentElement.dataset["offline"] === "ready";
}

function installed(): void {
  offered = null;
  delete document.documentElement.dataset["install"];
}

async function start(page: Page): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register(scriptUrl("service-worker.js"));
    registration.addEventListener("updatefound", () => watch(page, registration.installing));
    if (registration.waiting) offer(page, registration.waiting);
    await navigator.serviceWorker.ready;
    document.documentElement.dataset["offline"] = "ready";
  } catch {
    // Without it everything works, but only online.
  }
}

/** What the footer says about offline use: the style sheet shows what is so. */
export function offlineHint(page: Page): HTMLElement[] {
  const words = page.words();
  return [
    h("span", { id: "offline" }, words.say("offlineReady")),
    h("span", { id: "offline-now" }, words.say(nowOffline)),
    h("button", { id: "install-page", type: "button", class: "link", on: { click: async () => {
      await offered?.prompt();
      // An offer can be taken once.
      installed();
    } } }, words.say("installPage")),
  ];
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
