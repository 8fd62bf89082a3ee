//! `not-http`: a `loc` that cannot be fetched over HTTP.

use crate::rules::prelude::*;

rule! {
    "not-http" reports [ADV_06]
    checks [Check::Entry(Depends::Usual, check)]
    message "the scheme of `loc` is `{scheme}`, but harvesters fetch over HTTP"
    help "publish the resource under an `http` or `https` URI"
    en {
        what "Except in manifests and notifications, harvesters fetch `loc` over HTTP, so its scheme is `http` or \
            `https`."
        why "Harvesters reject other schemes, for security or because they do not support them, and the resource is \
            never copied. A `file:` URI refers to the machine of the Source or, worse, to that of the harvester."
        fix "Write the HTTP URI into `loc`. Link to a copy that is available by other means with \
            `rs:ln rel=\"duplicate\"`."
    }
    ja {
        message "`loc` のスキームが `{scheme}` で、HTTP では取得できない"
        help "`http` または `https` の URI で公開してください"
        what "マニフェストと通知を除く文書では、ハーベスタは `loc` を HTTP で取得します。そのため、スキームは `http` \
            または `https` です。"
        why "ハーベスタは、セキュリティ上の理由で、または対応していないため、ほかのスキームを拒否し、リソースは\
            コピーされません。`file:` の URI は、ソースのコンピュータや、場合によってはハーベスタ自身のコンピュータ\
            上のファイルを指します。"
        fix "`loc` には HTTP の URI を書きます。別の手段で取得できるコピーには、`rs:ln rel=\"duplicate\"` で\
            リンクできます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>ftp://ftp.example.com/photos/1.tif</loc>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
    <rs:ln rel="duplicate" href="ftp://ftp.example.com/photos/1.tif"/>
  </url>
</urlset>
"#
}

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    // In manifests the bitstream is in the package, and a notification is a hint only.
    if cx.profile.delivery != Delivery::Web || cx.kind() == Kind::Unknown {
        return;
    }
    for loc in &entry.loc {
        if let Some(uri) = loc.field.exact().filter(|uri| !uri.is_http()) {
            let finding = Finding::new(Code::ADV_06).arg("scheme", uri.scheme());
            cx.report_child(finding, "loc", None, loc.field.span());
        }
    }
}
