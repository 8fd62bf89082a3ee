//! `shared-path`: each entry of a manifest has a bitstream of its own.

use alloc::format;

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Kind, Md, Name},
    rules::{Check, Look, Step, rule},
    value::{BitstreamPath, Change},
};

rule! {
    "shared-path" reports [PKG_10]
    checks [Check::Md(check)]
    message "`{value}` is the `path` of an earlier entry already"
    help "give each entry the `path` of its own bitstream"
    en {
        what "No two entries of a manifest name the same `path`: each entry stands for one bitstream."
        why "A harvester stores one file for two resources, or for two versions of one. Where their hashes differ, one \
             of them fails, and the bitstream that was meant is never used."
        mend "Correct the `path` of the entry that has the wrong one; this often comes from packing files of the same \
              name from different folders. A resource that changed twice is packaged twice, under two names."
    }
    ja {
        message "`{value}` はすでに前のエントリの `path` になっている"
        help "エントリごとに、それぞれのビットストリームの `path` を書く"
        what "マニフェストでは、二つのエントリが同じ `path` を指すことはありません。エントリは一つのビットストリームを\
              表します。"
        why "ハーベスタは、一つのファイルを二つのリソース、または同じリソースの二つの版として保存します。ハッシュが異なれば\
             一方は検証に失敗し、本来のビットストリームは使われないままになります。"
        mend "誤っているほうの `path` を訂正します。別々のフォルダにある同名のファイルをまとめたときに起こりがちです。\
              二度変更されたリソースは、二つの名前で二度パッケージに入れます。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    let manifest = matches!(look.kind(), Kind::ResourceDumpManifest | Kind::ChangeDumpManifest);
    if !manifest || look.at_root() || look.step != Step::Md(1) {
        return;
    }
    let Some(path) = md.attributes.path() else { return };
    let Some(text) = path.loose().or_else(|| path.value().map(BitstreamPath::as_str)) else { return };
    if text.is_empty() || is_deletion(look.kind(), md) {
        return;
    }
    // With the slash that it should have and without, it names the same.
    let paths = &look.memory.paths;
    let otherwise = || match text.strip_prefix('/') {
        Some(rest) => paths.get(rest),
        None => paths.get(&format!("/{text}")),
    };
    if let Some(first) = paths.get(text).or_else(otherwise) {
        let finding = Finding::new(Code::PKG_10).arg("value", text).related("first", first);
        look.report_named(finding, md, Name::Path);
    }
}

/// A deletion has no path to share; that it has one is CDM-14.
fn is_deletion(kind: Kind, md: &Md) -> bool {
    kind == Kind::ChangeDumpManifest
        && md.attributes.change().and_then(|change| change.value()) == Some(&Change::Deleted)
}
