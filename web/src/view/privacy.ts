// The panel that explains why no data leaves the computer, and how to verify it.

import { h, prose } from "../element.js";
import { probe } from "../engine/probe.js";
import type { Page } from "../page.js";
import { learn } from "../words/index.js";
import { panel } from "./panel.js";

/** Shows it. */
export async function openPrivacy(page: Page): Promise<void> {
  learn((await import("../words/privacy.js")).PRIVACY);
  const words = page.words();
  const policy = document.querySelector("meta[http-equiv=Content-Security-Policy]")?.getAttribute("content") ?? "";
  const answer = h("p", { class: "answer", role: "status" });
  const button = h("button", { type: "button", on: { click: async () => {
    const result = await probe();
    answer.textContent = words.say(({ blocked: "privacyBlocked", unclear: "privacyUnclear", open: "privacyOpen" } as const)[result]);
    answer.classList.toggle("bad", result === "open");
  } } }, words.say("privacyTest"));
  panel(page, words.say(WITH_URLS ? "privateUrls" : "privacyTitle"),
    h("p", {}, words.say(WITH_URLS ? "privacyLeadUrls" : "privacyLead")),
    h("p", {}, words.say("privacyStored")),
    h("h3", {}, words.say("privacyPolicyHead")),
    h("p", {}, words.say(WITH_URLS ? "privacyPolicyUrls" : ONE_FILE ? "privacyPolicyFile" : "privacyPolicy")),
    h("pre", { class: "policy", tabindex: 0, translate: "no" }, policy.split(";").map((part) => part.trim()).filter(Boolean).join(";\n")),
    h("h3", {}, words.say("privacyTry")),
    h("ul", {}, h("li", {}, words.say("privacyTry1")), h("li", {}, words.say("privacyTry2")), !WITH_URLS && h("li", {}, words.say("privacyTry3"))),
    !WITH_URLS && h("p", {}, button), !WITH_URLS && answer,
    h("p", { class: "dim" }, ...prose(words.say("privacyLimit"))));
}
