//! `mixed-package-types`: all packages of a dump have the same format.

use crate::rules::prelude::*;

rule! {
    "mixed-package-types" reports [RD_11, CD_11]
    checks [Check::Md(Depends::State, check)]
    message "the package has type `{value}`, but earlier packages have type `{first}`"
    help "use the same format for all packages of the dump"
    en {
        what "All packages listed in a dump should have the same format."
        why "A harvester selects the unpacking method once per dump. It stops at a package of another format, or \
            imports only part of the resources."
        fix "Repackage the files in one format, preferably ZIP. To offer a second format, publish it as the dump of a \
            set of its own. If only the `type` is wrong, correct it."
    }
    ja {
        message "このパッケージのメディアタイプは `{value}` だが、先行するパッケージは `{first}`"
        help "ダンプのすべてのパッケージを同じ形式にしてください"
        what "1 つのダンプに列挙するパッケージは、すべて同じ形式にすることが推奨されます。"
        why "ハーベスタは、展開方法をダンプごとに 1 つ選択します。別の形式のパッケージで処理が止まるか、リソースの\
            一部しか取り込まれません。"
        fix "ファイルを 1 つの形式（できれば ZIP）でパッケージ化し直します。別の形式も提供する場合は、別の\
            リソースセットのダンプとして公開します。`type` だけが誤っている場合は修正します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/dump1.zip</loc>
    <rs:md type="application/zip" length="73400320"/>
  </url>
  <url>
    <loc>https://example.com/theses/dump2.tar.gz</loc>
    <rs:md type="application/gzip" length="41943040"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/dump1.zip</loc>
    <rs:md type="application/zip" length="73400320"/>
  </url>
  <url>
    <loc>https://example.com/theses/dump2.zip</loc>
    <rs:md type="application/zip" length="50331648"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    let code = match cx.kind() {
        Kind::ResourceDump => Code::RD_11,
        Kind::ChangeDump => Code::CD_11,
        _ => return,
    };
    if cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let Some((first, earlier)) = &cx.memory.package_type else { return };
    let Some(field) = md.attributes.media_type() else { return };
    if field.exact().is_some_and(|here| !here.same_essence(first)) {
        let finding = Finding::new(code)
            .arg("kind", cx.kind())
            .arg("value", &*field.text())
            .arg("first", first.essence())
            .related("first", earlier.span);
        cx.report_named(finding, md, Name::Type);
    }
}
