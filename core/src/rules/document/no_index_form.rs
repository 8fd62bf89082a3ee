//! `no-index-form`: a manifest or notification published as a `sitemapindex`.

use crate::rules::prelude::*;

rule! {
    "no-index-form" reports [GEN_07]
    checks [Check::Head(check)]
    message "a {kind} with the root element `sitemapindex`"
    help "change the root element to `urlset` and its entries to `url`"
    en {
        what "Manifests and notifications are `urlset` documents. They have no index form."
        why "A harvester treats the entries of a `sitemapindex` as further documents to fetch. It would try to parse \
            the bitstreams or changed resources as lists and fail."
        fix "Write a `urlset` with `url` entries. A package has exactly one manifest. If there are too many changes \
            for one notification, send several."
    }
    ja {
        message "{kind}のルート要素が `sitemapindex`"
        help "ルート要素を `urlset` に、エントリを `url` に変更してください"
        what "マニフェストと通知は `urlset` の文書です。インデックス形式はありません。"
        why "ハーベスタは `sitemapindex` のエントリを、さらに取得すべき文書として扱います。ビットストリームや\
            変更されたリソースをリストとして解析しようとして、失敗します。"
        fix "`urlset` と `url` で記述します。マニフェストはパッケージごとに 1 件です。1 件の通知に収まらないほど\
            変更が多い場合は、複数の通知に分けて送信します。"
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

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if breaks(cx.root.shape, md) {
        let kind = md.attributes.capability().and_then(|capability| capability.value());
        let kind = kind.map_or(Kind::Unknown, |capability| Kind::from_parts(Shape::SitemapIndex, capability));
        cx.report_root(Finding::new(Code::GEN_07).arg("kind", kind));
    }
}

/// True for an index with the capability of a manifest or notification, spelt exactly: only documents with their own
/// URI can be indexed.
pub(in crate::rules) fn breaks(shape: Option<Shape>, md: &Md) -> bool {
    let capability = md.attributes.capability().and_then(|capability| capability.exact());
    let kind = capability.map(|capability| Kind::from_parts(Shape::SitemapIndex, capability));
    shape == Some(Shape::SitemapIndex) && kind.is_some_and(|kind| KindProfile::of(kind).delivery != Delivery::Web)
}
