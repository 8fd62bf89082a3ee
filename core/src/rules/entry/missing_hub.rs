//! `missing-hub`: a notification channel is announced together with its hub.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Md},
    rules::{Check, Look, Step, rule},
    value::Capability,
};

rule! {
    "missing-hub" reports [CAP_12]
    checks [Check::Md(check)]
    message "the `{value}` channel is announced without a hub"
    help r#"add `<rs:ln rel="hub" href="…"/>` with the URI of the hub to the entry"#
    en {
        what "The entry of a Capability List that announces a notification channel gives the topic URI in `loc` and \
              the URI of the hub in an `rs:ln` with `rel=\"hub\"`."
        why "Notifications are sent by the hub, and it is the hub that a receiver subscribes with. Knowing only the \
             topic, nobody can subscribe."
        mend "Put an `rs:ln` with `rel=\"hub\"` beside the `rs:md` of the entry (not inside `loc`), and the URI of your \
              WebSub hub in its `href`. If there is no hub, remove the entry."
    }
    ja {
        message "`{value}` のチャネルにハブが示されていない"
        help r#"ハブの URI を示す `<rs:ln rel="hub" href="…"/>` をエントリに加える"#
        what "通知チャネルを知らせる機能リストのエントリは、`loc` にトピック URI を、`rel=\"hub\"` の `rs:ln` にハブの URI を\
              書きます。"
        why "通知はハブから送られ、購読の申し込み先もハブです。トピックだけが分かっても購読できません。"
        mend "エントリの `rs:md` と並べて（`loc` の中ではなく）`rel=\"hub\"` の `rs:ln` を置き、`href` に WebSub ハブの URI を\
              書きます。ハブがない場合は、このエントリを削除します。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    if look.kind() != Kind::CapabilityList || look.step != Step::Md(1) {
        return;
    }
    let Some(entry) = look.entry else { return };
    let Some(capability) = md.attributes.capability().and_then(|field| field.exact()) else { return };
    let notifies = matches!(capability, Capability::ChangeNotification | Capability::FrameworkNotification);
    // One without `href` is LK-01's.
    if notifies && !entry.links.iter().any(|link| link.names("hub")) {
        look.report(Finding::new(Code::CAP_12).arg("value", capability.as_str()), md.span);
    }
}
