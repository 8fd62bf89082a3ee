/** A handler for Cloudflare Workers and similar platforms: validates a posted notification. */

import { validate, toJson } from "resourcesync";

/** Notifications are small; larger bodies are not read. */
const LARGEST = 1 << 20;

export default {
  async fetch(request) {
    if (request.method !== "POST" || !request.body) return new Response("post a Change Notification\n", { status: 405 });
    const report = await validate(request.body, {
      name: "notification.xml",
      expect: "change-notification",
      limits: { documentBytes: LARGEST },
      signal: request.signal,
    });
    const status = report.verdict === "valid" ? 200 : 422;
    return new Response(toJson(report), { status, headers: { "content-type": "application/json" } });
  },
};
