//! `missing-up`: every document except the topmost links to the level above.

use crate::rules::rule;

rule! {
    "missing-up" reports [CAP_04, RL_06, RLI_06, RD_06, RDI_06, RDM_06, CL_06, CLI_06, CD_06, CDI_06, CDM_06]
    checks in ["rules/profile.rs"]
    message "the {kind} has no `up` link"
    help r#"add `<rs:ln rel="up" href="…"/>` under the root element: a Capability List links to the Source Description, all others to the Capability List"#
    en {
        what "A Capability List links with `up` to its Source Description. The lists, dumps, indexes and manifests \
            below it link with `up` to the Capability List."
        why "A harvester that knows only a single document follows `up` to find out which set of resources it belongs \
            to and what else the Source offers for that set. Without the link the document is a dead end: the matching \
            Change List cannot be found."
        fix "Write `<rs:ln rel=\"up\" href=\"http://example.com/dataset1/capabilitylist.xml\"/>` next to the root's \
            `rs:md`. Index members and manifests in packages also link directly to the Capability List; the link from \
            a list to its index is `index`, not `up`."
    }
    ja {
        message "{kind}に `up` リンクがない"
        help r#"ルート要素の直下に `<rs:ln rel="up" href="…"/>` を追加してください（機能リストからはソース記述、それ以外からは機能リストを指します）"#
        what "機能リストは `up` でソース記述にリンクします。その下のリスト、ダンプ、インデックス、マニフェストは `up` \
            で機能リストにリンクします。"
        why "1 件の文書だけを知っているハーベスタは、`up` をたどって、それがどのリソースセットに属し、ほかに何が\
            提供されているかを調べます。リンクがないとそこで行き止まりになり、対応する変更リストも発見できません。"
        fix "ルート要素の `rs:md` と並べて \
            `<rs:ln rel=\"up\" href=\"http://example.com/dataset1/capabilitylist.xml\"/>` を書きます。インデックスに\
            属するリストやパッケージ内のマニフェストも、機能リストに直接リンクします。リストからインデックスへの\
            リンクは `up` ではなく `index` です。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
}
