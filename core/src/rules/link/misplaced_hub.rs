//! `misplaced-hub`: a `hub` link where no notification channel is announced.

use crate::rules::prelude::*;

rule! {
    "misplaced-hub" reports [LK_34]
    checks [Check::Related(Depends::Shape, &["hub"], check)]
    message "`hub` link outside the notification entries of a Capability List"
    help "move the link to the `change-notification` or `framework-notification` entry of the Capability List"
    en {
        what "In documents, `hub` links are defined for those entries of a Capability List that announce a \
            notification channel."
        why "Subscribers get the topic and its hub from that entry. Elsewhere the link names a hub, but no topic to \
            subscribe to."
        fix "Put the link next to the topic URI in the Capability List. The topic itself announces its hub in HTTP \
            `Link` headers, not in its body."
    }
    ja {
        message "機能リストの通知のエントリ以外に `hub` リンクがある"
        help "機能リストの `change-notification` または `framework-notification` のエントリに移してください"
        what "文書内の `hub` リンクは、通知チャンネルを公表する機能リストのエントリについてだけ定義されています。"
        why "購読者は、トピックとそのハブをこのエントリから知ります。ほかの場所の `hub` リンクでは、どのトピックを\
            購読すればよいか分かりません。"
        fix "リンクを、機能リストのトピックの URI と同じエントリに置きます。トピック自身は、本文ではなく HTTP の \
            `Link` ヘッダでハブを示します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:ln rel="describedby" href="https://example.com/set/about.html"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/set/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
    <rs:ln rel="hub" href="https://hub.example.com/"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:ln rel="describedby" href="https://example.com/set/about.html"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/set/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
  <url>
    <loc>https://example.com/set/changes/topic</loc>
    <rs:md capability="change-notification"/>
    <rs:ln rel="hub" href="https://hub.example.com/"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    if cx.kind() == Kind::Unknown || !relation.is_some_and(|relation| relation.is("hub")) {
        return;
    }
    if let (Kind::CapabilityList, Some(entry)) = (cx.kind(), cx.entry) {
        let capability = entry.first_md().and_then(|md| md.attributes.capability()).and_then(|field| field.value());
        // A missing capability is reported instead (CAP-08).
        if matches!(capability, None | Some(Capability::ChangeNotification | Capability::FrameworkNotification)) {
            return;
        }
    }
    cx.report(Finding::new(Code::LK_34), link.span);
}
