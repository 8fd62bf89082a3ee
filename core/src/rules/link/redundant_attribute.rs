//! `redundant-attribute`: a mirror described by what its entry says already.

use crate::{
    diagnostic::{Code, Finding},
    model::{Link, Name},
    rules::{Check, Look, rule},
};

rule! {
    "redundant-attribute" reports [LK_11]
    checks [Check::Related(&["duplicate"], check)]
    message "`{attribute}` of the `duplicate` link repeats that of the entry"
    help "leave it out; a mirror is taken to be the same bitstream"
    en {
        what "A `duplicate` link does not repeat attributes that have the same value on the `rs:md` of its entry."
        why "The copy says nothing new, makes large lists larger, and is easily forgotten when the resource changes, so \
            that mirror and resource seem to differ."
        mend "Keep `href`, `pri` and `modified` on the link, and write an attribute only where the mirror really \
            differs."
    }
    ja {
        message "`duplicate` リンクの `{attribute}` がエントリと同じ値を繰り返している"
        help "同じ値の属性を省く（ミラーは同じビットストリームと見なされる）"
        what "`duplicate` リンクでは、エントリの `rs:md` と同じ値の属性を繰り返しません。"
        why "新しい情報はなく、大きなリストがさらに大きくなります。リソースの更新時に直し忘れると、ミラーとリソースが食\
            い違って見えます。"
        mend "リンクには `href`、`pri`、`modified` を書き、ほかの属性はミラーが実際に異なる場合だけ書きます。"
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

fn check(look: &mut Look<'_>, link: &Link) {
    let Some(md) = look.entry.and_then(|entry| entry.first_md()) else { return };
    if !link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("duplicate")) {
        return;
    }
    for name in [Name::Encoding, Name::Hash, Name::Length, Name::Type] {
        let (Some(attribute), Some(own)) = (link.attributes.get(name), md.attributes.get(name)) else { continue };
        let exact = attribute.value.field().is_some_and(|field| field.loose().is_none());
        if exact && attribute.value == own.value {
            let finding = Finding::new(Code::LK_11).arg("attribute", name.as_str()).related("entry", own.whole);
            look.report_attribute(finding, attribute);
        }
    }
}
