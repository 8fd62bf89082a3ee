//! `redundant-attribute`: a `duplicate` link that repeats an attribute of its entry.

use crate::rules::prelude::*;

rule! {
    "redundant-attribute" reports [LK_11]
    checks [Check::Related(Depends::Values, &["duplicate"], check)]
    message "`{attribute}` of the `duplicate` link repeats the value of the entry"
    help "remove it; a mirror is assumed to be the same bitstream"
    en {
        what "A `duplicate` link does not repeat attributes that have the same value on the `rs:md` of its entry."
        why "The repetition adds no information and makes large lists larger. It is easily forgotten when the resource \
            changes, so that mirror and resource seem to differ."
        fix "Keep `href`, `pri` and `modified` on the link, and write other attributes only where the mirror really \
            differs."
    }
    ja {
        message "`duplicate` リンクの `{attribute}` がエントリの値と重複"
        help "同じ値の属性を削除してください（ミラーは同じビットストリームとみなされます）"
        what "`duplicate` リンクでは、エントリの `rs:md` と同じ値の属性を繰り返しません。"
        why "繰り返しても情報は増えず、大きなリストがさらに大きくなります。リソースの更新時に書き換え忘れると、\
            ミラーとリソースの内容が異なるように見えます。"
        fix "リンクには `href`、`pri`、`modified` を残し、ほかの属性はミラーが実際に異なる場合にだけ書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="duplicate" href="https://mirror.example.com/article/17" pri="1" length="8876"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="duplicate" href="https://mirror.example.com/article/17" pri="1"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let Some(md) = cx.entry.and_then(|entry| entry.first_md()) else { return };
    if !link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("duplicate")) {
        return;
    }
    for name in [Name::Encoding, Name::Hash, Name::Length, Name::Type] {
        let (Some(attribute), Some(own)) = (link.attributes.get(name), md.attributes.get(name)) else { continue };
        let exact = attribute.value.field().is_some_and(|field| field.loose().is_none());
        if exact && attribute.value == own.value {
            let finding = Finding::new(Code::LK_11).arg("attribute", name.as_str()).related("entry", own.whole);
            cx.report_attribute(finding, attribute);
        }
    }
}
