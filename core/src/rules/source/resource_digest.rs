//! `resource-digest`: a resource whose digest differs from the list.

use crate::rules::rule;

rule! {
    "resource-digest" reports [AT_09]
    checks in ["source/checks/resources.rs"]
    message "{algorithm} digest of the resource is {actual}, expected {expected}"
    help "write the digest of the content that the server sends"
    en {
        what "`hash` is the digest of the representation at `loc`."
        why "A harvester that verifies digests rejects the resource and fetches it again on every visit."
        fix "Compute the digest of the content that the server sends, not of a source file from which it is \
            generated, and update the list when the resource changes."
    }
    ja {
        message "リソースの {algorithm} ダイジェストが不一致（実際は {actual}、記載は {expected}）"
        help "サーバが返す内容のダイジェストを書いてください"
        what "`hash` は、`loc` から取得できる表現のダイジェストです。"
        why "ダイジェストを検証するハーベスタはリソースを拒否し、収集のたびに取得し直します。"
        fix "生成元のファイルではなく、サーバが返す内容からダイジェストを計算し、リソースが変更されたらリストを\
            更新します。"
    }
    wrong ""
    right ""
}
