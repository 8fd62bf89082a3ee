//! The page of the administration: three static files, which show only what the page then reads.

use hyper::Method;
use resourcesync_notify::exchange::{Headers, Reply};

/// Only files and data of this server; no markup, no style and no script in the text of the page.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

const FILES: [(&str, &str, &str); 3] = [
    ("/", "text/html; charset=utf-8", include_str!("page/page.html")),
    ("/page.css", "text/css; charset=utf-8", include_str!("page/page.css")),
    ("/page.js", "text/javascript; charset=utf-8", include_str!("page/page.js")),
];

/// True for the paths of the page.
pub(super) fn is_file(path: &str) -> bool {
    FILES.iter().any(|(own, ..)| *own == path)
}

/// A file of the page.
pub(super) fn file(method: &Method, path: &str) -> Option<Reply> {
    let (_, media, text) = FILES.iter().find(|(own, ..)| *own == path).filter(|_| method == Method::GET)?;
    let headers = Headers::default()
        .with("Content-Type", *media)
        .with("Content-Security-Policy", POLICY)
        .with("X-Content-Type-Options", "nosniff")
        .with("Referrer-Policy", "no-referrer")
        .with("Cache-Control", "no-cache");
    Some(Reply { status: 200, headers, body: text.as_bytes().to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_has_text_only() {
        assert!(FILES.iter().map(|(.., text)| text.len()).sum::<usize>() < 20 << 10);
        let text = FILES.map(|(.., text)| text).concat();
        for markup in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "style=",
            " onclick=\"",
            "//cdn",
            "https://",
        ] {
            assert!(!text.contains(markup), "{markup}");
        }
    }
}
