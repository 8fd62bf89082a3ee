//! `shared-path`: each entry of a manifest has its own bitstream.

use alloc::format;

use crate::rules::prelude::*;

rule! {
    "shared-path" reports [PKG_10]
    checks [Check::Md(Depends::State, check)]
    message "`path` `{value}` is already used by an earlier entry"
    help "give each entry the `path` of its own bitstream"
    en {
        what "No two entries of a manifest have the same `path`, because each entry describes one bitstream."
        why "A harvester stores one file for two resources, or for two versions of the same resource. If the digests \
            differ, one of them fails verification, and the intended bitstream is never used."
        fix "Correct the `path` of the wrong entry. This often happens when files with the same name from different \
            folders are packaged. A resource that changed twice is packaged twice, under two names."
    }
    ja {
        message "`path` の値 `{value}` が先行するエントリと重複"
        help "各エントリに、それぞれのビットストリームの `path` を書いてください"
        what "エントリはそれぞれ 1 つのビットストリームを表すため、マニフェストの 2 件のエントリが同じ `path` を\
            持つことはありません。"
        why "ハーベスタは、1 つのファイルを 2 つのリソース、または同じリソースの 2 つの版として保存します。\
            ダイジェストが異なる場合は一方の検証が失敗し、本来のビットストリームは使われません。"
        fix "誤っているほうの `path` を修正します。異なるフォルダにある同名のファイルをパッケージ化したときによく\
            起こります。2 回変更されたリソースは、2 つの名前で 2 回パッケージに入れます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1/cover.png</loc>
    <rs:md path="/cover.png" type="image/png"/>
  </url>
  <url>
    <loc>https://example.com/theses/2/cover.png</loc>
    <rs:md path="/cover.png" type="image/png"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1/cover.png</loc>
    <rs:md path="/1/cover.png" type="image/png"/>
  </url>
  <url>
    <loc>https://example.com/theses/2/cover.png</loc>
    <rs:md path="/2/cover.png" type="image/png"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if !cx.profile.is_manifest() || cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let Some(path) = md.attributes.path() else { return };
    let Some(text) = path.loose().or_else(|| path.value().map(BitstreamPath::as_str)) else { return };
    if text.is_empty() || is_deletion(cx.kind(), md) {
        return;
    }
    // With and without the leading slash, the path names the same member.
    let paths = &cx.memory.paths;
    let otherwise = || match text.strip_prefix('/') {
        Some(rest) => paths.get(rest),
        None => paths.get(&format!("/{text}")),
    };
    if let Some(first) = paths.get(text).or_else(otherwise) {
        let finding = Finding::new(Code::PKG_10).arg("value", text).related("first", first);
        cx.report_named(finding, md, Name::Path);
    }
}

/// A deletion has no bitstream; its path is reported as CDM-14.
fn is_deletion(kind: Kind, md: &Md) -> bool {
    kind == Kind::ChangeDumpManifest
        && md.attributes.change().and_then(|change| change.value()) == Some(&Change::Deleted)
}
