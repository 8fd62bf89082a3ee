// A page from disk may not fetch others: the search reads what it shows of them from a script, which conf.py writes.
if (location.protocol === "file:") {
  const articles = new Promise((read, fail) => {
    const script = document.createElement("script");
    script.src = "_static/articles.js";
    script.onload = () => read(ARTICLES);
    script.onerror = () => fail(new Error(`${script.src} is missing`));
    document.head.append(script);
  });
  window.fetch = async (path) => new Response((await articles)[path.slice(document.documentElement.dataset.content_root.length)]);
}
