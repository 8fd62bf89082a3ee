//! `missing-entry-md`: entries of manifests and Change Lists say more than a `loc`.

use crate::rules::rule;

rule! {
    "missing-entry-md" reports [RDM_09, CL_09, CDM_09]
    checks []
    message "an entry of this {kind} has no `rs:md`"
    help "add an `rs:md` that says what happened (`change`) or where the bitstream lies (`path`)"
    en {
        what "Each entry of a Change List and of the manifest of a dump has an `rs:md`."
        why "A `loc` alone does not tell whether the resource was created, updated or deleted, nor which file of the \
             package it is. A harvester can do nothing with the entry."
        mend "Add `<rs:md change=\"…\" datetime=\"…\"/>` in a Change List, `<rs:md path=\"…\" type=\"…\"/>` in a Resource \
              Dump Manifest, and both together in a Change Dump Manifest. Mind the namespace: it ends with a slash."
    }
    ja {
        message "{kind}のエントリに `rs:md` がない"
        help "変更の内容（`change`）またはビットストリームの位置（`path`）を示す `rs:md` を加える"
        what "変更リストとダンプのマニフェストでは、すべてのエントリに `rs:md` が必要です。"
        why "`loc` だけでは、リソースが作成・更新・削除のどれにあたるのか、パッケージのどのファイルなのかが分かりません。\
             ハーベスタはそのエントリを処理できません。"
        mend "変更リストでは `<rs:md change=\"…\" datetime=\"…\"/>` を、リソースダンプマニフェストでは \
              `<rs:md path=\"…\" type=\"…\"/>` を、変更ダンプマニフェストではその両方を書きます。名前空間の末尾の\
              スラッシュが抜けていないかも確かめます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <lastmod>2024-04-01T09:30:00Z</lastmod>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <lastmod>2024-04-01T09:30:00Z</lastmod>
    <rs:md change="created" datetime="2024-04-01T09:30:00Z"/>
  </url>
</urlset>"#
}
