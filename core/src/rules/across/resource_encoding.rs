//! `resource-encoding`: a resource that is sent in another content coding than listed.

use crate::rules::rule;

rule! {
    "resource-encoding" reports [AT_14]
    checks []
    message "the resource is sent with the content coding `{actual}`, not `{expected}`"
    help "write the content coding that the server uses, or leave `encoding` out"
    en {
        what "`encoding` is the `Content-Encoding` of the response."
        why "`length` and `hash` speak of the coded bytes. A harvester that decodes first compares the wrong ones."
        mend "Look at the response the server gives when no coding is asked for, and write that."
    }
    ja {
        message "リソースのコンテントコーディングは `{actual}` であり、`{expected}` ではない"
        help "サーバが使うコンテントコーディングを書くか、`encoding` を省く"
        what "`encoding` は応答の `Content-Encoding` です。"
        why "`length` と `hash` は符号化後のバイト列を表します。先に復号するハーベスタは誤ったものと照合します。"
        mend "コーディングを指定しないときのサーバの応答を確認し、その値を書きます。"
    }
    wrong ""
    right ""
}
