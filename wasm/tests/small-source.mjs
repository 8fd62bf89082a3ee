/** A small Source, in memory. */

export const BASE = "http://a.example/";
const NAMESPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';

/** Three resources, and a Change List that begins before their Resource List. */
export const small = () => ({
  at: "2025-06-01T00:00:00Z",
  resources: { old: "a", changed: "b", new: "a" },
  from: "2025-01-01T00:00:00Z",
  changes: [["2025-02-01T00:00:00Z", "updated", "changed"], ["2025-03-01T00:00:00Z", "created", "new"], ["2025-04-01T00:00:00Z", "deleted", "gone"]],
});

/** Its documents by path. */
export function documents({ at, resources, from, changes }, base = BASE) {
  const list = (capability, inner, attributes = "", up = "") =>
    `<urlset ${NAMESPACES}>${up && `<rs:ln rel="up" href="${base}${up}"/>`}<rs:md capability="${capability}"${attributes}/>${inner}</urlset>`;
  const link = (name, capability) => `<url><loc>${base}${name}</loc><rs:md capability="${capability}"/></url>`;
  const listed = (name) => (name in resources ? ` hash="md5:${resources[name].repeat(32)}" length="7"` : "");
  return {
    ".well-known/resourcesync": list("description", link("capabilitylist.xml", "capabilitylist")),
    "capabilitylist.xml": list("capabilitylist", link("resourcelist.xml", "resourcelist") + link("changelist.xml", "changelist"), "", ".well-known/resourcesync"),
    "resourcelist.xml": list("resourcelist", Object.keys(resources).map((name) => `<url><loc>${base}${name}</loc><lastmod>2025-01-01T00:00:00Z</lastmod><rs:md${listed(name)}/></url>`).join(""), ` at="${at}"`, "capabilitylist.xml"),
    "changelist.xml": list("changelist", changes.map(([at, change, name]) => `<url><loc>${base}${name}</loc><rs:md change="${change}" datetime="${at}"${listed(name)}/></url>`).join(""), ` from="${from}"`, "capabilitylist.xml"),
  };
}

/** Sends them. */
export function serving(source) {
  const asked = [];
  const fetch = async (uri) => {
    asked.push(String(uri));
    const text = documents(source)[String(uri).slice(BASE.length)];
    return text === undefined ? new Response("", { status: 404 }) : new Response(text, { headers: { "Content-Type": "application/xml" } });
  };
  return { asked, fetch };
}
