//! `missing-hub`: a notification channel is announced together with its hub.

use crate::rules::prelude::*;

rule! {
    "missing-hub" reports [CAP_12]
    checks [Check::Md(Depends::Shape, check)]
    message "the `{value}` channel has no `hub` link"
    help r#"add `<rs:ln rel="hub" href="…"/>` with the URI of the hub to the entry"#
    en {
        what "The entry of a Capability List for a notification channel has the topic URI in `loc` and the URI of the \
            hub in an `rs:ln` with `rel=\"hub\"`."
        why "The hub sends the notifications, and receivers subscribe at the hub. Nobody can subscribe with the topic \
            URI alone."
        fix "Add an `rs:ln` with `rel=\"hub\"` next to the `rs:md` of the entry (not inside `loc`), with the URI of \
            your WebSub hub in `href`. If there is no hub, remove the entry."
    }
    ja {
        message "`{value}` の通知チャンネルに `hub` リンクがない"
        help r#"ハブの URI を示す `<rs:ln rel="hub" href="…"/>` をエントリに追加してください"#
        what "通知チャンネルを公表する機能リストのエントリでは、`loc` にトピックの URI を、`rel=\"hub\"` の `rs:ln` に\
            ハブの URI を書きます。"
        why "通知を送信するのはハブであり、受信側はハブに対して購読を申し込みます。トピックの URI だけでは\
            購読できません。"
        fix "エントリの `rs:md` と並べて（`loc` の中ではなく）`rel=\"hub\"` の `rs:ln` を追加し、`href` に WebSub \
            ハブの URI を書きます。ハブがない場合は、このエントリを削除します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/theses/changes/</loc>
    <rs:md capability="change-notification"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/theses/changes/</loc>
    <rs:md capability="change-notification"/>
    <rs:ln rel="hub" href="https://example.com/hub/"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.kind() != Kind::CapabilityList || cx.step != PathStep::Md(1) {
        return;
    }
    let Some(entry) = cx.entry else { return };
    let Some(capability) = md.attributes.capability().and_then(|field| field.exact()) else { return };
    let notifies = matches!(capability, Capability::ChangeNotification | Capability::FrameworkNotification);
    // A link without `href` is reported as LK-01, and what is beyond the limit was not looked at.
    let is_cut = entry.links.len() > cx.limits.links as usize;
    if notifies && !is_cut && !entry.links.iter().any(|link| link.names("hub")) {
        cx.report(Finding::new(Code::CAP_12).arg("value", capability.as_str()), md.span);
    }
}
