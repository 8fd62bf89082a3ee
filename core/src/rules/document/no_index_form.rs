//! `no-index-form`: a manifest or notification written as an index.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Md, Shape},
    rules::{Check, Look, rule},
    value::Capability,
};

rule! {
    "no-index-form" reports [GEN_07]
    checks [Check::Head(check)]
    message "a {kind} cannot be a `sitemapindex`"
    help "make the root element `urlset` and its entries `url`"
    en {
        what "Manifests and notifications are `urlset` documents; there are no indexes of them."
        why "A harvester reads the entries of a `sitemapindex` as further documents to fetch. It would fetch the bitstreams or \
             changed resources as if they were lists, and fail."
        mend "Write `urlset` with `url` entries. A package has one manifest; where there are too many changes for one \
              notification, send several."
    }
    ja {
        message "{kind}が `sitemapindex` になっている"
        help "ルート要素を `urlset` に、エントリを `url` にする"
        what "マニフェストと通知は `urlset` の文書で、インデックスの形はありません。"
        why "ハーベスタは `sitemapindex` のエントリを、さらに取得すべき文書と解釈します。ビットストリームや変更されたリソースを\
             リストとして取得しようとして失敗します。"
        mend "`urlset` と `url` で書きます。マニフェストはパッケージごとに一つです。変更が多くて一つの通知に収まらないときは、\
              通知を分けて送ります。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="change-notification" from="2024-04-01T00:00:00Z" until="2024-04-01T01:00:00Z"/>
  <sitemap>
    <loc>http://example.com/items/1</loc>
    <rs:md change="updated" datetime="2024-04-01T00:30:00Z"/>
  </sitemap>
</sitemapindex>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="change-notification" from="2024-04-01T00:00:00Z" until="2024-04-01T01:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <rs:md change="updated" datetime="2024-04-01T00:30:00Z"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, md: &Md) {
    if breaks(look.root.shape, md) {
        let kind = md.attributes.capability().and_then(|capability| capability.value());
        let kind = kind.map_or(Kind::Unknown, |capability| Kind::from_parts(Shape::SitemapIndex, capability));
        look.report_root(Finding::new(Code::GEN_07).arg("kind", kind));
    }
}

/// True for an index with the capability of a manifest or notification, to the letter.
pub(in crate::rules) fn breaks(shape: Option<Shape>, md: &Md) -> bool {
    use Capability as C;
    let capability = md.attributes.capability().and_then(|capability| capability.exact());
    shape == Some(Shape::SitemapIndex)
        && matches!(
            capability,
            Some(C::ResourceDumpManifest | C::ChangeDumpManifest | C::ChangeNotification | C::FrameworkNotification)
        )
}
