//! `notified-member`: a notification about a listed document without a link to its index.

use crate::rules::rule;

rule! {
    "notified-member" reports [FN_14]
    checks in ["source/checks/notifications.rs"]
    message "the entry for `{uri}` has no `index` link, although the index `{index}` lists it"
    help r#"add `<rs:ln rel="index" href="{index}"/>` to the entry"#
    en {
        what "If a changed document is listed in an index, its entry in a Framework Notification has an `index` link \
            to that index."
        why "The receiver is notified of one part only. The link leads it to the other parts that changed at the same \
            time."
        fix "Add the link whenever the document itself has an `index` link."
    }
    ja {
        message "インデックス `{index}` に列挙されている `{uri}` のエントリに `index` リンクがない"
        help r#"エントリに `<rs:ln rel="index" href="{index}"/>` を追加してください"#
        what "変更された文書がインデックスに列挙されている場合は、フレームワーク通知のエントリに、そのインデックスへの \
            `index` リンクを付けます。"
        why "受信側には一部の文書だけが通知されます。同時に変更されたほかの文書は、このリンクからたどります。"
        fix "文書自身に `index` リンクがある場合は、通知のエントリにも必ず付けます。"
    }
    wrong ""
    right ""
}
