//! `package-description`: a dump says what its packages are and how large.

use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Kind, Md, Name},
    rules::{Check, Look, Step, rule},
};

rule! {
    "package-description" reports [RD_10, CD_10]
    checks [Check::Entry(entry), Check::Md(md)]
    message "the package is listed without its {missing}"
    help "add `type` and `length` of the package to the entry's `rs:md`"
    en {
        what "Each entry of a Resource Dump or a Change Dump should have an `rs:md` with the media `type` and the \
              `length` in bytes of the package."
        why "Packages are large. A harvester that knows neither format nor size cannot tell whether it is able to \
             unpack one or has room for it before the download is over, nor notice that the download broke off."
        mend "Write `<rs:md type=\"application/zip\" length=\"…\"/>`, with the size of the file in bytes, into the \
              entry when the package is made; a `hash` beside them is worth its price."
    }
    ja {
        message "パッケージの {missing} が示されていない"
        help "パッケージの `type` と `length` をエントリの `rs:md` に加える"
        what "リソースダンプと変更ダンプの各エントリには、パッケージのメディアタイプ `type` とバイト数 `length` を持つ \
              `rs:md` を置くことが推奨されています。"
        why "パッケージは大きなファイルです。形式も大きさも分からないと、ハーベスタはダウンロードが終わるまで展開できるか、\
             保存領域が足りるかを判断できず、転送が途中で切れたことにも気付けません。"
        mend "パッケージを作成するときに、ファイルのバイト数を調べて `<rs:md type=\"application/zip\" length=\"…\"/>` を\
              エントリに書きます。`hash` も添えると、より確実です。"
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

fn entry(look: &mut Look<'_>, entry: &Entry) {
    if let (Some(code), None) = (code(look.kind()), entry.first_md()) {
        look.report(finding(look, code, BOTH), entry.span);
    }
}

fn md(look: &mut Look<'_>, md: &Md) {
    let Some(code) = code(look.kind()) else { return };
    if look.at_root() || look.step != Step::Md(1) {
        return;
    }
    let has = |name| md.attributes.get(name).is_some();
    let missing = match (has(Name::Type), has(Name::Length)) {
        (true, true) => return,
        (false, false) => BOTH,
        (false, true) => "`type`",
        (true, false) => "`length`",
    };
    look.report(finding(look, code, missing), md.span);
}

fn code(kind: Kind) -> Option<Code> {
    match kind {
        Kind::ResourceDump => Some(Code::RD_10),
        Kind::ChangeDump => Some(Code::CD_10),
        _ => None,
    }
}

fn finding(look: &Look<'_>, code: Code, missing: &str) -> Finding {
    Finding::new(code).arg("kind", look.kind()).arg("missing", missing)
}
