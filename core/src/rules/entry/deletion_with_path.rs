//! `deletion-with-path`: a deletion has no bitstream in the package.

use crate::rules::prelude::*;

rule! {
    "deletion-with-path" reports [CDM_14]
    checks [Check::Md(Depends::Shape, check)]
    message "`path` is `{value}` on the entry of a deletion"
    help "remove `path` from the entry; a deletion has no file in the package"
    en {
        what "An entry with `change=\"deleted\"` in a Change Dump Manifest has no `path`, because the package contains \
            no bitstream for it."
        why "A harvester that follows the `path` either finds no such file and considers the package damaged, or finds \
            the file of another entry and keeps a resource that should have been deleted."
        fix "Write only `loc`, `change` and `datetime` for deletions. If the package does contain the file because \
            the resource was changed once more before it was deleted, list that change in an entry of its own before \
            the deletion."
    }
    ja {
        message "削除のエントリに `path` の値 `{value}` がある"
        help "エントリから `path` を削除してください（削除に対応するファイルはパッケージにありません）"
        what "変更ダンプマニフェストの `change=\"deleted\"` のエントリでは、対応するビットストリームが\
            パッケージにないため、`path` を使いません。"
        why "`path` を参照したハーベスタは、該当するファイルがないためパッケージが破損していると判断するか、別の\
            エントリのファイルを使って、削除すべきリソースを残してしまいます。"
        fix "削除のエントリには `loc`、`change`、`datetime` だけを書きます。削除の前に更新が行われ、そのファイルが\
            パッケージに含まれている場合は、その更新を別のエントリとして削除より前に書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changedump-manifest" from="2024-04-01T00:00:00Z" until="2024-04-02T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md change="deleted" datetime="2024-04-01T09:30:00Z" path="/theses/1.pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changedump-manifest" from="2024-04-01T00:00:00Z" until="2024-04-02T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md change="deleted" datetime="2024-04-01T09:30:00Z"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.kind() != Kind::ChangeDumpManifest || cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let deleted = md.attributes.change().and_then(|change| change.exact()) == Some(&Change::Deleted);
    if let (true, Some(path)) = (deleted, md.attributes.get(Name::Path)) {
        cx.report_attribute(Finding::new(Code::CDM_14).arg("value", &*path.text()), path);
    }
}
