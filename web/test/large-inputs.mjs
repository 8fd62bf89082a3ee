// Large documents and reports for the tests and for the measurement of long tasks.

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="https://repository.example.org/capabilitylist.xml"/><rs:md capability="resourcelist" at="2026-04-01T09:00:00Z"/>`;

/** A Resource List with this number of entries; `md` is in each of them. */
export function list(entries, md, filler = "") {
  const parts = [HEAD];
  for (let at = 0; at < entries; at++) {
    parts.push(`<url><loc>https://repository.example.org/resource/${String(at).padStart(7, "0")}${filler}</loc><lastmod>2026-03-12T13:00:00Z</lastmod>${md}</url>`);
  }
  return `${parts.join("")}</urlset>`;
}

/** A report with this number of findings, in two rules of each input. */
export function reportOf(findings, inputs) {
  const each = findings / inputs;
  const found = (at) => {
    const own = at % each;
    const code = own < each / 2 ? "AT-07" : "AT-10";
    return {
      code, rule: code === "AT-07" ? "digest-length" : "length-not-number", severity: "error", level: "MUST", derived: true,
      message: "`md5` digest with 3 hexadecimal digits instead of 32", args: { algorithm: "md5", digits: 3, expected: 32 }, help: "recompute the digest", section: "Z39.99-2017 §7",
      input: Math.floor(at / each), span: { offset: own * 100, length: 3, start: { line: own + 1, column: 1 }, end: { line: own + 1, column: 4 } }, path: `/urlset/url[${own + 1}]/rs:md/@hash`,
      entry: { index: own + 1, loc: `https://repository.example.org/${at}` }, excerpt: { text: "md5:xyz", line: own + 1, column: 1, highlight: [0, 7], cutLeft: false, cutRight: false },
      related: [], fingerprint: at.toString(16).padStart(16, "0"),
    };
  };
  return {
    format: "resourcesync-report", formatVersion: 1, tool: { name: "resourcesync", version: "0.1.0" }, run: { status: "completed", profile: "standard" }, verdict: "invalid",
    summary: { errors: findings, warnings: 0, infos: 0, suppressed: 0, stored: findings, inputs, entries: findings, bytes: findings * 180 },
    inputs: Array.from({ length: inputs }, (_, id) => ({ id, name: `faults-${id}.xml`, via: "argument", kind: "resource-list", entries: each, bytes: each * 180, verdict: "invalid" })),
    groups: Array.from({ length: inputs }, (_, input) => ["AT-07", "AT-10"].map((code) => ({ code, severity: "error", input, count: each / 2, stored: each / 2 }))).flat(),
    diagnostics: Array.from({ length: findings }, (_, at) => found(at)),
  };
}
