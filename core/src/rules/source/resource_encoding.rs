//! `resource-encoding`: a resource whose content coding differs from the list.

use crate::rules::rule;

rule! {
    "resource-encoding" reports [AT_14]
    checks in ["source/checks/resources.rs"]
    message "the content coding of the resource is `{actual}`, expected `{expected}`"
    help "write the content coding that the server uses, or remove `encoding`"
    en {
        what "`encoding` is the `Content-Encoding` of the response."
        why "`length` and `hash` refer to the encoded bytes. A harvester that decodes the content first compares the \
            wrong bytes."
        fix "Check the response that the server sends without an `Accept-Encoding` header, and write its content \
            coding."
    }
    ja {
        message "リソースのコンテンツ符号化が不一致（実際は `{actual}`、記載は `{expected}`）"
        help "サーバが使うコンテンツ符号化を書くか、`encoding` を削除してください"
        what "`encoding` は、応答の `Content-Encoding` の値です。"
        why "`length` と `hash` は、符号化されたバイト列についての値です。先に復号するハーベスタは、誤ったバイト列と\
            照合することになります。"
        fix "`Accept-Encoding` ヘッダを付けないリクエストに対するサーバの応答を確認し、そのコンテンツ符号化を\
            書きます。"
    }
    wrong ""
    right ""
}
