// Media types by file extension: only unambiguous ones, independent of the platform.

const TYPES: Record<string, string> = {
  avif: "image/avif", css: "text/css", csv: "text/csv", doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", epub: "application/epub+zip", gif: "image/gif",
  gz: "application/gzip", html: "text/html", htm: "text/html", jp2: "image/jp2", jpeg: "image/jpeg", jpg: "image/jpeg",
  js: "text/javascript", json: "application/json", jsonld: "application/ld+json", md: "text/markdown", mets: "application/mets+xml",
  mp3: "audio/mpeg", mp4: "video/mp4", nt: "application/n-triples", odt: "application/vnd.oasis.opendocument.text", ogg: "audio/ogg",
  pdf: "application/pdf", png: "image/png", ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation", rdf: "application/rdf+xml", svg: "image/svg+xml",
  tif: "image/tiff", tiff: "image/tiff", tsv: "text/tab-separated-values", ttl: "text/turtle", txt: "text/plain", webp: "image/webp",
  xls: "application/vnd.ms-excel", xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", xml: "application/xml",
  zip: "application/zip",
};

/** The media type of a file; `undefined` if its name does not determine it. */
export function mediaType(name: string): string | undefined {
  const ending = name.toLowerCase().match(/\.([a-z0-9]+)$/)?.[1];
  return ending === undefined ? undefined : TYPES[ending];
}
