//! `notified-index`: a notification about an index.

use crate::rules::rule;

rule! {
    "notified-index" reports [FN_15]
    checks in ["source/checks/notifications.rs"]
    message "`{uri}` is an index, but notifications are sent for the documents that it lists"
    help r#"use the URI of a listed document, and link to the index with `rel="index"`"#
    en {
        what "Framework Notifications are not sent for indexes: `loc` is never a `sitemapindex`."
        why "A receiver expects a document with the given capability and cannot tell which of the listed documents \
            changed."
        fix "Write the URI of a changed or new document into `loc`, and add an `index` link."
    }
    ja {
        message "`{uri}` はインデックスだが、通知の対象はインデックスが列挙する文書"
        help r#"列挙されている文書の URI を書き、`rel="index"` でインデックスにリンクしてください"#
        what "フレームワーク通知は、インデックスについては送信しません。`loc` が `sitemapindex` の文書を\
            指すことはありません。"
        why "受信側は示された機能の文書を想定しているため、列挙された文書のどれが変更されたのか判断できません。"
        fix "変更または追加された文書の URI を `loc` に書き、`index` リンクを追加します。"
    }
    wrong ""
    right ""
}
