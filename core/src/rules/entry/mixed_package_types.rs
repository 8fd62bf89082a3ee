//! `mixed-package-types`: all packages of a dump have one format.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Kind, Md, Name},
    rules::{Check, Look, Step, rule},
};

rule! {
    "mixed-package-types" reports [RD_11, CD_11]
    checks [Check::Md(check)]
    message "the package is `{value}`, the ones before it are `{first}`"
    help "give all packages of the dump one format"
    en {
        what "All packages that a dump lists should have one and the same format."
        why "A harvester chooses its unpacker once for a dump. It stops at the package of another format, or takes in \
             only a part of the resources."
        mend "Pack the files anew in one format, best as ZIP. To offer a second format, publish the dump of it for a \
              set of its own. If only the `type` is wrong, correct it."
    }
    ja {
        message "このパッケージは `{value}` だが、これより前のものは `{first}` である"
        help "ダンプのパッケージの形式を一つにそろえる"
        what "一つのダンプに列挙するパッケージは、すべて同じ形式にすることが推奨されています。"
        why "ハーベスタは展開の方法をダンプごとに一つ選びます。別の形式のパッケージで処理が止まるか、リソースの一部しか\
             取り込まれません。"
        mend "一つの形式（できれば ZIP）で作り直します。別の形式も提供したい場合は、別の集合のダンプとして公開します。\
              `type` の書き誤りであれば訂正します。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    let code = match look.kind() {
        Kind::ResourceDump => Code::RD_11,
        Kind::ChangeDump => Code::CD_11,
        _ => return,
    };
    if look.at_root() || look.step != Step::Md(1) {
        return;
    }
    let Some((first, earlier)) = &look.memory.package_type else { return };
    let Some(field) = md.attributes.media_type() else { return };
    if field.exact().is_some_and(|here| !here.same_essence(first)) {
        let finding = Finding::new(code)
            .arg("kind", look.kind())
            .arg("value", &*field.text())
            .arg("first", first.essence())
            .related("first", earlier.span);
        look.report_named(finding, md, Name::Type);
    }
}
