//! `missing-up`: every document but the topmost links to the level above.

use crate::rules::rule;

rule! {
    "missing-up" reports [CAP_04, RL_06, RLI_06, RD_06, RDI_06, RDM_06, CL_06, CLI_06, CD_06, CDI_06, CDM_06]
    checks []
    message "the {kind} has no `up` link to the level above"
    help "add `<rs:ln rel=\"up\" href=\"…\"/>` below the root: to the Source Description from a Capability List, to \
        the Capability List from all others"
    en {
        what "A Capability List links with `up` to its Source Description; the lists, dumps, indexes and manifests \
             below it link with `up` to the Capability List."
        why "A harvester that was given a single document follows `up` to find out what set it belongs to and what \
             else the Source offers for that set. Without the link the document is a dead end: the matching Change \
             List cannot be found."
        mend "Write `<rs:ln rel=\"up\" href=\"http://example.com/dataset1/capabilitylist.xml\"/>` beside the root \
             `rs:md`. Members of an index and manifests in packages also lead straight to the Capability List; the \
             index above a list is linked with `index`, not with `up`."
    }
    ja {
        message "{kind}に、上の階層への `up` リンクがない"
        help "ルートの直下に `<rs:ln rel=\"up\" href=\"…\"/>` を書く（機能リストからはソース記述へ、それ以外からは機能\
             リストへ）"
        what "機能リストは `up` でソース記述に、その下のリスト、ダンプ、インデックス、マニフェストは `up` で機能リスト\
             にリンクします。"
        why "文書を一つだけ知らされたハーベスタは、`up` をたどって、それがどのリソース集合のものか、ほかに何が提供されている\
             かを調べます。リンクがないと行き止まりになり、対応する変更リストも見つけられません。"
        mend "ルートの `rs:md` と並べて `<rs:ln rel=\"up\" href=\"http://example.com/dataset1/capabilitylist.xml\"/>` \
             を書きます。インデックスに属するリストやパッケージ内のマニフェストも、機能リストへ直接リンクします。\
             インデックスへのリンクは `up` ではなく `index` です。"
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
