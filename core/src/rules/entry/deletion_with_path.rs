//! `deletion-with-path`: nothing is packaged for a deletion.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Md, Name},
    rules::{Check, Look, Step, rule},
    value::Change,
};

rule! {
    "deletion-with-path" reports [CDM_14]
    checks [Check::Md(check)]
    message "a deletion has the `path` `{value}`"
    help "remove `path` from the entry: a deletion has no file in the package"
    en {
        what "An entry of a Change Dump Manifest with `change=\"deleted\"` has no `path`, as the package holds no \
              bitstream for it."
        why "A harvester that follows the `path` finds no such file and takes the package for damaged, or finds the \
             file of another entry and keeps what should have gone."
        mend "Write deletions with `loc`, `change` and `datetime` alone. If the package does hold the file because the \
              resource was changed once more before it was deleted, list that change in an entry of its own, above \
              the deletion."
    }
    ja {
        message "削除のエントリに `path` `{value}` がある"
        help "エントリから `path` を削除する（削除にはパッケージ内のファイルがない）"
        what "変更ダンプマニフェストの `change=\"deleted\"` のエントリには、対応するビットストリームがパッケージにないため、\
              `path` を書きません。"
        why "`path` をたどったハーベスタは、ファイルが見つからずパッケージが壊れていると判断するか、別のエントリのファイルを\
             見つけて、消すべきものを残してしまいます。"
        mend "削除のエントリには `loc`、`change`、`datetime` だけを書きます。削除の前にもう一度更新されていてファイルが\
              パッケージにある場合は、その更新を独立したエントリとして削除より前に書きます。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    if look.kind() != Kind::ChangeDumpManifest || look.at_root() || look.step != Step::Md(1) {
        return;
    }
    let deleted = md.attributes.change().and_then(|change| change.exact()) == Some(&Change::Deleted);
    if let (true, Some(path)) = (deleted, md.attributes.get(Name::Path)) {
        look.report_attribute(Finding::new(Code::CDM_14).arg("value", &*path.text()), path);
    }
}
