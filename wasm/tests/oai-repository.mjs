/** A small repository. */

/** A repository with three pages, of which those after the first may be cut. */
export function repository(isCut = false) {
  const asked = [];
  const head = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate><request>x</request>';
  const fetch = async (uri) => {
    asked.push(String(uri));
    const query = new URL(uri).searchParams;
    const verb = query.get("verb");
    let inner = "";
    if (verb === "Identify") inner = "<repositoryName>a</repositoryName><baseURL>x</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@b.example</adminEmail><earliestDatestamp>2020-01-01</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DD</granularity>";
    if (verb === "ListMetadataFormats") inner = "<metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://a.example/s</schema><metadataNamespace>http://a.example/n</metadataNamespace></metadataFormat>";
    if (verb === "ListRecords") {
      const at = Number(query.get("resumptionToken") ?? 0);
      for (let name = at; name < at + 10; name += 1) inner += `<record><header><identifier>${name}</identifier><datestamp>2025-01-01</datestamp></header><metadata><d xmlns="urn:d">${name}</d></metadata></record>`;
      if (isCut && at > 0) return new Response(`${head}<${verb}>${inner}`);
      inner += at < 20 ? `<resumptionToken>${at + 10}</resumptionToken>` : "<resumptionToken/>";
    }
    return new Response(`${head}<${verb}>${inner}</${verb}></OAI-PMH>`, { headers: { "content-type": "text/xml" } });
  };
  return { asked, fetch };
}
