//! `page-limit`: a page or a `robots.txt` with more bytes than the limit of the run.

use crate::rules::rule;

rule! {
    "page-limit" reports [LIM_19]
    checks in ["source/crawler/response_reader.rs"]
    message "the page exceeds the limit of {limit} bytes; the rest was not searched for links"
    help "put the `resourcesync` link at the beginning of the page, or raise `limits.page_bytes` in resourcesync.toml"
    en {
        what "The size of an HTML page or a `robots.txt` that is searched for links to a Source is limited."
        why "A link in the rest of the page was not found, so the verdict is undetermined unless an error was found. \
            A harvester may also stop early."
        fix "Write the `link` element into the `head` of the page, and `Sitemap:` lines at the beginning of \
            `robots.txt`. If you want to test this very size, raise the limit."
    }
    ja {
        message "ページが上限の {limit} バイトを超過（残りではリンクを探していない）"
        help "`resourcesync` のリンクをページの先頭に置くか、resourcesync.toml の `limits.page_bytes` を大きくしてください"
        what "ソースへのリンクを探す HTML ページと `robots.txt` のサイズには上限があります。"
        why "残りの部分にあるリンクは見つかっていないため、エラーが見つかった場合を除き、判定は「判定保留」になります。\
            ハーベスタも途中で読み取りをやめる可能性があります。"
        fix "`link` 要素はページの `head` に、`Sitemap:` の行は `robots.txt` の先頭に書きます。このサイズを試すことが\
            目的であれば、上限を大きくします。"
    }
    wrong ""
    right ""
}
