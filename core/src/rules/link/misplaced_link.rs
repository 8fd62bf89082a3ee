//! `misplaced-link`: a link to a related resource in an entry that is not a resource.

use crate::rules::prelude::*;

rule! {
    "misplaced-link" reports [LK_06]
    checks [Check::Link(Depends::Shape, check)]
    message "`{relation}` link in an entry of a {kind}"
    help "remove the link; links to related resources belong in entries for resources or their changes"
    en {
        what "Links to related resources are in the entries of Resource Lists, Change Lists, both kinds of manifests \
            and Change Notifications."
        why "The entries of other documents are documents or packages. Harvesters do not look for mirrors, versions or \
            metadata there."
        fix "Move the link to the entry of the resource it applies to. To describe a set of resources, use \
            `describedby` in the Source Description or at the top of the Capability List."
    }
    ja {
        message "{kind}のエントリに `{relation}` リンクがある"
        help "リンクを削除してください（関連リソースへのリンクは、リソースやその変更のエントリに書きます）"
        what "関連リソースへのリンクは、リソースリスト、変更リスト、2 種類のマニフェスト、変更通知のエントリに\
            書きます。"
        why "ほかの文書のエントリは、文書やパッケージを指します。ハーベスタは、そこにミラー、旧バージョン、\
            メタデータへのリンクがあることを想定していません。"
        fix "リンクを対象のリソースのエントリに移します。リソースセットの説明には、ソース記述のエントリまたは機能\
            リストの先頭で `describedby` を使います。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/dump/1.zip</loc>
    <rs:md type="application/zip" length="70241"/>
    <rs:ln rel="duplicate" href="https://mirror.example.com/dump/1.zip"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/dump/1.zip</loc>
    <rs:md type="application/zip" length="70241"/>
  </url>
</urlset>"#
}

/// Relations of resources (Z39.99-2017 §14).
const RELATED: [&str; 11] = [
    "alternate",
    "canonical",
    "collection",
    "describedby",
    "describes",
    "duplicate",
    "memento",
    "profile",
    "timegate",
    "timemap",
    "via",
];

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    if cx.profile.related || cx.at_root() {
        return;
    }
    let Some(relation) = link.attributes.rel().and_then(|rel| rel.value()) else { return };
    let describes_set = cx.kind() == Kind::SourceDescription && relation.is("describedby");
    if RELATED.iter().any(|related| relation.is(related)) && !describes_set {
        let finding = Finding::new(Code::LK_06).arg("relation", relation.as_str()).arg("kind", cx.kind());
        cx.report(finding, link.span);
    }
}
