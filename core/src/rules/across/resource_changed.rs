//! `resource-changed`: a resource that changed after the time that is listed.

use crate::rules::rule;

rule! {
    "resource-changed" reports [AT_39]
    checks []
    message "the server says that the resource changed at `{actual}`, after `lastmod` and before `at`"
    help "write the time of the last change into `lastmod`"
    en {
        what "A `lastmod` before `at` says that the resource did not change between the two."
        why "A harvester that has the state of `lastmod` relies on it and does not fetch the resource."
        mend "Take `lastmod` from the same place as the server takes `Last-Modified`."
    }
    ja {
        message "サーバによれば、リソースは `lastmod` より後で `at` より前の `{actual}` に変わっている"
        help "最後に変わった日時を `lastmod` に書く"
        what "`at` より前の `lastmod` は、その間リソースが変わっていないことを表します。"
        why "`lastmod` の時点の状態を持つハーベスタはこれを信じ、リソースを取得しません。"
        mend "`lastmod` を、サーバの `Last-Modified` と同じ情報から取ります。"
    }
    wrong ""
    right ""
}
