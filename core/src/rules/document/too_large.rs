//! `too-large`: more bytes than a sitemap may have.

use crate::{
    diagnostic::{Code, Finding, Severity},
    limits::{STANDARD_BYTES, STANDARD_BYTES_BINARY},
    rules::{Check, Look, rule},
};

rule! {
    "too-large" reports [GEN_19]
    checks [Check::End(check)]
    message "the document has {bytes} bytes, more than {limit}"
    help "split the list into several documents and group them by an index"
    en {
        what "A document has at most 50 MB before compression, a bound taken over from the Sitemap protocol."
        why "Harvesters that keep to the bound refuse the document or read its beginning only. Some count 50,000,000 bytes, others \
             52,428,800; between the two it depends on the reader."
        mend "Start a new document before 50,000,000 bytes are reached and list the parts in a `sitemapindex` with the same \
              `capability`. Compression does not help: the bound is for the unpacked document."
    }
    ja {
        message "文書の大きさが {bytes} バイトで、{limit} バイトを超えている"
        help "リストを複数の文書に分け、インデックスでまとめる"
        what "文書の大きさは、圧縮前で 50 MB までです。この上限はサイトマッププロトコルによります。"
        why "上限を守るハーベスタは、文書を拒否するか、始めの部分しか読みません。上限を 50,000,000 バイトと数えるものと 52,428,800 バイトと\
             数えるものがあり、その間の大きさで読めるかどうかは相手によります。"
        mend "50,000,000 バイトに達する前に新しい文書に分け、同じ `capability` の `sitemapindex` に列挙します。上限は展開後の大きさに\
              ついてのものなので、圧縮しても解決しません。"
    }
    wrong ""
    right ""
}

fn check(look: &mut Look<'_>) {
    let finding = |limit: u64| Finding::new(Code::GEN_19).arg("bytes", look.bytes).arg("limit", limit);
    let finding = if look.bytes > STANDARD_BYTES_BINARY {
        finding(STANDARD_BYTES_BINARY)
    } else if look.bytes > STANDARD_BYTES {
        finding(STANDARD_BYTES).lowered(Severity::Warning)
    } else {
        return;
    };
    look.report_whole(finding);
}
