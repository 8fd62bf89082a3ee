//! `too-large`: the document exceeds the maximum size of a sitemap.

use crate::{diagnostic::Severity, limits::STANDARD_BYTES, limits::STANDARD_BYTES_BINARY, rules::prelude::*};

rule! {
    "too-large" reports [GEN_19]
    checks [Check::End(check)]
    message "the document has {bytes} bytes, which exceeds the limit of {limit}"
    help "split the list into several documents and group them with an index"
    en {
        what "A document is at most 50 MB before compression, a limit inherited from the Sitemap protocol."
        why "Harvesters that enforce the limit reject the document or read only its beginning. Some count 50,000,000 \
            bytes, others 52,428,800; whether a size in between is accepted depends on the harvester."
        fix "Start a new document before 50,000,000 bytes are reached, and list the parts in a `sitemapindex` with \
            the same `capability`. Compression does not help, because the limit applies to the uncompressed document."
    }
    ja {
        message "文書のサイズが {bytes} バイトで、上限の {limit} バイトを超過"
        help "リストを複数の文書に分割し、インデックスでまとめてください"
        what "文書のサイズは圧縮前で 50 MB までです。この上限はサイトマッププロトコルに由来します。"
        why "上限を適用するハーベスタは、文書を拒否するか、先頭部分だけを読みます。50 MB を 50,000,000 バイトとする\
            実装と 52,428,800 バイトとする実装があり、その間のサイズが受け入れられるかどうかは実装によります。"
        fix "50,000,000 バイトに達する前に次の文書に分割し、各部分を同じ `capability` の `sitemapindex` に\
            列挙します。上限は展開後のサイズに適用されるため、圧縮しても解決しません。"
    }
    wrong ""
    right ""
}

fn check(cx: &mut CheckContext<'_>) {
    let finding = |limit: u64| Finding::new(Code::GEN_19).arg("bytes", cx.bytes).arg("limit", limit);
    let finding = if cx.bytes > STANDARD_BYTES_BINARY {
        finding(STANDARD_BYTES_BINARY)
    } else if cx.bytes > STANDARD_BYTES {
        finding(STANDARD_BYTES).lowered(Severity::Warning)
    } else {
        return;
    };
    cx.report_whole(finding);
}
