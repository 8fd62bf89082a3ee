//! `missing-change`: an entry for a change has `change`.

use crate::rules::rule;

rule! {
    "missing-change" reports [CL_10, CDM_10, CN_09, FN_08]
    checks in ["rules/profile.rs"]
    message "the entry of this {kind} has no `change`"
    help "add `change` to the `rs:md` of the entry: `created`, `updated` or `deleted`"
    en {
        what "Each entry of a Change List, Change Dump Manifest or notification has an `rs:md` with `change`."
        why "A harvester cannot tell whether to fetch the resource or to delete its copy. If it guesses, it keeps what \
            was withdrawn or requests what no longer exists."
        fix "Write `change=\"created\"`, `change=\"updated\"` or `change=\"deleted\"` in the `rs:md` of the entry. If \
            your software does not distinguish new from modified resources, `updated` is safe for both; deletions need \
            `deleted`."
    }
    ja {
        message "{kind}のエントリに `change` がない"
        help "エントリの `rs:md` に `change`（`created`、`updated`、`deleted` のいずれか）を追加してください"
        what "変更リスト、変更ダンプマニフェスト、変更通知、フレームワーク通知では、すべてのエントリに `change` を持つ \
            `rs:md` が必要です。"
        why "ハーベスタは、リソースを取得すべきか、手元のコピーを削除すべきかを判断できません。推測で処理すると、\
            公開を終了したものを残したり、すでに存在しないものを要求したりします。"
        fix "エントリの `rs:md` に `change=\"created\"`、`change=\"updated\"`、`change=\"deleted\"` のいずれかを\
            書きます。新規と更新を区別していないシステムでは、どちらも `updated` としてかまいません。削除には必ず \
            `deleted` を使います。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md datetime="2024-04-01T09:30:00Z" type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md change="created" datetime="2024-04-01T09:30:00Z" type="application/pdf"/>
  </url>
</urlset>"#
}
