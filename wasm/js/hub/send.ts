/** Sends the requests of a hub in node: to addresses that the hub allows, without following redirects. */

import { lookup } from "node:dns/promises";
import { request as overHttp } from "node:http";
import { request as overTls } from "node:https";
import { isIP } from "node:net";

import { userAgent } from "../version.js";
import type { Hub } from "./hub.js";
import type { HubRequest, HubResponse } from "./types.js";

/** The longest time of an exchange, in milliseconds. */
const LONGEST = 30_000;

/** Sends a request to the first allowed address of the callback's host that accepts a connection. */
export async function send(request: HubRequest, hub: Hub, signal: AbortSignal): Promise<HubResponse> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]);
  const target = new URL(request.uri);
  const found = await lookup(nameOf(target), { all: true }).catch((error: Error) => {
    throw Object.assign(error, { sent: false });
  });
  // The connection goes to the address that was checked, whatever the name resolves to later.
  const allowed = found.map(({ address }) => address).filter((address) => hub.allows(request.uri, address));
  let last: object = Object.assign(new Error("callback-address: no allowed address"), { sent: false });
  for (const address of allowed) {
    try {
      return await exchange(target, address, request, either);
    } catch (error) {
      const isSent = (error as NodeJS.ErrnoException).syscall !== "connect";
      last = Object.assign(either.aborted ? new Error("no response in 30 seconds") : (error as Error), { sent: isSent });
      if (isSent) break;
    }
  }
  throw last;
}

function exchange(target: URL, host: string, { method, uri, headers, body, most }: HubRequest, signal: AbortSignal): Promise<HubResponse> {
  return new Promise((done, failed) => {
    const isSecure = target.protocol === "https:";
    // The path as the subscriber wrote it.
    const [, path = ""] = /^[^:]*:\/\/[^/?#]*([^#]*)/.exec(uri) ?? [];
    const sent = (isSecure ? overTls : overHttp)({
      host,
      port: target.port || (isSecure ? 443 : 80),
      path: path.startsWith("/") ? path : `/${path}`,
      method,
      headers: { "User-Agent": userAgent, ...Object.fromEntries(headers), Host: target.host },
      agent: false,
      signal,
      ...(isSecure && { servername: isIP(nameOf(target)) === 0 ? nameOf(target) : "" }),
    });
    sent.on("error", failed);
    sent.on("response", async (response) => {
      try {
        const pieces: Uint8Array[] = [];
        let size = 0;
        if (most > 0) {
          for await (const piece of response as AsyncIterable<Uint8Array>) {
            pieces.push(piece.subarray(0, most - size));
            size += piece.length;
            if (size >= most) break;
          }
        }
        response.destroy();
        done({ status: response.statusCode ?? 0, headers: fields(response.rawHeaders), body: Buffer.concat(pieces) });
      } catch (error) {
        failed(error);
      }
    });
    sent.end(method === "POST" ? body : undefined);
  });
}

function* fields(raw: readonly string[]): Iterable<[string, string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] as string, raw[at + 1] as string];
}

/** A host without the brackets of an IPv6 address. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");
