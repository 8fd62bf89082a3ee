//! `not-http`: a `loc` that a harvester cannot fetch over HTTP.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Entry, Kind},
    rules::{Check, Look, rule},
};

rule! {
    "not-http" reports [ADV_06]
    checks [Check::Entry(check)]
    message "`loc` has the scheme `{scheme}`; harvesters fetch over HTTP"
    help "publish it under an `http` or `https` URI"
    en {
        what "What `loc` names is fetched over HTTP in all documents but manifests and notifications, so its scheme is \
            `http` or `https`."
        why "Harvesters refuse other schemes, for safety or because they do not know them, and the resource is never \
            copied. A `file:` URI names a place on the machine of the Source, or worse, on the harvester's own."
        mend "Put the HTTP URI into `loc`. A copy that is offered in another way can be linked with `rs:ln \
            rel=\"duplicate\"`."
    }
    ja {
        message "`loc` のスキームが、ハーベスタの使う HTTP ではなく `{scheme}` である"
        help "`http` または `https` の URI で公開する"
        what "マニフェストと通知を除く文書では、`loc` の指すものを HTTP で取得します。スキームは `http` か `https` です。"
        why "ハーベスタは安全のため、または対応していないため、ほかのスキームを拒否し、リソースは複製されません。\
            `file:` の URI はソースのマシン、場合によってはハーベスタ自身のマシンの中を指します。"
        mend "`loc` には HTTP の URI を書きます。\
            別の方法で取得できる複製は `rs:ln rel=\"duplicate\"` でリンクできます。"
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

fn check(look: &mut Look<'_>, entry: &Entry) {
    if !is_fetched(look.kind()) {
        return;
    }
    for loc in &entry.loc {
        if let Some(uri) = loc.field.exact().filter(|uri| !uri.is_http()) {
            let finding = Finding::new(Code::ADV_06).arg("scheme", uri.scheme());
            look.report_child(finding, "loc", None, loc.field.span());
        }
    }
}

/// In manifests the bitstream is in the package, and a notification is a hint only.
fn is_fetched(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::ResourceDumpManifest
            | Kind::ChangeDumpManifest
            | Kind::ChangeNotification
            | Kind::FrameworkNotification
            | Kind::Unknown
    )
}
