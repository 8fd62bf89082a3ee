//! `resource-changed`: a resource that changed after its listed modification time.

use crate::rules::rule;

rule! {
    "resource-changed" reports [AT_39]
    checks in ["source/checks/resources.rs"]
    message "`Last-Modified` of the resource is `{actual}`, which is after `lastmod` and before `at`"
    help "write the time of the last change into `lastmod`"
    en {
        what "If `lastmod` is before `at`, the resource did not change between the two."
        why "A harvester that has the state of `lastmod` relies on it and does not fetch the resource again."
        fix "Take `lastmod` from the same source as the server takes `Last-Modified`."
    }
    ja {
        message "リソースの `Last-Modified` が `lastmod` より後で `at` より前の `{actual}`"
        help "最後に変更された日時を `lastmod` に書いてください"
        what "`lastmod` が `at` より前であれば、その間リソースは変更されていないことになります。"
        why "`lastmod` の時点の状態を持つハーベスタは、この値を信頼し、リソースを再取得しません。"
        fix "`lastmod` は、サーバの `Last-Modified` と同じ情報源から取得します。"
    }
    wrong ""
    right ""
}
