//! `missing-entry-md`: entries of Change Lists and manifests have an `rs:md`.

use crate::rules::rule;

rule! {
    "missing-entry-md" reports [RDM_09, CL_09, CDM_09]
    checks in ["rules/profile.rs"]
    message "the entry of this {kind} has no `rs:md`"
    help "add an `rs:md` with the type of the change (`change`) or the location of the bitstream (`path`)"
    en {
        what "Each entry of a Change List or of a dump manifest has an `rs:md`."
        why "`loc` alone specifies neither whether the resource was created, updated or deleted, nor which file of the \
            package it is. A harvester cannot process the entry."
        fix "Add `<rs:md change=\"…\" datetime=\"…\"/>` in a Change List, `<rs:md path=\"…\" type=\"…\"/>` in a \
            Resource Dump Manifest, and all of these attributes in a Change Dump Manifest. Check the namespace as \
            well: it ends with a slash."
    }
    ja {
        message "{kind}のエントリに `rs:md` がない"
        help "変更の種類（`change`）またはビットストリームの場所（`path`）を示す `rs:md` を追加してください"
        what "変更リストとダンプのマニフェストでは、すべてのエントリに `rs:md` が必要です。"
        why "`loc` だけでは、リソースが作成、更新、削除のどれに当たるのかも、パッケージ内のどのファイルに当たるのかも\
            分かりません。ハーベスタはそのエントリを処理できません。"
        fix "変更リストでは `<rs:md change=\"…\" datetime=\"…\"/>` を、リソースダンプマニフェストでは \
            `<rs:md path=\"…\" type=\"…\"/>` を、変更ダンプマニフェストではこれらの属性をすべて書きます。名前空間の\
            末尾にスラッシュがあることも確認します。"
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
