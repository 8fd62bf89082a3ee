//! `package-description`: a dump has the type and size of its packages.

use crate::rules::prelude::*;

rule! {
    "package-description" reports [RD_10, CD_10]
    checks [Check::Entry(Depends::Shape, entry), Check::Md(Depends::Shape, md)]
    message "the entry of the package has no {missing}"
    help "add `type` and `length` of the package to the `rs:md` of the entry"
    en {
        what "Each entry of a Resource Dump or Change Dump should have an `rs:md` with the media `type` of the package \
            and its `length` in bytes."
        why "Packages are large. Without format and size, a harvester cannot tell before the download has finished \
            whether it can unpack the package or has enough disk space, and it cannot detect a truncated download."
        fix "When you create the package, write `<rs:md type=\"application/zip\" length=\"…\"/>` with the size of \
            the file in bytes into its entry. Consider adding a `hash` as well."
    }
    ja {
        message "パッケージのエントリに {missing} がない"
        help "パッケージの `type` と `length` をエントリの `rs:md` に追加してください"
        what "リソースダンプと変更ダンプの各エントリには、パッケージのメディアタイプ `type` とバイト数 `length` を持つ \
            `rs:md` を置くことが推奨されます。"
        why "パッケージは大きなファイルです。形式とサイズが分からないと、ハーベスタは、展開できるか、ディスク容量が\
            足りるかをダウンロードが終わるまで判断できません。途中で切れたダウンロードも検出できません。"
        fix "パッケージの作成時に、ファイルのバイト数を使って `<rs:md type=\"application/zip\" length=\"…\"/>` を\
            エントリに書きます。`hash` も追加すると、より確実です。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/dump.zip</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/dump.zip</loc>
    <rs:md type="application/zip" length="73400320"/>
  </url>
</urlset>"#
}

const BOTH: &str = "`type`, `length`";

fn entry(cx: &mut CheckContext<'_>, entry: &Entry) {
    if let (Some(code), None) = (code(cx.kind()), entry.first_md()) {
        cx.report(finding(cx, code, BOTH), entry.span);
    }
}

fn md(cx: &mut CheckContext<'_>, md: &Md) {
    let Some(code) = code(cx.kind()) else { return };
    if cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let has = |name| md.attributes.get(name).is_some();
    let missing = match (has(Name::Type), has(Name::Length)) {
        (true, true) => return,
        (false, false) => BOTH,
        (false, true) => "`type`",
        (true, false) => "`length`",
    };
    cx.report(finding(cx, code, missing), md.span);
}

fn code(kind: Kind) -> Option<Code> {
    match kind {
        Kind::ResourceDump => Some(Code::RD_10),
        Kind::ChangeDump => Some(Code::CD_10),
        _ => None,
    }
}

fn finding(cx: &CheckContext<'_>, code: Code, missing: &str) -> Finding {
    Finding::new(code).arg("kind", cx.kind()).arg("missing", missing)
}
