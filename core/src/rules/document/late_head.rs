//! `late-head`: the root's `rs:md` or `rs:ln` follows the entries.

use crate::rules::prelude::*;

rule! {
    "late-head" reports [GEN_21]
    checks [Check::End(check)]
    message "`rs:md` or `rs:ln` of the root element after the entries"
    help "move the root's `rs:md` and `rs:ln` before the first entry"
    en {
        what "The `rs:md` and `rs:ln` of the root element come before the first entry."
        why "A harvester that reads a long document as a stream needs to know the kind of document before it processes \
            the entries. Otherwise it has to buffer all entries or read the document twice."
        fix "Write the root's `rs:md` and `rs:ln` first. If `completed` or `until` is known only at the end, write \
            the entries to a temporary file and append them afterwards."
    }
    ja {
        message "ルート要素の `rs:md` または `rs:ln` がエントリより後にある"
        help "ルート要素の `rs:md` と `rs:ln` を最初のエントリより前に移してください"
        what "ルート要素の `rs:md` と `rs:ln` は、最初のエントリより前に置きます。"
        why "大きな文書をストリームとして読むハーベスタは、エントリを処理する前に文書の種類を知る必要があります。後に\
            置かれていると、すべてのエントリをバッファに保持するか、文書を 2 回読むことになります。"
        fix "`rs:md` と `rs:ln` を先に出力します。`completed` や `until` が最後まで確定しない場合は、エントリを一時\
            ファイルに書き出しておき、あとから連結します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>) {
    if let Some((step, span)) = cx.memory.late {
        cx.step = step;
        cx.report(Finding::new(Code::GEN_21), span);
    }
}
