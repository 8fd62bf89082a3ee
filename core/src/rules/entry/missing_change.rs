//! `missing-change`: an entry that stands for a change says what happened.

use crate::rules::rule;

rule! {
    "missing-change" reports [CL_10, CDM_10, CN_09, FN_08]
    checks []
    message "an entry of this {kind} does not say what its `change` is"
    help "add `change` to the entry's `rs:md`: `created`, `updated` or `deleted`"
    en {
        what "Each entry of a Change List, a Change Dump Manifest or a notification has an `rs:md` with `change`."
        why "A harvester cannot tell whether to fetch the resource or to remove its copy. If it guesses, it keeps what \
             was withdrawn or asks for what is gone."
        mend "Write `change=\"created\"`, `change=\"updated\"` or `change=\"deleted\"` in the `rs:md` of the entry. If your \
              software keeps no difference between new and modified, `updated` is safe; deletions need their own value."
    }
    ja {
        message "{kind}のエントリに変更の種類を示す `change` がない"
        help "エントリの `rs:md` に `change`（`created`、`updated`、`deleted` のいずれか）を加える"
        what "変更リスト、変更ダンプマニフェスト、変更通知、フレームワーク通知では、すべてのエントリに `change` を持つ \
              `rs:md` が必要です。"
        why "ハーベスタは、リソースを取得すべきか、手元の複製を削除すべきかを判断できません。推測で処理すると、\
             取り下げられたものを残したり、すでにないものを取りに行ったりします。"
        mend "エントリの `rs:md` に `change=\"created\"`、`change=\"updated\"`、`change=\"deleted\"` のいずれかを書きます。\
              新規と更新を区別していないシステムでは `updated` としてかまいませんが、削除は必ず区別します。"
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
