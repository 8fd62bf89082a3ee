//! `resource-digest`: a resource that is not what is listed.

use crate::rules::rule;

rule! {
    "resource-digest" reports [AT_09]
    checks []
    message "{algorithm} of the resource is {actual}, not {expected}"
    help "write the digest of what the server sends"
    en {
        what "`hash` is the digest of the representation that is obtained from `loc`."
        why "A harvester that compares rejects the resource and fetches it again at every visit."
        mend "Compute the digest of what the server sends, not of the file it makes that from, and write the list anew when the \
            resource changes."
    }
    ja {
        message "リソースの {algorithm} は {actual} であり、{expected} ではない"
        help "サーバが返す内容のダイジェストを書く"
        what "`hash` は、`loc` から得られる表現のダイジェストです。"
        why "照合するハーベスタはリソースを拒否し、訪れるたびに取得し直します。"
        mend "元のファイルではなくサーバが返す内容からダイジェストを計算し、リソースが変わったらリストを書き直します。"
    }
    wrong ""
    right ""
}
