//! `several-members-notified`: a notification about several new documents of one index.

use crate::rules::rule;

rule! {
    "several-members-notified" reports [FN_17]
    checks in ["source/checks/notifications.rs"]
    message "the notification already contains another new document of the index `{uri}`"
    help "keep only one of the new documents"
    en {
        what "If several documents are added to an index at the same time, the notification contains only one of them. \
            The receiver finds the others through the index."
        why "The receiver reads the index once for each entry, which costs both sides time without any benefit."
        fix "Send one entry with an `index` link."
    }
    ja {
        message "通知に、インデックス `{uri}` の新しい文書がほかにもある"
        help "新しい文書のうち 1 件だけを残してください"
        what "1 つのインデックスに複数の文書が同時に追加された場合は、1 件だけを通知します。残りは、受信側が\
            インデックスから発見します。"
        why "受信側はエントリごとにインデックスを読むため、双方の負荷が増えるだけで利点がありません。"
        fix "`index` リンクを付けたエントリを 1 件だけ送信します。"
    }
    wrong ""
    right ""
}
