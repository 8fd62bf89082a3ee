"""The documentation site. scripts/site stages the pages of a language and names it in the environment."""

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

own = Path(__file__).parent
package = tomllib.loads((own.parent / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
project = "resourcesync"
release = version = package["version"]
language = os.environ["SITE_LANG"]
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"resourcesync {version}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_extra_path = [os.environ["SITE_EXTRA"]]
exclude_patterns = ["extra"]
html_theme_options = {} if (urlsplit(package["repository"]).hostname or "").endswith(".example") else {"source_repository": f"{package['repository']}/", "source_branch": "main"}
# What is outside the pages of this language.
other = {"en": ("日本語", "../ja/index.html"), "ja": ("English", "../en/index.html")}[language]
validator = {"en": "Validate in the browser", "ja": "ブラウザで検証"}[language]
html_context = {"site_links": [(validator, "../validator/index.html"), other]}
templates_path = ["templates"]
parts = ["brand", "search", "scroll-start", "links", "navigation", "scroll-end", "variant-selector"]
html_sidebars = {"**": [f"sidebar/{part}.html" for part in parts]}
# As in the repository.
myst_heading_anchors = 6
myst_enable_extensions = ["html_admonition"]
# Excerpts in pages of rules are cut on purpose.
suppress_warnings = ["misc.highlighting_failure"]


def setup(app: Any) -> None:
    app.connect("html-page-context", lambda app, page, *_: app.add_js_file("search-from-disk.js") if page == "search" else None)
    app.connect("build-finished", articles)


def articles(app: Any, failure: Exception | None) -> None:
    """Writes what the search shows of the pages for those who open the site from disk (static/search-from-disk.js)."""
    if failure:
        return
    out = Path(app.outdir)
    texts = {}
    for name in sorted(app.env.found_docs):
        found = re.search(r'<article role="main".*?</article>', (out / f"{name}.html").read_text(encoding="utf-8"), re.S)
        assert found, name
        texts[f"{name}.html"] = found[0]
    (out / "_static" / "articles.js").write_text(f"const ARTICLES = {json.dumps(texts, ensure_ascii=False, separators=(',', ':'))};\n", encoding="utf-8")
